// All heads of all layers as small pictures, with the names that were measured, or what each does here.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { count, fixed, listed, percent } from '../../lib/format.ts';
import { type Patch, type Place, samePlace } from '../../parameters/language-model/edits.ts';
import { evidenceWords, relationWords } from '../../parameters/language-model/configuration.ts';
import type { Configuration, HeadEvidence, HeadFacts } from '../../parameters/language-model/language-model.ts';
import { radioGroup } from '../kit/controls.ts';

export type Sort = 'layer' | Role | 'entropy';

export interface GalleryData {
  configuration: Configuration;
  evidence: readonly HeadEvidence[];
  silenced: readonly Place[];
  changed: readonly Patch[];
  chosen: Place;
  /** By layer, then head. */
  facts: readonly (readonly HeadFacts[])[];
  /** Rows that induction is a mean of. */
  repeated: number;
  sort: Sort;
  /** Whether heads that are not of the kind that is sorted by are folded away. */
  only: boolean;
  /** Of a picture, where there are so many that the reader chooses. */
  size: string | null;
  /** Whether heads are called in plain words, as in a lesson. */
  isPlain: boolean;
}

type Events = { choose(place: Place): void };

const factsOf = ({ facts }: GalleryData, { layer, head }: Place): HeadFacts | undefined => facts[layer]?.[head];

/** All heads by layer; or sorted, most first, and those without the number last. */
function lines(data: GalleryData): readonly (readonly Place[])[] {
  const { configuration: { layers, heads }, sort, only } = data;
  const all = Array.from({ length: layers }, (_, layer) => Array.from({ length: heads }, (__, head): Place => ({ layer, head })));
  if (sort === 'layer') return all;
  const number = (place: Place) => factsOf(data, place)?.[sort] ?? NaN;
  const kept = all.flat().filter((place) => !only || !isRole(sort) || number(place) >= ROLE_FROM);
  const order = (place: Place) => (Number.isNaN(number(place)) ? -1 : number(place));
  return [kept.sort((a, b) => order(b) - order(a))];
}

export function everyHead(data: GalleryData, events: Events): TemplateResult {
  const { configuration: { layers, heads }, sort, size } = data;
  const shown = lines(data);
  const folded = layers * heads - shown.reduce((sum, line) => sum + line.length, 0);
  return html`
    <div class="gallery" role="radiogroup" aria-labelledby="model-heads-title" data-columns=${heads > 6 ? 'many' : 'few'} data-size=${size ?? nothing} data-sort=${sort}>
      ${shown.map((line) => html`<div class="gallery-line">${repeat(line, ({ layer, head }) => layer * heads + head, (place) => thumb(data, place, events))}</div>`)}
    </div>
    ${folded > 0 ? html`<p class="sheet-note" data-folded>${msg(str`${count(layers * heads - folded)} of ${count(layers * heads)} heads give at least ${percent(ROLE_FROM)} of their rows to this; the others are folded away.`)}</p>` : nothing}
  `;
}

function thumb(data: GalleryData, place: Place, events: Events): TemplateResult {
  const { sort } = data;
  const measured = data.evidence.find((each) => samePlace(each, place) && each.named);
  const facts = factsOf(data, place);
  const role = facts && !measured ? roleOf(facts) : null;
  const found = facts && sort !== 'layer' ? factWords(facts, sort) : role ? roleWords(role) : '';
  const name = measured ? evidenceWords(measured) : '';
  const chosen = samePlace(data.chosen, place);
  const silenced = data.silenced.some((other) => samePlace(other, place));
  const patched = data.changed.some((other) => samePlace(other, place));
  const state = listed([silenced ? msg('silenced') : '', patched ? msg('changed') : ''].filter(Boolean)).join('');
  const plain = data.isPlain && !state ? plainWords(measured?.relation ?? role ?? '') || (measured ? name : found) : '';
  const label = headLabel(place, listed([name, found].filter(Boolean)).join(''), state);
  return html`
    <label class="model-head ${chosen ? 'chosen' : ''} ${silenced ? 'silenced' : ''}" data-layer=${place.layer} data-head=${place.head} ?data-named=${name !== ''} title=${label}>
      <input class="unseen" type="radio" ${radioGroup('model-head')} .checked=${live(chosen)} @change=${() => events.choose(place)}
        aria-label=${label}>
      <canvas width="1" height="1" aria-hidden="true"></canvas>
      <span class="head-words" aria-hidden="true"><b>${place.layer + 1}.${place.head + 1}</b> ${state || plain || (sort === 'layer' && name) || html`<i>${found}</i>`}</span>
    </label>
  `;
}

/** For those who have not met the names: what the head does; empty where its name says it plainly. */
function plainWords(name: string): string {
  switch (name) {
    case 'subject': return msg('verb → who does it');
    case 'copula': return msg('how it is → is, was …');
    case 'object': return msg('thing → its verb');
    case 'start': return msg('the start');
    case 'induction': return msg('what came next');
    case '': return msg('here and there');
    default: return '';
  }
}

function headLabel({ layer, head }: Place, name: string, state: string): string {
  const own = `${layer + 1}.${head + 1}`;
  const place = name ? msg(str`Head ${own}: ${name}`) : msg(str`Head ${own}`);
  return listed(state ? [place, state] : [place]).join('');
}

const factWords = (facts: HeadFacts, of: Role | 'entropy'): string => (Number.isNaN(facts[of]) ? '–' : of === 'entropy' ? fixed(facts.entropy, 2) : percent(facts[of]));

/** What names stand on, and what was found of the chosen head in this sentence. */
export function headFacts(data: GalleryData): TemplateResult {
  const { chosen, evidence } = data;
  const facts = factsOf(data, chosen);
  const own = evidence.filter((each) => samePlace(each, chosen));
  return html`
    <p class="sheet-note">${msg(html`A head without a measured name is called by where at least ${percent(ROLE_FROM)} of its rows lie <b>in this sentence</b>, on average over the words after the first: on the previous word, the first token, the word itself, or the word that followed the same word before (induction). <a href="docs/models.md">More</a>`)}
      ${data.repeated === 0 ? msg('No word comes back here, so induction cannot be seen.') : nothing}</p>
    ${facts ? html`
      <table class="head-facts" aria-label=${msg(str`Layer ${chosen.layer + 1}, head ${chosen.head + 1}, in this sentence`)}>
        <thead><tr><th scope="col">${msg(html`Head <b>${chosen.layer + 1}.${chosen.head + 1}</b> in this sentence`)}</th><th scope="col">${msg('share of its rows')}</th></tr></thead>
        <tbody>
          ${ROLES.map((role) => html`<tr data-fact=${role}><th scope="row">${roleWords(role)}</th><td>${factWords(facts, role)}</td></tr>`)}
          <tr data-fact="entropy"><th scope="row">${msg('entropy')}</th><td>${msg(str`${factWords(facts, 'entropy')} bits`)}</td></tr>
        </tbody>
      </table>` : nothing}
    ${own.length > 0 ? evidenceTable(chosen, own) : nothing}
  `;
}

/** What was measured of the chosen head: its name stands on this, or it has none. */
function evidenceTable(place: Place, own: readonly HeadEvidence[]): TemplateResult {
  const named = own.find((each) => each.named);
  return html`
    <details class="evidence" open>
      <summary>${msg(str`Head ${`${place.layer + 1}.${place.head + 1}`}: ${named ? evidenceWords(named) : msg('no name, the evidence is weak')}`)}</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('What was measured of this head')}>
        <table>
          <thead><tr><th scope="col">${msg('finds')}</th><th scope="col">${msg('right')}</th><th scope="col">${msg('a fixed distance back gets')}</th><th scope="col">${msg('cases')}</th></tr></thead>
          <tbody>${own.map((each) => html`
            <tr class=${each.named ? 'named' : ''}><th scope="row">${relationWords(each)}</th><td>${percent(each.score)}</td><td>${percent(each.baseline)}${each.score < each.baseline ? html` <span class="muted">${msg('loses to position')}</span>` : nothing}</td><td>${count(each.cases)}</td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="muted">${msg(html`Right: the largest share of a word’s row, the start token aside, lies on the word it belongs to. Measured on ${count(Math.max(...own.map(({ sentences }) => sentences)))} marked English sentences; <a href="docs/model.md">how</a>.`)}</p>
    </details>
  `;
}

/** A share of its rows that a head is called by. */
export const ROLES = ['previous', 'start', 'self', 'induction'] as const;
export type Role = (typeof ROLES)[number];

/** A head is called by what takes at least this much of its rows, on average. */
export const ROLE_FROM = 0.4;

export function roleWords(role: Role): string {
  switch (role) {
    case 'previous': return msg('previous word');
    case 'start': return msg('first token');
    case 'self': return msg('the word itself');
    case 'induction': return msg('induction');
  }
}

export const isRole = (sort: string): sort is Role => (ROLES as readonly string[]).includes(sort);

/** What takes the most of its rows; null where nothing takes enough. NaN is never enough. */
export function roleOf(facts: HeadFacts): Role | null {
  return ROLES.reduce<Role | null>((best, role) => (facts[role] >= ROLE_FROM && !(best !== null && facts[best] >= facts[role]) ? role : best), null);
}
