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

interface Thumb { label: HTMLLabelElement; input: HTMLInputElement; canvas: HTMLCanvasElement }

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

  constructor(host: HTMLElement, group: string, select: (head: number) => void) {
    this.#host = host;
    this.#group = group;
    host.addEventListener('change', (event) => select(Number((event.target as HTMLInputElement).value)));
    this.#watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const head = Number((entry.target as HTMLElement).dataset['head']);
        if (!entry.isIntersecting) this.#inView.delete(head);
        else if (!this.#inView.has(head)) {
          this.#inView.add(head);
          this.#draw(head);
        }
      }
    }, { rootMargin: '200px' });
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
    this.#host.dataset['size'] = heads <= 4 ? 'large' : heads <= 12 ? 'medium' : 'small';
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
    const canvas = this.#thumbs[head]?.canvas;
    const data = this.#data;
    if (!canvas || !data || head >= data.heads) return;
    const { words } = data;
    const block = Math.ceil(words / MAX_DOTS);
    const dots = Math.ceil(words / block);
    if (canvas.width !== dots) {
      canvas.width = dots;
      canvas.height = dots;
    }
    const context = canvas.getContext('2d');
    if (!context) return;
    if (this.#image?.width !== dots) this.#image = context.createImageData(dots, dots);
    const pixels = new Uint32Array(this.#image.data.buffer);
    const from = head * words * words;
    for (let row = 0; row < dots; row += 1) {
      for (let column = 0; column < dots; column += 1) {
        const weight = block === 1 ? cell(data, from + row * words + column) : largest(data, from, row * block, column * block, block);
        // Masked stays clear: the hatch lies behind the canvas.
        pixels[row * dots + column] = weight < 0 ? 0 : (this.#palette[step(weight)] ?? 0);
      }
    }
    context.putImageData(this.#image, 0, 0);
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
  long.textContent = 'Head ';
  name.append(long, String(head + 1));
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  canvas.setAttribute('aria-hidden', 'true');
  label.append(input, name, canvas);
  return { label, input, canvas };
}
