// How an element's own CSS pixels lie on the screen. Pointers, elements and ranges are measured on the screen, where any
// ancestor may have scaled, turned, mirrored or zoomed them; figures are drawn in own pixels. No other file reads client
// coordinates (tests/docs/rooms.test.mjs).

export interface Point { x: number; y: number }
export interface Size { width: number; height: number }
export interface Box { left: number; right: number; top: number; bottom: number }

/** What the browser can measure: an element, or a range of text. */
interface Measured { getBoundingClientRect(): DOMRect }
interface Pointed { readonly clientX: number; readonly clientY: number }

/** In own pixels, from the first of three marks to each of the others. */
const REACH = 100;
const marks = new WeakMap<Node, readonly Element[]>();

/** Three points without size, which no transform can blur: (0, 0), (REACH, 0) and (0, REACH), wherever they lie. */
function marksIn(root: Node): readonly Element[] {
  const known = marks.get(root);
  if (known) return known;
  const place = (left: number, top: number, within: Node) => {
    const mark = document.createElement('div');
    mark.setAttribute('aria-hidden', 'true');
    mark.style.cssText = `all: initial; position: absolute; left: ${left}px; top: ${top}px; width: 0; height: 0; overflow: clip; visibility: hidden; pointer-events: none`;
    within.appendChild(mark);
    return mark;
  };
  const first = place(0, 0, root instanceof Document ? root.body : root);
  const made = [first, place(REACH, 0, first), place(0, REACH, first)];
  marks.set(root, made);
  return made;
}

export class Space {
  /** What one own pixel across, and one down, are on the screen. */
  readonly #across: Point;
  readonly #down: Point;
  /** Where the element's corner lies on the screen. */
  readonly #corner: Point;
  readonly width: number;
  readonly height: number;

  /** Of an element's border box. What lies between it and the root that it is in must not be transformed. */
  constructor(element: HTMLElement | SVGElement) {
    const [at, right, below] = marksIn(element.getRootNode()).map((mark) => mark.getBoundingClientRect()) as [DOMRect, DOMRect, DOMRect];
    const step = ({ x, y }: DOMRect): Point => ({ x: (x - at.x) / REACH, y: (y - at.y) / REACH });
    [this.#across, this.#down] = [step(right), step(below)];
    // Of what is not laid out, nothing can be measured.
    if (this.#area === 0) [this.#across, this.#down] = [{ x: 1, y: 0 }, { x: 0, y: 1 }];
    const rect = element.getBoundingClientRect();
    const size = this.#sizeOf(rect, 'offsetHeight' in element ? element.offsetHeight : element.clientHeight);
    [this.width, this.height] = [size.width, size.height];
    const middle = middleOf(rect);
    this.#corner = {
      x: middle.x - (this.#across.x * this.width + this.#down.x * this.height) / 2,
      y: middle.y - (this.#across.y * this.width + this.#down.y * this.height) / 2,
    };
  }

  /** Where a pointer is, from the element's corner. */
  point({ clientX, clientY }: Pointed): Point {
    return this.#own({ x: clientX, y: clientY });
  }

  /** The window, from the element's corner. */
  get screen(): Box {
    const corners = [[0, 0], [innerWidth, 0], [0, innerHeight], [innerWidth, innerHeight]].map(([x, y]) => this.#own({ x, y } as Point));
    const [across, down] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    return { left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down) };
  }

  /** Where another element, or text, in the same root lies. @param height of text, which tells a turned one from a longer one */
  box(measured: Measured, height?: number): Box {
    return this.#boxOf(measured.getBoundingClientRect(), height ?? (measured instanceof HTMLElement ? measured.offsetHeight : 0));
  }

  /** The pieces of a text that is broken over lines. */
  boxes(range: Range, height: number): Box[] {
    return Array.from(range.getClientRects(), (rect) => this.#boxOf(rect, height));
  }

  get #area(): number {
    return this.#across.x * this.#down.y - this.#across.y * this.#down.x;
  }

  #own({ x, y }: Point): Point {
    const [right, below] = [x - this.#corner.x, y - this.#corner.y];
    return { x: (right * this.#down.y - below * this.#down.x) / this.#area, y: (below * this.#across.x - right * this.#across.y) / this.#area };
  }

  #boxOf(rect: DOMRect, height: number): Box {
    const size = this.#sizeOf(rect, height);
    const { x, y } = this.#own(middleOf(rect));
    return { left: x - size.width / 2, right: x + size.width / 2, top: y - size.height / 2, bottom: y + size.height / 2 };
  }

  /**
   * The screen's rectangle around a box of width w and height h is |across.x|·w + |down.x|·h wide and |across.y|·w + |down.y|·h
   * high. At 45° both say the same, and the height must be known.
   */
  #sizeOf(rect: DOMRect, height: number): Size {
    const [a, b, c, d] = [this.#across.x, this.#down.x, this.#across.y, this.#down.y].map(Math.abs) as [number, number, number, number];
    const area = a * d - b * c;
    if (Math.abs(area) > 0.1 * (a * d + b * c)) return { width: laid((rect.width * d - rect.height * b) / area), height: laid((rect.height * a - rect.width * c) / area) };
    return { width: laid(a > c ? (rect.width - b * height) / a : (rect.height - d * height) / c), height };
  }
}

/** Browsers lay out in 64ths of a pixel; what a transform adds to that is rounding. */
const laid = (length: number): number => Math.round(length * 64) / 64;

/** Of a rectangle turned in any way, the middle is where it was. */
const middleOf = ({ left, right, top, bottom }: DOMRect): Point => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

/** Whether nothing of an element is in the window. */
export function isOffScreen(element: HTMLElement | SVGElement): boolean {
  const space = new Space(element);
  const { left, right, top, bottom } = space.screen;
  return bottom <= 0 || top >= space.height || right <= 0 || left >= space.width;
}
