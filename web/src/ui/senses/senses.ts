// One word in two sentences: runs the second sentence with the same parameters, and compares the word's rows.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Comparison, StageId } from '../../engine/engine.ts';
import { engineKey } from '../../engine/tokens.ts';
import { percent, significant } from '../../lib/format.ts';
import { language } from '../../lib/language.ts';
import type { Source } from '../../parameters/sources.ts';
import { type Picture, isCross, weightsRow } from '../../state/result.ts';
import type { Kept } from '../../state/run.ts';
import type { Store } from '../../state/store.ts';
import { headOf, withSubs } from '../../text/word.ts';
import { goesRound, inBox } from '../kit/text-box.ts';

interface Compared {
  of: Picture;
  otherText: string;
  wanted: string;
  head: number;
  language: string;
  data: SensesData;
}

const ROWS: readonly { id: StageId; what: () => string; about: () => string }[] = [
  { id: 'embeddings', what: () => msg('embedding and place'), about: () => msg('what attention reads') },
  { id: 'concat', what: () => msg('context'), about: () => msg('all heads side by side') },
  { id: 'output', what: () => msg('output'), about: () => msg('after W_O') },
  { id: 'residual', what: () => msg('residual'), about: () => msg('word and output') },
];

export class Senses {
  #word = '';
  #last: Compared | null = null;

  constructor(private readonly store: Store, private readonly update: () => void) {}

  open(): void {
    const { tokens, selection, state } = this.store;
    const chosen = tokens[selection.query];
    this.#word = chosen ? engineKey(chosen) : '';
    // Without its first word the reader's own sentence is another, and has every word but one in common.
    this.store.change({ otherText: state.text.slice(tokens[1]?.start ?? state.text.length) });
  }

  render(picture: Picture | null, head: number): TemplateResult | typeof nothing {
    const { otherText } = this.store.state;
    return otherText === null ? nothing : senses(this.#data(picture, head, otherText), this.#events);
  }

  readonly #events: SensesEvents = {
    type: (otherText) => this.store.change({ otherText }, { kind: 'otherText' }),
    choose: (word) => {
      this.#word = word;
      this.update();
    },
    preset: ({ name, text, otherText }) => {
      this.#word = name;
      this.store.caret = text.indexOf(name) + 1;
      this.store.change({ text, otherText });
    },
  };

  /** Computed only when something has changed. */
  #data(picture: Picture | null, head: number, otherText: string): SensesData {
    const empty: SensesData = { otherText, shared: [], word: '', compared: [], looks: [], head: '', source: picture?.reading || picture?.source !== 'trained-here' ? picture?.source ?? 'random' : 'random', problem: '' };
    if (!picture) return empty;
    const last = this.#last;
    if (last?.of === picture && last.otherText === otherText && last.wanted === this.#word && last.head === head && last.language === language()) return last.data;
    const wanted = this.#word;
    const take = (other: Kept | null) => {
      const data = { ...empty, ...this.#compare(picture, otherText, head, other) };
      this.#last = { of: picture, otherText, wanted, head, language: language(), data };
      return data;
    };
    const other = this.store.other(otherText);
    if (!(other instanceof Promise)) return take(other);
    this.#last = { of: picture, otherText, wanted, head, language: language(), data: empty };
    void other.then((kept) => {
      if (this.#last?.of === picture && this.#last.otherText === otherText) take(kept);
      else kept?.free();
      this.update();
    });
    return empty;
  }

  #compare(picture: Picture, otherText: string, head: number, other: Kept | null): Partial<SensesData> {
    if (other === null) return otherText.trim() === '' ? {} : { problem: msg('The other sentence cannot be computed. Shorten it.') };
    const there = new Map(other.picture.tokens.map((token, i) => [engineKey(token), i] as const));
    const here = new Map(picture.tokens.map((token, i) => [engineKey(token), i] as const));
    const shared = [...here.keys()].filter((word) => there.has(word));
    const word = shared.includes(this.#word) ? this.#word : (shared[0] ?? '');
    const [a, b] = [here.get(word) ?? -1, there.get(word) ?? -1];
    const compared = word === '' ? [] : this.#rows(picture, a, other.picture, b);
    const looks = word === '' ? [] : [lookOf(picture, head, a), lookOf(other.picture, head, b)];
    other.free();
    return { shared, word, compared, looks, head: headOf(picture, head) };
  }

  #rows(here: Picture, a: number, there: Picture, b: number): SensesData['compared'] {
    // Later layers of a model read rows in which earlier ones have mixed other words already.
    const isMixed = (here.reading?.layer ?? 0) > 0;
    const [what, about] = isMixed ? [msg('the layer’s input'), msg('the word and what layers before have added')] : [msg('embedding'), msg('the word alone')];
    const alone = { id: 'content', what, about, comparison: this.#pair(wordAlone(here, a), wordAlone(there, b)) };
    const others = ROWS.filter(({ id }) => here.trace.present(id)).map(({ id, what, about }) => (
      { id, what: what(), about: about(), comparison: this.#pair(row(here, id, a), row(there, id, b)) }));
    return [alone, ...others];
  }

  #pair(a: Float32Array, b: Float32Array): Comparison {
    const compared = this.store.compare(a, b) ?? { dot: 0, norm_a: 0, norm_b: 0, cosine: 0 };
    // Rounding keeps the cosine of a vector with itself a little off 1.
    return a.every((x, i) => x === b[i]) && compared.norm_a > 0 ? { ...compared, cosine: 1 } : compared;
  }
}

function row({ trace }: Picture, id: StageId, at: number): Float32Array {
  const width = trace.extents(id).at(-1) ?? 0;
  return trace.stage(id).subarray(at * width, (at + 1) * width);
}

/** A designed embedding holds the word's place, too; without it, what the word brings is left. */
function wordAlone(picture: Picture, at: number): Float32Array {
  const content = row(picture, 'content', at);
  const { designed } = picture;
  return designed ? content.filter((_, i) => designed.dimensions[i]?.group !== 'where it stands') : content;
}

function lookOf(picture: Picture, head: number, query: number): SensesData['looks'][number] {
  const weights = weightsRow(picture, Math.min(head, picture.trace.shape.H - 1), query);
  const key = weights.indexOf(Math.max(...weights));
  return { word: picture.keyTokens[key]?.text ?? '', itself: key === query && !isCross(picture), weight: weights[key] ?? 0 };
}

// One word in two sentences: the same embedding, two contexts. Every number is the engine's.

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
  /** What it is called. */
  head: string;
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
  return msg(html`Head ${head} sends <b><bdi lang="">${word}</bdi></b> mostly to ${target(here)} in your sentence, and to ${target(there)} in the other.`);
}

const target = ({ word, itself, weight }: Look): TemplateResult => html`${itself ? msg('itself') : html`<b><bdi lang="">${word}</bdi></b>`} (${percent(weight)})`;

/** The meaning of a difference of contexts, by the source of the parameters. */
const HONEST: Record<Source, () => string> = {
  random: () => msg('With random parameters the contexts differ because other words are mixed in, not because anything is understood.'),
  designed: () => msg('The heads were designed: what is mixed in are the features that they look for.'),
  trained: () => msg('The model was trained: which words are mixed in is what it has learnt, for predicting the next one.'),
  'trained-here': () => msg('The model was trained here on a small task: which words are mixed in is what it has learnt for that.'),
  yours: () => msg('With your parameters: what the contexts tell apart is what your numbers do.'),
};
