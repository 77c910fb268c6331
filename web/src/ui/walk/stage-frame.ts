// What a StageMatrix is shown in.
import { type TemplateResult, html } from 'lit';

export function stageFrame(id: string): TemplateResult {
  return html`
    <div class="stage-matrix" dir="ltr" data-array=${id}>
      <div class="stage-space">
        <canvas aria-hidden="true"></canvas>
        <div class="stage-over"><div role="grid"><div role="row"><div role="gridcell" tabindex="0"></div></div></div></div>
      </div>
    </div>
  `;
}
