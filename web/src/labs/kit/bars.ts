// Named numbers as bars: a table that draws itself.
import { type TemplateResult, html, nothing, svg } from 'lit';
import { take } from './export.ts';
import { caption } from './plot.ts';

export interface Bar {
  name: unknown;
  /** From 0 to 1 of the bars' room. */
  share: number;
  words: string;
  /** Masked has no bar: it is hatched. */
  masked?: boolean;
  chosen?: boolean;
}

export interface BarsData {
  title: string;
  note?: string;
  /** What is named, and what is measured with its unit. */
  columns: readonly [name: string, measure: string];
  bars: readonly Bar[];
  /** Printed at the ends of the bars' room. */
  domain: readonly [least: string, most: string];
}

export function bars({ title, note, columns: [name, measure], bars: all, domain }: BarsData): TemplateResult {
  return html`
    <figure class="plot">
      ${caption(title, note)}
      <table class="plot-bars">
        <thead><tr><th scope="col">${name}</th><td class="plot-domain" aria-hidden="true"><span>${domain[0]}</span><span>${domain[1]}</span></td><th scope="col">${measure}</th></tr></thead>
        <tbody>${all.map((bar) => html`
          <tr ?data-chosen=${bar.chosen}>
            <th scope="row">${bar.name}</th>
            <td class=${bar.masked ? 'plot-bar-room hatched' : 'plot-bar-room'} aria-hidden="true">${bar.masked ? nothing : html`<svg width="100%" height="12">${rect(bar)}</svg>`}</td>
            <td>${bar.words}</td>
          </tr>
        `)}</tbody>
      </table>
      ${take(title)}
    </figure>
  `;
}

const rect = ({ share, chosen }: Bar) => svg`<rect class=${chosen ? 'plot-bar chosen' : 'plot-bar'} width=${`${(100 * Math.max(0, Math.min(1, share))).toFixed(2)}%`} height="12"></rect>`;
