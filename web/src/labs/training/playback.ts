// How a training is played: the bar that runs it, and what moves the step that is shown.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { radioGroup } from '../../ui/kit/controls.ts';

// What runs the training: play, one step, how fast, which seed.

export const PACES = ['slow', 'frame', 'flat'] as const;
export type Pace = (typeof PACES)[number];

export interface BarData {
  isPlaying: boolean;
  isAtEnd: boolean;
  /** Nothing may run before the reader has guessed. */
  isWaiting: boolean;
  pace: Pace;
  /** Whether the runs part just here, where slow motion is worth it. */
  isParting: boolean;
  seed: number;
  step: number;
}

export interface BarEvents {
  play(): void;
  pause(): void;
  one(): void;
  restart(): void;
  pace(pace: Pace): void;
  seed(seed: number): void;
}

const MOST_SEED = 2 ** 32 - 1;
const paceWords = (pace: Pace): string => ({ slow: msg('slow'), frame: msg('60 steps/s'), flat: msg('at once') })[pace];

export function bar(data: BarData, events: BarEvents): TemplateResult {
  const { isPlaying, isAtEnd, isWaiting, pace, isParting, seed, step } = data;
  const first = isWaiting ? msg('Guess first') : nothing;
  return html`
    <div class="training-bar" role="group" aria-label=${msg('Training')}>
      <button type="button" class="training-button training-play" ?data-playing=${isPlaying} ?disabled=${isWaiting} title=${first} aria-keyshortcuts="Space" @click=${isPlaying ? events.pause : events.play}>
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">${isPlaying ? svg`<path d="M2 1h3.5v12H2zM8.5 1H12v12H8.5z" fill="currentColor"></path>` : svg`<path d="M2 0.5L13 7L2 13.5z" fill="currentColor"></path>`}</svg>
        ${isPlaying ? msg('Pause') : isAtEnd ? msg('Play again') : msg('Play')}</button>
      <button type="button" class="training-button" ?disabled=${isWaiting} title=${first} aria-disabled=${isAtEnd ? 'true' : nothing} aria-keyshortcuts="." @click=${events.one}>${msg('1 step')}</button>
      <fieldset class="training-pace"><legend class="unseen">${msg('Pace')}</legend>
        <div class="segments">${PACES.map((each) => html`
          <label class="segment"><input type="radio" ${radioGroup('training-pace')} value=${each} .checked=${live(each === pace)} @change=${() => events.pace(each)}><span>${each === 'frame' ? html`<span data-short="60/s">${paceWords(each)}</span>` : paceWords(each)}</span></label>
        `)}</div>
      </fieldset>
      <div class="training-begin">
        <span class="training-seed" data-sets>
          <label><span>${msg('Seed')}</span> <input inputmode="numeric" autocomplete="off" size="3" .value=${String(seed)} @change=${(event: Event) => typed(event, data, events)}></label>
          <button type="button" class="plain" @click=${() => events.seed(seed >= MOST_SEED ? 1 : seed + 1)}>${msg('another seed')}</button>
        </span>
        ${step > 0 ? html`<button type="button" class="plain" @click=${events.restart}>${msg('Restart')}</button>` : nothing}
        ${isPlaying && isParting && pace === 'frame' ? html`<button type="button" class="plain" @click=${() => events.pace('slow')}>${msg('Slow motion: here they part')}</button>` : nothing}
      </div>
    </div>
  `;
}

function typed(event: Event, { seed }: BarData, events: BarEvents): void {
  const field = event.target as HTMLInputElement;
  const text = field.value.trim();
  if (/^\d{1,10}$/.test(text) && Number(text) <= MOST_SEED) events.seed(Number(text));
  else field.value = String(seed);
}

// Moves the step that is shown: so many a second, or all at once; never past what is computed, and not while the page is hidden.

/** Steps a second. */
const SPEED: Readonly<Record<Exclude<Pace, 'flat'>, number>> = { slow: 12, frame: 60 };
/** After a frame that came late, no leap. */
const MOST_A_FRAME = 4;
const AHEAD = 12;
/** Where motion is unwanted: from one checkpoint to the next, with time to look. */
const CHECKPOINT = { steps: 20, ms: 700 };

export interface Played {
  readonly step: number;
  readonly steps: number;
  /** Steps that are computed. */
  readonly known: number;
  readonly pace: Pace;
  /** Asks for that many steps to be computed. */
  want(steps: number): void;
  show(step: number): void;
  ended(): void;
}

export class Playback {
  #frame = 0;
  #due = 0;
  #at = 0;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(private readonly played: Played) {}

  get isPlaying(): boolean {
    return this.#frame !== 0;
  }

  play(): void {
    if (this.isPlaying) return;
    this.#due = 0;
    this.#at = performance.now();
    this.#frame = requestAnimationFrame(this.#tick);
  }

  pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  readonly #tick = (now: number): void => {
    this.#frame = requestAnimationFrame(this.#tick);
    const { step, steps, known, pace } = this.played;
    const goal = Math.min(steps, this.#still.matches ? this.#checkpoint(step, pace) : this.#next(now, step, known, pace));
    // A little ahead, so that no frame waits; and several at once, as a message costs a frame more than a step.
    if (known < Math.min(steps, goal + MOST_A_FRAME)) this.played.want(pace === 'flat' ? steps : Math.min(steps, goal + AHEAD));
    if (this.#still.matches) {
      if (now - this.#at < CHECKPOINT.ms || known < goal) return;
      this.#at = now;
    }
    const next = Math.min(goal, known);
    if (next > step) this.played.show(next);
    if (next < steps) return;
    this.pause();
    this.played.ended();
  };

  #checkpoint(step: number, pace: Pace): number {
    return pace === 'flat' ? Infinity : (Math.floor(step / CHECKPOINT.steps) + 1) * CHECKPOINT.steps;
  }

  #next(now: number, step: number, known: number, pace: Pace): number {
    const passed = now - this.#at;
    this.#at = now;
    if (pace === 'flat') return known;
    this.#due = Math.min(MOST_A_FRAME, this.#due + (passed * SPEED[pace]) / 1000);
    const whole = Math.floor(this.#due + 1e-3);
    this.#due -= whole;
    return step + whole;
  }
}
