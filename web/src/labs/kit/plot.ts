// What every figure of a lab has around it: its title, one sentence for who cannot see it, its numbers as a table; drawn to
// the width that it has.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, noChange, nothing, svg } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { type ChildPart, type PartInfo, PartType, directive } from 'lit/directive.js';
import { widthProbe } from '../../lib/dom.ts';
import { withSubs } from '../../text/word.ts';
import { type Numbers, take } from './export.ts';

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

// What is drawn to the width that it has: again when that changes, before the browser paints.

/** Until the first layout, within the same frame. */
const UNMEASURED = 560;

class Sized extends AsyncDirective {
  #draw: (width: number) => unknown = () => noChange;
  #width = 0;
  #host: Element | null = null;
  #probe: Element | null = null;
  readonly #resizes = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    this.setValue(this.#draw(width));
  });

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new Error('sized() stands between tags.');
  }

  override render(draw: (width: number) => unknown): unknown {
    return draw(this.#width || UNMEASURED);
  }

  override update(part: ChildPart, [draw]: [draw: (width: number) => unknown]): unknown {
    this.#draw = draw;
    const host = part.parentNode as Element;
    if (host !== this.#host) {
      this.#resizes.disconnect();
      this.#probe?.remove();
      this.#resizes.observe(this.#probe = widthProbe(host));
      this.#host = host;
    }
    return this.render(draw);
  }

  protected override disconnected(): void {
    this.#resizes.disconnect();
  }

  protected override reconnected(): void {
    if (this.#probe) this.#resizes.observe(this.#probe);
  }
}

/** `draw` is given the width of the element around it, in CSS pixels. */
export const sized = directive(Sized);

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
