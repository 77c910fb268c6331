// Steps through the walk or plays it: one stage after another for the chosen cell, only on request,
// and stopped by any other action.
import type { ArrayId, Explanation, StageId, Trace } from '../../engine/engine.ts';
import type { Focus } from '../../engine/places.ts';
import { inPhase } from '../../lib/schedule.ts';
import { type Box as Own, Space } from '../../lib/space.ts';
import { cardOf, stagesOf } from '../../state/stage-groups.ts';
import type { FocusState } from './focus.ts';
import { type Operands, operandsOf } from './matrices.ts';

const EVERY_MS = 1600;
const MOTION_MS = 280;

type Box = Pick<Operands, 'top' | 'bottom' | 'left' | 'right'>;

export interface Stage {
  trace(): Trace | null;
  readonly focus: FocusState;
  explain(trace: Trace, focus: Focus): Explanation;
  /** Where cells stand; null where they are not in view. */
  boxOf(space: Space, array: ArrayId, frame: Box): Own | null;
  go(stage: StageId): void;
  changed(playing: boolean): void;
}

export class Player {
  readonly #host: HTMLElement;
  readonly #on: Stage;
  #timer = 0;

  constructor(host: HTMLElement, on: Stage) {
    this.#host = host;
    this.#on = on;
    host.addEventListener('keydown', (event) => {
      // A button that has the focus takes Space for itself.
      const own = event.composedPath()[0] instanceof HTMLButtonElement;
      if (!this.playing || !(event.key === 'Escape' || (event.key === ' ' && !own))) return;
      event.preventDefault();
      this.stop();
    });
  }

  get playing(): boolean {
    return this.#timer !== 0;
  }

  toggle(): void {
    if (this.playing) return this.stop();
    const trace = this.#on.trace();
    if (!trace) return;
    this.#timer = window.setInterval(() => this.#advance(), EVERY_MS);
    this.#on.changed(true);
    if (this.#at(trace) === stagesOf(trace).length - 1) this.#to(0);
    else this.#advance();
  }

  stop(): void {
    if (!this.playing) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#on.changed(false);
  }

  step(to: number): void {
    this.stop();
    this.#to(to);
  }

  #at(trace: Trace): number {
    return stagesOf(trace).findIndex((id) => id === cardOf(trace, this.#on.focus.array));
  }

  #advance(): void {
    const trace = this.#on.trace();
    if (!trace) return this.stop();
    const next = this.#at(trace) + 1;
    this.#to(next);
    if (next >= stagesOf(trace).length - 1) this.stop();
  }

  #to(step: number): void {
    const trace = this.#on.trace();
    const stage = trace && stagesOf(trace)[step];
    if (!trace || !stage) return;
    this.#on.go(stage);
    // A card that was folded is in view two frames later.
    if (this.playing) inPhase('second', () => { if (this.playing && this.#on.trace() === trace) this.#gather(trace); });
  }

  /** A number's operands move into it; not where motion is unwelcome. */
  #gather(trace: Trace): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const { focus } = this.#on;
    const { row, column } = focus.place;
    const space = new Space(this.#host);
    const to = this.#on.boxOf(space, focus.array, { top: row, bottom: row, left: column, right: column });
    if (!to) return;
    for (const operands of operandsOf(trace, this.#on.explain(trace, focus.focus(trace)))) {
      const from = this.#on.boxOf(space, operands.array, operands);
      if (from && from.right > from.left) move(this.#host, from, to, operands.look);
    }
  }
}

function move(host: HTMLElement, from: Own, to: Own, look: string): void {
  const ghost = document.createElement('div');
  ghost.className = `ghost ${look}`;
  ghost.setAttribute('aria-hidden', 'true');
  const size = ({ left, right, top, bottom }: Own) => ({ width: right - left, height: Math.max(1, bottom - top) });
  const place = { left: from.left, top: from.top, ...size(from) };
  for (const [name, value] of Object.entries(place)) ghost.style.setProperty(name, `${value}px`);
  host.append(ghost);
  const end = `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${size(to).width / size(from).width}, ${size(to).height / size(from).height})`;
  const motion = ghost.animate([{ transform: 'none', opacity: 1 }, { transform: end, opacity: 0.2 }], { duration: MOTION_MS, easing: 'ease-in' });
  motion.onfinish = motion.oncancel = () => ghost.remove();
}
