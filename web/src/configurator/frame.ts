// The box that the figure is tried in: as wide as a phone, a column or a page, or whatever its edge is dragged to.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { WIDTHS } from './choices.ts';
import { segments } from './fields.ts';

const STEP = 20;
const KEYS: Readonly<Record<string, (width: number) => number>> = {
  ArrowLeft: (width) => width - STEP, ArrowRight: (width) => width + STEP, Home: () => WIDTHS.least, End: () => WIDTHS.most,
};

export const frameTools = (width: number, resize: (width: number) => void): TemplateResult => html`
  ${segments('width', msg('Try it as wide as'), [['360', msg('a phone')], ['680', msg('a column')], ['1024', msg('a page')]], String(width), (wanted) => resize(Number(wanted)))}
  <p class="note" id="note-width">${msg(str`${width} px. Drag the edge of the box, or use the arrow keys there.`)}</p>`;

export class Frame {
  #width = 0;

  constructor(private readonly box: HTMLElement, private readonly edge: HTMLElement, private readonly resized: (width: number) => void) {
    edge.setAttribute('aria-valuemin', String(WIDTHS.least));
    edge.setAttribute('aria-valuemax', String(WIDTHS.most));
    edge.addEventListener('keydown', (event) => {
      const move = KEYS[event.key];
      if (!move) return;
      event.preventDefault();
      resized(move(this.#width));
    });
    edge.addEventListener('pointerdown', (event) => this.#drag(event));
  }

  show(width: number): void {
    this.#width = width;
    this.box.style.inlineSize = `${width}px`;
    this.edge.setAttribute('aria-valuenow', String(width));
    this.edge.setAttribute('aria-label', msg('Width of the box, in pixels'));
  }

  #drag(start: PointerEvent): void {
    start.preventDefault();
    this.edge.focus();
    const from = this.#width;
    const move = (event: PointerEvent) => this.resized(from + event.clientX - start.clientX);
    this.edge.setPointerCapture(start.pointerId);
    this.edge.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel']) this.edge.addEventListener(end, () => this.edge.removeEventListener('pointermove', move), { once: true });
  }
}
