// Plays a lesson: one question a screen, a guess, the answer, and one thing to try. Every number comes from an engine's
// buffer: the door's own run, or the figure that a step shows, which is the element itself.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Engine } from '../engine/engine.ts';
import type { Theme } from '../lib/colour.ts';
import { adoptMore } from '../lib/dom.ts';
import { clipped } from '../lib/format.ts';
import { language, languageOf } from '../lib/language.ts';
import { type DoorRow, DoorRun } from './door-run.ts';
import { layOut } from './door.ts';
import { Figure, filled, looksBack } from './figure.ts';
import type { Lesson, Step } from './lesson.ts';
import { doorMarked, figureMarked } from './marking.ts';
import { type Place, START } from '../link/lesson-place.ts';
import { type Marked, type ScreenEvents, screen } from './screen.ts';

export interface PlayerEvents {
  /** The reader is elsewhere, or has typed: to be kept in an address. */
  moved(place: Place, lesson: Lesson): void;
  /** The address of the playground at that state; null where there is none. */
  playground(state: string): string | null;
  /** The screen is drawn for the first time. */
  ready(): void;
}

/** While a figure plays, what the next key does is looked at so often. */
const PLAYING_MS = 300;

export class Player {
  #lesson: Lesson | null = null;
  #problem = '';
  #place: Place = START;
  #guess: number | null = null;
  /** Steps whose answer has been seen, with what was guessed: on the way back it is still there. */
  readonly #seen = new Map<string, number | null>();
  /** The step that was asked for, where the lesson has none of that name. */
  #missing = '';
  #playing = 0;
  #engine: Engine | null = null;
  #door: DoorRun | null = null;
  #row: (DoorRow & { of: DoorRun }) | null = null;
  #isListComing = false;
  #isTyping = false;
  /** How its sentence lies on the screen. */
  #arcs: ReturnType<typeof layOut> = { arcs: [], isWrapped: false, isStacked: false };
  #theme: Theme = 'light';
  #isReady = false;
  readonly #figure = new Figure({
    changed: () => this.#heard(),
    typed: (text) => this.#type(text, false),
  });
  /** Of the door's width, where arcs are laid out. What other steps show has its own measures, and changes the height of this. */
  readonly #watch = new ResizeObserver(() => this.#lay());
  #isWatched = false;

  /** @param host what the screen is drawn into */
  constructor(private readonly host: HTMLElement, engine: Promise<Engine>, private readonly events: PlayerEvents) {
    host.addEventListener('keydown', this.#clicked, true);
    void engine.then((come) => {
      this.#engine = come;
      this.#door?.free();
      this.#door = new DoorRun(come, this.#language);
      this.#draw();
    }, (error: unknown) => this.fail(error instanceof Error ? error.message : String(error)));
  }

  get #language(): ReturnType<typeof language> {
    return languageOf(this.#lesson?.lang ?? '') ?? language();
  }

  get place(): Place {
    return this.#place;
  }

  get lesson(): Lesson | null {
    return this.#lesson;
  }

  get #text(): string {
    return this.#place.text ?? (this.#step?.show.sentence || this.#lesson?.text) ?? '';
  }

  /** The words of the sentence, where the lesson gives them. */
  get #words(): readonly string[] {
    return this.#place.text === null && !this.#step?.show.sentence ? this.#lesson?.words ?? [] : [];
  }

  /** The word that looks back, from 1; null where it is not known. */
  get #looking(): number | null {
    return this.#row && this.#row.text === this.#text ? this.#row.query + 1 : null;
  }

  /** The sentence as a link to the playground has it: with the heads that the lesson has shown, as random ones would contradict it. */
  get state(): string {
    return filled('#v1&parameters=designed', { text: this.#text, words: this.#words, row: this.#looking });
  }

  get #index(): number {
    return Math.max(0, this.#lesson?.steps.findIndex(({ id }) => id === this.#place.step) ?? 0);
  }

  get #step(): Step | null {
    return this.#lesson?.steps[this.#index] ?? null;
  }

  get #isDoor(): boolean {
    return this.#step?.show.view === 'door';
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    this.#draw();
  }

  /** Another lesson, or the same in another language: the place stays where it has one of that name. */
  play(lesson: Lesson, place: Partial<Place> = {}): void {
    this.#lesson = lesson;
    this.#problem = '';
    this.#door?.free();
    this.#door = new DoorRun(this.#engine, this.#language);
    this.go({ ...place });
  }

  fail(message: string): void {
    this.#problem = message;
    this.#draw();
  }

  /** By an address. */
  go(place: Partial<Place>): void {
    const before = this.#step?.id;
    this.#place = { ...this.#place, ...place };
    const wanted = this.#place.step;
    const step = this.#step?.id ?? '';
    this.#missing = wanted === step ? '' : wanted;
    this.#place = { ...this.#place, step };
    if (step !== before || !this.#place.shown) this.#guess = (this.#place.shown ? this.#seen.get(step) : null) ?? null;
    if (this.#place.shown) this.#seen.set(step, this.#guess);
    else this.#seen.delete(step);
    this.#draw();
  }

  /** The answer to a figure's own question is seen, too. */
  #heard(): void {
    if (!this.#step?.answer && !this.#place.shown && this.#figure.isAnswered) this.#move({ shown: true });
    else this.#draw();
  }

  free(): void {
    this.host.removeEventListener('keydown', this.#clicked, true);
    this.#watch.disconnect();
    this.#door?.free();
    this.#figure.free();
    clearTimeout(this.#playing);
    render(nothing, this.host);
  }

  /** A clicker's key on a figure's button: figures let no key out that they might use. */
  readonly #clicked = (event: KeyboardEvent): void => {
    const at = event.composedPath()[0];
    if (event.key.startsWith('Page') && at instanceof Element && at.closest('button')) this.key(event);
  };

  key(event: KeyboardEvent): void {
    const act = lessonKey(event, this.#place.presenter);
    if (!act) return;
    event.preventDefault();
    this.#events[act]();
  }

  get #isLast(): boolean {
    return this.#index === (this.#lesson?.steps.length ?? 0) - 1;
  }

  /** By the reader. */
  #move(place: Partial<Place>, focus = ''): void {
    this.go(place);
    if (this.#lesson) this.events.moved(this.#place, this.#lesson);
    if (focus) this.host.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true });
  }

  #type(text: string, isDoor = true): void {
    if (text === this.#text) return;
    const own = text === this.#lesson?.text || text === this.#step?.show.sentence ? null : text;
    this.#guess = null;
    // Another sentence is another question.
    for (const { id, answer } of this.#lesson?.steps ?? []) if (answer) this.#seen.delete(id);
    if (isDoor) this.#move({ text: own, shown: false });
    else {
      this.#place = { ...this.#place, text: own };
      if (this.#lesson) this.events.moved(this.#place, this.#lesson);
    }
  }

  readonly #events: ScreenEvents & Record<Act, () => void> = {
    forward: () => {
      const { answer, finish } = this.#figure;
      if (this.#step?.answer && !this.#place.shown) this.#move({ shown: true }, '[data-here] h2');
      else if (answer) {
        answer.click();
        // Not on the figure's button, where the next key would be the figure's.
        this.#move({}, '[data-here] h2');
      } else if (this.#place.presenter && finish) {
        finish();
        this.#draw();
      } else this.#turn(1);
    },
    end: () => {
      const address = this.#place.presenter && this.#isLast ? this.events.playground(this.state) : null;
      if (address) this.host.ownerDocument.location.assign(address);
    },
    back: () => this.#turn(-1),
    present: () => this.#move({ presenter: !this.#place.presenter }),
    leave: () => this.#move({ presenter: false }),
    // The step that is open is asked again.
    open: (step) => this.#move({ step, shown: step !== this.#place.step && this.#seen.has(step) }, '[data-here] h2'),
    pick: (guess) => {
      this.#guess = guess;
      this.#place = { ...this.#place, shown: true };
      this.#move({ shown: true }, '[data-here] h2');
    },
    again: () => this.#move({ shown: false }, '[data-here] h2'),
    write: (on) => {
      this.#isTyping = on;
      this.#draw();
      const field = on ? this.host.querySelector<HTMLElement>('.own-sentence') : null;
      field?.focus();
      field?.closest('form')?.scrollIntoView({ block: 'center' });
    },
    type: (text) => {
      this.#isTyping = false;
      this.#type(text);
      this.#move({}, '[data-here] h2');
    },
    replace: (text) => this.#move({ text: text === this.#lesson?.text ? null : text }),
  };

  #turn(by: 1 | -1): void {
    const next = this.#lesson?.steps[this.#index + by];
    if (next) this.#move({ step: next.id, shown: this.#seen.has(next.id) }, '[data-here] h2');
  }

  /** The door's row, or null while what it needs is on its way. */
  #compute(): void {
    if (!this.#door || !this.#step) return;
    if (this.#door.needsList(this.#text, this.#words)) return this.#isDoor || looksBack(this.#step.show.state) ? void this.#bringList() : undefined;
    if (this.#row?.text === this.#text && this.#row.of === this.#door) return;
    try {
      const row = this.#door.row(this.#text, this.#words);
      this.#row = row && { ...row, of: this.#door };
      this.#problem = row ? '' : msg('There is no word in this sentence. Type one.');
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  async #bringList(): Promise<void> {
    if (this.#isListComing) return;
    this.#isListComing = true;
    try {
      await this.#door?.bringList();
      this.#isListComing = false;
    } catch (error) {
      // A figure says so itself.
      if (this.#isDoor) this.#problem = error instanceof Error ? error.message : String(error);
      this.#isListComing = false;
      return this.#render();
    }
    this.#draw();
  }

  #draw(): void {
    const { presenter } = this.#place;
    if (presenter) void this.#present();
    // The first screen waits for its type; later ones have it already.
    if (presenter && !this.#isReady && this.#presenting === undefined && this.#lesson) return;
    this.#compute();
    this.#render();
    this.#presenting?.fitTitles(this.host, presenter);
    this.#lay();
    clearTimeout(this.#playing);
    if (this.#place.presenter && this.#figure.finish) this.#playing = window.setTimeout(() => this.#draw(), PLAYING_MS);
    const isDoor = this.#isDoor;
    if (isDoor !== this.#isWatched) this.#watch[isDoor ? 'observe' : 'unobserve'](this.host);
    this.#isWatched = isDoor;
    if (!this.#isReady && (this.#row?.isComputed || !this.#isDoor) && this.#lesson) {
      this.#isReady = true;
      this.events.ready();
      void this.#present();
    }
  }

  /** Null where it cannot be had. */
  #presenting: typeof import('./presenter.ts') | null | undefined;
  #isPresenting = false;

  /** Brings what a projector needs; until then, and without it, the lesson goes on as it is. */
  async #present(): Promise<void> {
    if (this.#isPresenting) return;
    this.#isPresenting = true;
    const come = await import('./presenter.ts').catch(() => null);
    if (come) adoptMore(this.host.getRootNode() as ShadowRoot, come.presenterStyles);
    this.#presenting = come;
    this.#draw();
  }

  #render(): void {
    render(this.#template(), this.host);
  }

  /** Places are known once it is drawn; arcs follow. */
  #lay(): void {
    if (!this.#row || !this.#isDoor) return;
    const laid = layOut(this.host, this.#row);
    if (JSON.stringify(laid) === JSON.stringify(this.#arcs)) return;
    this.#arcs = laid;
    this.#render();
  }

  #template(): TemplateResult {
    const [lesson, step] = [this.#lesson, this.#step];
    if (!lesson || !step) return html`<p class="lesson-problem" role="alert">${this.#problem}</p>`;
    const isDoor = this.#isDoor;
    const marked: Marked = isDoor ? doorMarked(step, this.#row, this.#guess) : figureMarked(step, this.#figure.measured, this.#guess);
    const index = this.#index;
    const drawn = isDoor ? nothing : this.#figure.template(step, { text: this.#text, words: this.#words, row: this.#looking, isTyped: this.#place.text !== null, shown: this.#place.shown, presenter: this.#place.presenter, theme: this.#theme });
    const figure = isDoor ? nothing : keyed(this.#figure.key, drawn);
    return screen({
      isAsking: step.answer ? !this.#place.shown : this.#figure.answer !== null, isPlaying: this.#place.presenter && this.#figure.finish !== null, lesson, step, index, place: { ...this.#place, shown: this.#place.shown && (!isDoor || this.#row?.isComputed === true) }, guess: this.#guess, theme: this.#theme, row: isDoor ? this.#row : null, ...this.#arcs, marked, figure, job: this.#figure.job,
      isTyping: this.#isTyping, isListComing: isDoor && this.#isListComing, problem: [this.#missing && msg(str`This lesson has no step “${clipped(this.#missing)}”. Its steps are ${lesson.steps.map(({ id }) => id).join(', ')}; here is the first.`), this.#problem].filter(Boolean).join(' '), text: this.#text, playground: this.events.playground(this.state),
    }, this.#events);
  }
}

// Keys of a lesson, and of a clicker, which sends Page Up and Page Down. What stands in a field or a figure keeps its own.

export type Act = 'forward' | 'back' | 'present' | 'leave' | 'end';

const ACTS: Readonly<Record<string, Act>> = { ArrowRight: 'forward', PageDown: 'forward', ArrowLeft: 'back', PageUp: 'back', p: 'present', P: 'present', Enter: 'end' };
const OWN = 'input, textarea, select, [role="radio"], [role="slider"], [contenteditable], attention-playground';

function lessonKey(event: KeyboardEvent, isPresenting: boolean): Act | null {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey) return null;
  const at = event.composedPath()[0];
  if (at instanceof Element && at.closest(OWN) && !key.startsWith('Page')) return null;
  if (key === 'Enter' && at instanceof Element && at.closest('a, button, summary')) return null;
  if (key === 'Escape') return isPresenting ? 'leave' : null;
  return ACTS[key] ?? null;
}
