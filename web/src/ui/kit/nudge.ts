// Four arrows for a finger: they move the chosen cell by one.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';

const ARROWS = [
  ['left', () => msg('One cell to the left'), 0, -1, 'M9 1v12L2 7z'], ['up', () => msg('One cell up'), -1, 0, 'M1 10h12L7 3z'],
  ['down', () => msg('One cell down'), 1, 0, 'M1 4h12l-6 7z'], ['right', () => msg('One cell to the right'), 0, 1, 'M5 1v12l7-6z'],
] as const;

export function nudge(move: (rows: number, columns: number) => void): TemplateResult {
  return html`
    <div class="nudge" role="group" aria-label=${msg('Move the chosen cell')} dir="ltr">
      ${ARROWS.map(([name, words, rows, columns, sign]) => html`
        <button type="button" class="outlined" data-nudge=${name} aria-label=${words()} @click=${() => move(rows, columns)}><svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path fill="currentColor" d=${sign}></path></svg></button>
      `)}
    </div>
  `;
}
