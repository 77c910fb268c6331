// One picture a layer: the mean of its heads, or attention rollout up to it; with the selected word's row in numbers.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { live } from 'lit/directives/live.js';
import { count, percent } from '../../lib/format.ts';
import type { Place } from '../../parameters/language-model/edits.ts';
import type { Configuration, Together } from '../../parameters/language-model/language-model.ts';
import type { Picture } from '../../state/result.ts';
import { word } from '../../text/word.ts';
import { radioGroup } from '../kit/controls.ts';

export interface TogetherData {
  configuration: Configuration;
  /** By layer. */
  together: readonly Together[];
  show: keyof Together;
  chosen: Place;
  picture: Picture;
  query: number;
}

export function everyLayer(data: TogetherData, events: { choose(place: Place): void }): TemplateResult {
  const { configuration: { layers, heads }, show, chosen } = data;
  return html`
    <p class="sheet-note" data-definition=${show}>${show === 'mean'
      ? msg(html`Each picture is the average of its layer’s ${count(heads)} heads, cell by cell.`)
      : msg(html`<b>Attention rollout</b> (Abnar and Zuidema 2020): each layer’s mean over its heads counts half, and the word itself the other half, for the residual connection; these tables are multiplied, layer by layer from the first. It says how much of each word may have reached a row by looking alone, not what was made of it. <a href="docs/models.md">More</a>`)}</p>
    <div class="gallery" role="radiogroup" aria-labelledby="model-heads-title" data-columns="many" data-size="L">
      <div class="gallery-line">${Array.from({ length: layers }, (_, layer) => html`
        <label class="model-head model-layer ${layer === chosen.layer ? 'chosen' : ''}" data-layer=${layer}>
          <input class="unseen" type="radio" ${radioGroup('model-layer')} .checked=${live(layer === chosen.layer)} @change=${() => events.choose({ ...chosen, layer })}
            aria-label=${msg(str`Layer ${layer + 1}`)}>
          <canvas width="1" height="1" aria-hidden="true"></canvas>
          <span class="head-words" aria-hidden="true"><b>${layer + 1}</b></span>
        </label>`)}</div>
    </div>
    ${rowTable(data)}
  `;
}

/** What the selected word's row gives to each word. */
function rowTable({ together, chosen: { layer }, picture, query }: TogetherData): TemplateResult {
  const T = picture.tokens.length;
  const { mean, rollout } = together[layer] as Together;
  const at = (numbers: Float32Array, key: number) => numbers[query * T + key] ?? NaN;
  const keys = picture.tokens.flatMap((_, key) => (at(mean, key) > 0 || at(rollout, key) > 0 ? [key] : []));
  return html`
    <div class="table-scroll" tabindex="0" role="region" aria-label=${msg(str`One row of layer ${layer + 1}`)}>
      <table class="layer-row">
        <thead><tr><th scope="col">${msg(html`${word(picture, query)} in layer <b>${layer + 1}</b>`)}</th><th scope="col">${msg('mean of heads')}</th><th scope="col">${msg('rollout')}</th></tr></thead>
        <tbody>${keys.map((key) => html`<tr data-key=${key}><th scope="row">${word(picture, key)}</th><td>${percent(at(mean, key))}</td><td>${percent(at(rollout, key))}</td></tr>`)}</tbody>
      </table>
    </div>
  `;
}
