// The model that ships, and what PyTorch made of the very same file.
import { readFileSync, readdirSync } from 'node:fs';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
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
