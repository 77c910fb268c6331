// What runs the training: play, one step, how fast, which seed.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { radioGroup } from '../../ui/kit/controls.ts';

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
  return html`
    <div class="training-bar" role="group" aria-label=${msg('Training')}>
      <button type="button" class="training-button training-play" ?disabled=${isWaiting} aria-keyshortcuts="Space" @click=${isPlaying ? events.pause : events.play}>
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">${isPlaying ? svg`<path d="M2 1h3.5v12H2zM8.5 1H12v12H8.5z" fill="currentColor"></path>` : svg`<path d="M2 0.5L13 7L2 13.5z" fill="currentColor"></path>`}</svg>
        ${isPlaying ? msg('Pause') : isAtEnd ? msg('Play again') : msg('Play')}</button>
      <button type="button" class="training-button" ?disabled=${isWaiting || isAtEnd} aria-keyshortcuts="." @click=${events.one}>${msg('1 step')}</button>
      <fieldset class="training-pace"><legend class="unseen">${msg('Pace')}</legend>
        <div class="segments">${PACES.map((each) => html`
          <label class="segment"><input type="radio" ${radioGroup('training-pace')} value=${each} .checked=${live(each === pace)} @change=${() => events.pace(each)}><span>${paceWords(each)}</span></label>
        `)}</div>
      </fieldset>
      <div class="training-begin">
        <span class="training-seed" data-sets>
          <label><span>${msg('Seed')}</span> <input inputmode="numeric" autocomplete="off" size="3" .value=${live(String(seed))} @change=${(event: Event) => typed(event, data, events)}></label>
          <button type="button" class="plain" @click=${() => events.seed(seed >= MOST_SEED ? 1 : seed + 1)}>${msg('another seed')}</button>
        </span>
        ${step > 0 ? html`<button type="button" class="plain" @click=${events.restart}>${msg('Restart')}</button>` : nothing}
        ${isPlaying && isParting && pace === 'frame' ? html`<button type="button" class="plain training-slow" @click=${() => events.pace('slow')}>${msg('Slow motion: here they part')}</button>` : nothing}
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
