// The address's fragment: the only place that the reader's text is ever written to. `#v1&text=…&heads=4&row=8`.
import { msg, str } from '@lit/localize';
import { readArray } from '../engine/stages.ts';
import { type Token, encodeBoundaries, normalizeLines } from '../engine/tokens.ts';
import { listed } from '../lib/format.ts';
import { languageOf } from '../lib/language.ts';
import { MODEL_FIELDS } from '../parameters/sources.ts';
import { fitsAddress, sameReplay } from '../parameters/trained-here.ts';
import { DEFAULT_TEXT, KNOBS, SETTINGS, fieldsOf, parseNumber } from '../state/settings.ts';
import { type LinkState, type Reading, knobsOf } from '../state/state.ts';
import { type Field, MAX_LINK_TEXT, decodeMask, encodeMask, writeFields } from './address.ts';
import { type Fields, MOST_ADDRESS, readFields } from './fields.ts';
import { decodeBoundaries, decodeDrawing, decodeEdits, decodeGiven, decodePatches, decodePlaces, decodeRanges, decodeRows, encodeDrawing, encodeEdits, encodeFocus, encodeGiven, encodePatches, encodePlaces, encodeRanges, encodeRows, isSmall, readCell } from './codecs.ts';

const VERSION = 'v1';
/** Places are counted from 1 in a link, as they are on screen. */
const PLACES = [['head', 'head'], ['row', 'query'], ['key', 'key']] as const;

export function encode(state: LinkState): string {
  const parts: Field[] = [[VERSION, null]];
  if (fits(state.text)) parts.push(['text', state.text], ['tokens', encodeBoundaries(state.tokens)]);
  const { keyText, keyTokens, otherText } = state;
  if (fits(keyText)) parts.push(['key-text', keyText], ['key-tokens', encodeBoundaries(keyTokens)]);
  if (fits(otherText)) parts.push(['other-text', otherText]);
  for (const { key, write } of BY_HAND) {
    const value = write(state);
    if (value) parts.push([key, value]);
  }
  const knobs = knobsOf(state);
  for (const setting of SETTINGS) {
    const value = setting.format(knobs);
    // A design brings settings of its own, unless the link says otherwise.
    const said = state.source === 'designed' && setting.group !== 'Shape';
    const learnt = state.source === 'trained' && fieldsOf(setting).some((field) => LEARNT.has(field));
    if (!learnt && (said || value !== setting.format(KNOBS))) parts.push([setting.key, value]);
  }
  for (const [key, field] of PLACES) parts.push([key, String(state.selection[field] + 1)]);
  if (state.focus) parts.push(...encodeFocus(state.focus));
  return `#${writeFields(parts)}`;
}

const fits = (text: string | null): text is string => text !== null && text.length <= MAX_LINK_TEXT;

/** The parts of a state that are too large for an address. */
export function leftOut({ text, keyText, otherText, given }: LinkState): ('text' | 'matrices')[] {
  const long = [text, keyText, otherText].some((each) => (each?.length ?? 0) > MAX_LINK_TEXT);
  return [...(long ? ['text' as const] : []), ...(given && !isSmall(given) ? ['matrices' as const] : [])];
}

const LEARNT: ReadonlySet<string> = new Set(MODEL_FIELDS);

/** Reads any string; keeps what it can read and names the rest in one sentence. */
export function decode(hash: string): Reading | null {
  const raw = hash.replace(/^#/, '');
  if (raw === '') return null;
  if (raw.length > MOST_ADDRESS) return failed(() => msg('This link is too long to be read. The page’s own sentence is shown.'));
  // A link may hold only a stage, a language or a text: #stage=weights.
  const whole = /^(stage|lang|text|key-text)=/.test(raw) ? `${VERSION}&${raw}` : raw;
  const [version = ''] = whole.split('&', 1);
  if (version !== VERSION) {
    return failed(/^v\d{1,4}$/.test(version)
      ? () => msg(str`This link was made for version ${version.slice(1)} of this page. The page’s own sentence is shown.`)
      : () => msg('This link could not be read. The page’s own sentence is shown.'));
  }
  return read(readFields(whole.slice(version.length + 1)));
}

function read({ values, broken }: Fields): Reading {
  const reading: Reading = { settings: {}, selection: {}, notice: null };
  const known = new Set<string>(['text', 'tokens', 'key-text', 'key-tokens', 'other-text']);
  if (values.has('text')) [reading.text, reading.tokens] = readText(values, broken, 'text', 'tokens');
  if (values.has('key-text')) [reading.keyText, reading.keyTokens] = readText(values, broken, 'key-text', 'key-tokens');
  if (values.has('other-text')) reading.otherText = normalizeLines(values.get('other-text') ?? '');
  for (const { key, take } of BY_HAND) {
    known.add(key);
    const raw = values.get(key);
    if (raw !== undefined && !take(raw, reading)) broken.add(key);
  }
  const isMoved = reading.drawing !== undefined && values.get('writing')?.split(':').some((raw, i) => parseNumber(raw) !== Object.values(reading.drawing ?? {})[i]);
  for (const setting of SETTINGS) {
    known.add(setting.key);
    const raw = values.get(setting.key);
    if (raw === undefined) continue;
    const parsed = raw === '' ? null : setting.parse(raw);
    if (parsed) Object.assign(reading.settings, parsed);
    else broken.add(setting.key);
  }
  if (reading.replay && reading.settings.source === 'yours') reading.settings.source = 'trained-here';
  for (const [key, field] of PLACES) {
    known.add(key);
    const raw = values.get(key);
    if (raw === undefined) continue;
    const place = parseNumber(raw);
    if (place !== null && Number.isInteger(place) && place >= 1 && place <= 1e6) reading.selection[field] = place - 1;
    else broken.add(key);
  }
  known.add('stage').add('cell').add('lang');
  readFocus(values, broken, reading);
  // The page around the figure uses it.
  if (values.has('lang') && !languageOf(values.get('lang') ?? '')) broken.add('lang');
  const named = [...broken].filter((key) => known.has(key));
  const strangers = broken.size > named.length || [...values.keys()].some((key) => key !== '' && !known.has(key));
  if (named.length > 0) {
    reading.notice = () => msg(str`Part of this link could not be read (${listed(named).join('')}). The page uses its own values there.`);
  } else if (strangers) {
    reading.notice = () => msg('This link holds something that the page does not know. The rest of it is shown.');
  } else if (isMoved) {
    reading.notice = () => msg('This link draws words with numbers that are out of range. The page uses the nearest ones.');
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

/** A field that is set by hand: how it is written, '' if it is not set, and read. In the order of the address. */
interface ByHand { key: string; write(state: LinkState): string; take(raw: string, reading: Reading): boolean }

function byHand<Field extends keyof LinkState & keyof Reading>(key: string, field: Field, write: (value: NonNullable<LinkState[Field]>) => string, read: (raw: string) => Reading[Field] | null): ByHand {
  return {
    key,
    write: (state) => (state[field] === null ? '' : write(state[field] as NonNullable<LinkState[Field]>)),
    take: (raw, reading) => {
      const value = read(raw);
      if (value) reading[field] = value;
      return value !== null;
    },
  };
}

/** Before it had a source of its own it was one of the reader's. */
const REPLAY = byHand('replay', 'replay', (replay) => (fitsAddress(replay) ? replay : ''), sameReplay);

const BY_HAND: readonly ByHand[] = [
  byHand('mask-cells', 'maskEdits', encodeMask, decodeMask),
  byHand('numbers', 'edits', encodeEdits, decodeEdits),
  byHand('silenced', 'silenced', encodePlaces, decodePlaces),
  byHand('shares', 'patches', encodePatches, decodePatches),
  byHand('writing', 'drawing', encodeDrawing, decodeDrawing),
  byHand('ranges', 'lockedRanges', encodeRanges, decodeRanges),
  byHand('added-rows', 'addedRows', (rows) => (rows.length > 1 ? encodeRows(rows) : ''), decodeRows),
  { ...REPLAY, write: (state) => (state.source === 'yours' ? '' : REPLAY.write(state)) },
  byHand('matrices', 'given', (given) => (isSmall(given) ? encodeGiven(given) : ''), decodeGiven),
];

/** A text, and its words when the link's boundaries fit it. */
function readText(values: Map<string, string>, broken: Set<string>, key: string, boundariesKey: string): [string, Token[] | undefined] {
  const text = normalizeLines(values.get(key) ?? '');
  const boundaries = values.get(boundariesKey);
  const tokens = boundaries === undefined ? null : decodeBoundaries(text, boundaries);
  if (boundaries !== undefined && !tokens) broken.add(boundariesKey);
  return [text, tokens ?? undefined];
}

function failed(notice: () => string): Reading {
  return { text: DEFAULT_TEXT, settings: { ...KNOBS }, selection: {}, notice };
}
