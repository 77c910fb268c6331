// The figure as readers will have it, under the author's hands: what is chosen becomes its attributes, and what is done to it
// by hand becomes what is chosen.
import type { AttentionPlayground } from '../attention-playground.ts';
import { attribute } from '../attributes.ts';
import { isLab } from '../labs/names.ts';
import { SETTINGS } from '../settings.ts';
import { type Said, initial } from './choices.ts';

/** What a reader can change in the figure. */
const FOLLOWED = ['text', 'key-text', 'mask-cells', 'head', 'row', 'key', ...SETTINGS.map(({ attribute }) => attribute)];
/** These change in place; whatever else is said makes another figure. */
const IN_PLACE = new Set([...FOLLOWED, 'theme']);
const propertyOf = (name: string): string => attribute(name)?.property ?? SETTINGS.find((setting) => setting.attribute === name)?.name ?? name;
const PLACES = [['head', 'head'], ['row', 'query'], ['key', 'key']] as const;
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

  /** Taken up from the figure, which need not be told. */
  heard(said: Said): void {
    this.#said = said;
  }

  show(said: Said, fallback: string): void {
    const names = [...new Set([...Object.keys(said), ...Object.keys(this.#said)])].filter((name) => said[name] !== this.#said[name]);
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
    if (!element || isLab(element.view) || typeof element.state !== 'object') return false;
    const { edits, silenced, patches, otherText } = element.state;
    return [edits, silenced, patches].some((list) => list.length > 0) || otherText !== null;
  }

  #make(said: Said): void {
    const element = document.createElement('attention-playground') as AttentionPlayground;
    // All figures of a page speak one language: here that is the author's.
    for (const [name, text] of Object.entries(said)) if (name !== 'lang') say(element, name, text, '');
    const given = said['parameters'] === 'yours' && this.#element?.state?.given;
    if (given) element.config = { given };
    element.append(this.#fallback);
    this.#element = element;
    this.place.replaceChildren(element);
  }

  /** Its properties say what is in use, changed to what fits. */
  #asItIs(): Said {
    const element = this.#element as AttentionPlayground;
    const names = isLab(element.view) ? ['text', 'preset'] : FOLLOWED.filter((name) => !PLACES.some(([place]) => place === name) || name in this.#said);
    return Object.fromEntries(names.map((name) => [name, String((element as unknown as Record<string, unknown>)[propertyOf(name)] ?? '')]));
  }
}

const placesOf = (selection: Selection): Said => Object.fromEntries(PLACES.map(([name, field]) => [name, String(selection[field] + 1)]));

function say(element: HTMLElement, name: string, text: string | undefined, otherwise: string): void {
  if (text === undefined && otherwise === '') element.removeAttribute(name);
  else if (name === 'readonly') element.toggleAttribute(name, true);
  else element.setAttribute(name, text ?? otherwise);
}
