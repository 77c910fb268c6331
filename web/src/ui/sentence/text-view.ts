// The sentence: the text behind the text area, each word's share drawn on it, and arcs above a single line.
// Words have no boxes of their own; their positions are measured, so that a long text is laid out as one.
import { msg } from '@lit/localize';
import type { Token } from '../../engine/tokens.ts';
import { step } from '../../lib/colour.ts';
import { setMeasure } from '../../lib/dom.ts';
import { LEAST_ARC, fixed, percent } from '../../lib/format.ts';
import { Work } from '../../lib/schedule.ts';
import { type Box, Space } from '../../lib/space.ts';
import { type Paint, arc, arcBetween, hatch, openCanvas } from '../kit/paint.ts';

export interface SentenceData {
  text: string;
  /** Words of the text as it stands in the box. */
  tokens: readonly Token[];
  /** The selected row, or several added up; none while nothing is computed for these words. */
  row: SentenceRow | null;
  /** Words that a design does not know; null without a design. */
  known: readonly boolean[] | null;
  /** Whether arcs may be drawn, and room kept for them; `always`: the words become small for them. */
  arcs: boolean | 'always';
  /** How small words become before they stand on two lines, in CSS pixels; 0 where they do not. */
  smallest: number;
  paint: Paint;
  /** Of the box; measured once a resize, since asking costs a layout. */
  width: number;
  /** Whether the box scrolls nothing, as on paper. */
  whole: boolean;
}

export interface SentenceRow {
  /** The words that look, when they are in this sentence. */
  queries: readonly number[];
  /** What these words get, when it is this sentence that is looked at. */
  shares: { weights: Float32Array; masked: Float32Array; key: number; rows: number } | null;
  /** One of these words' own row. */
  rowOf(query: number): { weights: Float32Array; masked: Float32Array };
}

/** Of a word that does not fit on a line: its other lines. */
interface Place extends Box { others?: readonly Box[] }

/** Above this many words, shares would cover each other and the table says more. */
const MAX_SHARES = 160;
/** Words in a text that has arcs, and arcs in all. */
const MAX_ARCS = 40;
const MAX_PATHS = 240;
/** The least share that is said between lines, and how wide most are there. */
const LEAST_BETWEEN = 0.01;
const SHARE = 30;
/** Texts beyond this are shown by the text area alone. */
export const MAX_MIRRORED = 30_000;
const MAX_MEASURED = 400;
/** In sizes of the type: what is higher stands on more than one line. */
const BROKEN = 2;
const NARROW = 720;
/** Room for a token that a language model puts before the text or behind it; as in the style sheet. */
const START_ROOM = 1.6;
/** In CSS pixels, what can be seen of the box at once; no canvas is as high as the longest text on paper. */
const HIGHEST = { wide: 420, narrow: 360, whole: 8000 };
const SVG = 'http://www.w3.org/2000/svg';

export class SentenceView {
  readonly #box: HTMLElement;
  readonly #mirror: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #arcs: SVGElement;
  readonly #range = document.createRange();
  readonly #ruler = document.createElement('canvas').getContext('2d');
  #data: SentenceData | null = null;
  #size = 0;
  /** How high a letter's box is, for each pixel of its size. */
  #letter = 1;
  readonly #scrolled = new Work(() => this.#draw());
  #written = '';
  #pieces: { node: Text; start: number }[] = [];
  #arched = false;
  #places: readonly { from: number; to: number }[] | null = null;
  #looking = -1;
  /** Where arcs between lines turn down; 0 where there are none. */
  #margin = 0;

  constructor(box: HTMLElement) {
    const find = <E extends Element>(selector: string) => box.querySelector(selector) as E;
    this.#box = box;
    this.#mirror = find('.mirror');
    this.#canvas = find('.shares canvas');
    this.#arcs = find('.arcs');
    box.addEventListener('scroll', () => this.#scrolled.at('frame'), { passive: true });
  }

  /** Where words stand from left to right, on one line; null where they take more. */
  get places(): readonly { from: number; to: number }[] | null {
    return this.#places;
  }

  /** Whether the arcs stand here; or else there is no room for them. */
  get arched(): boolean {
    return this.#arched || this.#margin > 0;
  }

  update(data: SentenceData): void {
    this.#data = data;
    const [start, end] = aroundText(data);
    this.#box.classList.toggle('starts', start !== null);
    this.#mirror.dataset['start'] = start ?? '';
    this.#mirror.dataset['end'] = end ?? '';
    const plain = data.text.length > MAX_MIRRORED;
    this.#box.classList.toggle('plain', plain);
    this.#fitSize(data);
    this.#write(data, plain);
    this.#draw();
  }

  #font: { of: Paint; family: string } | null = null;

  /** The words' own; read again when the theme changes, which whoever embeds the element sets along with it. */
  #fontOf(paint: Paint): string {
    if (this.#font?.of !== paint) this.#font = { of: paint, family: getComputedStyle(this.#mirror).fontFamily };
    return this.#font.family;
  }

  /** Read from afar. */
  get #isPresented(): boolean {
    return (this.#box.getRootNode() as ShadowRoot).host?.hasAttribute('data-presented') ?? false;
  }

  /** One line while it can be read as one; then smaller type on several lines. */
  #fitSize(data: SentenceData): void {
    const { text, width, paint } = data;
    const wide = width >= NARROW - 32;
    // Over its row, a sentence of few words must leave room for the row.
    const [small, least, most] = wide ? [20, 28, data.smallest > 0 && !this.#isPresented ? 32 : 40] : [18, 21, 24];
    if (this.#ruler) this.#ruler.font = `100px ${this.#fontOf(paint)}`;
    const sample = text.slice(0, MAX_MEASURED);
    const measured = this.#ruler?.measureText(sample);
    if (measured) this.#letter = (measured.fontBoundingBoxAscent + measured.fontBoundingBoxDescent) / 100;
    const length = ((measured?.width ?? 0) / 100) * Math.max(1, text.length / MAX_MEASURED);
    const oneLine = Math.floor((width - 4) / Math.max(length + aroundText(data).filter((each) => each !== null).length * START_ROOM, 1));
    const lines = (length * least) / Math.max(width, 1);
    const size = data.smallest > 0 && oneLine >= data.smallest ? Math.min(most, oneLine) : lines > (wide ? 3 : 6) ? small : Math.max(least, Math.min(most, oneLine));
    if (size === this.#size) return;
    this.#size = size;
    this.#box.style.setProperty('--size', `${size}px`);
  }

  /** The text in a few pieces: the words that look have a colour of their own. */
  #write({ text, tokens, row }: SentenceData, plain: boolean): void {
    const marked = plain ? [] : (row?.queries ?? []).flatMap((query) => tokens[query] ?? []);
    const written = plain ? '' : `${marked.map(({ start, end }) => `${start}-${end}`).join()} ${text}`;
    if (written === this.#written) return;
    this.#written = written;
    const parts: { text: string; marked: boolean; start: number }[] = [];
    let at = 0;
    for (const { start, end } of marked) {
      parts.push({ text: text.slice(at, start), marked: false, start: at }, { text: text.slice(start, end), marked: true, start });
      at = end;
    }
    // A last empty line has height in a text area; in a block it needs something to stand on.
    parts.push({ text: plain ? '' : `${text.slice(at)}\u200b`, marked: false, start: at });
    this.#fill(parts);
  }

  #fill(parts: readonly { text: string; marked: boolean; start: number }[]): void {
    while (this.#mirror.childNodes.length > parts.length) this.#mirror.lastChild?.remove();
    this.#pieces = parts.map(({ text, marked, start }, i) => {
      let child = this.#mirror.childNodes[i] as Text | HTMLElement | undefined;
      if (!child || (child instanceof HTMLElement) !== marked) {
        const made = marked ? querySpan() : document.createTextNode('');
        if (child) child.replaceWith(made);
        else this.#mirror.append(made);
        child = made;
      }
      const node = (child instanceof HTMLElement ? child.firstChild : child) as Text;
      if (node.data !== text) node.data = text;
      return { node, start };
    });
  }

  /** Where a word stands, from the mirror's corner; its longest line when it is broken. */
  #boxOf({ start, end }: Token, space: Space): Place {
    const piece = this.#pieces.findLast((each) => each.start <= start);
    if (!piece) return { left: 0, right: 0, top: 0, bottom: 0 };
    const length = piece.node.data.length;
    this.#range.setStart(piece.node, Math.min(start - piece.start, length));
    this.#range.setEnd(piece.node, Math.min(end - piece.start, length));
    const letter = this.#letter * this.#size;
    const box = space.box(this.#range, letter);
    if (start === end) return besideBox(box, (this.#begin(space, letter) > space.width / 2) !== (start > 0), this.#size);
    if (box.bottom - box.top < BROKEN * this.#size) return box;
    const [longest, ...others] = linesOf(space.boxes(this.#range, letter)).sort((a, b) => b.right - b.left - (a.right - a.left));
    return { ...(longest ?? box), others };
  }

  /** Where the text begins. */
  #begin(space: Space, letter: number): number {
    const node = this.#pieces[0]?.node;
    if (!node) return 0;
    this.#range.setStart(node, 0);
    this.#range.setEnd(node, 0);
    return space.box(this.#range, letter).left;
  }

  #draw(): void {
    const data = this.#data;
    if (!data) return;
    const plain = data.text.length > MAX_MIRRORED;
    let space = new Space(this.#mirror);
    // The arcs' room is kept before there is a row and while there is none, so that nothing moves.
    const oneLine = !plain && data.arcs && (data.arcs === 'always' || data.width >= NARROW - 32) && data.tokens.length <= MAX_ARCS && space.height < this.#size * 3;
    // Room for arcs that comes or goes moves the words.
    if (this.#arched !== oneLine) {
      this.#arched = this.#box.classList.toggle('arched', oneLine);
      space = new Space(this.#mirror);
    }
    this.#reveal(data, space);
    const scrolled = this.#box.scrollTop;
    const high = HIGHEST[data.whole ? 'whole' : data.width >= NARROW - 32 ? 'wide' : 'narrow'];
    const foot = data.known?.includes(false) ? 20 : 12;
    setMeasure(this.#box, '--foot', `${foot}px`);
    const height = Math.min(high, Math.ceil(space.height) + foot);
    const shares = data.row?.shares ?? null;
    const boxes = plain || (!shares && !data.known) ? [] : this.#boxesIn(data.tokens, space, scrolled, height);
    // The style sheet says of how many words.
    this.#margin = !oneLine && data.tokens.length <= Number(getComputedStyle(this.#box).getPropertyValue('--between')) ? data.width : 0;
    this.#drawShares(data, boxes, scrolled, height);
    this.#places = oneLine && boxes.length === data.tokens.length && boxes.every(Boolean) ? boxes.map((box) => ({ from: box?.left ?? 0, to: box?.right ?? 0 })) : null;
    this.#drawArcs(oneLine || this.#margin ? boxes : [], data.row);
  }

  /** Scrolls another query into view, such as the last word of a pasted text. */
  #reveal({ tokens, row }: SentenceData, space: Space): void {
    const word = row?.queries.length === 1 ? tokens[row.queries[0] ?? 0] : undefined;
    if (!word || word.start === this.#looking) return;
    this.#looking = word.start;
    const height = this.#box.clientHeight;
    if (space.height <= height) return;
    const { top, bottom } = this.#boxOf(word, space);
    const scrolled = this.#box.scrollTop;
    if (top < scrolled || bottom > scrolled + height) this.#box.scrollTop = top - height / 2;
  }

  /** Boxes of the words between two heights; the others are left out. */
  #boxesIn(tokens: readonly Token[], space: Space, top: number, height: number): (Place | undefined)[] {
    const boxes: (Place | undefined)[] = [];
    let first = 0;
    if (tokens.length > MAX_SHARES) {
      let last = tokens.length;
      while (first < last) {
        const middle = (first + last) >> 1;
        if (this.#boxOf(tokens[middle] as Token, space).bottom < top) first = middle + 1;
        else last = middle;
      }
    }
    for (let i = first; i < tokens.length; i += 1) {
      const box = this.#boxOf(tokens[i] as Token, space);
      // Text that the browser has not laid out has no position, not that of the window's corner.
      if (box.left === box.right && box.top === box.bottom) continue;
      if (box.top > top + height) break;
      boxes[i] = box;
    }
    return boxes;
  }

  /** Bars under the words; under these, as numbers, the largest shares first; one that would cover another is left out. */
  #drawShares({ row, known, paint, width, tokens }: SentenceData, boxes: readonly (Place | undefined)[], scrolled: number, height: number): void {
    const context = openCanvas(this.#canvas, Math.max(1, width), height, true);
    if (!context) return;
    context.clearRect(0, 0, width, height);
    const shares = row?.shares ?? null;
    let masked: Path2D | null = null;
    boxes.forEach((box, i) => {
      if (!box || !shares) return;
      for (const line of box.others ? [box, ...box.others] : [box]) {
        const [x, y, w] = [line.left + 1, line.bottom - scrolled, Math.max(1, line.right - line.left - 2)];
        if (!isShare(shares, i)) {
          (masked ??= new Path2D()).rect(x, y, w, 6);
          continue;
        }
        context.fillStyle = paint.ramp.fill(step((shares.weights[i] ?? 0) / shares.rows));
        context.fillRect(x, y, w, 6);
        context.fillStyle = paint.border;
        context.fillRect(x, y + 5, w, 1);
      }
    });
    hatch(context, masked, { width, height, offsetX: 0, offsetY: scrolled }, paint.hatch, 4);
    if (tokens.length <= MAX_SHARES && shares) this.#numbers(context, shares, boxes, paint, width, scrolled);
    if (known) this.#unknown(context, known, boxes, paint, width, scrolled);
  }

  #numbers(context: CanvasRenderingContext2D, shares: NonNullable<SentenceRow['shares']>, boxes: readonly (Box | undefined)[], paint: Paint, width: number, scrolled: number): void {
    const taken: { top: number; left: number; right: number }[] = [];
    const keys = [...boxes.keys()].filter((key) => boxes[key] && isShare(shares, key));
    keys.sort((a, b) => Number(b === shares.key) - Number(a === shares.key) || (shares.weights[b] ?? 0) - (shares.weights[a] ?? 0));
    const size = this.#isPresented ? 20 : 14;
    const font = `${size}px ${paint.font}`;
    context.font = font;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const key of keys) {
      const box = boxes[key] as Box;
      const share = shares.weights[key] ?? 0;
      if (this.#margin && (share < LEAST_BETWEEN || !holdsShare(box))) continue;
      // Of several rows together, a word may get more than one row has.
      const text = shares.rows > 1 ? fixed(share, 2) : percent(share);
      const half = (text.length * 4 * size) / 14 + 3;
      const middle = this.#margin ? headAt(box) - half - 12 : Math.max(half, Math.min(width - half, (box.left + box.right) / 2));
      const place = { top: box.bottom, left: middle - half, right: middle + half };
      if (taken.some((t) => Math.abs(t.top - place.top) < 8 && t.left < place.right && t.right > place.left)) continue;
      taken.push(place);
      const chosen = key === shares.key;
      // Setting a font takes longer than writing a number.
      if (chosen) context.font = `bold ${font}`;
      context.fillStyle = chosen ? paint.accent : paint.muted;
      context.fillText(text, middle, place.top - scrolled + 10);
      if (chosen) context.font = font;
    }
  }

  /** Under a word that the design does not know. */
  #unknown(context: CanvasRenderingContext2D, known: readonly boolean[], boxes: readonly (Box | undefined)[], paint: Paint, width: number, scrolled: number): void {
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.font = `12px ${paint.font}`;
    context.fillStyle = paint.error;
    boxes.forEach((box, i) => {
      if (!box || known[i] !== false) return;
      const words = box.right - box.left > 120 ? msg('don’t know this word') : msg('unknown');
      const half = words.length * 3.3;
      context.fillText(words, Math.max(half, Math.min(width - half, (box.left + box.right) / 2)), box.bottom - scrolled + 25);
    });
  }

  /** From every word that looks to the words that it looks at. */
  #drawArcs(boxes: readonly (Box | undefined)[], row: SentenceRow | null): void {
    const all = boxes.length > 0 && row?.shares ? arcsOf(row, row.shares.key).filter(({ query, key }) => boxes[key] && boxes[query]) : [];
    const arcs = this.#margin ? all.filter(({ query, key }) => key !== query) : all;
    arcs.forEach(({ query, key, weight, chosen }, i) => {
      const path = this.#arcs.children[i] ?? this.#arcs.appendChild(document.createElementNS(SVG, 'path'));
      const [to, from] = [boxes[key] as Box, boxes[query] as Box];
      const width = Math.max(1, (this.#margin ? 6 : 12) * weight);
      path.setAttribute('d', this.#margin ? arcBetween(to, from, headAt(to), width, this.#margin) : arc(to, from, key === query, width));
      path.setAttribute('stroke-width', width.toFixed(1));
      path.setAttribute('class', chosen ? 'chosen' : '');
    });
    while (this.#arcs.children.length > arcs.length) this.#arcs.lastChild?.remove();
  }
}

/** Where an arc between lines ends: at the word's end, behind its share. */
const endOf = ({ left, right }: Box): number => Math.max(left < 8 ? SHARE + 12 : 0, right - 6);

/** Whether that share stands under its own word, and the arrow behind it does. */
const holdsShare = (box: Box): boolean => endOf(box) - 12 - SHARE / 2 >= box.left - 4 && endOf(box) <= box.right + 12;

/** At the middle of a word that is too short for both: it keeps its arrow, and the rows below say its share. */
const headAt = (box: Box): number => (holdsShare(box) ? endOf(box) : (box.left + box.right) / 2);

/** Neither masked nor, as in a file of ready weights, no number. */
const isShare = ({ weights, masked }: { weights: Float32Array; masked: Float32Array }, key: number): boolean => masked[key] !== -Infinity && Number.isFinite(weights[key]);

/** The thickest last but for those of the chosen key, which lie over all; of very many, the thinnest are left out. */
function arcsOf({ queries, rowOf }: SentenceRow, chosen: number) {
  const all = queries.flatMap((query) => {
    const { weights, masked } = rowOf(query);
    return Array.from(weights, (weight, key) => ({ query, key, weight, chosen: key === chosen })).filter(({ key, weight }) => weight >= LEAST_ARC && isShare({ weights, masked }, key));
  });
  all.sort((a, b) => Number(a.chosen) - Number(b.chosen) || a.weight - b.weight);
  return all.slice(-MAX_PATHS);
}

/** What tokens before and behind the text are called, which have no letters of their own there; null where there is none. */
function aroundText({ tokens }: SentenceData): [start: string | null, end: string | null] {
  const [first, last] = [tokens[0], tokens.length > 1 ? tokens.at(-1) : undefined];
  return [first?.start === first?.end ? first?.text ?? null : null, last?.start === last?.end ? last?.text ?? null : null];
}

/** In the room before the first word, or behind the last: a token without letters of its own. */
function besideBox({ left: at, top, bottom }: Box, isRight: boolean, size: number): Box {
  const [room, gap] = [START_ROOM * size, 0.25 * size];
  return isRight ? { top, bottom, left: at + gap, right: at + room } : { top, bottom, left: at - room, right: at - gap };
}

/** A line may be of several pieces, as where the direction changes. */
function linesOf(pieces: Iterable<Box>): Box[] {
  const lines: Box[] = [];
  for (const { left, right, top, bottom } of pieces) {
    const line = lines.find((each) => top < each.bottom && bottom > each.top);
    if (!line) lines.push({ left, right, top, bottom });
    else Object.assign(line, { left: Math.min(line.left, left), right: Math.max(line.right, right) });
  }
  return lines;
}

function querySpan(): HTMLElement {
  const span = document.createElement('span');
  span.className = 'query';
  span.append(document.createTextNode(''));
  return span;
}
