// What the colours mean: one printed domain, the same for every sentence.
import { type TemplateResult, html } from 'lit';

export function legend(): TemplateResult {
  return html`
    <div class="ramp-block">
      <div class="ramp" aria-hidden="true"></div>
      <div class="ticks"><span>0</span><span>0.25</span><span>0.5</span><span>0.75</span><span>1</span></div>
      <span class="unseen">Colours show weights, from 0 to 1.</span>
    </div>
    <ul class="keys">
      <li><span class="swatch hatched" aria-hidden="true"></span> masked</li>
      <li class="small-key"><span class="sample muted">&lt;.01</span> small</li>
      <li><span class="sample">0</span> zero</li>
    </ul>
  `;
}
