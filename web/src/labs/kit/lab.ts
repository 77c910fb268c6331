// The base of every lab: the reader's sentence, the lab's controls, its runs of the engine, and the place to draw in.
import '../../text/core-sentences.ts';
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, render } from 'lit';
import type { Engine, Request, Session, Settings, Trace } from '../../engine/engine.ts';
import type { Operators } from '../../engine/operators/operators.ts';
import type { Tensor } from '../../engine/operators/tensors.ts';
import { type Token, engineKey, isTooLong, normalizeLines, tokenize, tooLong } from '../../engine/tokens.ts';
import { clipped, listed } from '../../lib/format.ts';
import { withSubs } from '../../text/word.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { type Fields, readKnobs, writeKnobs } from '../../link/lab-settings.ts';

export interface LabInput {
  /** The reader's sentence, as typed. */
  text: string;
  /** Knobs in text form, as an author or a link says them. */
  preset: string;
  paint: Paint;
  /** Set by the author: the reader may look at everything, and change nothing. */
  isReadonly: boolean;
  /** Settings of the author's that stay as they are. */
  locked: ReadonlySet<string>;
  /** Errors in the author's values. */
  notices: readonly string[];
}

export interface LabTools {
  readonly engine: Engine;
  /** Attention as an operator; loaded once for all labs. */
  operators(): Promise<Operators>;
  /** The reader has changed something: update the link and the other labs. */
  changed(state: { text: string; preset: string }): void;
  /** The reader has answered a question of the lab's. */
  answered(answer: { task: string; answer: string; right: boolean }): void;
}

/** Words that a lab reads at most: figures of more would not be read by anybody. */
export const MOST_WORDS = 64;

/** The elements that set a lab. Other fields and buttons only look, answer or export. */
const SETTERS = ':is(.lab-frame > .lab-controls, .lab-frame > .lab-tries, [data-sets]) :is(input, select, textarea, button), .lab-number';
const SENTENCE = '.lab-sentence textarea';

export abstract class Lab<Knobs extends object = object> {
  #text = '';
  #preset: string | null = null;
  #knobs: Knobs;
  #notices: string[] = [];
  #input: LabInput | null = null;
  #operators: Operators | null = null;
  #asked = false;
  #problem = (): string => '';
  #freed = false;
  #wasFixed = false;
  #settle = (): void => {};
  /** Once all that it draws at first is drawn, or is known to be missing. */
  readonly settled = new Promise<void>((resolve) => { this.#settle = resolve; });
  readonly #sessions = new Map<string, Session>();

  /** What can be locked besides the sentence: the setting, and what sets it. */
  protected readonly lockable: Readonly<Record<string, string>> = {};

  readonly #body = document.createElement('div');
  readonly #foot = document.createElement('div');

  constructor(protected readonly host: HTMLElement, protected readonly tools: LabTools, private readonly fields: Fields<Knobs>) {
    this.#knobs = readKnobs(fields, '').knobs;
    host.replaceChildren(this.#body, this.#foot);
  }

  /** The lab from its state: the engine is asked here, and nothing is kept that the reader set. @throws AttentionError */
  protected abstract view(): TemplateResult;

  /** After the view is on the page: canvases, focus. */
  protected drawn(): void {}

  update(input: LabInput): void {
    const { text, preset } = input;
    if (preset !== this.#preset) {
      const { knobs, changed } = readKnobs(this.fields, preset);
      this.#preset = preset;
      this.#knobs = knobs;
      this.#notices = changed.map(({ name, wanted, used }) => (used === ''
        ? msg('One of the settings asked for is not one of this lab’s; it is left out.')
        : msg(str`${name} cannot be “${clipped(wanted)}”; it is ${used} now.`)));
    }
    this.#text = normalizeLines(text);
    this.#input = input;
    this.show();
  }

  free(): void {
    this.#freed = true;
    for (const session of this.#sessions.values()) session.free();
    this.#sessions.clear();
    this.host.replaceChildren();
  }

  protected get text(): string {
    return this.#text;
  }

  protected get knobs(): Readonly<Knobs> {
    return this.#knobs;
  }

  protected get paint(): Paint {
    return (this.#input as LabInput).paint;
  }

  protected get engine(): Engine {
    return this.tools.engine;
  }

  /** The reader's words, `most` at most; none where the text is too long. */
  protected tokens(most = MOST_WORDS): Token[] {
    return tokenize(this.#text).slice(0, most);
  }

  /** Null while they are loading; the lab is drawn again when they are there, or says what is wrong. */
  protected get operators(): Operators | null {
    if (!this.#asked) void this.#load();
    return this.#operators;
  }

  /** Whether something that it draws is still on its way. */
  protected get isBusy(): boolean {
    return this.#asked && !this.#operators;
  }

  async #load(): Promise<void> {
    this.#asked = true;
    try {
      this.#operators = await this.tools.operators();
    } catch (error) {
      this.#problem = () => inWords(error);
      this.#asked = false;
    }
    // Not after a failure: drawing asks for them again.
    if (this.#operators) this.show();
    else this.#say();
  }

  /** A run of its own under that name; the run before under the same name is gone then. @throws AttentionError */
  protected run(name: string, tokens: readonly (Token | string)[], settings: Settings, more: Omit<Request, 'tokens'> = {}): Trace {
    let session = this.#sessions.get(name);
    if (!session) this.#sessions.set(name, (session = this.engine.session()));
    return session.run({ ...more, tokens: tokens.map((token) => (typeof token === 'string' ? token : engineKey(token))) }, this.engine.clamp(settings).settings);
  }

  /** The reader's input. */
  protected change(part: Partial<Knobs>): void {
    this.#knobs = { ...this.#knobs, ...part };
    this.#notices = [];
    this.#tell();
  }

  protected type(text: string): void {
    this.#text = normalizeLines(text);
    this.#tell();
  }

  #tell(): void {
    this.#preset = writeKnobs(this.fields, this.#knobs);
    this.show();
    this.tools.changed({ text: this.#text, preset: this.#preset });
  }

  protected show(): void {
    if (this.#freed || !this.#input) return;
    try {
      render(this.view(), this.#body);
      const text = this.#text;
      this.#problem = () => (isTooLong(text) ? tooLong(text).message : '');
      this.#fix(this.#input);
      this.drawn();
    } catch (error) {
      // By its name: the element in one file has another copy of the class.
      if (!(error instanceof Error && error.name === 'AttentionError')) throw error;
      // The figure before stays.
      this.#problem = () => error.message;
    }
    this.#say();
  }

  #fix({ isReadonly, locked }: LabInput): void {
    // While a training plays this comes at every frame.
    const isFixed = isReadonly || locked.size > 0;
    if (!isFixed && !this.#wasFixed) return;
    this.#wasFixed = isFixed;
    this.host.toggleAttribute('data-readonly', isReadonly);
    for (const each of this.#body.querySelectorAll<HTMLInputElement>(SETTERS)) each.disabled = isReadonly && !each.matches(SENTENCE);
    // Its words can still be selected.
    for (const each of this.#body.querySelectorAll<HTMLTextAreaElement>(SENTENCE)) each.readOnly = isReadonly || locked.has('text');
    for (const [name, setters] of Object.entries(this.lockable)) if (locked.has(name)) for (const each of this.#body.querySelectorAll<HTMLInputElement>(setters)) each.disabled = true;
  }

  /** What an author locks and this lab does not have. */
  get #unlockable(): string[] {
    const names = ['text', ...Object.keys(this.lockable)];
    const others = [...this.#input?.locked ?? []].filter((name) => !names.includes(name));
    return others.length === 0 ? [] : [msg(str`“locked” can name ${listed(names).join('')} here, and not ${listed(others).join('')}.`)];
  }

  #say(): void {
    const { isBusy } = this;
    if (this.host.getAttribute('aria-busy') !== String(isBusy)) this.host.setAttribute('aria-busy', String(isBusy));
    if (!isBusy) this.#settle();
    render(html`
      <p class="lab-notices muted" role="status">${[...this.#input?.notices ?? [], ...this.#unlockable, ...this.#notices].join(' ')}</p>
      <p class="problem" role="alert">${this.#problem()}</p>
    `, this.#foot);
  }
}

function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Tensors for one calculation, freed after it.

export type MakeTensor = (shape: readonly number[], numbers?: Float32Array) => Tensor;

export function withTensors<T>(operators: Operators, work: (tensor: MakeTensor) => T): T {
  const made: Tensor[] = [];
  try {
    return work((shape, numbers) => {
      const tensor = operators.tensor(shape, numbers);
      made.push(tensor);
      return tensor;
    });
  } finally {
    for (const tensor of made) tensor.free();
  }
}

export interface Frame {
  title: unknown;
  /** Two or three sentences. */
  lesson: unknown;
  controls?: unknown;
  figure: unknown;
  /** The figure's present content, with its numbers. */
  said?: unknown;
  tries?: readonly Try[];
  /** A further explanation, closed at first. */
  more?: { title: unknown; body: unknown; /** Where the body is made only once it is seen. */ toggled?(isOpen: boolean): void } | null;
}

/** Something to try: a press sets the knobs. */
export interface Try { label: unknown; act(): void }

export function frame({ title, lesson, controls, figure, said, tries, more }: Frame): TemplateResult {
  return html`
    <article class="lab-frame">
      <header class="lab-head">
        <h2>${title}</h2>
        <div class="lab-lesson">${lesson}</div>
      </header>
      ${controls ? html`<div class="lab-controls">${controls}</div>` : nothing}
      ${said ? html`<p class="lab-said" role="status">${said}</p>` : nothing}
      ${tries?.length ? html`<p class="lab-tries">${tries.map(({ label, act }) => html`<button type="button" class="plain" @click=${act}>${withSubs(label)}</button>`)}</p>` : nothing}
      <div class="lab-figure">${figure}</div>
      ${more ? html`<details class="lab-more" @toggle=${(event: Event) => more.toggled?.((event.currentTarget as HTMLDetailsElement).open)}><summary>${more.title}</summary>${more.body}</details>` : nothing}
    </article>
  `;
}
