// Every head's weights as small multiples; a group of radio buttons, so that keys and screen readers know it.
import { msg, str } from '@lit/localize';
import { step } from '../../lib/colour.ts';
import { setMeasure } from '../../lib/dom.ts';
import { language } from '../../lib/language.ts';
import type { Paint } from '../kit/paint.ts';

export interface HeadsData {
  heads: number;
  chosen: number;
  /** What a design calls each of them; null without one. */
  named: readonly { name: string }[] | null;
  rows: number;
  columns: number;
  /** Where a cell stands in a head's buffer: row · rowStride + column · columnStride. */
  rowStride: number;
  columnStride: number;
  /** One head's weights, and its masked scores: −Infinity where masked. */
  weights(head: number): Float32Array;
  masked(head: number): Float32Array;
  /** The run that they are of. */
  of: object;
  paint: Paint;
}

/** Past this, one dot stands for a block of cells and shows its largest weight. */
const MAX_DOTS = 256;
/** Dots of several heads under one another: browsers refuse canvases that are much higher. */
const MAX_STRIP = 4096;

interface Thumb { label: HTMLLabelElement; long: HTMLElement; input: HTMLInputElement; canvas: HTMLCanvasElement; width: number }

export class HeadsView {
  readonly #host: HTMLElement;
  readonly #thumbs: Thumb[] = [];
  readonly #inView = new Set<number>();
  readonly #watcher: IntersectionObserver;
  readonly #group: string;
  #data: HeadsData | null = null;
  #later = 0;
  /** The language of the names. */
  #said = '';
  #image: ImageData | null = null;
  readonly #dots = document.createElement('canvas');

  constructor(host: HTMLElement, group: string, select: (head: number) => void) {
    this.#host = host;
    this.#group = group;
    host.addEventListener('change', (event) => select(Number((event.target as HTMLInputElement).value)));
    this.#watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const head = Number((entry.target as HTMLElement).dataset['head']);
        if (!entry.isIntersecting) this.#inView.delete(head);
        else this.#appear(head, entry.boundingClientRect.width);
      }
    }, { rootMargin: '200px' });
  }

  #appear(head: number, width: number): void {
    const thumb = this.#thumbs[head];
    if (!thumb || (this.#inView.has(head) && thumb.width === width)) return;
    thumb.width = width;
    this.#inView.add(head);
    this.#draw([head]);
  }

  update(data: HeadsData): void {
    const before = this.#data;
    this.#data = data;
    this.#build(data.heads);
    if (before?.named !== data.named || before?.heads !== data.heads || this.#said !== language()) this.#name(data.named);
    this.#choose(before?.chosen ?? -1, data.chosen);
    if (before && before.of === data.of && before.paint === data.paint && before.rowStride === data.rowStride) return;
    setMeasure(this.#host, '--shape', `${data.columns} / ${data.rows}`);
    // The first pictures come with the figure; later ones may follow a keystroke's paint.
    if (!before) this.#drawAll();
    else this.#later ||= requestAnimationFrame(() => setTimeout(() => this.#drawAll()));
  }

  #drawAll(): void {
    this.#later = 0;
    this.#draw([...this.#inView]);
  }

  /** What the pictures are of is gone. */
  forget(): void {
    this.#data = null;
  }

  #build(heads: number): void {
    if (this.#thumbs.length === heads) return;
    while (this.#thumbs.length > heads) {
      const thumb = this.#thumbs.pop();
      if (thumb) this.#watcher.unobserve(thumb.label);
      // As in radio-group.ts.
      thumb?.input.removeAttribute('name');
      thumb?.label.remove();
      this.#inView.delete(this.#thumbs.length);
    }
    this.#host.dataset['size'] = heads <= 4 ? 'large' : heads <= 12 ? 'medium' : 'small';
    const made = document.createDocumentFragment();
    while (this.#thumbs.length < heads) {
      const thumb = makeThumb(this.#thumbs.length, this.#group);
      // The observer answers a frame later; the first ones are surely seen, so they are drawn at once.
      if (this.#thumbs.length < 16) this.#inView.add(this.#thumbs.length);
      this.#thumbs.push(thumb);
      made.append(thumb.label);
      this.#watcher.observe(thumb.label);
    }
    this.#host.append(made);
    const width = this.#thumbs[0]?.label.getBoundingClientRect().width ?? 0;
    for (const thumb of this.#thumbs) thumb.width = width;
  }

  #name(named: HeadsData['named']): void {
    this.#said = language();
    this.#thumbs.forEach(({ label, long, input }, head) => {
      long.textContent = `${msg('Head')} `;
      const name = named?.[head]?.name;
      label.title = name ?? '';
      if (name) input.setAttribute('aria-label', msg(str`Head ${head + 1}, ${name}`));
      else input.removeAttribute('aria-label');
    });
  }

  #choose(before: number, chosen: number): void {
    const thumb = this.#thumbs[chosen];
    if (before !== chosen) this.#thumbs[before]?.label.classList.remove('chosen');
    if (!thumb) return;
    thumb.input.checked = true;
    if (thumb.label.classList.contains('chosen')) return;
    thumb.label.classList.add('chosen');
    // The first of all lies in view: asking where would lay the page out.
    if (before < 0 && chosen === 0) return;
    const { offsetTop, offsetLeft, offsetHeight, offsetWidth } = thumb.label;
    const host = this.#host;
    if (offsetTop < host.scrollTop || offsetTop + offsetHeight > host.scrollTop + host.clientHeight) host.scrollTop = offsetTop - 24;
    if (offsetLeft < host.scrollLeft || offsetLeft + offsetWidth > host.scrollLeft + host.clientWidth) host.scrollLeft = offsetLeft - 24;
  }

  #draw(heads: readonly number[]): void {
    const data = this.#data;
    if (!data) return;
    const block = Math.ceil(Math.max(data.rows, data.columns) / MAX_DOTS);
    const size = { block, across: Math.ceil(data.columns / block), down: Math.ceil(data.rows / block) };
    const there = heads.filter((head) => head < data.heads);
    const most = Math.floor(MAX_STRIP / size.down);
    for (let i = 0; i < there.length; i += most) this.#drawStrip(there.slice(i, i + most), data, size);
  }

  /** One dot a block, head under head on one scratch canvas; enlarged from there. Each write to a canvas that was just read costs it a copy of itself. */
  #drawStrip(heads: readonly number[], data: HeadsData, { block, across, down }: { block: number; across: number; down: number }): void {
    const scratch = this.#dots.getContext('2d');
    if (!scratch) return;
    const image = this.#imageOf(scratch, across, down * heads.length);
    const pixels = new Uint32Array(image.data.buffer);
    heads.forEach((head, i) => {
      const [weights, masked] = [data.weights(head), data.masked(head)];
      for (let row = 0; row < down; row += 1) {
        for (let column = 0; column < across; column += 1) {
          const weight = largest(data, weights, masked, row * block, column * block, block);
          // Masked stays clear: the hatch lies behind the canvas.
          pixels[(i * down + row) * across + column] = weight < 0 ? 0 : data.paint.ramp.pixel(step(weight));
        }
      }
    });
    scratch.putImageData(image, 0, 0);
    heads.forEach((head, i) => {
      const thumb = this.#thumbs[head];
      if (thumb) enlarge(thumb, this.#dots, data, { across, down, from: i * down });
    });
  }

  /** Canvas and image grow when they must: giving them a new size at each word is what takes long. */
  #imageOf(scratch: CanvasRenderingContext2D, width: number, height: number): ImageData {
    const { canvas } = scratch;
    if (canvas.width < width) canvas.width = powerOf2(width);
    if (canvas.height < height) canvas.height = powerOf2(height);
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = scratch.createImageData(width, height);
    return this.#image;
  }
}

const powerOf2 = (least: number): number => 2 ** Math.ceil(Math.log2(least));

function enlarge({ canvas, width: wide }: Thumb, dots: HTMLCanvasElement, { rows, columns }: HeadsData, { across, down, from }: { across: number; down: number; from: number }): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const width = Math.round(wide * (devicePixelRatio || 1));
  const height = Math.max(1, Math.round((width * rows) / columns));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.imageSmoothingEnabled = false;
  context.clearRect(0, 0, width, height);
  context.drawImage(dots, 0, from, across, down, 0, 0, width, height);
}

/** The largest weight of a block of cells, or −1 where all of them are masked. */
function largest(
  { rows, columns, rowStride, columnStride }: HeadsData, weights: Float32Array, masked: Float32Array, row: number, column: number, block: number,
): number {
  let most = -1;
  for (let i = row; i < Math.min(row + block, rows); i += 1) {
    for (let j = column; j < Math.min(column + block, columns); j += 1) {
      const at = i * rowStride + j * columnStride;
      const weight = weights[at] ?? 0;
      if (weight > most && masked[at] !== -Infinity) most = weight;
    }
  }
  return most;
}

function makeThumb(head: number, group: string): Thumb {
  const label = document.createElement('label');
  label.dataset['head'] = String(head);
  const input = document.createElement('input');
  input.type = 'radio';
  input.name = group;
  input.value = String(head);
  input.className = 'unseen';
  const name = document.createElement('span');
  name.className = 'name';
  const long = document.createElement('span');
  long.className = 'long';
  name.append(long, String(head + 1));
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  canvas.setAttribute('aria-hidden', 'true');
  const frame = document.createElement('span');
  frame.className = 'thumb';
  frame.append(canvas);
  label.append(input, name, frame);
  return { label, long, input, canvas, width: 0 };
}
