// The fixed parts of the figure: what the heads, the matrix and the sentence views draw into; and the legend of the colours.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { maskOf } from '../../engine/masks.ts';
import { count, plural, significant } from '../../lib/format.ts';
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
  /** What is said in the masked part; none where that would not be true. */
  note: string | null;
  tools: TemplateResult | typeof nothing;
  /** Moves the chosen cell by one. */
  nudge: TemplateResult;
  shown: Shown | null;
}

export function matrixFrame({ title, cell, axes, note, tools, nudge, shown }: MatrixFrame): TemplateResult {
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
      <div class="legend" part="legend">${legend(shown)}</div>
    </div>
  `;
}

/** Said in the masked triangle, where it is one. */
export function maskedNote({ hidden, edited, rows, trace }: Picture): string | null {
  const { note } = maskOf(trace.settings.mask);
  return note && hidden > 0 && edited.size === 0 && rows === 'queries' ? note() : null;
}

// What the colours mean: the printed domain, the same for every sentence while weights are shown.

export function legend(shown: Shown | null): TemplateResult {
  const difference = shown?.mode === 'difference';
  return html`
    <div class="ramp-block">
      ${difference ? signedRamp(shown) : html`
        <div class="ramp" aria-hidden="true"></div>
        <div class="ticks"><span>0</span><span>0.25</span><span>0.5</span><span>0.75</span><span>1</span></div>
        <span class="unseen">${msg('Colours show weights, from 0 to 1.')}</span>
      `}
    </div>
    <ul class="keys">
      <li><span class="swatch hatched" aria-hidden="true"></span> ${difference ? msg('masked in both') : msg('masked')}</li>
      <li class="small-key"><span class="sample muted">${difference ? '+<.01' : '<.01'}</span> ${msg('small')}</li>
      <li><span class="sample">0</span> ${difference ? msg('no change') : msg('zero')}</li>
    </ul>
  `;
}

function signedRamp({ range }: Shown): TemplateResult {
  const end = significant(range, 3);
  return html`
    <div class="ramp signed" aria-hidden="true"></div>
    <div class="ticks"><span>${range === 0 ? nothing : `−${end}`}</span><span>0</span><span>${range === 0 ? nothing : `+${end}`}</span></div>
    <span class="range-words">${range === 0 ? msg('no weight has changed') : msg(html`now − pinned, <span data-range>±${end}</span>`)}</span>
  `;
}

// Masking by hand: the tool, how many cells it has turned round, and the way back.

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
