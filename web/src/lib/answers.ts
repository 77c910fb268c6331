// Answers that come at once, or later from a worker, and what is done with either.

/** At once where it is made on the page. */
export type Soon<T> = T | Promise<T>;

export const after = <T, U>(answer: Soon<T>, use: (answer: T) => Soon<U>): Soon<U> => (answer instanceof Promise ? answer.then(use) : use(answer));

/** Work in steps that wait for answers where these come later: `const answer = yield* got(ask())`. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

export function* got<T>(answer: Soon<T>): Steps<T> {
  return answer instanceof Promise ? (yield answer) as T : answer;
}

/** What the steps come to: at once, where every answer does. */
export function soon<T>(steps: Steps<T>, answer?: unknown): Soon<T> {
  const { done, value } = steps.next(answer);
  return done ? value : value.then((next) => soon(steps, next));
}

/** An answer that is asked for once, and there at once from when it has come. */
export class Once<T> {
  #answer: Soon<T> | undefined;

  get(ask: () => Soon<T>): Soon<T> {
    if (this.#answer !== undefined) return this.#answer;
    const asked = (this.#answer = ask());
    if (asked instanceof Promise) asked.then((answer) => { this.#answer = answer; }, () => { this.#answer = undefined; });
    return asked;
  }
}
