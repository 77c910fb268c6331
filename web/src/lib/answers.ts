// Values that are available at once, or later from a worker, handled in the same way.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';

/** Available at once if computed on the page. */
export type Soon<T> = T | Promise<T>;

export const after = <T, U>(answer: Soon<T>, use: (answer: T) => Soon<U>): Soon<U> => (answer instanceof Promise ? answer.then(use) : use(answer));

/** A computation in steps that wait for answers if these come later: `const answer = yield* got(ask())`. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

export function* got<T>(answer: Soon<T>): Steps<T> {
  return answer instanceof Promise ? (yield answer) as T : answer;
}

/** The result of the steps: at once if every answer is there at once. */
export function soon<T>(steps: Steps<T>, answer?: unknown): Soon<T> {
  const { done, value } = steps.next(answer);
  return done ? value : value.then((next) => soon(steps, next));
}

/** An answer that is asked for once; after it has arrived it is available at once. */
export class Once<T> {
  #answer: Soon<T> | undefined;

  get(ask: () => Soon<T>): Soon<T> {
    if (this.#answer !== undefined) return this.#answer;
    const asked = (this.#answer = ask());
    if (asked instanceof Promise) asked.then((answer) => { this.#answer = answer; }, () => { this.#answer = undefined; });
    return asked;
  }
}

// Questions asked while a panel is drawn: a part whose answer has not arrived shows the previous one, and says so.

interface Part { key: readonly unknown[] | null; answer: unknown; shown: TemplateResult | null; isAsked: boolean }

export class Answers {
  readonly #parts = new Map<string, Part>();

  /** @param again draws again, once an answer has come */
  constructor(private readonly again: () => void) {}

  /** Null until it has come. One question of a name at a time: the newest is asked next. @param key what the answer depends on */
  find<T>(name: string, key: readonly unknown[], steps: () => Steps<T>): T | null {
    const part = this.#part(name);
    if (part.key?.every((each, i) => each === key[i])) return part.answer as T | null;
    if (part.isAsked) return null;
    const take = (answer: T | null) => Object.assign(part, { key, answer, isAsked: false });
    const answer = soon(steps());
    if (!(answer instanceof Promise)) return take(answer).answer;
    part.isAsked = true;
    // Without an answer the model is gone.
    void answer.then(take, () => take(null)).then(this.again);
    return null;
  }

  part<T>(name: string, key: readonly unknown[], steps: () => Steps<T>, draw: (answer: T) => TemplateResult): TemplateResult {
    const [answer, part] = [this.find(name, key, steps), this.#part(name)];
    if (answer !== null) part.shown = draw(answer);
    return html`<div class="answer" aria-busy=${answer === null ? 'true' : nothing}>${part.shown ?? html`<p class="muted">${msg('computing…')}</p>`}</div>`;
  }

  #part(name: string): Part {
    const part = this.#parts.get(name) ?? { key: null, answer: null, shown: null, isAsked: false };
    this.#parts.set(name, part);
    return part;
  }
}
