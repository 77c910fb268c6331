// Ready weights as a source: their words in the sentence's box, one layer at a time as a trace that holds weights and nothing else.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { CellArithmetic, StageId, Trace } from '../../engine/engine.ts';
import { AttentionError } from '../../engine/error.ts';
import { type Operators, type Tensor, loadOperators } from '../../engine/operators/operators.ts';
import { type Token, engineKey } from '../../engine/tokens.ts';
import { count, plural, significant } from '../../lib/format.ts';
import type { Configuration } from '../language-model/configuration.ts';
import type { HeadFacts, Together } from '../language-model/head-measures.ts';
import { type Attention, numbered, readAttention } from './files.ts';

/** What a row is that is no share of 1, and where the first of its kind stands; all counted from 0. */
export interface Fault {
  readonly kind: 'sum' | 'number' | 'negative';
  readonly rows: number;
  readonly layer: number;
  readonly head: number;
  readonly query: number;
  /** The sum of the first such row. */
  readonly sum: number;
}

/** Rows of 16-bit numbers, or of printed ones, are no farther off. */
const TOLERANCE = 0.01;
/** What the page's box takes. */
const [MOST_TEXT, MOST_LETTERS, LEAST_LETTERS] = [29_000, 48, 6];

/** Null where no file looks as if it held attention. @throws AttentionError with a sentence */
export async function openAttention(files: readonly File[]): Promise<AttentionReader | null> {
  const attention = await readAttention(files);
  return attention && new AttentionReader(attention, await loadOperators());
}

export class AttentionReader {
  readonly sizes = {};
  readonly mask = 'causal';
  readonly scale = 'sqrt-dk';
  readonly evidence = [];
  readonly faults: readonly Fault[];
  /** What the sentence's boxes hold when it is opened: the words, with spaces between. */
  readonly opening: { readonly text: string; readonly keyText: string | null };
  readonly hasWords: boolean;
  readonly configuration: Pick<Configuration, 'name' | 'layers' | 'heads'>;
  #facts: { of: string; facts: readonly (readonly HeadFacts[])[] } | null = null;
  #together: readonly Together[] | null = null;

  constructor(readonly attention: Attention, private readonly operators: Operators) {
    const { name, layers, heads, queries, keys, T } = attention;
    this.configuration = { name, layers, heads };
    this.faults = faultsOf(attention);
    this.hasWords = queries !== null;
    this.opening = { text: textOf(queries ?? numbered(T)), keyText: keys && textOf(keys) };
  }

  get isSquare(): boolean {
    return this.attention.T === this.attention.S;
  }

  /** Words are parted by spaces. */
  tokenize(text: string): Token[] {
    return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));
  }

  get honest(): TemplateResult {
    return msg(html`The weights are those of your file, and nothing here was computed from words. Scores, values and embeddings are not in it.`);
  }

  /** @param layer from 0 @param keyTokens null without a second sentence @throws AttentionError where there are not as many words as rows or columns */
  read(tokens: readonly Token[], keyTokens: readonly Token[] | null, layer: number): AttentionReading {
    const { T, S } = this.attention;
    if (tokens.length !== T) throw new AttentionError('other_words', msg(str`The file has ${T} rows, and here are ${tokens.length} words. Type ${T} words with spaces between, or put the file’s own words back.`));
    if (!keyTokens && T !== S) throw new AttentionError('other_words', msg(str`The file has ${T} rows and ${S} columns: its columns have words of their own. Put the file’s own words back.`));
    if (keyTokens && keyTokens.length !== S) throw new AttentionError('other_words', msg(str`The file has ${S} columns, and the second sentence has ${keyTokens.length} words. Type ${S} words with spaces between, or put the file’s own words back.`));
    return { reader: this, layer, headWords: () => msg('weights of your file'), trace: traceOf(this.attention, layer, tokens.map(engineKey), (keyTokens ?? tokens).map(engineKey)) };
  }

  /** [T, S] of a head. */
  weights(layer: number, head: number): Float32Array {
    return layerOf(this.attention, layer).subarray(head * this.attention.T * this.attention.S, (head + 1) * this.attention.T * this.attention.S);
  }

  /** By layer, then head; of square weights. Equal words are one token. */
  facts(words: readonly string[]): readonly (readonly HeadFacts[])[] {
    const { heads, T } = this.attention;
    const [ids, of] = [idsOf(words), words.join(' ')];
    if (this.#facts?.of !== of) this.#facts = { of, facts: this.#each([[heads, T, T]], ([weights], layer) => this.operators.statistics.headFacts(weights.write(layerOf(this.attention, layer)), ids)) };
    return this.#facts.facts;
  }

  /** Rows that induction is a mean of. */
  repeated(words: readonly string[]): number {
    return this.operators.statistics.inductionRows(idsOf(words));
  }

  /** By layer; of square weights. */
  get together(): readonly Together[] {
    const { heads, T } = this.attention;
    return (this.#together ??= this.#each([[heads, T, T], [T, T], [T, T], [T, T]], ([weights, mean, below, out], layer) => {
      this.operators.statistics.rollOut(weights.write(layerOf(this.attention, layer)), layer === 0 ? null : below, mean, out);
      const rollout = out.read();
      below.write(rollout);
      return { mean: mean.read(), rollout };
    }));
  }

  free(): void {
    this.#facts = this.#together = null;
  }

  #each<const Shapes extends readonly (readonly number[])[], Found>(shapes: Shapes, find: (tensors: { [K in keyof Shapes]: Tensor }, layer: number) => Found): Found[] {
    const tensors = shapes.map((shape) => this.operators.tensor(shape));
    try {
      return Array.from({ length: this.attention.layers }, (_, layer) => find(tensors as { [K in keyof Shapes]: Tensor }, layer));
    } finally {
      tensors.forEach((each) => each.free());
    }
  }
}

/** One layer, with the words that its rows and columns have now. */
export interface AttentionReading {
  readonly reader: AttentionReader;
  readonly layer: number;
  readonly trace: Trace;
  /** What is said of a head where it is shown. */
  headWords(head: number, isOwn: boolean): string;
}

const layerOf = ({ heads, T, S, weights }: Attention, layer: number): Float32Array => weights.subarray(layer * heads * T * S, (layer + 1) * heads * T * S);

function idsOf(words: readonly string[]): number[] {
  const known = new Map<string, number>();
  return words.map((word) => {
    if (!known.has(word)) known.set(word, known.size);
    return known.get(word) as number;
  });
}

/** As a box holds them: without the marks that vocabularies put before words, and without spaces inside. */
function textOf(words: readonly string[]): string {
  const whole = words.map((word) => word.replace(/^[Ġ▁ ]+(?=[^\s])/u, '').replace(/^##(?=.)/, '·').replace(/Ċ|[\n\r]+/g, '⏎').replace(/[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g, '␣') || '␣');
  const letters = whole.reduce((sum, word) => sum + word.length + 1, 0);
  const most = letters > MOST_TEXT ? Math.max(LEAST_LETTERS, Math.floor(MOST_TEXT / whole.length) - 1) : MOST_LETTERS;
  return whole.map((word) => ([...word].length > most ? `${[...word].slice(0, most - 1).join('')}…` : word)).join(' ');
}

/** One of each kind that there is. */
function faultsOf({ layers, heads, T, S, weights }: Attention): Fault[] {
  const found = new Map<Fault['kind'], Fault>();
  for (let row = 0; row < layers * heads * T; row += 1) {
    let [sum, least] = [0, 0];
    for (let at = row * S; at < (row + 1) * S; at += 1) {
      const weight = weights[at] as number;
      sum += weight;
      if (weight < least) least = weight;
    }
    const kind = !Number.isFinite(sum) ? 'number' : least < 0 ? 'negative' : Math.abs(sum - 1) > TOLERANCE ? 'sum' : null;
    if (!kind) continue;
    const head = Math.floor(row / T);
    const before = found.get(kind);
    found.set(kind, before ? { ...before, rows: before.rows + 1 } : { kind, rows: 1, layer: Math.floor(head / heads), head: head % heads, query: row % T, sum });
  }
  return [...found.values()];
}

/** A sentence on rows that are no shares of 1. */
export function faultWords({ kind, rows, layer, head, query, sum }: Fault): string {
  const where = msg(str`layer ${layer + 1}, head ${head + 1}, row ${query + 1}`);
  switch (kind) {
    case 'number': return plural(rows, msg(str`1 row holds what is not a finite number: ${where}.`), msg(str`${count(rows)} rows hold what is not a finite number, first of all in ${where}.`));
    case 'negative': return plural(rows, msg(str`1 row holds negative weights: ${where}.`), msg(str`${count(rows)} rows hold negative weights, first of all in ${where}.`));
    case 'sum': return plural(rows, msg(str`1 row does not add up to 1: ${where}, whose sum is ${significant(sum)}.`), msg(str`${count(rows)} rows do not add up to 1, first of all ${where}, whose sum is ${significant(sum)}.`));
  }
}

// A trace of weights alone: every other stage is not present.

const NOTHING = new Float32Array();

function traceOf(attention: Attention, layer: number, tokens: readonly string[], keyTokens: readonly string[]): Trace {
  const { heads: H, T, S } = attention;
  const weights = layerOf(attention, layer);
  const unmasked = new Float32Array(T * S);
  const headOf = (head: number) => weights.subarray(head * T * S, (head + 1) * T * S);
  const row = (head: number, query: number) => headOf(head).subarray(query * S, (query + 1) * S);
  const sumOf = (numbers: Float32Array) => numbers.reduce((sum, weight) => sum + weight, 0);
  return {
    tokens, keyTokens, settings: { ...DEFAULTS, mask: 'none', num_heads: H, positions: 'none' },
    shape: { T, S, D: 0, H, H_kv: H, d_k: 0, d_v: 0, r: 0 }, factor: 1,
    present: (id) => id === 'weights',
    extents: (id) => (id === 'weights' ? [H, T, S] : []),
    stage: (id) => (id === 'weights' ? weights : NOTHING),
    head: (id: StageId, head) => (id === 'weights' ? headOf(head) : id === 'masked_scores' ? unmasked : NOTHING),
    parameter: () => NOTHING,
    explain: () => { throw new AttentionError('not_known', msg('Ready weights do not say how they came about. Open the model itself to see that.')); },
    cell: ({ head, query, key }): CellArithmetic => ({
      query_row: NOTHING, key_row: NOTHING, products: NOTHING, partial_sums: NOTHING, score: NaN, factor: NaN, scaled_score: NaN, allowed: true, masked_score: NaN,
      row_max: NaN, exps: NOTHING, exp_sum: sumOf(row(head, query)), weight: row(head, query)[key] ?? NaN,
    }),
    weightedValues: () => NOTHING,
    summed: (head, queries) => queries.reduce((sum, query) => sum.map((each, key) => each + (row(head, query)[key] ?? 0)), new Float32Array(S)),
    measures: () => ({ entropy: NOTHING, largest: NOTHING, largestKey: new Int32Array() }),
  };
}
