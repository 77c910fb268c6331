// Every head's weights as small multiples; a group of radio buttons, so that keys and screen readers know it.
import { msg, str } from '@lit/localize';
import { setMeasure } from '../../lib/dom.ts';
import { language } from '../../lib/language.ts';
import { Work } from '../../lib/schedule.ts';
import { Space } from '../../lib/space.ts';
import { type Grid, Strip, reduced } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';

export interface HeadsData {
  heads: number;
  chosen: number;
  /** What each of them does; empty without a name. */
  names: readonly string[];
  /** How each of them is counted: “3”, “2.3”. */
  place(head: number): string;
  rows: number;
  columns: number;
  turned: boolean;
  /** One head's weights. */
  grid(head: number): Grid;
  /** The run that they are of. */
  of: object;
  paint: Paint;
}

/** Past this, and past the dots that a picture has on the screen, one dot stands for a block of cells and shows its largest weight. */
const MAX_DOTS = 256;
/** Dots of several heads under one another: browsers refuse canvases that are much higher. */
const MAX_STRIP = 4096;

interface Thumb { label: HTMLLabelElement; long: HTMLElement; own: Text; says: HTMLElement; input: HTMLInputElement; canvas: HTMLCanvasElement; width: number }

export class HeadsView {
  readonly #host: HTMLElement;
  readonly #thumbs: Thumb[] = [];
  readonly #inView = new Set<number>();
  readonly #watcher: IntersectionObserver;
  readonly #group: string;
  #data: HeadsData | null = null;
  readonly #later = new Work(() => this.#drawAll());
  /** The names, and their language. */
  #said = '';
  readonly #strip = new Strip();

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
    this.#name(data);
    this.#choose(before?.chosen ?? -1, data.chosen);
    if (before && before.of === data.of && before.paint === data.paint && before.turned === data.turned) return;
    setMeasure(this.#host, '--shape', `${data.columns} / ${data.rows}`);
    // The first pictures come with the figure; later ones may follow a keystroke's paint.
    if (!before) this.#drawAll();
    else this.#later.at('full');
  }

  #drawAll(): void {
    this.#draw([...this.#inView]);
  }

  /** The figure was removed. */
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
    const [first] = this.#thumbs;
    const width = first ? new Space(first.label).width : 0;
    for (const thumb of this.#thumbs) thumb.width = width;
  }

  #name({ names, place }: HeadsData): void {
    const said = [language(), place(0), ...names].join();
    if (this.#said === said) return;
    this.#said = said;
    this.#host.closest('.heads-area')?.toggleAttribute('data-named', names.some(Boolean));
    this.#thumbs.forEach(({ label, long, own, says, input }, head) => {
      long.textContent = `${msg('Head')} `;
      own.data = place(head);
      const name = names[head] ?? '';
      label.title = says.textContent = name;
      input.ariaLabel = name ? msg(str`Head ${place(head)}, ${name}`) : null;
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
    const there = heads.filter((head) => head < data.heads);
    const dots = Math.min(MAX_DOTS, Math.max(1, ...there.map((head) => Math.round((this.#thumbs[head]?.width ?? 0) * (devicePixelRatio || 1)))));
    const most = Math.floor(MAX_STRIP / Math.min(data.rows, dots));
    while (there.length > 0) {
      const some = there.splice(0, most);
      // Masked cells stay clear: the hatch lies behind the canvas.
      this.#strip.draw(some.map((head) => reduced(data.grid(head), dots)));
      some.forEach((head, i) => {
        const { canvas, width: wide } = this.#thumbs[head] as Thumb;
        const width = Math.round(wide * (devicePixelRatio || 1));
        this.#strip.show(canvas, i, width, Math.max(1, Math.round((width * data.rows) / data.columns)));
      });
    }
  }
}

function makeThumb(head: number, group: string): Thumb {
  const label = document.createElement('label');
  label.dataset['head'] = String(head);
  const input = document.createElement('input');
  input.type = 'radio';
  input.name = group;
  input.value = String(head);
  input.className = 'unseen';
  const [name, long, says, frame] = ['name', 'long', 'says', 'thumb'].map((className) => Object.assign(document.createElement('span'), { className })) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  const own = new Text();
  name.append(long, own);
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  canvas.setAttribute('aria-hidden', 'true');
  frame.append(canvas);
  label.append(input, name, frame, says);
  return { label, long, own, says, input, canvas, width: 0 };
}
