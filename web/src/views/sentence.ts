// The sentence in place: coloured words behind the text area, shares under them, arcs above one line.
import { step } from '../colour.ts';
import { percent } from '../format.ts';
import type { Token } from '../tokenize.ts';
import type { Paint } from './paint.ts';

export interface SentenceData {
  text: string;
  /** Words of the text as it stands in the box. */
  tokens: readonly Token[];
  /** The selected row, or several added up; none while nothing is computed for these words. */
  row: SentenceRow | null;
  /** Whether arcs may be drawn, and room kept for them. */
  arcs: boolean;
  paint: Paint;
  /** Of the box; measured once a resize, since asking costs a layout. */
  width: number;
}

export interface SentenceRow {
  /** The words that look, when they are in this sentence. */
  queries: readonly number[];
  /** What these words get, when it is this sentence that is looked at. */
  shares: { weights: Float32Array; masked: Float32Array; key: number; rows: number } | null;
}

/** Above this many words, shares would cover each other and the table says more. */
const MAX_SHARES = 160;
const MAX_ARCS = 40;
/** Texts beyond this are shown by the text area alone. */
export const MAX_MIRRORED = 30_000;
const MAX_MEASURED = 400;
const NARROW = 720;
const SVG = 'http://www.w3.org/2000/svg';

interface Box { left: number; right: number; top: number; bottom: number }

export class SentenceView {
  readonly #box: HTMLElement;
  readonly #mirror: HTMLElement;
  readonly #shares: HTMLElement;
  readonly #arcs: SVGElement;
  readonly #spans: HTMLElement[] = [];
  readonly #gaps: Text[] = [];
  readonly #ruler = document.createElement('canvas').getContext('2d');
  #size = 0;

  constructor(box: HTMLElement) {
    const find = <E extends Element>(selector: string) => box.querySelector(selector) as E;
    this.#box = box;
    this.#mirror = find('.mirror');
    this.#shares = find('.shares');
    this.#arcs = find('.arcs');
    const first = document.createTextNode('');
    this.#gaps.push(first);
    this.#mirror.append(first);
  }

  update(data: SentenceData): void {
    const plain = data.text.length > MAX_MIRRORED;
    this.#box.classList.toggle('plain', plain);
    this.#fitSize(data);
    this.#write(plain ? '' : data.text, plain ? [] : data.tokens);
    this.#colour(data);
    this.#place(plain ? null : data);
  }

  /** One line while it can be read as one; then smaller type on several lines. */
  #fitSize({ text, width, paint }: SentenceData): void {
    const wide = width >= NARROW - 32;
    const [small, least, most] = wide ? [20, 28, 40] : [18, 24, 24];
    if (this.#ruler) this.#ruler.font = `100px ${paint.font}`;
    const sample = text.slice(0, MAX_MEASURED);
    const length = ((this.#ruler?.measureText(sample).width ?? 0) / 100) * Math.max(1, text.length / MAX_MEASURED);
    const oneLine = Math.floor((width - 4) / Math.max(length, 1));
    const lines = (length * least) / Math.max(width, 1);
    const size = lines > (wide ? 3 : 6) ? small : Math.max(least, Math.min(most, oneLine));
    if (size === this.#size) return;
    this.#size = size;
    this.#box.style.setProperty('--size', `${size}px`);
  }

  #write(text: string, tokens: readonly Token[]): void {
    while (this.#spans.length > tokens.length) {
      this.#spans.pop()?.remove();
      this.#gaps.pop()?.remove();
    }
    while (this.#spans.length < tokens.length) {
      const span = document.createElement('span');
      span.append(document.createTextNode(''));
      const gap = document.createTextNode('');
      this.#spans.push(span);
      this.#gaps.push(gap);
      this.#mirror.append(span, gap);
    }
    let at = 0;
    tokens.forEach((token, i) => {
      setText(this.#gaps[i], text.slice(at, token.start));
      setText(this.#spans[i]?.firstChild, token.text);
      at = token.end;
    });
    // A last empty line has height in a text area; in a block it needs something to stand on.
    setText(this.#gaps[tokens.length], `${text.slice(at)}\u200b`);
  }

  #colour({ row, paint }: SentenceData): void {
    const shares = row?.shares ?? null;
    this.#spans.forEach((span, i) => {
      const hidden = shares !== null && shares.masked[i] === -Infinity;
      const looks = row?.queries.includes(i) ? 'query' : '';
      const state = shares === null ? looks : looks ? (hidden ? 'query masked' : 'query') : hidden ? 'masked' : 'seen';
      if (span.className !== state) span.className = state;
      const colour = shares === null || hidden ? '' : (paint.ramp.fills[step((shares.weights[i] ?? 0) / shares.rows)] ?? '');
      if (span.dataset['colour'] !== colour) {
        span.dataset['colour'] = colour;
        span.style.setProperty('--weight', colour);
      }
    });
  }

  #place(data: SentenceData | null): void {
    const row = data?.row ?? null;
    if (!data || data.tokens.length > MAX_SHARES) {
      this.#shares.replaceChildren();
      this.#arcs.replaceChildren();
      this.#box.classList.remove('arched');
      return;
    }
    const origin = this.#mirror.getBoundingClientRect();
    const boxes = this.#spans.map((span): Box => {
      const rect = span.getBoundingClientRect();
      return { left: rect.left - origin.left, right: rect.right - origin.left, top: rect.top - origin.top, bottom: rect.bottom - origin.top };
    });
    // The arcs' room is kept before there is a row and while there is none, so that nothing moves.
    const oneLine = data.arcs && data.width >= NARROW - 32 && boxes.length <= MAX_ARCS && origin.height < this.#size * 3;
    this.#box.classList.toggle('arched', oneLine);
    const shares = row?.shares ?? null;
    this.#drawShares(boxes, shares, origin.width);
    this.#drawArcs(oneLine ? boxes : [], row);
  }

  /** The largest shares come first; one that would cover another is left out. */
  #drawShares(boxes: readonly Box[], row: SentenceRow['shares'], width: number): void {
    const taken: { top: number; left: number; right: number }[] = [];
    if (!row) return this.#shares.replaceChildren();
    const keys = boxes.map((_, key) => key).filter((key) => row.masked[key] !== -Infinity);
    keys.sort((a, b) => Number(b === row.key) - Number(a === row.key) || (row.weights[b] ?? 0) - (row.weights[a] ?? 0));
    let used = 0;
    for (const key of keys) {
      const box = boxes[key];
      if (!box) continue;
      const text = percent(row.weights[key] ?? 0);
      const half = text.length * 3.7 + 3;
      const middle = Math.max(half, Math.min(width - half, (box.left + box.right) / 2));
      const place = { top: box.bottom, left: middle - half, right: middle + half };
      if (taken.some((t) => Math.abs(t.top - place.top) < 8 && t.left < place.right && t.right > place.left)) continue;
      taken.push(place);
      const label = (this.#shares.children[used] as HTMLElement | undefined) ?? this.#shares.appendChild(document.createElement('span'));
      used += 1;
      setText(label.firstChild ?? label.appendChild(document.createTextNode('')), text);
      label.className = key === row.key ? 'chosen' : '';
      label.style.transform = `translate(${middle.toFixed(1)}px, ${place.top.toFixed(1)}px) translateX(-50%)`;
    }
    while (this.#shares.children.length > used) this.#shares.lastChild?.remove();
  }

  #drawArcs(boxes: readonly Box[], whole: SentenceRow | null): void {
    const row = whole?.shares;
    if (!whole || !row || whole.queries.length === 0) return this.#arcs.replaceChildren();
    const { queries } = whole;
    // Several rows' arcs start where their words have their middle.
    const [first, last] = [boxes[queries[0] ?? -1], boxes[queries.at(-1) ?? -1]];
    const from = first && last && { ...first, left: Math.min(first.left, last.left), right: Math.max(first.right, last.right) };
    const keys = boxes.map((_, key) => key).filter((key) => from && row.masked[key] !== -Infinity);
    keys.sort((a, b) => Number(a === row.key) - Number(b === row.key));
    keys.forEach((key, i) => {
      const path = this.#arcs.children[i] ?? this.#arcs.appendChild(document.createElementNS(SVG, 'path'));
      const width = Math.max(1, (22 * (row.weights[key] ?? 0)) / row.rows);
      path.setAttribute('d', arc(boxes[key] as Box, from as Box, queries.length === 1 && key === queries[0], width));
      path.setAttribute('stroke-width', width.toFixed(1));
      path.setAttribute('class', key === row.key ? 'chosen' : '');
    });
    while (this.#arcs.children.length > keys.length) this.#arcs.lastChild?.remove();
  }
}

function setText(node: ChildNode | undefined | null, text: string): void {
  if (node && node.nodeValue !== text) node.nodeValue = text;
}

/** From the middle of one word's top to another's; heights grow with distance and stay inside the arcs' zone. */
function arc(key: Box, query: Box, self: boolean, width: number): string {
  const y = query.top;
  const to = (query.left + query.right) / 2;
  // A thick line needs a wider loop, or it would be a blot.
  const [half, loop] = [7 + width * 0.55, 30 + width];
  if (self) return `M${to - half} ${y}C${to - half * 1.4} ${y - loop} ${to + half * 1.4} ${y - loop} ${to + half} ${y}`;
  const at = (key.left + key.right) / 2;
  const height = Math.min(104, 34 + Math.abs(to - at) * 0.14);
  const end = to + Math.sign(at - to) * Math.min(6, (query.right - query.left) / 4);
  return `M${at} ${y}C${at + (end - at) * 0.12} ${y - height} ${end - (end - at) * 0.28} ${y - height} ${end} ${y}`;
}
