// Where everything of the stage stands. Words lie along one axis and a strip's bars across it; where a long sentence would
// make the words too small, the axes change places and words become rows.
import { type Row, type Step, type Strip, isShare } from './row.ts';

export interface Rect { x: number; y: number; width: number; height: number }
export interface Span { from: number; to: number }

export interface Bar extends Rect {
  readonly key: number;
  readonly value: number;
}

/** Rows one under another: which keys they are of, and where their words and their strips stand. */
export interface Block {
  readonly keys: Span;
  readonly word: { readonly x: number; readonly anchor: 'start' | 'end'; readonly room: number };
  readonly strips: Span;
  /** Where arcs begin and end, and the way in which they bow; null without room for arcs. */
  readonly arcs: { readonly x: number; readonly way: 1 | -1 } | null;
}

export interface PlacedStrip extends Rect {
  readonly strip: Strip;
  /** Across, where 0 is. */
  readonly zero: number;
  readonly bars: readonly Bar[];
  /** Bars as they were, where they differ. */
  readonly ghosts: readonly Bar[];
  /** The first and last of keys side by side that are hidden. */
  readonly hidden: readonly Span[];
}

export interface Layout {
  readonly turned: boolean;
  /** Whether the words stand in the sentence over the stage, which has its own arcs. */
  readonly isUnder: boolean;
  /** Whether strips stand side by side, in the turned stage: else one at a time. */
  readonly isWhole: boolean;
  readonly width: number;
  readonly height: number;
  /** How low it may become. */
  readonly least: number;
  /** Of the words, in CSS pixels. */
  readonly size: number;
  /** Of the numbers beside or over the bars. */
  readonly digits: number;
  /** Of rows: one block, or two that face each other. */
  readonly blocks: readonly Block[];
  /** Of rows that share one screen: where arcs run. */
  readonly gutter: Span | null;
  /** Widths of the words at 1 px. */
  readonly letters: readonly number[];
  /** Each word's room along its axis. */
  readonly places: readonly Span[];
  /** Keys whose bars are drawn: from the first to the one behind the last. */
  readonly drawn: Span;
  /** Words side by side: their baseline. */
  readonly axis: number;
  readonly strips: readonly PlacedStrip[];
  readonly mix: Rect;
}

export interface Wanted {
  readonly row: Row;
  /** As it was before the last change; null when nothing of it is shown. */
  readonly before: Row | null;
  readonly step: Step;
  readonly width: number;
  readonly height: number;
  /** Widths of the words at 1 px. */
  readonly letters: readonly number[];
  /** Where the words stand in the sentence over the stage; null where the stage has its own. */
  readonly over: readonly Span[] | null;
  /** What of the figure is on the screen, from its top in CSS pixels. */
  readonly seen: Span;
  /** Whether all rows share this height. */
  readonly isPacked: boolean;
  /** Whether the arcs stand in the sentence, and not beside its rows. */
  readonly isFew: boolean;
  /** Whether it is read from afar. */
  readonly isPresented: boolean;
}

/** Names of strips stand before the words. */
export const LABELS = 112;
const [LARGEST, SMALLEST] = [24, 16];
/** Heights of what is not a strip, and the least of a strip: where there is room, and on a low screen. */
const ROOMY = { arcs: 72, words: 40, mix: 92, strip: 53 };
const LOW = { arcs: 46, words: 34, mix: 62, strip: 43 };
/** Under rows of words: the mix. */
const MIX = 92;
const MIX_NARROW = 60;
/** Room for a bar's number. */
const NUMBER = { above: 20, below: 4, beside: 56, besideBefore: 132, besideNarrow: 50 };
/** How large numbers are where there is room, and over words on a presenter's screen. */
export const DIGITS = 14;
const PRESENTED = 20;
const NARROW = 560;
const COLUMN = 104;
const EDGE = 8;
/** From so many words on, rows are drawn on a canvas, and only those in view. */
export const MANY = 25;
/** These are drawn by so many, and so many more on both sides of the screen, so that scrolling rarely draws. */
const ROWS = 4;
const AXIS = 28;

/** So many rows share one screen; of more, it scrolls. */
export const MOST_PACKED = 64;
/** Their heights: at least, where one block of them becomes two, and at most. */
const LINE = { least: 10.5, block: 17, most: 26 };
/** With so much of the width for each, all strips stand side by side: beside one block, or beside each of two. */
const WHOLE = { one: 112, two: 190 };
const LEAST_SIZE = 10.5;
/** Above them: names of the strips, with what stands under the names, or without. */
const HEAD = { full: 46, short: 24, none: 4 };

/** As high as so many rows are on a phone, where nothing makes them smaller. */
export const roomOf = (rows: number): number => rows * 24 + HEAD.none + 2;

export function layout(wanted: Wanted): Layout {
  if (wanted.isPacked) return packed(wanted);
  if (wanted.over) return upright(wanted, LARGEST, wanted.over.map(({ from, to }) => ({ from: LABELS + from - 3, to: LABELS + to + 3 })));
  const size = wanted.width < NARROW ? 0 : fittingSize(wanted);
  return size > 0 ? upright(wanted, size, spread(wanted, size)) : turned(wanted);
}

/** As much room as a word of this size needs. */
const need = (letter: number, size: number): number => Math.max(letter * size + size * 0.55, 24);

/** 0 where even the smallest is too large. */
function fittingSize({ letters, width }: Wanted): number {
  const room = width - LABELS - EDGE;
  for (let size = LARGEST; size >= SMALLEST; size -= 1) {
    if (letters.reduce((sum, letter) => sum + need(letter, size), 0) <= room) return size;
  }
  return 0;
}

/** Words side by side, over all of the width that they can use. */
function spread({ width, letters }: Wanted, size: number): Span[] {
  const needs = letters.map((letter) => need(letter, size));
  const spare = width - LABELS - EDGE - needs.reduce((sum, each) => sum + each, 0);
  const more = Math.min(64, spare / Math.max(1, needs.length));
  let at = LABELS;
  return needs.map((each): Span => ({ from: at, to: (at += each + more) }));
}

function upright(wanted: Wanted, size: number, places: readonly Span[]): Layout {
  const { row, width, letters } = wanted;
  const isUnder = wanted.over !== null;
  const needed = ({ arcs, words, mix, strip }: typeof ROOMY) => (isUnder ? 0 : arcs + words) + mix + row.strips.length * strip;
  const { arcs, words, mix } = needed(ROOMY) <= wanted.height ? ROOMY : LOW;
  const top = isUnder ? 0 : arcs + words;
  const height = Math.max(wanted.height, needed(LOW));
  const axis = isUnder ? 0 : arcs + 24;
  const strip = (height - top - mix) / Math.max(1, row.strips.length);
  const scale = { shares: range(wanted, true), scores: range(wanted, false) };
  const drawn = { from: 0, to: places.length };
  const digits = wanted.isPresented ? PRESENTED : DIGITS;
  const strips = row.strips.map((each, i) => placed(wanted, each, { x: 0, y: top + i * strip, width, height: strip }, scale[isShare(each.id) ? 'shares' : 'scores'], { places, drawn, turned: false, digits }));
  return { turned: false, isUnder, isWhole: true, width, height, least: 0, size, digits, blocks: [], gutter: null, letters, places, drawn, axis, strips, mix: { x: 0, y: height - mix, width, height: mix } };
}

function turned(wanted: Wanted): Layout {
  const { row, width, letters, step } = wanted;
  const count = row.words.length;
  const line = count > 32 ? 21 : count > 16 || width < NARROW ? 24 : 30;
  const size = count <= 16 ? 18 : SMALLEST;
  // In steps: a letter more in the longest word must not move all strips.
  const longest = letters.reduce((most, letter) => Math.max(most, letter * size), 0);
  const axis = Math.min(Math.ceil((longest + 8) / AXIS) * AXIS, width * 0.36);
  const panels = row.strips.length + 1;
  const isWhole = width - axis >= panels * COLUMN;
  const top = isWhole ? 48 : 8;
  const places = row.words.map((_, i): Span => ({ from: top + i * line, to: top + (i + 1) * line }));
  const drawn = rowsIn(wanted.seen, top, line, count);
  const mix = isWhole ? MIX : MIX_NARROW;
  const height = top + count * line + mix;
  const across = isWhole ? (width - axis - 8) / panels : width - axis - 8;
  const panel = (i: number): Rect => ({ x: axis + 8 + (isWhole ? i * across : 0), y: top, width: across, height: count * line });
  const scale = { shares: range(wanted, true), scores: range(wanted, false) };
  const strips = row.strips.flatMap((each, i) => (isWhole || each.id === step ? [placed(wanted, each, panel(i), scale[isShare(each.id) ? 'shares' : 'scores'], { places, drawn, turned: true })] : []));
  const blocks: Block[] = [{ keys: { from: 0, to: count }, word: { x: axis, anchor: 'end', room: axis }, strips: { from: axis, to: width }, arcs: null }];
  return { turned: true, isUnder: false, isWhole, width, height, least: height, size, digits: DIGITS, blocks, gutter: null, letters, places, drawn, axis: 0, strips, mix: { ...panel(row.strips.length), height: count * line + mix } };
}

/** Rows that share one screen. Type becomes smaller first; then there are two blocks, with the arcs between them. */
function packed(wanted: Wanted): Layout {
  const { row, width, letters, step } = wanted;
  const count = row.words.length;
  const isOne = count * LINE.block + (width < NARROW ? HEAD.none : HEAD.full) <= wanted.height;
  const all = row.strips.length + (isOne ? 1 : 0);
  const isWhole = width >= all * WHOLE[isOne ? 'one' : 'two'];
  const head = isWhole ? HEAD[isOne ? 'full' : 'short'] : HEAD.none;
  const rows = isOne ? count : Math.ceil(count / 2);
  const line = Math.max(LINE.least, Math.min(LINE.most, (wanted.height - head - 2) / rows));
  const size = Math.max(LEAST_SIZE, Math.min(18, Math.floor(2 * (line - (line < 12 ? 0 : 3))) / 2));
  const digits = Math.max(11, Math.min(isOne ? DIGITS : 12, Math.floor(line - 1)));
  // The word that looks and those that get most are larger, and bold.
  const longest = letters.reduce((most, letter) => Math.max(most, letter * (size + 2) * 1.12), 0);
  const room = Math.min(Math.ceil((longest + 4) / AXIS) * AXIS, width * (isOne ? 0.3 : 0.21));
  const arcs = wanted.isFew ? 0 : isOne ? (width < NARROW ? 40 : 72) : width * 0.12;
  const between = (width - arcs) / 2;
  const [gutter, blocks]: [Span, Block[]] = isOne
    ? [{ from: 0, to: arcs }, [{ keys: { from: 0, to: count }, word: { x: arcs && arcs + 6, anchor: 'start', room }, strips: { from: (arcs && arcs + 6) + room, to: width }, arcs: { x: arcs, way: -1 } }]]
    : [{ from: between, to: between + arcs }, [
      { keys: { from: 0, to: rows }, word: { x: between - 6, anchor: 'end', room }, strips: { from: 0, to: between - 6 - room }, arcs: { x: between, way: 1 } },
      { keys: { from: rows, to: count }, word: { x: between + arcs + 6, anchor: 'start', room }, strips: { from: between + arcs + 6 + room, to: width }, arcs: { x: between + arcs, way: -1 } },
    ]];
  const places = row.words.map((_, key): Span => {
    const from = head + (key < rows ? key : key - rows) * line;
    return { from, to: from + line };
  });
  const scale = { shares: range(wanted, true), scores: range(wanted, false) };
  const panels = isWhole ? all : 1;
  const panel = ({ strips: { from, to } }: Block, i: number): Rect => ({ x: from + 8 + (i * (to - from - 8)) / panels, y: head, width: (to - from - 8) / panels, height: rows * line });
  const shown = row.strips.filter(({ id }) => isWhole || id === step);
  const strips = blocks.flatMap((block) => shown.map((each, i) => placed(wanted, each, panel(block, i), scale[isShare(each.id) ? 'shares' : 'scores'], { places, drawn: block.keys, keys: block.keys, turned: true, digits })));
  const height = head + rows * line;
  const mix = isOne ? panel(blocks[0] as Block, isWhole ? row.strips.length : 0) : { x: gutter.from, y: head, width: arcs, height: rows * line };
  return { turned: true, isUnder: false, isWhole, width, height, least: head + rows * (isOne ? LINE.block : LINE.least), size, digits, blocks, gutter, letters, places, drawn: { from: 0, to: count }, axis: 0, strips, mix };
}

function rowsIn({ from, to }: Span, top: number, line: number, count: number): Span {
  if (count < MANY) return { from: 0, to: count };
  const bounded = (rows: number) => Math.max(0, Math.min(count, rows * ROWS));
  return { from: bounded(Math.floor((from - top) / line / ROWS) - 1), to: bounded(Math.ceil((to - top) / line / ROWS) + 1) };
}

/** From 0, or what is below it, to the largest number that is drawn on this scale. */
function range({ row, before }: Wanted, shares: boolean): Span {
  let [from, to] = [0, shares ? 1 : 0];
  for (const { id, values } of [...row.strips, ...(before?.strips ?? [])]) {
    if (isShare(id) !== shares) continue;
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      from = Math.min(from, value);
      to = Math.max(to, value);
    }
  }
  return { from, to: to === from ? from + 1 : to };
}

function placed({ row, before }: Wanted, strip: Strip, at: Rect, scale: Span, { places, drawn, turned: isTurned, digits = DIGITS, keys = { from: 0, to: row.words.length } }: Pick<Layout, 'places' | 'drawn' | 'turned'> & { digits?: number; keys?: Span }): PlacedStrip {
  const beside = (NUMBER[before && at.width > 1.6 * NUMBER.besideBefore ? 'besideBefore' : at.width < 90 ? 'besideNarrow' : 'beside'] * digits) / DIGITS;
  const room = isTurned ? at.width - beside - 6 : at.height - NUMBER.below - (NUMBER.above * digits) / DIGITS;
  const unit = Math.max(4, room) / (scale.to - scale.from);
  const zero = isTurned ? at.x + 2 - scale.from * unit : at.y + at.height - NUMBER.below + scale.from * unit;
  const bar = (key: number, value: number): Bar => {
    const { from, to } = places[key] as Span;
    const [middle, thick] = [(from + to) / 2, Math.min(34, Math.max(6, (to - from) * (isTurned ? 0.64 : 0.6)))];
    const length = Number.isFinite(value) ? value * unit : 0;
    const size = Math.max(1, Math.abs(length));
    return isTurned
      ? { key, value, x: length < 0 ? zero - size : zero, y: middle - thick / 2, width: size, height: thick }
      : { key, value, x: middle - thick / 2, y: length < 0 ? zero : zero - size, width: thick, height: size };
  };
  const isDrawn = (key: number) => (strip.id !== 'masked_scores' && !isShare(strip.id)) || !row.isHidden[key];
  const bars = Array.from(strip.values.subarray(drawn.from, drawn.to), (value, i) => bar(drawn.from + i, value)).filter(({ key }) => isDrawn(key));
  const were = before?.strips.find(({ id }) => id === strip.id)?.values ?? null;
  const ghosts = were ? bars.map(({ key }) => bar(key, were[key] ?? 0)).filter((ghost) => isOther(ghost, strip.values[ghost.key] ?? 0, unit)) : [];
  return { ...at, strip, zero, bars, ghosts, hidden: isShare(strip.id) || strip.id === 'masked_scores' ? spans(row.isHidden.slice(keys.from, keys.to), keys.from) : [] };
}

/** Whether the difference can be seen. */
const isOther = ({ value }: Bar, now: number, unit: number): boolean => Number.isFinite(value) && Math.abs(value - now) * unit >= 1;

function spans(flags: readonly boolean[], start: number): Span[] {
  const found: Span[] = [];
  flags.forEach((flag, at) => {
    const i = start + at;
    const last = found.at(-1);
    if (flag && last?.to === i - 1) last.to = i;
    else if (flag) found.push({ from: i, to: i });
  });
  return found;
}
