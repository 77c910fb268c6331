// Plays the walk: one stage after another for the chosen cell, only when asked to, and stopped by any other act.
import type { Operands } from './walk-cards.ts';

const EVERY_MS = 1600;
const MOTION_MS = 280;

export class Player {
  #timer = 0;
  readonly #advance: () => boolean;

  /** `advance` goes one stage on and says whether there is one after it. */
  constructor(advance: () => boolean) {
    this.#advance = advance;
  }

  get playing(): boolean {
    return this.#timer !== 0;
  }

  start(): void {
    this.stop();
    this.#timer = window.setInterval(() => {
      if (!this.#advance()) this.stop();
    }, EVERY_MS);
    if (!this.#advance()) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
  }
}

export interface Gathering {
  /** Boxes on the screen that the operands stand in, and the cell they become. */
  from: readonly { box: DOMRect; look: Operands['look'] }[];
  to: DOMRect;
}

/** A number's operands move into it; not where motion is unwelcome. */
export function gather(host: HTMLElement, { from, to }: Gathering): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const origin = host.getBoundingClientRect();
  for (const { box, look } of from) {
    const ghost = document.createElement('div');
    ghost.className = `ghost ${look}`;
    ghost.setAttribute('aria-hidden', 'true');
    const style = ghost.style;
    [style.left, style.top, style.width, style.height] = [box.left - origin.left, box.top - origin.top, box.width, box.height].map((x) => `${x}px`) as [string, string, string, string];
    host.append(ghost);
    const move = `translate(${to.left - box.left}px, ${to.top - box.top}px) scale(${to.width / Math.max(1, box.width)}, ${to.height / Math.max(1, box.height)})`;
    const motion = ghost.animate([{ transform: 'none', opacity: 1 }, { transform: move, opacity: 0.2 }], { duration: MOTION_MS, easing: 'ease-in' });
    motion.onfinish = motion.oncancel = () => ghost.remove();
  }
}
