// The model that ships: what PyTorch made of the very same file, and how often each head's largest weight is right.
import { readFileSync, readdirSync } from 'node:fs';
import { LanguageModel, type ModelRun, type ModelToken } from '../../web/src/parameters/language-model/language-model.ts';
import { loadInNode } from './operators.ts';

const MODELS = new URL('../../web/model/', import.meta.url);
const DATA = new URL('../data/model/', import.meta.url);

export const shippedName = (): string => {
  const [name, ...others] = readdirSync(MODELS).filter((each) => each.endsWith('.safetensors'));
  if (!name || others.length) throw new Error('web/model holds one model.');
  return name;
};

export const shippedBytes = () => readFileSync(new URL(shippedName(), MODELS));
export const openShipped = () => LanguageModel.open(shippedBytes(), {}, { operators: () => loadInNode() });

const read = <T>(name: string) => JSON.parse(readFileSync(new URL(name, DATA), 'utf8')) as T;

interface Part { at: number; count: number }

/** Of one text: its tokens, weights [layers, heads, rows] with the columns that a row may see, logits of some ids. */
export interface ExpectedCase {
  text: string;
  tokens: string[];
  ids: number[];
  weights: Float32Array;
  logits: Float32Array;
}

export function readExpected(): { model: string; every: number; int8: { weights: number; logits: number }; cases: ExpectedCase[] } {
  const { cases, ...rest } = read<{ model: string; every: number; int8: { weights: number; logits: number }; cases: (Omit<ExpectedCase, 'weights' | 'logits'> & { weights: Part; logits: Part })[] }>('expected.json');
  const numbers = new Float32Array(new Uint8Array(readFileSync(new URL('expected.bin', DATA))).buffer);
  const part = ({ at, count }: Part) => numbers.subarray(at, at + count);
  return { ...rest, cases: cases.map((each) => ({ ...each, weights: part(each.weights), logits: part(each.logits) })) };
}

/** As the training tokenises texts: pieces begin with ##, and there is no start. */
export const readTokens = () => read<{ text: string; tokens: string[] }[]>('tokens.json');

/** Arcs by relation, each from a row to a column of words. */
export interface AnnotatedSentence { text: string; words: string[]; arcs: Record<string, [number, number][]> }
export const readSentences = () => read<AnnotatedSentence[]>('sentences.json');

/** How often each head's largest weight was right, [layers][heads]. */
export interface ExpectedRelation { cases: number; right: number[][]; baseline: number; baseline_offset: number }
export const readExpectedHeads = () => read<{ model: string; sentences: number; relations: Record<string, ExpectedRelation> }>('expected-heads.json');

export interface Tally {
  cases: number;
  /** [layers][heads] */
  right: number[][];
  /** How often the right word stood so many words before. */
  offsets: Map<number, number>;
}

type Columns = Map<number, number[]>;

const isMark = (word: string) => /^[^\p{L}\p{N}_\s]+$/u.test(word);

/** Right columns by row, of each relation: the arcs, and what needs none. */
function casesOf({ words, arcs }: AnnotatedSentence): Map<string, Columns> {
  const relations = new Map<string, Columns>();
  const add = (relation: string, row: number, columns: number[]) => {
    if (columns.length === 0) return;
    const rows = relations.get(relation) ?? new Map<number, number[]>();
    relations.set(relation, rows.set(row, [...(rows.get(row) ?? []), ...columns]));
  };
  words.forEach((word, row) => {
    const before = [...words.keys()].slice(0, row);
    add('itself', row, [row]);
    add('previous', row, before.slice(-1));
    add('same', row, before.filter((i) => words[i] === word));
    if (isMark(word)) add('mark', row, before.filter((i) => isMark(words[i] as string)).slice(-1));
  });
  for (const [relation, pairs] of Object.entries(arcs)) for (const [row, column] of pairs) add(relation, row, [column]);
  return relations;
}

/** Of each token the word that it belongs to (−1 = the start), and of each word its last token. */
function ownersOf(tokens: readonly ModelToken[]): { owner: number[]; last: number[] } {
  let word = -2;
  const owner = tokens.map(({ piece }) => (piece ? word : word += 1));
  const last: number[] = [];
  owner.forEach((each, at) => { if (each >= 0) last[each] = at; });
  return { owner, last };
}

/** The token with the largest weight of a row, the start left out. */
function largest(run: ModelRun, layer: number, head: number, row: number): number {
  const T = run.tokens.length;
  const weights = run.weights(layer, head).subarray(row * T, (row + 1) * T);
  let most = 1;
  for (let i = 2; i < T; i += 1) if ((weights[i] as number) > (weights[most] as number)) most = i;
  return most;
}

export function measureHeads(model: LanguageModel, sentences: readonly AnnotatedSentence[]): Map<string, Tally> {
  const { layers, heads } = model.configuration;
  const tallies = new Map<string, Tally>();
  const count = (tally: Tally, found: (layer: number, head: number) => number, row: number, columns: readonly number[]) => {
    tally.cases += 1;
    for (const offset of new Set(columns.map((column) => row - column))) tally.offsets.set(offset, (tally.offsets.get(offset) ?? 0) + 1);
    tally.right.forEach((each, layer) => each.forEach((_, head) => { if (columns.includes(found(layer, head))) each[head] = (each[head] ?? 0) + 1; }));
  };
  for (const sentence of sentences) {
    const tokens = model.tokenize(sentence.text);
    const { owner, last } = ownersOf(tokens);
    if (last.length !== sentence.words.length) throw new Error(`Other words than annotated: ${sentence.text}`);
    const run = model.run(tokens.map(({ id }) => id));
    for (const [relation, rows] of casesOf(sentence)) {
      const tally = tallies.get(relation) ?? { cases: 0, offsets: new Map(), right: Array.from({ length: layers }, () => new Array<number>(heads).fill(0)) };
      tallies.set(relation, tally);
      for (const [row, columns] of rows) count(tally, (layer, head) => owner[largest(run, layer, head, last[row] as number)] as number, row, columns);
    }
  }
  return tallies;
}

/** The share of cases that the best fixed offset finds, and that offset. */
export function baselineOf({ cases, offsets }: Tally): { share: number; offset: number } {
  const [offset = 0, most = 0] = [...offsets].sort(([a, x], [b, y]) => y - x || a - b)[0] ?? [];
  return { share: cases ? most / cases : 0, offset };
}
