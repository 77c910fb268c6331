// Before and after: pins a state, and says what every matrix shows of it.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Pinned } from '../../state/comparison.ts';
import type { Mode } from '../../state/state.ts';
import { radioGroup } from '../kit/controls.ts';

export interface PinEvents {
  pin(): void;
  unpin(): void;
  mode(mode: Mode): void;
}

const MODES: readonly (readonly [Mode, () => string])[] = [['now', () => msg('Now')], ['pinned', () => msg('Pinned')], ['difference', () => msg('Now − pinned')]];

/** It stays in view while a state is pinned: it steers the large matrix and every matrix of the walk. */
export function pin(pinned: Pinned | null, mode: Mode, events: PinEvents): TemplateResult {
  if (!pinned) {
    return html`
      <section class="pin" aria-label=${msg('Before and after')} part="pin">
        <div class="pin-bar"><button type="button" class="outlined" @click=${events.pin}>${msg('Pin this state')}</button>
          <span class="muted">${msg('Change anything. The outline shows what it was before.')}</span></div>
      </section>
    `;
  }
  return html`
    <section class="pin has-state" aria-label=${msg('Before and after')} part="pin">
      <div class="pin-bar pinned">
        <div class="segments" role="radiogroup" aria-label=${msg('What the matrices show')}>
          ${MODES.map(([value, words]) => html`
            <label class="segment"><input type="radio" ${radioGroup('pin-mode')} .value=${value} .checked=${mode === value} @change=${() => events.mode(value)}><span>${words()}</span></label>
          `)}
        </div>
        <button type="button" class="plain" @click=${events.unpin}>${msg('Unpin')}</button>
        <p class="pin-words muted" tabindex="0">${pinned.words}</p>
      </div>
    </section>
  `;
}
