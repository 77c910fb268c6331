// Masking by hand: the tool, how many cells it has turned round, and the way back.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { count, plural } from '../../lib/format.ts';

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
        ? html`<span class="by-hand">${changed(within, beyond)}</span>
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
