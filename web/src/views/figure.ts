// The fixed parts of the figure: what the heads, the matrix and the sentence views draw into.
import { type TemplateResult, html } from 'lit';
import { legend } from './legend.ts';

export interface SentenceEvents {
  input(event: Event): void;
  caret(): void;
}

export function sentenceBox(events: SentenceEvents): TemplateResult {
  return html`
    <div class="sentence-box" part="text">
      <div class="stack">
        <div class="mirror" dir="auto" aria-hidden="true"></div>
        <textarea id="text" rows="1" dir="auto" spellcheck="false" autocomplete="off" autocapitalize="off"
          placeholder="Type a word." aria-describedby="problem"
          @input=${events.input} @keyup=${events.caret} @click=${events.caret}></textarea>
        <div class="shares" aria-hidden="true"></div>
        <svg class="arcs" aria-hidden="true"></svg>
      </div>
    </div>
  `;
}

export function headsFrame(): TemplateResult {
  return html`
    <div class="heads-area" part="heads">
      <h2 class="small-heading" id="heads-title">Heads</h2>
      <div class="heads-scroll" role="radiogroup" aria-labelledby="heads-title"></div>
    </div>
  `;
}

export function matrixFrame(title: TemplateResult, masked: boolean): TemplateResult {
  return html`
    <div class="matrix-area" part="matrix">
      <div class="matrix-title"><h2 class="small-heading">${title}</h2><span class="muted">each row sums to 1</span></div>
      <div class="axis-key">key (column): the word that is looked at →</div>
      <div class="matrix" dir="ltr">
        <div class="space">
          <div class="corner" aria-hidden="true"><span>query (row):</span><span>who looks ↓</span></div>
          <div class="columns" aria-hidden="true"></div>
          <div class="rows" aria-hidden="true"></div>
          <canvas aria-hidden="true"></canvas>
          <div class="over">
            <p class="masked-note" ?hidden=${!masked}><span>masked: a row never sees<br>the tokens that come after it</span></p>
            <div role="grid"><div role="row"><div role="gridcell" tabindex="0"></div></div></div>
          </div>
        </div>
      </div>
      <div class="legend" part="legend">${legend()}</div>
    </div>
  `;
}
