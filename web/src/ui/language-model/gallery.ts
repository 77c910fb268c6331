// All heads of all layers as small pictures, with the names that were measured.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { count, listed, percent } from '../../lib/format.ts';
import { type Patch, type Place, samePlace } from '../../parameters/language-model/edits.ts';
import { evidenceWords, relationWords } from '../../parameters/language-model/evidence.ts';
import type { Configuration, HeadEvidence } from '../../parameters/language-model/language-model.ts';
import { radioGroup } from '../kit/controls.ts';
import { Strip } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';

interface GalleryData {
  configuration: Configuration;
  evidence: readonly HeadEvidence[];
  silenced: readonly Place[];
  changed: readonly Patch[];
  chosen: Place;
}

export function gallery(data: GalleryData, events: { choose(place: Place): void }): TemplateResult {
  const { layers, heads } = data.configuration;
  const own = data.evidence.filter((each) => samePlace(each, data.chosen));
  return html`
    <div class="model-heads" part="model-heads">
      <h3 class="small-heading" id="model-heads-title">${msg(html`<b>Every head</b>, one line a layer`)}</h3>
      <div class="gallery" role="radiogroup" aria-labelledby="model-heads-title" data-columns=${heads > 6 ? 'many' : 'few'}>
        ${Array.from({ length: layers }, (_, layer) => html`
          <div class="gallery-line">${Array.from({ length: heads }, (_, head) => thumb(data, { layer, head }, events))}</div>`)}
      </div>
      ${own.length > 0 ? evidenceTable(data.chosen, own) : nothing}
    </div>
  `;
}

function thumb(data: GalleryData, place: Place, events: { choose(place: Place): void }): TemplateResult {
  const found = data.evidence.find((each) => samePlace(each, place) && each.named);
  const name = found ? evidenceWords(found) : '';
  const chosen = samePlace(data.chosen, place);
  const silenced = data.silenced.some((other) => samePlace(other, place));
  const patched = data.changed.some((other) => samePlace(other, place));
  const state = listed([silenced ? msg('silenced') : '', patched ? msg('changed') : ''].filter(Boolean)).join('');
  return html`
    <label class="model-head ${chosen ? 'chosen' : ''} ${silenced ? 'silenced' : ''}" data-layer=${place.layer} data-head=${place.head}>
      <input class="unseen" type="radio" ${radioGroup('model-head')} .checked=${live(chosen)} @change=${() => events.choose(place)}
        aria-label=${headLabel(place, name, state)}>
      <canvas width="1" height="1" aria-hidden="true"></canvas>
      <span class="head-words" aria-hidden="true"><b>${place.layer + 1}.${place.head + 1}</b> ${state || name}</span>
    </label>
  `;
}

function headLabel({ layer, head }: Place, name: string, state: string): string {
  const place = name ? msg(str`Layer ${layer + 1}, head ${head + 1}: ${name}`) : msg(str`Layer ${layer + 1}, head ${head + 1}`);
  return listed(state ? [place, state] : [place]).join('');
}

/** What was measured of the chosen head: its name stands on this, or it has none. */
function evidenceTable(place: Place, own: readonly HeadEvidence[]): TemplateResult {
  const named = own.find((each) => each.named);
  return html`
    <details class="evidence" open>
      <summary>${msg(str`Layer ${place.layer + 1}, head ${place.head + 1}: ${named ? evidenceWords(named) : msg('no name, the evidence is weak')}`)}</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('What was measured of this head')}>
        <table>
          <thead><tr><th scope="col">${msg('finds')}</th><th scope="col">${msg('right')}</th><th scope="col">${msg('best fixed distance')}</th><th scope="col">${msg('cases')}</th></tr></thead>
          <tbody>${own.map((each) => html`
            <tr class=${each.named ? 'named' : ''}><th scope="row">${relationWords(each)}</th><td>${percent(each.score)}</td><td>${percent(each.baseline)}${each.score < each.baseline ? html` <span class="muted">${msg('loses to position')}</span>` : nothing}</td><td>${count(each.cases)}</td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="muted">${msg(html`Right: the largest share of a word’s row, the start token aside, lies on the word it belongs to. Measured on ${count(Math.max(...own.map(({ sentences }) => sentences)))} marked English sentences; <a href="docs/model.md">how</a>.`)}</p>
    </details>
  `;
}

/** Masked and zero stay paper: these pictures are read as shapes. */
export function drawGallery(host: HTMLElement, weights: (layer: number, head: number) => Float32Array, T: number, paint: Paint): void {
  const strip = new Strip();
  for (const label of host.querySelectorAll<HTMLElement>('.model-head')) {
    const numbers = weights(Number(label.dataset['layer']), Number(label.dataset['head']));
    strip.draw([{ rows: T, columns: T, rowStride: T, columnStride: 1, numbers, masked: null, kind: 'weights', range: 1, paint }]);
    strip.show(label.querySelector('canvas') as HTMLCanvasElement, 0, T, T);
  }
}
