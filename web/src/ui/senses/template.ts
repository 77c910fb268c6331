// One word in two sentences: the same embedding, two contexts. Every number is the engine's.
import { goesRound, inBox } from '../kit/text-box.ts';
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Comparison } from '../../engine/engine.ts';
import { percent, significant } from '../../lib/format.ts';
import type { Source } from '../../parameters/sources.ts';
import { withSubs } from '../../text/subscripts.ts';

export interface Preset { name: string; text: string; otherText: string }

const MOLE: Preset = { name: 'mole', text: 'the shy mole digs long tunnels under our garden', otherText: 'one mole of carbon dioxide weighs 44 grams' };
const HAVE: Preset = { name: 'have', text: 'I have a small dog', otherText: 'you have to go home now' };

export interface SensesData {
  otherText: string;
  /** Words of both sentences; the chosen one of them. */
  shared: readonly string[];
  word: string;
  compared: readonly { id: string; what: string; about: string; comparison: Comparison }[];
  /** What the word looks at most, in each sentence. */
  looks: readonly Look[];
  head: number;
  source: Source;
  problem: string;
}

interface Look { word: string; itself: boolean; weight: number }

export interface SensesEvents {
  type(text: string): void;
  choose(word: string): void;
  preset(preset: Preset): void;
}

export function senses(data: SensesData, events: SensesEvents): TemplateResult {
  const preset = (one: Preset) => html`<button type="button" class="plain" lang="" data-preset=${one.name} @click=${() => events.preset(one)}>${one.name}</button>`;
  return html`
    <p>${msg('A word brings the same embedding into every sentence. Attention mixes in the words around it, so what comes out differs from sentence to sentence.')}
      ${msg(html`Try ${preset(MOLE)} or ${preset(HAVE)}, or write a second sentence with a word of yours.`)}</p>
    <label class="other-text">${msg('Another sentence')}
      <input class="field" id="other-text" type="text" autocomplete="off" spellcheck="false" dir="auto" .value=${live(inBox(data.otherText))}
        @beforeinput=${(event: Event) => goesRound(event, events.type)} @input=${(event: Event) => events.type((event.target as HTMLInputElement).value)}>
    </label>
    <p class="problem" role="alert">${data.problem}</p>
    ${data.problem === '' ? found(data, events) : nothing}
  `;
}

function found(data: SensesData, events: SensesEvents): TemplateResult | typeof nothing {
  if (data.otherText?.trim() === '') return nothing;
  if (data.shared.length === 0) return html`<p class="muted">${msg('The two sentences have no word in common. Write one that is in both.')}</p>`;
  return html`
    <label>${msg('Word')} <select lang="" data-word @change=${(event: Event) => events.choose((event.target as HTMLSelectElement).value)}>
      ${data.shared.map((word) => html`<option value=${word} .selected=${live(word === data.word)}>${word}</option>`)}
    </select></label>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('The word in both sentences')}>
      <table class="senses-table">
        <thead><tr><th scope="col">${msg(html`of <bdi lang="">${data.word}</bdi>`)}</th><th scope="col">${msg('length in your sentence')}</th><th scope="col">${msg('length in the other')}</th><th scope="col">${msg('cosine')}</th></tr></thead>
        <tbody>${data.compared.map(({ id, what, about, comparison }) => html`
          <tr data-compared=${id}><th scope="row">${what} <span class="muted">${withSubs(about)}</span></th>
            <td>${significant(comparison.norm_a)}</td><td>${significant(comparison.norm_b)}</td><td>${cosine(comparison.cosine)}</td></tr>
        `)}</tbody>
      </table>
    </div>
    <p>${looks(data)} ${HONEST[data.source]()}</p>
  `;
}

/** 1 only when it is 1: rounding must not make two vectors one. */
function cosine(x: number): string {
  if (x === 1) return '1';
  return Math.abs(x) > 0.9999 ? significant(x, 7) : significant(x);
}

function looks({ looks: [here, there], head, word }: SensesData): TemplateResult | typeof nothing {
  if (!here || !there) return nothing;
  return msg(html`Head ${head + 1} sends <b><bdi lang="">${word}</bdi></b> mostly to ${target(here)} in your sentence, and to ${target(there)} in the other.`);
}

const target = ({ word, itself, weight }: Look): TemplateResult => html`${itself ? msg('itself') : html`<b><bdi lang="">${word}</bdi></b>`} (${percent(weight)})`;

/** What a difference of contexts tells, by where the parameters come from. */
const HONEST: Record<Source, () => string> = {
  random: () => msg('With random parameters the contexts differ because other words are mixed in, not because anything is understood.'),
  designed: () => msg('The heads were designed: what is mixed in are the features that they look for.'),
  trained: () => msg('The model was trained: which words are mixed in is what it has learnt, for predicting the next one.'),
  yours: () => msg('With your parameters: what the contexts tell apart is what your numbers do.'),
};
