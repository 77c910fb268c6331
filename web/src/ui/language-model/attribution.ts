// What heads, MLPs, the embedding and biases add to the logit of one next word.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { live } from 'lit/directives/live.js';
import { count, fixed, plural } from '../../lib/format.ts';
import { type Place, samePlace } from '../../parameters/language-model/edits.ts';
import { evidenceWords } from '../../parameters/language-model/configuration.ts';
import { type Steps, got } from '../../lib/answers.ts';
import type { AnyMeasures, Attribution, Prediction } from '../../parameters/language-model/language-model.ts';
import type { Picture } from '../../state/result.ts';
import { word as wordOf } from '../../text/word.ts';
import { type GalleryData, roleOf, roleWords } from './gallery.ts';

interface AttributionData extends GalleryData {
  found: Parts;
  picture: Picture;
  query: number;
}

export interface Parts { words: readonly Prediction[]; id: number; parts: Attribution }

/** Next words to choose from, and heads that are listed. */
const WORDS = 8;
const HEADS = 10;

/** @param word the next word that was chosen; the likeliest where it is none of the likely ones */
export function* partsOf(measures: AnyMeasures, query: number, word: number | null): Steps<Parts> {
  const words = yield* got(measures.run.predictions(query, WORDS));
  const { id = 0 } = words.find((each) => each.id === word) ?? words[0] ?? {};
  return { words, id, parts: yield* got(measures.attribution(query, id)) };
}

export function attribution(data: AttributionData, events: { choose(place: Place): void; word(id: number): void }): TemplateResult {
  const { found: { words, id, parts }, picture, query, chosen } = data;
  const all = parts.heads.flatMap((heads, layer) => heads.map((added, head) => ({ layer, head, added })));
  const listed = [...all].sort((a, b) => Math.abs(b.added) - Math.abs(a.added)).slice(0, HEADS).sort((a, b) => b.added - a.added);
  const { embedding, heads, mlps, biases, logit } = parts.sums;
  const rows: readonly [string, string, number][] = [
    ['embedding', msg('the word’s own embedding'), embedding], ['heads', plural(all.length, msg('the head'), msg(str`all ${count(all.length)} heads`)), heads],
    ['mlps', msg('all MLPs'), mlps], ['biases', msg('all biases'), biases], ['logit', msg('together: its logit'), logit],
  ];
  return html`
    <p class="sheet-note" data-definition="parts">${msg(html`<b>Direct logit attribution</b> (Elhage and others 2021): a row is the sum of what the embedding, heads and MLPs wrote into it, so a next word’s logit is a sum of parts, too. For a head that is context·W<sub>O</sub>, times the final norm’s gain, times the word’s column of the output matrix. The final norm’s mean and scale are held at this row’s own. What a head does by way of later layers is counted there. <a href="docs/models.md">More</a>`)}</p>
    <label class="sheet-list sheet-word"><span>${msg(html`After ${wordOf(picture, query)}, for`)}</span>
      <span class="segments"><select data-sheet="word" aria-label=${msg('Next word')} @change=${(event: Event) => events.word(Number((event.target as HTMLSelectElement).value))}>
        ${words.map((each) => html`<option value=${each.id} .selected=${live(each.id === id)}>${each.piece ? `·${each.word}` : each.word.trim() || each.word}</option>`)}
      </select></span>
    </label>
    <div class="sheet-tables">
      <table class="parts by-head" aria-label=${msg('Heads that add most, and take most')}>
        <thead><tr><th scope="col">${msg('head')}</th><th scope="col">${msg('adds')}</th><th scope="col"></th></tr></thead>
        <tbody>${listed.map((place) => html`
          <tr data-part="${place.layer + 1}.${place.head + 1}" class=${samePlace(place, chosen) ? 'chosen' : ''} @click=${() => events.choose({ layer: place.layer, head: place.head })}>
            <th scope="row">${place.layer + 1}.${place.head + 1}</th><td>${fixed(place.added, 2)}</td><td class="muted">${nameOf(data, place)}</td></tr>`)}</tbody>
      </table>
      <table class="parts" aria-label=${msg('What the logit is a sum of')}>
        <thead><tr><th scope="col">${msg('part')}</th><th scope="col">${msg('adds')}</th></tr></thead>
        <tbody>${rows.map(([part, words, added]) => html`<tr data-part=${part}><th scope="row">${words}</th><td>${fixed(added, 2)}</td></tr>`)}</tbody>
      </table>
    </div>
  `;
}

function nameOf({ evidence, facts }: GalleryData, place: Place): string {
  const measured = evidence.find((each) => samePlace(each, place) && each.named);
  if (measured) return evidenceWords(measured);
  const own = facts[place.layer]?.[place.head];
  const role = own ? roleOf(own) : null;
  return role ? roleWords(role) : '';
}
