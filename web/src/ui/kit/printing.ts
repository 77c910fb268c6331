// Whether the page is being printed: on paper everything is drawn at once, light, whole, and at the paper's width.
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Of paper inside its margins, in CSS pixels: A4 and Letter both hold it. */
export const PAPER_WIDTH = 680;

export class Printing implements ReactiveController {
  #on = false;
  #paper: MediaQueryList | null = null;

  /** `change` must have drawn everything when it returns: the browser does not wait. */
  constructor(host: ReactiveControllerHost, private readonly change: (on: boolean) => void) {
    host.addController(this);
  }

  get on(): boolean {
    return this.#on;
  }

  hostConnected(): void {
    this.#paper = matchMedia('print');
    this.#paper.addEventListener('change', this.#turn);
    addEventListener('beforeprint', this.#begin);
    addEventListener('afterprint', this.#end);
  }

  hostDisconnected(): void {
    this.#paper?.removeEventListener('change', this.#turn);
    removeEventListener('beforeprint', this.#begin);
    removeEventListener('afterprint', this.#end);
  }

  #set(on: boolean): void {
    if (this.#on === on) return;
    this.#on = on;
    this.change(on);
  }

  readonly #begin = (): void => this.#set(true);
  readonly #end = (): void => this.#set(this.#paper?.matches === true);
  readonly #turn = (event: MediaQueryListEvent): void => this.#set(event.matches);
}
