// The template of the figure, into which the views of heads, matrix and sentence draw; and the legend of colours.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { maskOf } from '../../engine/masks.ts';
import type { Picture, Shown } from '../../state/result.ts';
import type { Axes } from '../../text/caption.ts';

export interface SentenceEvents {
  before(event: Event): void;
  input(event: Event): void;
  caret(): void;
}

export function sentenceBox(events: SentenceEvents, isFixed: boolean): TemplateResult {
  return html`
    <div class="sentence-box" part="text">
      <div class="stack">
        <div class="mirror" dir="auto" lang="" aria-hidden="true"></div>
        <textarea id="text" rows="1" dir="auto" lang="" spellcheck="false" autocomplete="off" autocapitalize="off"
          placeholder=${msg('Type a word.')} aria-describedby="problem" ?readonly=${isFixed}
          @beforeinput=${events.before} @input=${events.input} @keyup=${events.caret} @click=${events.caret}></textarea>
        <div class="shares" aria-hidden="true"><canvas></canvas></div>
        <svg class="arcs" aria-hidden="true"></svg>
      </div>
    </div>
  `;
}

/** @param layer from 0 */
export function headsFrame(layer: number | null, isShown: boolean): TemplateResult {
  return html`
    <div class="heads-area" part="heads" ?hidden=${!isShown}>
      <h2 class="small-heading" id="heads-title">${layer === null ? msg('Heads') : msg(str`Heads of layer ${layer + 1}`)}</h2>
      <div class="heads-scroll" role="radiogroup" aria-labelledby="heads-title"></div>
    </div>
  `;
}

export interface MatrixFrame {
  title: TemplateResult;
  /** The chosen cell in a few words, where cells are too small for numbers. */
  cell: TemplateResult | typeof nothing;
  axes: Axes;
  /** The text in the masked part; none if it would not be true. */
  note: string | null;
  tools: TemplateResult | typeof nothing;
  /** Moves the chosen cell by one. */
  nudge: TemplateResult;
  legend: TemplateResult;
  shown: Shown | null;
}

export function matrixFrame({ title, cell, axes, note, tools, nudge, legend, shown }: MatrixFrame): TemplateResult {
  return html`
    <div class="matrix-area" part="matrix">
      <div class="matrix-title"><h2 class="small-heading">${title}</h2><span class="muted wide-only">${shown?.mode === 'difference' || shown?.picture.ready ? nothing : axes.sums}</span><span class="narrow-only">${cell}</span></div>
      <div class="axis-key">${axes.across}</div>
      ${shown?.note ? html`<p class="matrix-note">${shown.note}</p>` : nothing}
      <div class="matrix" dir="ltr" ?hidden=${Boolean(shown?.note)}>
        <div class="space">
          <div class="corner" aria-hidden="true">${axes.down.map((words) => html`<span>${words}</span>`)}</div>
          <div class="columns" aria-hidden="true"></div>
          <div class="rows" aria-hidden="true"></div>
          <canvas aria-hidden="true"></canvas>
          <div class="over">
            <p class="masked-note" ?hidden=${note === null}><span>${note}</span></p>
            <div class="looked-cell" hidden></div>
            <div role="grid"><div role="row"><div role="gridcell" tabindex="0"></div></div></div>
          </div>
        </div>
      </div>
      ${nudge}
      <p class="changed-shares" role="status"></p>
      ${tools}
      <div class="legend" part="legend">${legend}</div>
    </div>
  `;
}

/** Said in the masked triangle, where it is one. */
export function maskedNote({ hidden, edited, rows, trace }: Picture): string | null {
  const { note } = maskOf(trace.settings.mask);
  return note && hidden > 0 && edited.size === 0 && rows === 'queries' ? note() : null;
}

/** The legend: the range of the colours, the same for every sentence. */
export const legend = (): TemplateResult => html`
  <div class="ramp-block">
    <div class="ramp" aria-hidden="true"></div>
    <div class="ticks"><span>0</span><span>0.25</span><span>0.5</span><span>0.75</span><span>1</span></div>
    <span class="unseen">${msg('Colours show weights, from 0 to 1.')}</span>
  </div>
  ${legendKeys([msg('masked'), '<.01', msg('zero')])}
`;

/** Of a masked cell, of one that is nearly 0, and of 0. */
export const legendKeys = ([masked, small, zero]: readonly [string, string, string]): TemplateResult => html`
  <ul class="keys">
    <li><span class="swatch hatched" aria-hidden="true"></span> ${masked}</li>
    <li class="small-key"><span class="sample muted">${small}</span> ${msg('small')}</li>
    <li><span class="sample">0</span> ${zero}</li>
  </ul>
`;
