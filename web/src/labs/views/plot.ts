// What every figure of a lab has around it: its title, itself as a picture with one sentence for who cannot see it, and
// its numbers as a table.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing } from 'lit';
import { withSubs } from '../../views/subs.ts';
import { sized } from './sized.ts';
import { take } from './take.ts';

export interface Numbers {
  columns: readonly string[];
  /** The first of each row names it. */
  rows: readonly (readonly string[])[];
}

export interface Plot {
  title: string;
  /** Beside the title, in grey. */
  note?: string;
  /** What is to be seen, in one sentence. */
  summary: string;
  height: number;
  draw(width: number): SVGTemplateResult;
  /** Beneath the picture. */
  legend?: TemplateResult | typeof nothing;
  numbers: Numbers;
}

export function plot({ title, note, summary, height, draw, legend = nothing, numbers }: Plot): TemplateResult {
  return html`
    <figure class="plot">
      ${caption(title, note)}
      <div class="plot-box">${sized((width) => html`
        <svg class="plot-picture" role="img" aria-label=${`${title}. ${summary}`} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>${draw(width)}</svg>
      `)}</div>
      ${legend}
      ${numbersTable(title, numbers)}
    </figure>
  `;
}

export function caption(title: string, note: string | undefined): TemplateResult {
  return html`<figcaption class="plot-title"><b>${withSubs(title)}</b>${note ? html`<span class="muted">, ${withSubs(note)}</span>` : nothing}</figcaption>`;
}

export function numbersTable(title: string, numbers: Numbers): TemplateResult {
  const { columns, rows } = numbers;
  return html`
    <details class="plot-numbers">
      <summary>${msg('The numbers')}</summary>
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${title}>
        <table class="lab-table">
          <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
          <tbody>${rows.map(([name, ...values]) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`)}</tbody>
        </table>
      </div>
    </details>
    ${take(title)}
  `;
}
