// The figure as readers will have it, in a box of any width: what is chosen becomes its attributes, and the other way round.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { attribute } from '../../element/attributes.ts';
import type { AttentionPlayground } from '../../element/element.ts';
import { Space } from '../../lib/space.ts';
import { SETTINGS } from '../../state/settings.ts';
import { isApart, isLab } from '../../state/views.ts';
import { type Said, WIDTHS, initial, value } from './choices.ts';
import { segments } from './fields.ts';

/** What a reader can change in the figure. */
const FOLLOWED = ['text', 'key-text', 'mask-cells', 'replay', 'head', 'row', 'column', ...SETTINGS.map(({ attribute }) => attribute)];
/** These change in place; whatever else is said makes another figure. */
const IN_PLACE = new Set([...FOLLOWED, 'theme']);
/** All figures of a page speak one language, here the author's; and a lesson's file lies in the author's own page. */
const NOT_HERE = new Set(['lang', 'src']);
const propertyOf = (name: string): string => attribute(name)?.property ?? SETTINGS.find((setting) => setting.attribute === name)?.name ?? name;
const PLACES = [['head', 'head'], ['row', 'query'], ['column', 'key']] as const;
type Selection = Record<'head' | 'query' | 'key', number>;

export class Live {
  #element: AttentionPlayground | null = null;
  /** What the figure was last told, or told us. */
  #said: Said = {};
  readonly #fallback = new Text();

  constructor(private readonly place: HTMLElement, private readonly changed: (said: Said) => void) {
    place.addEventListener('attention-change', () => this.changed(this.#asItIs()));
    place.addEventListener('attention-select', (event) => this.changed(placesOf((event as CustomEvent<Selection>).detail)));
  }

  /** Taken up from the figure, and set there too: else it takes no earlier value again. */
  heard(said: Said): void {
    const element = this.#element;
    if (element) for (const name of [...FOLLOWED, 'preset']) if (said[name] !== this.#said[name] && now(element, name) === value(name, said)) say(element, name, said[name], initial(name, said));
    this.#said = said;
  }

  show(said: Said, fallback: string): void {
    const names = [...new Set([...Object.keys(said), ...Object.keys(this.#said)])].filter((name) => said[name] !== this.#said[name] && !NOT_HERE.has(name));
    const element = this.#element;
    this.#said = said;
    this.#fallback.data = fallback;
    if (!element || names.some((name) => !IN_PLACE.has(name))) this.#make(said);
    else for (const name of names) say(element, name, said[name], initial(name, said));
  }

  /** Matrices that the author has given, as a configuration has them. */
  get given(): string {
    const given = this.#element?.state.given ?? {};
    return JSON.stringify({ given: Object.fromEntries(Object.entries(given).map(([id, numbers]) => [id, Array.from(numbers)])) });
  }

  /** Whether something was done to it that no attribute says. */
  get hasMore(): boolean {
    const element = this.#element;
    if (!element || isApart(element.view) || typeof element.state !== 'object') return false;
    const { edits, silenced, patches, otherText } = element.state;
    return [edits, silenced, patches].some((list) => list.length > 0) || otherText !== null;
  }

  #make(said: Said): void {
    const element = document.createElement('attention-playground') as AttentionPlayground;
    for (const [name, text] of Object.entries(said)) if (!NOT_HERE.has(name)) say(element, name, text, '');
    const given = said['parameters'] === 'yours' && this.#element?.state?.given;
    if (given) element.config = { given };
    element.append(this.#fallback);
    this.#element = element;
    this.place.replaceChildren(element);
  }

  /** Its properties say what is in use, changed to what fits. */
  #asItIs(): Said {
    const element = this.#element as AttentionPlayground;
    if (element.view === 'lesson') return {};
    const names = isLab(element.view) ? ['text', 'preset'] : FOLLOWED.filter((name) => !PLACES.some(([place]) => place === name) || name in this.#said);
    return Object.fromEntries(names.map((name) => [name, now(element, name)]));
  }
}

const now = (element: HTMLElement, name: string): string => String((element as unknown as Record<string, unknown>)[propertyOf(name)] ?? '');
const placesOf = (selection: Selection): Said => Object.fromEntries(PLACES.map(([name, field]) => [name, String(selection[field] + 1)]));

function say(element: HTMLElement, name: string, text: string | undefined, otherwise: string): void {
  if (text === undefined && otherwise === '') element.removeAttribute(name);
  else if (name === 'readonly') element.toggleAttribute(name, true);
  else element.setAttribute(name, text ?? otherwise);
}

// The box that the figure is tried in: as wide as a phone, a column or a page, or whatever its edge is dragged to.

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
    const at = (event: PointerEvent) => new Space(this.edge.closest('.frame-scroll') as HTMLElement).point(event).x;
    const began = at(start);
    const move = (event: PointerEvent) => this.resized(from + at(event) - began);
    this.edge.setPointerCapture(start.pointerId);
    this.edge.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel']) this.edge.addEventListener(end, () => this.edge.removeEventListener('pointermove', move), { once: true });
  }
}
