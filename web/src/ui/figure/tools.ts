// The figure's tools: pin a state and compare with it, and mask cells by hand.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { count, plural, significant } from '../../lib/format.ts';
import type { Pinned } from '../../state/comparison.ts';
import type { Shown } from '../../state/result.ts';
import type { Mode } from '../../state/state.ts';
import { radioGroup } from '../kit/controls.ts';
import { legendKeys } from './template.ts';

// Pins a state, and chooses what every matrix shows of it.

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

/** The legend while the matrices show now − pinned. */
export function differenceLegend({ range }: Shown): TemplateResult {
  const end = significant(range, 3);
  return html`
    <div class="ramp-block">
      <div class="ramp signed" aria-hidden="true"></div>
      <div class="ticks"><span>${range === 0 ? nothing : `−${end}`}</span><span>0</span><span>${range === 0 ? nothing : `+${end}`}</span></div>
      <span>${range === 0 ? msg('no weight has changed') : msg(html`now − pinned, <span data-range>±${end}</span>`)}</span>
    </div>
    ${legendKeys([msg('masked in both'), '+<.01', msg('no change')])}
  `;
}

// Masking by hand: the tool, the number of cells changed, and undoing them.

export interface MaskToolsData {
  masking: boolean;
  /** Cells turned round by hand, in this sentence and beyond it. */
  within: number;
  beyond: number;
}

export interface MaskToolsEvents {
  toggle(): void;
  clear(): void;
}

export function maskTools({ masking, within, beyond }: MaskToolsData, events: MaskToolsEvents): TemplateResult {
  return html`
    <div class="mask-tools">
      <button type="button" class="quiet tool" aria-pressed=${masking} @click=${events.toggle}>${masking ? msg('Done masking') : msg('Mask cells by hand')}</button>
      ${masking ? html`<span class="muted">${msg(html`Click or tap a cell to mask it or show it; <kbd>m</kbd> does it for the chosen one.`)}</span>` : nothing}
      ${within + beyond > 0
        ? html`<span>${changed(within, beyond)}</span>
            <button type="button" class="quiet" @click=${events.clear}>${msg('Clear')}</button>`
        : nothing}
    </div>
  `;
}

function changed(within: number, beyond: number): string {
  if (beyond === 0) return plural(within, msg('1 cell changed by hand.'), msg(str`${count(within)} cells changed by hand.`));
  return plural(
    within, msg(str`1 cell changed by hand, ${count(beyond)} more past the end of the sentence.`),
    msg(str`${count(within)} cells changed by hand, ${count(beyond)} more past the end of the sentence.`),
  );
}
