// Every head's weights as small multiples; a group of radio buttons, so that keys and screen readers know it.
import { step } from '../colour.ts';
import type { Paint } from './paint.ts';

export interface HeadsData {
  heads: number;
  chosen: number;
  words: number;
  /** [H, T, S] */
  weights: Float32Array;
  /** [H, T, S], −Infinity where masked */
  masked: Float32Array;
  paint: Paint;
}

/** Past this, one dot stands for a block of cells and shows its largest weight. */
const MAX_DOTS = 256;

/** Widths of a picture in the sizes of the style sheet, until the observer has measured them. */
const WIDTHS = { large: 130, medium: 61, small: 38 };

interface Thumb { label: HTMLLabelElement; input: HTMLInputElement; canvas: HTMLCanvasElement; width: number }

export class HeadsView {
  readonly #host: HTMLElement;
  readonly #thumbs: Thumb[] = [];
  readonly #inView = new Set<number>();
  readonly #watcher: IntersectionObserver;
  readonly #group: string;
  #data: HeadsData | null = null;
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
    this.#choose(before?.chosen ?? -1, data.chosen);
    if (before && before.weights === data.weights && before.paint === data.paint) return;
    this.#mix(data.paint);
    for (const head of this.#inView) this.#draw(head);
  }

  #build(heads: number): void {
    if (this.#thumbs.length === heads) return;
    while (this.#thumbs.length > heads) {
      const thumb = this.#thumbs.pop();
      if (thumb) this.#watcher.unobserve(thumb.label);
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

  #choose(before: number, chosen: number): void {
    this.#thumbs[before]?.label.classList.remove('chosen');
    const thumb = this.#thumbs[chosen];
    if (!thumb) return;
    thumb.label.classList.add('chosen');
    thumb.input.checked = true;
    if (before === chosen) return;
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
    const { words } = data;
    const block = Math.ceil(words / MAX_DOTS);
    const dots = Math.ceil(words / block);
    const scratch = this.#dots.getContext('2d');
    const context = thumb.canvas.getContext('2d');
    if (!scratch || !context) return;
    // Enlarged from one scratch canvas: giving every picture a new size at each word is what takes long.
    // A new canvas is 300 by 150: its height tells when it is too small.
    if (this.#dots.height < dots) this.#dots.width = this.#dots.height = Math.min(MAX_DOTS, 2 ** Math.ceil(Math.log2(dots)));
    if (this.#image?.width !== dots) this.#image = scratch.createImageData(dots, dots);
    const pixels = new Uint32Array(this.#image.data.buffer);
    const from = head * words * words;
    for (let row = 0; row < dots; row += 1) {
      for (let column = 0; column < dots; column += 1) {
        const weight = block === 1 ? cell(data, from + row * words + column) : largest(data, from, row * block, column * block, block);
        // Masked stays clear: the hatch lies behind the canvas.
        pixels[row * dots + column] = weight < 0 ? 0 : (this.#palette[step(weight)] ?? 0);
      }
    }
    scratch.putImageData(this.#image, 0, 0);
    const side = Math.round(thumb.width * (devicePixelRatio || 1));
    if (thumb.canvas.width !== side) thumb.canvas.width = thumb.canvas.height = side;
    context.imageSmoothingEnabled = false;
    context.clearRect(0, 0, side, side);
    context.drawImage(this.#dots, 0, 0, dots, dots, 0, 0, side, side);
  }
}

/** The cell's weight, or −1 where it is masked. */
function cell(data: HeadsData, at: number): number {
  return data.masked[at] === -Infinity ? -1 : (data.weights[at] ?? 0);
}

function largest(data: HeadsData, from: number, row: number, column: number, block: number): number {
  let most = -1;
  for (let i = row; i < Math.min(row + block, data.words); i += 1) {
    for (let j = column; j < Math.min(column + block, data.words); j += 1) most = Math.max(most, cell(data, from + i * data.words + j));
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
  long.textContent = 'Head ';
  name.append(long, String(head + 1));
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  canvas.setAttribute('aria-hidden', 'true');
  label.append(input, name, canvas);
  return { label, input, canvas, width };
}
