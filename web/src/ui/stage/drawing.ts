// The stage as SVG: words with their arcs, strips of bars, and the mix. Data in, a template out.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, nothing, svg } from 'lit';
import { LEAST_ARC, fixed } from '../../lib/format.ts';
import { Space } from '../../lib/space.ts';
import { type Bar, type Block, DIGITS, LABELS, type Layout, type PlacedStrip, type Rect, type Span } from './layout.ts';
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
/** Signs are wider than digits. */
const lengthOf = (words: string, digit: number): number => [...words].reduce((sum, letter) => sum + (letter === '%' ? 1.5 : letter === '<' ? 1.3 : 1) * digit, 0);
const MOST_ARCS = 12;
/** From this share on, a word among many is written large. */
const STRONG_SHARE = 0.05;
/** Where names of strips over rows stand, and in narrower ones they are small. */
const NAME = 18;
const NAMED = 100;
/** Below this width a number for each bar would take the bar's room; below this height, they would touch. */
const NUMBERED = { width: 84, height: 14 };
/** How thick all shares together are, and how far they fall before the outcome's box. */
const STREAM = 40;
/** In a loop between two blocks. */
const LOOP = 9;
const FALL = 8;
/** How wide the outcome's box is. */
const OUTCOME = 164;

const middle = ({ from, to }: Span): number => (from + to) / 2;

export function drawing(drawn: Drawn, events: DrawingEvents): SVGTemplateResult {
  const { layout } = drawn;
  return svg`
    <defs><pattern id="stage-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-line" d="M0 0V7"/></pattern></defs>
    ${layout.strips.map((strip) => band(strip, drawn, events))}
    ${layout.gutter ? ownRow(drawn) : nothing}
    ${mixBand(drawn, events)}
    ${layout.gutter ? layout.gutter.to > layout.gutter.from ? rowArcs(drawn) : nothing : layout.turned || layout.isUnder ? nothing : arcs(drawn)}
    ${areas(drawn, events)}
    ${layout.isUnder ? nothing : words(drawn, events)}
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

function words(drawn: Drawn, events: DrawingEvents): SVGTemplateResult[] {
  const { row, layout } = drawn;
  const looked = layout.gutter ? new Set([row.query, row.key, ...strongest(row)]) : null;
  return inView(row.words, layout).map(([word, key]) => wordAt(word, key, looked?.has(key) ?? false, drawn, events));
}

/** The two that get most, where that is much. */
const strongest = (row: Row): number[] => ranked(row, valuesOf(row, 'weights')).slice(0, 2).filter((key) => (valuesOf(row, 'weights')[key] ?? 0) >= STRONG_SHARE);

function wordAt(word: string, key: number, isStrong: boolean, { row, layout }: Drawn, events: DrawingEvents): SVGTemplateResult {
  const place = layout.places[key] as Span;
  const kind = row.isOwn && key === row.query ? 'query' : key === row.key ? 'key' : row.isHidden[key] ? 'hidden' : '';
  const at = layout.turned ? blockOf(key, layout).word : { x: middle(place), anchor: 'middle', room: Infinity };
  const size = layout.size + (isStrong ? 2 : 0);
  // Bold letters are wider.
  const long = (layout.letters[key] ?? 0) * size * (isStrong ? 1.12 : 1);
  const text = long <= at.room ? word : shortened(word, Math.floor(([...word].length * (at.room - size)) / long) + 1);
  return svg`<text class="row-word ${kind} ${isStrong ? 'strong' : ''}" data-word=${key} lang="" x=${at.x} y=${layout.turned ? middle(place) + size * 0.34 : layout.axis} font-size=${size} text-anchor=${at.anchor} @click=${() => (row.isOwn ? events.query(key) : events.key(key))}>${text}</text>`;
}

const blockOf = (key: number, { blocks }: Layout): Block => (blocks.find(({ keys }) => key < keys.to) ?? blocks.at(-1)) as Block;

function shortened(word: string, most: number): string {
  const all = [...word];
  return all.length > most ? `${all.slice(0, most - 1).join('')}…` : word;
}

/**
 * Where a click or tap chooses the nearest word: over the words the one that looks, elsewhere the one that is looked at. One
 * area serves all words of a block: the browser would have to lay out one for each of them at every key.
 */
function areas({ layout, row }: Drawn, events: DrawingEvents): SVGTemplateResult[] {
  const { places, drawn, turned, isUnder, blocks, height, axis, width } = layout;
  if (places.length === 0) return [];
  const word = (key: number) => (row.isOwn ? events.query(key) : events.key(key));
  const area = (rect: Rect, keys: Span, choose: (key: number) => void) => svg`<rect class="hit" x=${rect.x} y=${rect.y} width=${rect.width} height=${rect.height} @click=${(event: MouseEvent) => {
    const { x, y } = new Space((event.currentTarget as SVGElement).ownerSVGElement as SVGElement).point(event);
    choose(nearest(turned ? y : x, keys, places));
  }}></rect>`;
  if (!turned) {
    const [from, to] = [Math.min(...places.map((place) => place.from)), Math.min(width, Math.max(...places.map((place) => place.to)))];
    const below = area({ x: from, y: axis + 12, width: to - from, height: height - axis - 12 }, drawn, events.key);
    return isUnder ? [below] : [area({ x: from, y: axis - 32, width: to - from, height: 44 }, drawn, word), below];
  }
  return blocks.flatMap(({ keys: { from, to }, word: { x, anchor, room }, strips }) => {
    const keys = { from: Math.max(from, drawn.from), to: Math.min(to, drawn.to) };
    const [first, last] = [places[keys.from], places[keys.to - 1]];
    if (!first || !last) return [];
    const [y, high] = [first.from, last.to - first.from];
    return [area({ x: x - (anchor === 'end' ? room : 0), y, width: room, height: high }, keys, word), area({ x: strips.from, y, width: strips.to - strips.from, height: high }, keys, events.key)];
  });
}

/** The key, of a range of them, whose place is nearest. */
function nearest(at: number, { from, to }: Span, places: readonly Span[]): number {
  const far = (key: number) => Math.max((places[key] as Span).from - at, at - (places[key] as Span).to, 0);
  let best = from;
  for (let key = from + 1; key < to; key += 1) if (far(key) < far(best)) best = key;
  return best;
}

/** The row of the word that looks. */
function ownRow({ row: { query }, layout }: Drawn): SVGTemplateResult {
  const { word: { x, anchor }, strips } = blockOf(query, layout);
  const { from, to } = layout.places[query] as Span;
  const [start, end] = anchor === 'end' ? [strips.from, x + 4] : [x - 4, strips.to];
  return svg`<rect class="own-row" x=${start} y=${from} width=${end - start} height=${to - from}></rect>`;
}

/** Those that get most. */
function arcKeys(row: Row): number[] {
  const shares = valuesOf(row, 'weights');
  return ranked(row, shares).filter((key) => (shares[key] ?? 0) >= LEAST_ARC).slice(0, MOST_ARCS);
}

/** Beside rows: bows between those of one block, and from one block to the other. */
function rowArcs(drawn: Drawn): SVGTemplateResult {
  const { row } = drawn;
  const shares = valuesOf(row, 'weights');
  return svg`<g class="row-arcs">${arcKeys(row).toReversed().map((key) => {
    const thick = Math.max(1, 9 * (shares[key] ?? 0));
    const head = headOf(thick);
    const { from: { x, y, way }, path } = bow(key, drawn, thick, head);
    const kind = key === row.key ? 'chosen' : '';
    return svg`
      <path class="row-arc ${kind}" data-arc=${key} stroke-width=${thick} d=${path}/>
      <path class="row-head ${kind}" d="M${x + way * head} ${y - head}v${head * 2}L${x} ${y}z"/>`;
  })}</g>`;
}

const headOf = (thick: number): number => 4 + thick * 0.45;

/** From a row to the row that looks. */
function bow(key: number, { row, layout }: Drawn, thick: number, head: number): { from: End; path: string; length: number } {
  const { places, gutter } = layout;
  const room = gutter ? gutter.to - gutter.from : 0;
  const end = (each: number): End => ({ ...(blockOf(each, layout).arcs ?? { x: 0, way: 1 }), y: middle(places[each] as Span) });
  const from = end(key);
  const to = end(row.query);
  if (key === row.query) {
    // A curve of this kind opens 0.58 as wide as the points that draw it: 9 px of paper stay inside. It rises where it would leave the picture.
    const [long, wide] = [20 + 1.8 * thick, (thick + 9) / 0.58];
    const rise = 2 * Math.max(0, from.y + 0.29 * wide + thick / 2 - layout.height);
    const [base, tip] = [from.x + from.way * head, from.x + from.way * (head + long)];
    return { from, path: `M${base} ${from.y}C${tip} ${from.y - wide - rise} ${tip} ${from.y + wide - rise} ${base} ${from.y}`, length: 1.5 * long + wide };
  }
  const far = Math.abs(from.y - to.y) / Math.max(1, layout.mix.height);
  // A curve of this kind comes three quarters as far out as the points that draw it.
  const out = from.way === to.way ? Math.min(room - 8, 18 + room * far) / 0.75 : room * 0.55;
  const [start, inner, outer] = [from.x + from.way * head, from.x + from.way * out, to.x + to.way * out];
  return {
    from, path: `M${start} ${from.y}C${inner} ${from.y} ${outer} ${to.y} ${to.x + to.way * 2} ${to.y}`,
    length: (Math.hypot(to.x - start, to.y - from.y) + Math.abs(inner - start) + Math.hypot(outer - inner, to.y - from.y) + Math.abs(outer - to.x)) / 2,
  };
}

interface End { x: number; y: number; way: number }

function arcs({ row, layout }: Drawn): SVGTemplateResult | typeof nothing {
  if (!row.isOwn) return nothing;
  const from = middle(layout.places[row.query] as Span);
  const top = layout.axis - layout.size * 0.95;
  const shares = valuesOf(row, 'weights');
  const keys = arcKeys(row);
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
    ${layout.isWhole ? svg`<rect class="strip ${isNow ? 'now' : ''}" x=${x - 4} y="0" width=${width - 4} height=${y + height}></rect>${name(id, row, { x: x + 2, y: NAME }, isNow, events, layout)}` : nothing}
    <path class="zero" d="M${zero} ${y}V${y + height}"/>`;
}

const isTwo = ({ blocks }: Layout): boolean => blocks.length > 1;

function name(id: Step, row: Row, { x, y }: { x: number; y: number }, isNow: boolean, events: DrawingEvents, layout?: Layout): SVGTemplateResult {
  const isSmall = layout !== undefined && (layout.strips[0]?.width ?? 0) < NAMED;
  // Under the mix stands what it comes to.
  const isAlone = isSmall || (id === 'context' && layout?.gutter);
  return svg`<g class="strip-name ${isNow ? 'now' : ''} ${isSmall ? 'small' : ''}" data-name=${id} @click=${() => events.step(id)}><text x=${x} y=${y}>${NAMES[id]()}</text>${isAlone ? nothing : svg`<text class="under" x=${x} y=${y + 20}>${UNDER[id](row)}</text>`}</g>`;
}

function bars(placed: PlacedStrip, drawn: Drawn): SVGTemplateResult {
  const { layout, row, step, reached, isCanvas } = drawn;
  const { strip: { id }, ghosts } = placed;
  const isPast = reached !== null && indexOf(row, id) < reached;
  return svg`<g class="bars ${id === step ? 'now' : ''} ${isPast ? 'past' : ''}">
    ${placed.hidden.map((span) => hatched(placed, span, layout))}
    ${isCanvas ? nothing : placed.bars.map((bar) => svg`<rect class="bar ${kindOf(bar.key, row)}" data-bar="${id} ${bar.key}" x=${bar.x} y=${bar.y} width=${bar.width} height=${bar.height}></rect>`)}
    ${isCanvas ? nothing : ghosts.map(({ x, y, width, height }) => svg`<rect class="ghost-bar" x=${x - 2} y=${y - 2} width=${width + 4} height=${height + 2}></rect>`)}
    ${isCanvas ? nothing : numbersOn(placed, drawn).map(({ bar: { key }, text, said, isStrong, place: { x, y, anchor } }) => svg`<text class="number ${kindOf(key, row)} ${isStrong ? 'strong' : ''}" data-number="${id} ${key}" x=${x} y=${y} font-size=${layout.digits} text-anchor=${anchor}>${text}${said === null ? nothing : svg`<tspan class="was" dx="7">${said}</tspan>`}</text>`)}
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
  const ground = svg`<rect class="hatched-keys" x=${box.x} y=${box.y} width=${box.width} height=${box.height} fill="url(#stage-hatch)"></rect>`;
  return box.height < 14 ? ground : svg`
    ${ground}
    <rect class="on-hatch" x=${cx - room / 2} y=${cy - Math.min(22, box.height) / 2} width=${room} height=${Math.min(22, box.height)}></rect>
    <text class="hatch-words" x=${cx} y=${cy + 5} text-anchor="middle">${words}</text>`;
}

/** The chosen key's and the largest first; one that would lie on another, or on another's bar, is left out, and so is what stood before. */
export function numbersOn(placed: PlacedStrip, { row, before, layout: { turned, places, gutter, digits } }: Drawn): Put[] {
  const { strip: { id, values }, zero, ghosts } = placed;
  const write = numbersOf(id, values);
  const were = before && isShare(id) ? valuesOf(before, id) : null;
  const strong = new Set([...ranked(row, values).slice(0, 2), row.key]);
  const put = (bar: Bar, said: string | null, fewer = 0): Put => {
    const ghost = ghosts.find(({ key }) => key === bar.key);
    const text = write(bar.value, fewer);
    const place = turned ? beside(bar, ghost, middle(places[bar.key] as Span), digits) : above(bar, ghost, said !== null, zero);
    const scale = digits / DIGITS;
    const width = lengthOf(text, (strong.has(bar.key) ? BOLD : DIGIT) * scale) + (said === null ? 0 : lengthOf(said, DIGIT * scale) + 7);
    return { bar, text, said, place, isStrong: strong.has(bar.key), box: { x: place.anchor === 'middle' ? place.x - width / 2 : place.x, y: place.y - 12 * scale, width, height: digits } };
  };
  /** Beside rows, its last digits go where it would reach the next strip; null where nothing would be left. */
  const short = (bar: Bar, fewer = 0): Put | null => {
    const made = put(bar, null, fewer);
    if (!turned || made.box.x + made.box.width <= placed.x + placed.width) return fewer === 0 || /[1-9]/.test(made.text) ? made : null;
    return fewer < 4 ? short(bar, fewer + 1) : null;
  };
  // Beside many rows, only the strongest keep their numbers.
  const isFew = gutter !== null && (placed.width < NUMBERED.width || (places[0] as Span).to - (places[0] as Span).from < NUMBERED.height);
  // Of scores below 0 the largest is the shortest bar.
  const order = placed.bars.filter(({ key }) => !isFew || strong.has(key)).toSorted((a, b) => Number(b.key === row.key) - Number(a.key === row.key)
    || Number(strong.has(b.key)) - Number(strong.has(a.key)) || (strong.has(a.key) ? b.value - a.value : Math.abs(b.value) - Math.abs(a.value)));
  const kept: Put[] = [];
  for (const bar of order) {
    const plain = short(bar);
    if (!plain) continue;
    const isFirst = strong.has(bar.key) && kept.length < 2;
    const isOnBar = !turned && placed.bars.some((other) => other.key !== bar.key && overlaps(other, plain.box, 0));
    if (isFirst || !(isOnBar || kept.some(({ box }) => overlaps(box, plain.box)))) kept.push(plain);
    if (isFirst && kept.length === 2) kept.splice(0, 2, ...apart(kept[0] as Put, plain, turned));
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

/** The two that must be said make room for each other: over narrow words side by side, and in low rows one under the other. */
function apart(a: Put, b: Put, turned: boolean): [Put, Put] {
  if (!overlaps(a.box, b.box)) return [a, b];
  const axis = turned ? 'y' : 'x';
  const [first, second] = a.box[axis] < b.box[axis] ? [a, b] : [b, a];
  const by = turned ? first.box.y + first.box.height - second.box.y : first.box.x + first.box.width + 4 - second.box.x;
  const firstBy = turned ? -by / 2 : Math.max(-by / 2, Math.min(0, LABELS - first.box.x));
  const moved = (put: Put, more: number): Put => ({ ...put, place: { ...put.place, [axis]: put.place[axis] + more }, box: { ...put.box, [axis]: put.box[axis] + more } });
  const [movedFirst, movedSecond] = [moved(first, firstBy), moved(second, by + firstBy)];
  return first === a ? [movedFirst, movedSecond] : [movedSecond, movedFirst];
}

/** A number, what stood before it, and where they stand. */
export interface Put { bar: Bar; text: string; said: string | null; isStrong: boolean; place: Place; box: Rect }

interface Place { x: number; y: number; anchor: 'middle' | 'start' }

function above(bar: Bar, ghost: Bar | undefined, hasWas: boolean, zero: number): Place {
  if (hasWas) return { x: bar.x + bar.width + 6, y: Math.min(zero - 26, bar.y + 14), anchor: 'start' };
  return { x: bar.x + bar.width / 2, y: Math.min(bar.value < 0 ? zero : bar.y, ghost && ghost.value > 0 ? ghost.y - 2 : Infinity) - 5, anchor: 'middle' };
}

const beside = (bar: Bar, ghost: Bar | undefined, y: number, digits: number): Place => ({ x: Math.max(bar.x + bar.width, ghost ? ghost.x + ghost.width + 2 : 0) + digits * 0.43, y: y + digits * 0.36, anchor: 'start' });

const overlaps = (a: Rect, b: Rect, gap = 3): boolean => a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height && b.y < a.y + a.height;

// The mix.

function mixBand({ layout, row, step }: Drawn, events: DrawingEvents): SVGTemplateResult | typeof nothing {
  const { mix, width, turned, isWhole } = layout;
  const isNow = step === 'context';
  if (turned) return isWhole ? name('context', row, { x: mix.x + 2, y: NAME }, isNow, events, layout) : nothing;
  return svg`
    <rect class="strip ${isNow ? 'now' : ''}" x=${mix.x} y=${mix.y} width=${width} height=${mix.height}></rect>
    <path class="rule" d="M0 ${mix.y}H${width}"/>
    ${name('context', row, { x: 8, y: mix.y + 26 }, isNow, events)}`;
}

/** A stream from each share to the query, as thick as the share; those of the outer words run farther out, so that none cross. */
export function streamsOf({ row, layout }: Drawn): Stream[] {
  const { turned, mix: at, places } = layout;
  const [start] = startAndEnd(row, layout);
  const room = outcomeRoom(row, layout);
  const most = isTwo(layout) ? STREAM * 0.6 : STREAM;
  const shares = row.shares.map((share) => (Number.isFinite(share) ? share : 0));
  const keys = [...shares.keys()].filter((key) => (shares[key] ?? 0) >= LEAST_ARC);
  let out = start + (turned ? at.width - 20 : at.height - 14);
  // On their way to the left, those from the right run farther out.
  return (room.isLeft ? keys.toReversed() : keys).map((key): Stream => {
    const thick = Math.max(1, (shares[key] ?? 0) * (isTwo(layout) && key === row.query ? LOOP : most));
    const along = Math.min(middle(places[key] as Span), turned ? layout.height - thick / 2 : Infinity);
    // What stands over the outcome falls straight into it.
    if (!turned && (room.isLeft ? along < room.to : along > room.from)) return { key, thick, along, across: start, falls: true };
    out -= thick;
    return { key, thick, along, across: out + thick / 2, falls: false };
  });
}

/** Where the outcome stands under words side by side: at the right, unless it would cover the stream of the largest share. */
function outcomeRoom({ shares }: Row, { width, places }: Layout): Span & { isLeft: boolean } {
  const most = shares.reduce((top, share, key) => (share > (shares[top] ?? -1) ? key : top), 0);
  const isLeft = places[most] !== undefined && middle(places[most]) > width - OUTCOME - 4 && width > LABELS + 2 * OUTCOME + STREAM;
  return isLeft ? { from: LABELS, to: LABELS + OUTCOME, isLeft } : { from: width - OUTCOME - 4, to: width - 4, isLeft };
}

/** Where streams begin, and where they end. */
function startAndEnd(row: Row, layout: Layout): [start: number, end: number] {
  const { turned, mix, gutter } = layout;
  if (turned) return [mix.x + 4, gutter ? mix.y - 2 : mix.y + mix.height - 52];
  const { from, to, isLeft } = outcomeRoom(row, layout);
  return [mix.y, isLeft ? to : from];
}

/** And how long it is: a quarter's bend is 1.62 times as long as its width. */
export function streamPath({ key, thick, along, across, falls }: Stream, drawn: Drawn): { path: string; length: number } {
  const { layout } = drawn;
  if (isTwo(layout)) return bow(key, drawn, thick, key === drawn.row.query ? headOf(thick) : 0);
  const [start, end] = startAndEnd(drawn.row, layout);
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
  const end = startAndEnd(row, layout)[1];
  const room = outcomeRoom(row, layout);
  const streams = isCanvas ? [] : streamsOf(drawn);
  return svg`<g class="mix">${streams.map((stream) => svg`<path class="stream ${stream.key === row.key ? 'chosen' : ''}" data-stream=${stream.key} pathLength="1" stroke-width=${stream.thick} d=${streamPath(stream, drawn).path}/>`)}
  ${turned ? nothing : streamWords(row, streams.filter(({ falls }) => !falls), at.y, end, room.isLeft)}
  ${turned ? nothing : svg`<rect class="outcome-room" x=${room.from} y=${at.y + FALL} width=${OUTCOME} height=${at.height - FALL - 2} rx="4"></rect>`}
  ${layout.gutter ? carried(row, carriedAt(layout)) : layout.drawn.to < layout.places.length ? nothing : outcome(drawn, turned ? { x: Math.max(12, width - 220), y: end + 22 } : { x: room.from + 12, y: at.y + FALL + 18 })}</g>`;
}

export interface Stream { key: number; thick: number; along: number; across: number; falls: boolean }

/** The thickest streams first; words that would cover others are left out. */
function streamWords({ words, shares, key: chosen }: Row, streams: readonly Stream[], at: number, end: number, isLeft: boolean): SVGTemplateResult[] {
  const taken: Rect[] = [];
  return streams.toSorted((a, b) => b.thick - a.thick).flatMap(({ key, thick, along, across }) => {
    const text = `${fixed(shares[key] ?? 0, 2)} × ${words[key] ?? ''}`;
    const width = text.length * DIGIT;
    const box: Rect = { x: isLeft ? along - thick / 2 - 12 - width : along + thick / 2 + 12, y: thick >= 16 ? across - 8 : across - thick / 2 - 18, width, height: 16 };
    const isBeside = (other: Stream) => (isLeft ? other.along > box.x : other.along < box.x + box.width);
    const covers = box.y < at || streams.some((other) => other.key !== key && other.across + other.thick / 2 > box.y && other.across - other.thick / 2 < box.y + box.height && isBeside(other))
      || streams.some((other) => other.key !== key && other.along > box.x - 4 && other.along < box.x + box.width && other.across > box.y);
    if ((isLeft ? box.x < end : box.x + box.width > end) || covers || taken.some((other) => overlaps(other, box))) return [];
    taken.push(box);
    return [svg`<text class="stream-words ${key === chosen ? 'chosen' : ''}" lang="" x=${isLeft ? box.x + width : box.x} y=${box.y + 13} text-anchor=${isLeft ? 'end' : 'start'}>${text}</text>`];
  });
}

/** What the word carries on: the numbers themselves, as cells. */
function outcome({ row }: Drawn, { x, y }: { x: number; y: number }): SVGTemplateResult {
  return svg`
    <text class="outcome" x=${x} y=${y}>${msg('carried on by', { desc: 'in front of a word: the numbers that it takes along' })} <tspan class="query" lang="">${shortened(row.queryWord, 12)}</tspan></text>
    ${carried(row, { x, y: y + 20, width: 144 })}`;
}

/** Over rows, beside the mix's name; over one stage alone, at its head. */
function carriedAt({ mix: { x, y, width }, isWhole, blocks }: Layout): { x: number; y: number; width: number } {
  if (!isWhole) return { x: x + width / 2 - 20, y: 12, width: 40 };
  return blocks.length > 1 ? { x: x + width - 46, y: y - 10, width: 44 } : { x: x + width - 60, y: y - 14, width: 56 };
}

function carried({ context }: Row, { x, y, width }: { x: number; y: number; width: number }): SVGTemplateResult[] {
  const most = context.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  const cells = Math.min(16, context.length);
  const size = Math.min(9, width / Math.max(1, cells));
  return Array.from({ length: cells }, (_, i) => {
    const value = context[i] ?? 0;
    const long = Math.max(1, (Math.abs(value) / most) * Math.min(12, width / 8));
    return svg`<rect class="context-cell ${value < 0 ? 'below' : ''}" x=${x + i * size} y=${y - (value < 0 ? 0 : long)} width=${Math.max(1, size - Math.min(1.5, size / 3))} height=${long}></rect>`;
  });
}

const wasWords = (was: string): string => msg(str`was ${was}`, { desc: 'behind a number that has changed: 94% was 100%' });
