// What the reader may change in a model: the chosen head, one share of its row; and the way back.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { fixed, percent } from '../../lib/format.ts';
import { type Patch, type Place, sameCell, samePlace } from '../../parameters/language-model/edits.ts';
import type { ModelReader } from '../../parameters/language-model/reader.ts';
import { type Picture, maskedRow } from '../../state/result.ts';
import { keyWord, word } from '../../text/word.ts';

export interface ChangesData {
  picture: Picture;
  place: Place;
  query: number;
  key: number;
  /** Of the selected cell, as it goes on through the model. */
  share: number;
  silenced: readonly Place[];
  patches: readonly Patch[];
  predicts: ModelReader['predicts'];
}

export interface ChangesEvents {
  silence(on: boolean): void;
  keepOnly(): void;
  share(share: number): void;
  putBack(patch: Patch): void;
  speak(place: Place): void;
  putAllBack(): void;
}

const named = ({ layer, head }: Place) => `${layer + 1}.${head + 1}`;

export function changes(data: ChangesData, events: ChangesEvents): TemplateResult {
  const { place, silenced, patches, predicts } = data;
  const gone = silenced.some((other) => samePlace(other, place));
  return html`
    <div class="model-changes" part="model-changes">
      <h3 class="small-heading">${predicts === 'nothing' ? msg(html`<b>Change head ${named(place)}</b>`) : msg(html`<b>Change head ${named(place)}</b> and see what it then expects`)}</h3>
      <div class="change-line">
        <button type="button" class="plain" data-silence aria-pressed=${gone} @click=${() => events.silence(!gone)}>${gone ? msg('Let it speak again') : msg('Take this head away')}</button>
        <button type="button" class="plain" data-keep-only @click=${events.keepOnly}>${msg('Keep only this head of the layer')}</button>
      </div>
      ${share(data, events)}
      ${silenced.length + patches.length > 0
        ? html`
            <ul class="yours-list" aria-label=${msg('Changes')}>
              ${silenced.map((other) => html`<li>${msg(html`head <b>${named(other)}</b> is taken away`)} <button type="button" class="quiet" @click=${() => events.speak(other)}>${msg('Put back')}</button></li>`)}
              ${patches.map((patch) => html`<li>${patchWords(data.picture, patch)} <button type="button" class="quiet" @click=${() => events.putBack(patch)}>${msg('Put back')}</button></li>`)}
              <li data-put-all><button type="button" class="quiet" data-put-all-back @click=${events.putAllBack}>${msg('Put all back')}</button></li>
            </ul>`
        : nothing}
    </div>
  `;
}

/** One share of the row by hand; the others keep their proportions. */
function share({ picture, place, query, key, share: now, patches }: ChangesData, events: ChangesEvents): TemplateResult | typeof nothing {
  const seen = maskedRow(picture, place.head, query);
  if (seen[key] === -Infinity || seen.filter((score) => score !== -Infinity).length === 1) return nothing;
  const own = patches.some((patch) => sameCell(patch, { ...place, query, key }));
  return html`
    <label class="share-line"><span>${msg(html`Let ${word(picture, query)} give ${keyWord(picture, key)}`)}</span>
      <input type="range" class="slider" data-share min="0" max="1" step="0.05" .value=${live(String(now))}
        aria-valuetext=${percent(now)} @input=${(event: Event) => events.share(Number((event.target as HTMLInputElement).value))}>
      <b>${fixed(now, 2)}</b>${own ? html`<span class="muted">${msg('by hand')}</span>` : nothing}
    </label>
  `;
}

function patchWords({ tokens }: Picture, { layer, head, query, key, share }: Patch): TemplateResult {
  const text = (at: number) => {
    const token = tokens[at];
    return token ? html`<bdi lang="">${token.text}</bdi>` : msg(str`word ${at + 1}`);
  };
  const words = msg(html`in head <b>${named({ layer, head })}</b>, ${text(query)} gives ${text(key)} ${fixed(share, 2)}`);
  return query >= tokens.length ? msg(html`${words} (waits for a longer sentence)`) : words;
}
