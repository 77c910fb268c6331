// Masking by hand: the tool, how many cells it has turned round, and the way back.
import { type TemplateResult, html, nothing } from 'lit';
import { plural } from '../format.ts';

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
  const count = within + beyond;
  return html`
    <div class="mask-tools">
      <button type="button" class="quiet tool" aria-pressed=${masking} @click=${events.toggle}>${masking ? 'Done masking' : 'Mask cells by hand'}</button>
      ${masking ? html`<span class="muted">Click or tap a cell to mask it or show it; <kbd>m</kbd> does it for the chosen one.</span>` : nothing}
      ${count > 0
        ? html`<span class="by-hand">${plural(within, 'cell')} changed by hand${beyond > 0 ? `, ${beyond} more past the end of the sentence` : ''}.</span>
            <button type="button" class="quiet" @click=${events.clear}>Clear</button>`
        : nothing}
    </div>
  `;
}
