// The address's fragment: the only place that the reader's text is ever written to. `#v1&text=…&heads=4&row=8`.
import type { Settings } from './engine.ts';
import { DEFAULT_TEXT, KNOBS, type Knobs, SETTINGS, parseNumber } from './settings.ts';
import { type FocusLink, encodeFocus, readArray, readCell } from './walk-link.ts';
import { type Token, decodeBoundaries, encodeBoundaries, normalizeLines } from './tokenize.ts';

export interface Selection {
  head: number;
  query: number;
  key: number;
}

export interface LinkState {
  text: string;
  tokens: readonly Token[];
  settings: Settings;
  source: Knobs['source'];
  rows: Knobs['rows'];
  selection: Selection;
  /** The number of the walk that is looked at; null before the reader has gone to one. */
  focus: FocusLink | null;
}

export interface Reading {
  text?: string;
  tokens?: Token[];
  settings: Partial<Knobs>;
  selection: Partial<Selection>;
  focus?: FocusLink;
  /** One sentence for the reader, or none when the link was whole. */
  notice: string | null;
}

const VERSION = 'v1';
const MAX_LENGTH = 200_000;
/** Longer texts make addresses that browsers and chat windows cut. */
export const MAX_LINK_TEXT = 20_000;
/** Places are counted from 1 in a link, as they are on screen. */
const PLACES = [['head', 'head'], ['row', 'query'], ['key', 'key']] as const;

export function encode(state: LinkState): string {
  const parts = [VERSION];
  if (state.text.length <= MAX_LINK_TEXT) {
    parts.push(`text=${encodeText(state.text)}`, `tokens=${encodeBoundaries(state.tokens)}`);
  }
  const knobs = { ...state.settings, source: state.source, rows: state.rows };
  for (const setting of SETTINGS) {
    const value = setting.format(knobs);
    if (value !== setting.format(KNOBS)) parts.push(`${setting.key}=${encodeURIComponent(value)}`);
  }
  for (const [key, field] of PLACES) parts.push(`${key}=${state.selection[field] + 1}`);
  if (state.focus) parts.push(...encodeFocus(state.focus));
  return `#${parts.join('&')}`;
}

function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'))
    .replace(/%20/g, '+');
}

/** Reads any string at all; what can be read is kept, the rest is named in one sentence. */
export function decode(hash: string): Reading | null {
  const raw = hash.replace(/^#/, '');
  if (raw === '') return null;
  if (raw.length > MAX_LENGTH) return failed('This link is too long to be read. The page’s own sentence is shown.');
  // A stage alone may be linked to as well: #stage=weights.
  const [version = '', ...fields] = (raw.startsWith('stage=') ? `${VERSION}&${raw}` : raw).split('&');
  if (version !== VERSION) {
    const other = /^v\d{1,4}$/.test(version) ? `was made for version ${version.slice(1)} of this page` : 'could not be read';
    return failed(`This link ${other}. The page’s own sentence is shown.`);
  }
  const values = new Map<string, string>();
  const broken = new Set<string>();
  for (const field of fields) {
    const [, key = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(field) ?? [];
    const text = decodeField(value);
    if (text === null || values.has(key)) broken.add(key);
    else values.set(key, text);
  }
  return read(values, broken);
}

function read(values: Map<string, string>, broken: Set<string>): Reading {
  const reading: Reading = { settings: {}, selection: {}, notice: null };
  const known = new Set<string>(['text', 'tokens']);
  if (values.has('text')) readText(values, broken, reading);
  for (const setting of SETTINGS) {
    known.add(setting.key);
    const raw = values.get(setting.key);
    if (raw === undefined) continue;
    const parsed = raw === '' ? null : setting.parse(raw);
    if (parsed) Object.assign(reading.settings, parsed);
    else broken.add(setting.key);
  }
  for (const [key, field] of PLACES) {
    known.add(key);
    const raw = values.get(key);
    if (raw === undefined) continue;
    const place = parseNumber(raw);
    if (place !== null && Number.isInteger(place) && place >= 1 && place <= 1e6) reading.selection[field] = place - 1;
    else broken.add(key);
  }
  known.add('stage').add('cell');
  readFocus(values, broken, reading);
  const named = [...broken].filter((key) => known.has(key));
  const strangers = broken.size > named.length || [...values.keys()].some((key) => key !== '' && !known.has(key));
  if (named.length > 0) {
    reading.notice = `Part of this link could not be read (${named.join(', ')}). The page uses its own values there.`;
  } else if (strangers) {
    reading.notice = 'This link holds something that the page does not know. The rest of it is shown.';
  }
  return reading;
}

function readFocus(values: Map<string, string>, broken: Set<string>, reading: Reading): void {
  const [stage, place] = [values.get('stage'), values.get('cell')];
  const array = stage === undefined ? null : readArray(stage);
  const cell = place === undefined ? null : readCell(place);
  if (stage !== undefined && array === null) broken.add('stage');
  if (place !== undefined && cell === null) broken.add('cell');
  if (array !== null) reading.focus = { array, cell };
}

function readText(values: Map<string, string>, broken: Set<string>, reading: Reading): void {
  const text = normalizeLines(values.get('text') ?? '');
  reading.text = text;
  const boundaries = values.get('tokens');
  if (boundaries === undefined) return;
  const tokens = decodeBoundaries(text, boundaries);
  if (tokens) reading.tokens = tokens;
  else broken.add('tokens');
}

function decodeField(value: string): string | null {
  try {
    return decodeURIComponent(value.replace(/\+/g, '%20'));
  } catch {
    return null;
  }
}

function failed(notice: string): Reading {
  return { text: DEFAULT_TEXT, settings: { ...KNOBS }, selection: {}, notice };
}
