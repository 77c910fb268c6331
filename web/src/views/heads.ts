// Every head's weights as small multiples; a group of radio buttons, so that keys and screen readers know it.
import { msg, str } from '@lit/localize';
import { step } from '../colour.ts';
import { language } from '../language.ts';
import { setMeasure } from './measure.ts';
import type { Paint } from './paint.ts';

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

/** Widths of a picture in the sizes of the style sheet, until the observer has measured them. */
const WIDTHS = { large: 130, medium: 61, small: 38 };

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
  #palette = new Uint32Array();
  #paletteOf: Paint | null = null;
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
    this.#draw(head);
  }

  update(data: HeadsData): void {
    const before = this.#data;
    this.#data = data;
    this.#build(data.heads);
    if (before?.named !== data.named || before?.heads !== data.heads || this.#said !== language()) this.#name(data.named);
    this.#choose(before?.chosen ?? -1, data.chosen);
    if (before && before.of === data.of && before.paint === data.paint && before.rowStride === data.rowStride) return;
    setMeasure(this.#host, '--shape', `${data.columns} / ${data.rows}`);
    this.#mix(data.paint);
    // The first pictures come with the figure; later ones may follow a keystroke's paint.
    if (!before) this.#drawAll();
    else this.#later ||= requestAnimationFrame(() => setTimeout(() => this.#drawAll()));
  }

  #drawAll(): void {
    this.#later = 0;
    for (const head of this.#inView) this.#draw(head);
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
    const size = heads <= 4 ? 'large' : heads <= 12 ? 'medium' : 'small';
    this.#host.dataset['size'] = size;
    const made = document.createDocumentFragment();
    while (this.#thumbs.length < heads) {
      const thumb = makeThumb(this.#thumbs.length, this.#group, WIDTHS[size]);
      // The observer answers a frame later; the first ones are surely seen, so they are drawn at once.
      if (this.#thumbs.length < 16) this.#inView.add(this.#thumbs.length);
      this.#thumbs.push(thumb);
      made.append(thumb.label);
      this.#watcher.observe(thumb.label);
    }
    this.#host.append(made);
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
    const { offsetTop, offsetLeft, offsetHeight, offsetWidth } = thumb.label;
    const host = this.#host;
    if (offsetTop < host.scrollTop || offsetTop + offsetHeight > host.scrollTop + host.clientHeight) host.scrollTop = offsetTop - 24;
    if (offsetLeft < host.scrollLeft || offsetLeft + offsetWidth > host.scrollLeft + host.clientWidth) host.scrollLeft = offsetLeft - 24;
  }

  #mix(paint: Paint): void {
    if (this.#paletteOf === paint) return;
    this.#paletteOf = paint;
    const { bytes } = paint.ramp;
    const palette = new Uint8ClampedArray((bytes.length / 3) * 4);
    for (let i = 0; i < bytes.length / 3; i += 1) palette.set([bytes[i * 3] ?? 0, bytes[i * 3 + 1] ?? 0, bytes[i * 3 + 2] ?? 0, 255], i * 4);
    this.#palette = new Uint32Array(palette.buffer);
  }

  #draw(head: number): void {
    const thumb = this.#thumbs[head];
    const data = this.#data;
    if (!thumb || !data || head >= data.heads) return;
    const [weights, masked] = [data.weights(head), data.masked(head)];
    const block = Math.ceil(Math.max(data.rows, data.columns) / MAX_DOTS);
    const [across, down] = [Math.ceil(data.columns / block), Math.ceil(data.rows / block)];
    const scratch = this.#dots.getContext('2d');
    const context = thumb.canvas.getContext('2d');
    if (!scratch || !context) return;
    // Enlarged from one scratch canvas: giving every picture a new size at each word is what takes long.
    // A new canvas is 300 by 150: its height tells when it is too small.
    const dots = Math.max(across, down);
    if (this.#dots.height < dots) this.#dots.width = this.#dots.height = Math.min(MAX_DOTS, 2 ** Math.ceil(Math.log2(dots)));
    if (this.#image?.width !== across || this.#image.height !== down) this.#image = scratch.createImageData(across, down);
    const pixels = new Uint32Array(this.#image.data.buffer);
    for (let row = 0; row < down; row += 1) {
      for (let column = 0; column < across; column += 1) {
        const weight = largest(data, weights, masked, row * block, column * block, block);
        // Masked stays clear: the hatch lies behind the canvas.
        pixels[row * across + column] = weight < 0 ? 0 : (this.#palette[step(weight)] ?? 0);
      }
    }
    scratch.putImageData(this.#image, 0, 0);
    const width = Math.round(thumb.width * (devicePixelRatio || 1));
    const height = Math.max(1, Math.round((width * data.rows) / data.columns));
    if (thumb.canvas.width !== width) thumb.canvas.width = width;
    if (thumb.canvas.height !== height) thumb.canvas.height = height;
    context.imageSmoothingEnabled = false;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#dots, 0, 0, across, down, 0, 0, width, height);
  }
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

function makeThumb(head: number, group: string, width: number): Thumb {
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
  return { label, long, input, canvas, width };
}
