// The cell of a matrix that the reader has gone to: kept by the page, since no number depends on it.
import { noChange } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

export interface Place { row: number; column: number }

type Draw = (place: Place | null, go: (to: Place) => void) => unknown;

class Explored extends AsyncDirective {
  #place: Place | null = null;
  #draw: Draw = () => noChange;
  readonly #go = (to: Place): void => {
    this.#place = to;
    this.setValue(this.#draw(to, this.#go));
  };

  override render(draw: Draw): unknown {
    this.#draw = draw;
    return draw(this.#place, this.#go);
  }
}

/** `draw` is given the place, null before there is one, and the way to another. */
export const explored = directive(Explored);
