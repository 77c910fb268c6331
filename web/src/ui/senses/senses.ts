// One word in two sentences: runs the other sentence with the same parameters, and compares the word's rows.
import { msg } from '@lit/localize';
import { type TemplateResult, nothing } from 'lit';
import type { Comparison, StageId } from '../../engine/engine.ts';
import { engineKey } from '../../engine/tokens.ts';
import { language } from '../../lib/language.ts';
import { type Picture, isCross, weightsRow } from '../../state/result.ts';
import type { Store } from '../../state/store.ts';
import { type SensesData, type SensesEvents, senses } from './template.ts';

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
    type: (otherText) => this.store.change({ otherText }, 'otherText'),
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
    const empty: SensesData = { otherText, shared: [], word: '', compared: [], looks: [], head, source: picture?.source ?? 'random', problem: '' };
    if (!picture) return empty;
    const last = this.#last;
    if (last?.of === picture && last.otherText === otherText && last.wanted === this.#word && last.head === head && last.language === language()) return last.data;
    const data = { ...empty, ...this.#compare(picture, otherText, head) };
    this.#last = { of: picture, otherText, wanted: this.#word, head, language: language(), data };
    return data;
  }

  #compare(picture: Picture, otherText: string, head: number): Partial<SensesData> {
    const other = this.store.other(otherText);
    if (other === null) return otherText.trim() === '' ? {} : { problem: msg('The other sentence cannot be computed. Shorten it.') };
    const there = new Map(other.picture.tokens.map((token, i) => [engineKey(token), i] as const));
    const here = new Map(picture.tokens.map((token, i) => [engineKey(token), i] as const));
    const shared = [...here.keys()].filter((word) => there.has(word));
    const word = shared.includes(this.#word) ? this.#word : (shared[0] ?? '');
    const [a, b] = [here.get(word) ?? -1, there.get(word) ?? -1];
    const compared = word === '' ? [] : this.#rows(picture, a, other.picture, b);
    const looks = word === '' ? [] : [lookOf(picture, head, a), lookOf(other.picture, head, b)];
    other.free();
    return { shared, word, compared, looks };
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
