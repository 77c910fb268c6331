// The stage as SVG: words with their arcs, strips of bars, and the mix. Data in, a template out.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, nothing, svg } from 'lit';
import { fixed } from '../../lib/format.ts';
import { type Bar, LABELS, type Layout, type PlacedStrip, type Rect, type Span } from './layout.ts';
import { NAMES, type Row, type Step, UNDER, indexOf, isShare, numbersOf, onHatch, ranked, valuesOf } from './row.ts';

export interface Drawn {
  readonly row: Row;
  readonly before: Row | null;
  readonly step: Step;
  readonly layout: Layout;
  /** Strips of later stages are empty while the stage plays; null when it does not. */
  readonly reached: number | null;
  /** Whether bars, numbers and streams are drawn on a canvas instead. */
  readonly isCanvas: boolean;
}

export interface DrawingEvents {
  query(query: number): void;
  key(key: number): void;
  step(step: Step): void;
}

/** Of a digit at 14 px; wide enough for every system's sans. */
const DIGIT = 8.9;
const BOLD = 10.5;
/** A percent sign is as wide as a digit and a half. */
const lengthOf = (words: string, digit: number): number => [...words].reduce((sum, letter) => sum + (letter === '%' ? 1.5 : 1) * digit, 0);
const LEAST_SHARE = 0.005;
const MOST_ARCS = 12;
/** How thick all shares together are, and how far they fall before the outcome's box. */
const STREAM = 40;
const FALL = 8;

const middle = ({ from, to }: Span): number => (from + to) / 2;

export function drawing(drawn: Drawn, events: DrawingEvents): SVGTemplateResult {
  const { layout, row } = drawn;
  return svg`
    <defs><pattern id="stage-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-line" d="M0 0V7"/></pattern></defs>
    ${layout.strips.map((strip) => band(strip, drawn, events))}
    ${mixBand(drawn, events)}
    ${layout.turned || layout.isUnder ? nothing : arcs(drawn)}
    ${columns(drawn, events)}
    ${layout.isUnder ? nothing : inView(row.words, layout).map(([word, key]) => wordAt(word, key, drawn, events))}
    ${layout.strips.map((strip) => (isReached(drawn, strip.strip.id) ? bars(strip, drawn) : nothing))}
    ${hasMix(drawn) ? mix(drawn) : nothing}`;
}

/** While it plays, the strips of later stages are empty. */
export const isReached = ({ row, reached }: Drawn, id: Step): boolean => reached === null || indexOf(row, id) <= reached;

export function hasMix({ layout, row, step, reached }: Drawn): boolean {
  if (reached !== null) return reached >= row.strips.length;
  return !layout.turned || layout.isWhole || step === 'context';
}

// Words, and who looks at whom.

/** What belongs to the keys that are drawn, each with its key. */
const inView = <T>(all: readonly T[], { drawn: { from, to } }: Layout): [T, number][] => all.slice(from, to).map((each, i) => [each, from + i]);

function wordAt(word: string, key: number, { row, layout }: Drawn, events: DrawingEvents): SVGTemplateResult {
  const place = layout.places[key] as Span;
  const kind = row.isOwn && key === row.query ? 'query' : key === row.key ? 'key' : row.isHidden[key] ? 'hidden' : '';
  const [x, y] = layout.turned ? [layout.axis, middle(place) + layout.size * 0.34] : [middle(place), layout.axis];
  return svg`<text class="row-word ${kind}" data-word=${key} lang="" x=${x} y=${y} font-size=${layout.size} text-anchor=${layout.turned ? 'end' : 'middle'} @click=${() => (row.isOwn ? events.query(key) : events.key(key))}>${clipped(word, key, layout)}</text>`;
}

/** In rows, a word that is longer than its room ends in dots. */
function clipped(word: string, key: number, { turned, axis, size, letters }: Layout): string {
  const long = (letters[key] ?? 0) * size;
  if (!turned || long <= axis) return word;
  return shortened(word, Math.floor(([...word].length * (axis - size)) / long) + 1);
}

function shortened(word: string, most: number): string {
  const all = [...word];
  return all.length > most ? `${all.slice(0, most - 1).join('')}…` : word;
}

/** What a finger or the mouse takes for a word's column; over the words it chooses who looks, elsewhere who is looked at. */
function columns({ layout, row }: Drawn, events: DrawingEvents): SVGTemplateResult[] {
  const { places, turned, isUnder, width, height, axis } = layout;
  return inView(places, layout).map(([{ from, to }, key]) => {
    const above = turned ? { x: 0, y: from, width: axis, height: to - from } : { x: from, y: axis - 32, width: to - from, height: 44 };
    const below = turned ? { x: axis, y: from, width: width - axis, height: to - from } : { x: from, y: axis + 12, width: to - from, height: height - axis - 12 };
    return svg`${isUnder ? nothing : hit(above, () => (row.isOwn ? events.query(key) : events.key(key)))}${hit(below, () => events.key(key))}`;
  });
}

const hit = ({ x, y, width, height }: Rect, act: () => void): SVGTemplateResult => svg`<rect class="hit" x=${x} y=${y} width=${width} height=${height} @click=${act}></rect>`;

function arcs({ row, layout }: Drawn): SVGTemplateResult | typeof nothing {
  if (!row.isOwn) return nothing;
  const from = middle(layout.places[row.query] as Span);
  const top = layout.axis - layout.size * 0.95;
  const shares = valuesOf(row, 'weights');
  const keys = ranked(row, shares).filter((key) => (shares[key] ?? 0) >= LEAST_SHARE).slice(0, MOST_ARCS);
  const far = (key: number) => Math.abs(middle(layout.places[key] as Span) - from);
  // The widest is as high as there is room; narrower ones run below it.
  const widest = Math.max(1, ...keys.map(far));
  const highest = Math.min(top - 11, 22 + widest * 0.16) / 0.75;
  return svg`<g class="row-arcs">${keys.toReversed().map((key) => {
    const share = shares[key] ?? 0;
    const [thick, to] = [Math.max(1, 10 * share), middle(layout.places[key] as Span)];
    const kind = key === row.key ? 'chosen' : '';
    const head = 4 + thick * 0.5;
    const end = top - head;
    if (key === row.query) return svg`<path class="row-arc ${kind}" data-arc=${key} stroke-width=${thick} d="M${from - 9} ${top}C${from - 20} ${top - 34} ${from + 20} ${top - 34} ${from + 9} ${top}"/>`;
    const peak = highest * (0.42 + (0.58 * far(key)) / widest);
    return svg`
      <path class="row-arc ${kind}" data-arc=${key} stroke-width=${thick} d="M${from} ${top}C${from} ${top - peak} ${to} ${top - peak} ${to} ${end}"/>
      <path class="row-head ${kind}" d="M${to - head} ${end - 1}h${head * 2}L${to} ${top}z"/>`;
  })}</g>`;
}

// Strips.

function band(placed: PlacedStrip, { layout, row, step }: Drawn, events: DrawingEvents): SVGTemplateResult {
  const { x, y, width, height, zero, strip: { id } } = placed;
  const isNow = id === step;
  if (!layout.turned) {
    return svg`
      <rect class="strip ${isNow ? 'now' : ''}" x=${x} y=${y} width=${width} height=${height}></rect>
      <path class="rule" d="M${x} ${y}H${x + width}"/>
      ${name(id, row, { x: 8, y: y + Math.min(26, height / 2 - 3) }, isNow, events)}
      <path class="zero" d="M${LABELS} ${zero}H${width}"/>`;
  }
  return svg`
    ${layout.isWhole ? svg`<rect class="strip ${isNow ? 'now' : ''}" x=${x - 4} y="0" width=${width - 4} height=${y + height}></rect>${name(id, row, { x: x + 2, y: 18 }, isNow, events)}` : nothing}
    <path class="zero" d="M${zero} ${y}V${y + height}"/>`;
}

function name(id: Step, row: Row, { x, y }: { x: number; y: number }, isNow: boolean, events: DrawingEvents): SVGTemplateResult {
  return svg`<g class="strip-name ${isNow ? 'now' : ''}" data-name=${id} @click=${() => events.step(id)}><text x=${x} y=${y}>${NAMES[id]()}</text><text class="under" x=${x} y=${y + 20}>${UNDER[id](row)}</text></g>`;
}

function bars(placed: PlacedStrip, drawn: Drawn): SVGTemplateResult {
  const { layout, row, step, reached, isCanvas } = drawn;
  const { strip: { id }, ghosts } = placed;
  const isPast = reached !== null && indexOf(row, id) < reached;
  return svg`<g class="bars ${id === step ? 'now' : ''} ${isPast ? 'past' : ''}">
    ${placed.hidden.map((span) => hatched(placed, span, layout))}
    ${isCanvas ? nothing : placed.bars.map((bar) => svg`<rect class="bar ${kindOf(bar.key, row)}" data-bar="${id} ${bar.key}" x=${bar.x} y=${bar.y} width=${bar.width} height=${bar.height}></rect>`)}
    ${isCanvas ? nothing : ghosts.map(({ x, y, width, height }) => svg`<rect class="ghost-bar" x=${x - 2} y=${y - 2} width=${width + 4} height=${height + 2}></rect>`)}
    ${isCanvas ? nothing : numbersOn(placed, drawn).map(({ bar: { key }, text, said, isStrong, place: { x, y, anchor } }) => svg`<text class="number ${kindOf(key, row)} ${isStrong ? 'strong' : ''}" data-number="${id} ${key}" x=${x} y=${y} text-anchor=${anchor}>${text}${said === null ? nothing : svg`<tspan class="was" dx="7">${said}</tspan>`}</text>`)}
  </g>`;
}

const kindOf = (key: number, row: Row): string => (key === row.key ? 'chosen' : row.isHidden[key] ? 'hidden' : '');

/** Hidden, always with a word on it. */
function hatched({ x, y, width, height, strip: { id } }: PlacedStrip, { from, to }: Span, { places, turned }: Layout): SVGTemplateResult {
  const [start, end] = [Math.min((places[from] as Span).from, (places[to] as Span).from), Math.max((places[from] as Span).to, (places[to] as Span).to)];
  const box = turned ? { x: x + 2, y: start, width: width - 12, height: end - start } : { x: start, y: y + 1, width: end - start, height: height - 1 };
  const words = onHatch(id, box.width < 92);
  const room = words.length * DIGIT + 12;
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  return svg`
    <rect class="hatched-keys" x=${box.x} y=${box.y} width=${box.width} height=${box.height} fill="url(#stage-hatch)"></rect>
    <rect class="on-hatch" x=${cx - room / 2} y=${cy - 11} width=${room} height="22"></rect>
    <text class="hatch-words" x=${cx} y=${cy + 5} text-anchor="middle">${words}</text>`;
}

/** The chosen key's and the largest first; one that would cover another is left out, and so is what stood before. */
export function numbersOn(placed: PlacedStrip, { row, before, layout: { turned, places } }: Drawn): Put[] {
  const { strip: { id, values }, zero, ghosts } = placed;
  const write = numbersOf(id, values);
  const were = before && isShare(id) ? valuesOf(before, id) : null;
  const strong = new Set([...ranked(row, values).slice(0, 2), row.key]);
  const put = (bar: Bar, said: string | null): Put => {
    const ghost = ghosts.find(({ key }) => key === bar.key);
    const text = write(bar.value);
    const place = turned ? beside(bar, ghost, middle(places[bar.key] as Span)) : above(bar, ghost, said !== null, zero);
    const width = lengthOf(text, strong.has(bar.key) ? BOLD : DIGIT) + (said === null ? 0 : lengthOf(said, DIGIT) + 7);
    return { bar, text, said, place, isStrong: strong.has(bar.key), box: { x: place.anchor === 'middle' ? place.x - width / 2 : place.x, y: place.y - 12, width, height: 14 } };
  };
  const order = placed.bars.toSorted((a, b) => Number(b.key === row.key) - Number(a.key === row.key) || Math.abs(b.value) - Math.abs(a.value));
  const kept: Put[] = [];
  for (const bar of order) {
    const plain = put(bar, null);
    const isFirst = strong.has(bar.key) && kept.length < 2;
    if (isFirst || !kept.some(({ box }) => overlaps(box, plain.box))) kept.push(plain);
  }
  kept.forEach(({ bar, text }, i) => {
    const was = ghosts.some(({ key }) => key === bar.key) && were ? write(were[bar.key] ?? 0) : text;
    if (was === text) return;
    const longer = put(bar, wasWords(was));
    const others = [...kept.filter((_, other) => other !== i).map(({ box }) => box), ...(turned ? [] : placed.bars.filter(({ key }) => key !== bar.key))];
    if (longer.box.x + longer.box.width <= placed.x + placed.width && !others.some((other) => overlaps(other, longer.box))) kept[i] = longer;
  });
  return kept;
}

/** A number, what stood before it, and where they stand. */
export interface Put { bar: Bar; text: string; said: string | null; isStrong: boolean; place: Place; box: Rect }

interface Place { x: number; y: number; anchor: 'middle' | 'start' }

function above(bar: Bar, ghost: Bar | undefined, hasWas: boolean, zero: number): Place {
  if (hasWas) return { x: bar.x + bar.width + 6, y: Math.min(zero - 26, bar.y + 14), anchor: 'start' };
  return { x: bar.x + bar.width / 2, y: Math.min(bar.value < 0 ? zero : bar.y, ghost && ghost.value > 0 ? ghost.y - 2 : Infinity) - 5, anchor: 'middle' };
}

const beside = (bar: Bar, ghost: Bar | undefined, y: number): Place => ({ x: Math.max(bar.x + bar.width, ghost ? ghost.x + ghost.width + 2 : 0) + 6, y: y + 5, anchor: 'start' });

const overlaps = (a: Rect, b: Rect): boolean => a.x < b.x + b.width + 3 && b.x < a.x + a.width + 3 && a.y < b.y + b.height && b.y < a.y + a.height;

// The mix.

function mixBand({ layout: { mix, width, turned, isWhole }, row, step }: Drawn, events: DrawingEvents): SVGTemplateResult | typeof nothing {
  const isNow = step === 'context';
  if (turned) return isWhole ? name('context', row, { x: mix.x + 2, y: 18 }, isNow, events) : nothing;
  return svg`
    <rect class="strip ${isNow ? 'now' : ''}" x=${mix.x} y=${mix.y} width=${width} height=${mix.height}></rect>
    <path class="rule" d="M0 ${mix.y}H${width}"/>
    ${name('context', row, { x: 8, y: mix.y + 26 }, isNow, events)}`;
}

/** A stream from each share to the query, as thick as the share; those of the outer words run farther out, so that none cross. */
export function streamsOf({ row, layout }: Drawn): Stream[] {
  const { turned, mix: at, places } = layout;
  const [start, end] = startAndEnd(layout);
  const shares = row.shares.map((share) => (Number.isFinite(share) ? share : 0));
  const keys = [...shares.keys()].filter((key) => (shares[key] ?? 0) >= LEAST_SHARE);
  let out = start + (turned ? at.width - 20 : at.height - 14);
  return keys.map((key): Stream => {
    const [thick, along] = [Math.max(1, (shares[key] ?? 0) * STREAM), middle(places[key] as Span)];
    // What stands over the outcome falls straight into it.
    if (!turned && along > end) return { key, thick, along, across: start, falls: true };
    out -= thick;
    return { key, thick, along, across: out + thick / 2, falls: false };
  });
}

/** Where streams begin, and where they end. */
const startAndEnd = ({ turned, mix, width }: Layout): [start: number, end: number] => (turned ? [mix.x + 4, mix.y + mix.height - 52] : [mix.y, width - 168]);

/** And how long it is: a quarter's bend is 1.62 times as long as its width. */
export function streamPath({ along, across, falls }: Stream, layout: Layout): { path: string; length: number } {
  const [start, end] = startAndEnd(layout);
  if (falls) return { path: `M${along} ${start}V${start + FALL}`, length: FALL };
  const bend = Math.max(0, Math.min(12, across - start, Math.abs(end - along)));
  const sign = Math.sign(end - along) || 1;
  const path = layout.turned
    ? `M${start} ${along}H${across - bend}Q${across} ${along} ${across} ${along + sign * bend}V${end}`
    : `M${along} ${start}V${across - bend}Q${along} ${across} ${along + sign * bend} ${across}H${end}`;
  return { path, length: across - start + Math.abs(end - along) - 0.38 * bend };
}

function mix(drawn: Drawn): SVGTemplateResult {
  const { row, layout, isCanvas } = drawn;
  const { turned, mix: at, width } = layout;
  const end = startAndEnd(layout)[1];
  const streams = isCanvas ? [] : streamsOf(drawn);
  return svg`<g class="mix">${streams.map((stream) => svg`<path class="stream ${stream.key === row.key ? 'chosen' : ''}" data-stream=${stream.key} pathLength="1" stroke-width=${stream.thick} d=${streamPath(stream, layout).path}/>`)}
  ${turned ? nothing : streamWords(row, streams.filter(({ falls }) => !falls), at.y, end)}
  ${turned ? nothing : svg`<rect class="outcome-room" x=${end} y=${at.y + FALL} width=${width - end - 4} height=${at.height - FALL - 2} rx="4"></rect>`}
  ${layout.drawn.to < layout.places.length ? nothing : outcome(drawn, turned ? { x: Math.max(12, width - 220), y: end + 22 } : { x: end + 12, y: at.y + FALL + 18 })}</g>`;
}

export interface Stream { key: number; thick: number; along: number; across: number; falls: boolean }

/** The thickest streams first; words that would cover others are left out. */
function streamWords({ words, shares, key: chosen }: Row, streams: readonly Stream[], at: number, end: number): SVGTemplateResult[] {
  const taken: Rect[] = [];
  return streams.toSorted((a, b) => b.thick - a.thick).flatMap(({ key, thick, along, across }) => {
    const text = `${fixed(shares[key] ?? 0, 2)} × ${words[key] ?? ''}`;
    const box: Rect = { x: along + thick / 2 + 12, y: thick >= 16 ? across - 8 : across - thick / 2 - 18, width: text.length * DIGIT, height: 16 };
    const covers = box.y < at || streams.some((other) => other.key !== key && other.across + other.thick / 2 > box.y && other.across - other.thick / 2 < box.y + box.height && other.along < box.x + box.width)
      || streams.some((other) => other.key !== key && other.along > box.x - 4 && other.along < box.x + box.width && other.across > box.y);
    if (box.x + box.width > end || covers || taken.some((other) => overlaps(other, box))) return [];
    taken.push(box);
    return [svg`<text class="stream-words ${key === chosen ? 'chosen' : ''}" lang="" x=${box.x} y=${box.y + 13}>${text}</text>`];
  });
}

/** What the word carries on: the numbers themselves, as cells. */
function outcome({ row }: Drawn, { x, y }: { x: number; y: number }): SVGTemplateResult {
  const most = row.context.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  const cells = Math.min(16, row.context.length);
  const size = Math.min(9, 144 / Math.max(1, cells));
  return svg`
    <text class="outcome" x=${x} y=${y}>${msg('carried on by', { desc: 'in front of a word: the numbers that it takes along' })} <tspan class="query" lang="">${shortened(row.queryWord, 12)}</tspan></text>
    ${Array.from({ length: cells }, (_, i) => {
      const value = row.context[i] ?? 0;
      const long = Math.max(1, (Math.abs(value) / most) * 12);
      return svg`<rect class="context-cell ${value < 0 ? 'below' : ''}" x=${x + i * size} y=${y + 20 - (value < 0 ? 0 : long)} width=${Math.max(1, size - 1.5)} height=${long}></rect>`;
    })}`;
}

const wasWords = (was: string): string => msg(str`was ${was}`, { desc: 'behind a number that has changed: 94% was 100%' });
