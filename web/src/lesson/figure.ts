// The figure of a step: the element itself, at the state that the step asks for, and the row of weights that it shows.
import { type TemplateResult, html } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { encodeBoundaries } from '../engine/tokens.ts';
import type { Theme } from '../lib/colour.ts';
import { isStill } from '../lib/dom.ts';
import { encodeText } from '../link/address.ts';
import { fieldOf } from '../link/fields.ts';
import { cut } from './door-run.ts';
import type { Step } from './lesson.ts';
import type { Measured } from './marking.ts';

export interface FigureEvents {
  /** There are other numbers. */
  changed(): void;
  /** The reader has typed another sentence into it. */
  typed(text: string): void;
}

/** What is used of the element, which may be of another copy of the script. */
interface Shown extends HTMLElement {
  text: string;
  readonly trace: { head(id: 'weights', head: number): Float32Array; readonly shape: { S: number } } | null;
  readonly state: { readonly text: string; readonly selection: { head: number; query: number; key: number }; readonly tokens: readonly { text: string }[] };
  follow(fragment: string): Promise<void>;
  requestUpdate(): void;
  readonly updateComplete: Promise<unknown>;
}

interface Wanted {
  text: string;
  /** As the lesson cuts the text; none where the browser does. */
  words: readonly string[];
  /** The word that the lesson is about, from 1; null where it is not known. */
  row: number | null;
  /** Whether the reader has typed it. */
  isTyped: boolean;
  shown: boolean;
  presenter: boolean;
  theme: Theme;
}

/** Past the end of every training. */
const LAST = 20_000;

/** A stage would give the answer away. */
const isHeld = ({ answer, show }: Step, { shown }: Wanted): boolean => show.view === 'stage' && show.step !== '' && answer !== undefined && !shown;

export class Figure {
  #element: Shown | null = null;
  #step: Step | null = null;
  #wanted: Wanted | null = null;
  /** The row that it was brought to; null where it was not known. */
  #row: number | null = null;
  /** The fragment that is shown. */
  #at: 'before' | 'after' | null = null;
  #text = '';
  #measured: Measured = { before: null, after: null, words: null };
  /** Opened with the answer to its own question. */
  #isAnswered = false;
  #hasAsked = false;
  /** Each time that its question is asked again it is another element. */
  #round = 0;
  #job = '';

  constructor(private readonly events: FigureEvents) {}

  get measured(): Measured {
    return this.#measured;
  }

  /** Of a training run, the job that is shown; empty for its first. */
  get job(): string {
    return this.#job;
  }

  /** The button that shows the answer to a question of the figure's own; null where it asks nothing, or no longer. */
  get answer(): HTMLElement | null {
    return this.#element?.shadowRoot?.querySelector<HTMLElement>('.training-ask [data-guess=""]') ?? null;
  }

  /** Whether its own question has been answered here. */
  get isAnswered(): boolean {
    return this.#hasAsked && this.answer === null;
  }

  /** Brings what plays to its end; null where nothing plays. */
  get finish(): (() => void) | null {
    const root = this.#element?.shadowRoot;
    if (!root?.querySelector('[data-playing]')) return null;
    return () => {
      root.querySelector<HTMLElement>('.row-step:last-child')?.click();
      const handle = root.querySelector<HTMLInputElement>('.training-handle');
      if (!handle) return;
      handle.value = handle.max;
      handle.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }

  /** The figure of a step, each time that it is asked. */
  get key(): string {
    return `${this.#step?.id} ${this.#round}`;
  }

  template(step: Step, own: Wanted): TemplateResult {
    // A run that learns a text has a tale of its own, unless the reader has typed another.
    const wanted = step.show.view === 'training' && !own.isTyped ? { ...own, text: '' } : own;
    const isOther = step.id !== this.#step?.id;
    if (isOther || ((this.isAnswered || this.#isAnswered) && !wanted.shown && this.#wanted?.shown)) {
      this.#isAnswered = wanted.shown && step.answer === undefined;
      this.#hasAsked = false;
      this.#step = null;
      if (!isOther) this.#round += 1;
    }
    if (step !== this.#step) {
      this.#step = step;
      this.#at = null;
      this.#job = jobOf(step.show.preset);
      this.#measured = { before: null, after: null, words: null };
    }
    const isReleased = !isOther && this.#wanted !== null && isHeld(step, this.#wanted) && !isHeld(step, wanted);
    this.#wanted = wanted;
    const { view, step: stage, controls, preset, lesson } = step.show;
    // A question's stage stands before its answer; with it the stage view opens at its own.
    const opens = view === 'stage' && step.answer && wanted.shown ? '' : stage;
    queueMicrotask(() => {
      if (isReleased) void this.#release(wanted.presenter);
      this.#bring();
    });
    return html`<div class="step-figure" data-view=${view}><attention-playground ${ref(this.#take)} loading="eager" view=${view} step=${opens} controls=${controls || 'none'} preset=${this.#isAnswered && view === 'training' && !/(?:^|&)(?:ask|step)=/.test(preset) ? `${preset}&step=${LAST}` : preset} lesson=${lesson} theme=${wanted.theme} ?data-brief=${view === 'model' || view === 'stage'} ?data-held=${isHeld(step, wanted)} ?data-presented=${wanted.presenter}
      @attention-ready=${this.#heard} @attention-change=${this.#heard}></attention-playground></div>`;
  }

  /** On a projector the answer plays. */
  async #release(plays: boolean): Promise<void> {
    await customElements.whenDefined('attention-playground');
    const element = this.#element;
    element?.requestUpdate();
    await element?.updateComplete;
    if (!plays || isStill()) return;
    element?.shadowRoot?.querySelector<HTMLElement>('.row-play:not([data-playing])')?.click();
    this.events.changed();
  }

  readonly #take = (element: Element | undefined): void => {
    this.#element = (element as Shown | undefined) ?? null;
  };

  /** Brings it to what is wanted, one state after the other: the answer is read off both. */
  #bring(): void {
    const [element, step, wanted] = [this.#element, this.#step, this.#wanted];
    if (!element || !step || !wanted || !('follow' in element)) return void customElements.whenDefined('attention-playground').then(() => this.#element && this.#bring());
    if (this.#at === null) {
      this.#at = 'before';
      this.#text = wanted.text;
      this.#row = wanted.row;
      this.#follow(filled(step.show.state, wanted), textOf(step.show.state) ?? wanted.text);
    } else if (this.#row === null && wanted.row !== null && this.#text === wanted.text) {
      // Known only now; an answer that is shown follows again.
      this.#row = wanted.row;
      this.#at = 'before';
      this.#measured = { before: null, after: null, words: null };
      this.#follow(filled(step.show.state, wanted));
    } else if (this.#text !== wanted.text && textOf(step.show.state) === null) {
      this.#text = wanted.text;
      element.text = wanted.text;
    }
    this.#answer();
  }

  /** What the answer changes comes once the numbers before it are known. */
  #answer(): void {
    const [element, step, wanted] = [this.#element, this.#step, this.#wanted];
    if (!element || !step || !wanted || step.then === '') return;
    const goal = wanted.shown ? 'after' : 'before';
    if (goal === this.#at || (goal === 'after' && !this.#measured.before)) return;
    this.#at = goal;
    this.#follow(filled(goal === 'after' ? step.then : step.show.state, { ...wanted, text: this.#text }));
  }

  /** The states that each element is on its way to. */
  readonly #following = new WeakMap<Shown, Promise<void>>();

  /**
   * Each state waits for the one before it: setting a text discards a row that was asked for earlier. The first is followed
   * at once, before the element shows its own sentence.
   */
  #follow(fragment: string, text: string | null = null): void {
    const element = this.#element;
    if (!element) return;
    const follow = async () => {
      await element.follow(fragment);
      if (text !== null) element.text = text;
    };
    const last = this.#following.get(element);
    this.#following.set(element, last ? last.then(follow, follow) : follow());
  }

  readonly #heard = (event: Event): void => {
    event.stopPropagation();
    const [element, step] = [this.#element, this.#step];
    if (!element || event.target !== element || !step) return;
    const { preset } = (event as CustomEvent<{ preset?: string } | null>).detail ?? {};
    if (preset !== undefined) this.#job = jobOf(preset);
    const { text } = element.state ?? { text: this.#text };
    if (event.type === 'attention-change' && text !== this.#text && textOf(step.show.state) === null) {
      this.#text = text;
      this.events.typed(text);
    }
    if (this.answer) this.#hasAsked = true;
    const row = rowOf(element);
    if (row && this.#at !== null) {
      const { query } = element.state.selection;
      const top = row.indexOf(Math.max(...row));
      this.#measured = { ...this.#measured, [this.#at]: row, words: { query: element.state.tokens[query]?.text ?? '', top: element.state.tokens[top]?.text ?? '' } };
    }
    this.#answer();
    this.events.changed();
  };

  free(): void {
    this.#element = null;
  }
}

function rowOf(element: Shown): Float32Array | null {
  const { trace, state } = element;
  if (!trace || state.selection.query < 0) return null;
  const { head, query } = state.selection;
  const { S } = trace.shape;
  return trace.head('weights', head).slice(query * S, (query + 1) * S);
}

const jobOf = (preset: string): string => fieldOf(preset, 'part') ?? '';

const textOf = (state: string): string | null => fieldOf(state, 'text');

/** Whether it shows designed heads, and says no row: theirs is that of the word that looks back. */
export const looksBack = (state: string): boolean => /parameters=designed/.test(state) && !/(?:^|[#&])row=/.test(state);

/** A state with the reader's text, and of designed heads the word that looks back, where it says neither. */
export function filled(state: string, { text, words, row }: Pick<Wanted, 'text' | 'words' | 'row'>): string {
  const own = state === '' ? 'v1' : state.replace(/^#/, '');
  if (textOf(own) !== null) return `#${own}`;
  const place = row === null || !looksBack(own) ? '' : `&row=${row}`;
  const cuts = words.length > 0 ? `&tokens=${encodeBoundaries(cut(text, words))}` : '';
  return `#${own}&text=${encodeText(text)}${cuts}${place}`;
}
