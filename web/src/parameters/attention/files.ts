// Attention of any model, computed elsewhere: which of the chosen files hold it, and the numbers and words in them. Read without trust.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { clipped, count, listed } from '../../lib/format.ts';
import { type CheckShape, type NumpyArray, isNpy, isZip, readNpz, readNumpy } from '../numpy-file.ts';

/** Weights [layers, heads, T, S], and the words of rows and columns where they are known. */
export interface Attention {
  readonly name: string;
  readonly layers: number;
  readonly heads: number;
  readonly T: number;
  readonly S: number;
  readonly weights: Float32Array;
  readonly queries: readonly string[] | null;
  /** Null where they are the queries. */
  readonly keys: readonly string[] | null;
}

/** What was found in a file. */
export interface Found {
  numbers?: { shape: readonly number[]; values: Float32Array };
  tokens?: readonly string[];
  queries?: readonly string[];
  keys?: readonly string[];
}

/** 128 MB as float32. */
const MOST_NUMBERS = 2 ** 25;
/** As the engine's own; and pictures of one sheet. */
const [MOST_TOKENS, MOST_HEADS] = [4096, 6144];
const MOST_BYTES = 8 * MOST_NUMBERS + 4096;
const MOST_TEXT = 64 << 20;
/** What lies beside a model. */
const COMPANION = /^(?:config|generation_config|tokenizer|tokenizer_config|vocab|merges|encoder|params|special_tokens_map|added_tokens)\b/i;
const WEIGHTS = /^(?:cross_|encoder_|decoder_)?(?:attentions?|attn|weights)$/;
const SHAPES = '[layers, heads, T, S], [layers, 1, heads, T, S], [heads, T, S], [T, S]';

export const refuse = (sentence: string, cause?: unknown) => new AttentionError('bad_file', sentence, { cause });
const named = (name: string) => `“${clipped(name)}”`;

/** Null where no file looks as if it held attention. @throws AttentionError with a sentence */
export async function readAttention(files: readonly File[]): Promise<Attention | null> {
  const read: { name: string; found: Found }[] = [];
  for (const file of files) {
    const found = COMPANION.test(file.name) ? null : await foundIn(file);
    if (found) read.push({ name: file.name, found });
  }
  const [first, ...others] = read.filter(({ found }) => found.numbers);
  if (!first) {
    const [words] = read;
    if (words?.found.tokens || words?.found.queries) throw refuse(msg(str`${named(words.name)} holds words and no weights. Choose the file of the weights with it, as JSON, .npy or .npz.`));
    const [one] = files;
    if (one && files.length === 1 && /\.json$/i.test(one.name) && !COMPANION.test(one.name)) throw refuse(msg(str`${named(one.name)} holds no weights. Write them as {"tokens": […], "attention": [layers][heads][rows][columns]}.`));
    return null;
  }
  if (others.length > 0) throw refuse(msg(str`Several of these files hold weights: ${listed([first, ...others].map(({ name }) => clipped(name))).join('')}. Choose one of them, with one file of its words.`));
  return assembled(first.name, Object.assign({}, ...read.map(({ found }) => found)) as Found);
}

/** Null where it is of no kind that can hold attention or words. */
async function foundIn(file: File): Promise<Found | null> {
  const { name } = file;
  const isText = /\.(?:json|txt)$/i.test(name);
  if (!isText && !/\.np[yz]$/i.test(name)) return null;
  const most = isText ? MOST_TEXT : MOST_BYTES;
  if (file.size > most) throw new AttentionError('too_large', msg(str`${named(name)} has ${count(file.size)} bytes; at most ${count(most)} are read. Save fewer layers or a shorter text, or numbers as .npy of float16.`));
  const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), (cause: unknown) => {
    throw refuse(msg(str`${named(name)} could not be read: it was moved or changed. Choose it again.`), cause);
  });
  try {
    if (isNpy(bytes)) return ofArray(name, readNumpy(bytes, checkShape));
    if (isZip(bytes)) return ofArchive(await readNpz(bytes, MOST_BYTES, checkShape));
  } catch (error) {
    throw error instanceof AttentionError ? error : refuse((error as Error).message, error);
  }
  if (!isText) throw refuse(msg(str`${named(name)} is no file of NumPy’s. Save it with np.save or np.savez.`));
  return ofText(name, new TextDecoder().decode(bytes));
}

function checkShape(shape: readonly number[], numbers: number): void {
  if (numbers > MOST_NUMBERS) throw new AttentionError('too_large', msg(str`These are ${count(numbers)} numbers; at most ${count(MOST_NUMBERS)} are read. Save fewer layers or a shorter text.`));
  if (shape.length > 5) throw refuse(shapeWords(shape));
}

const shapeWords = (shape: readonly number[]) => msg(str`The shape is [${shape.join(', ')}]; weights have one of these: ${SHAPES}. Save one text’s weights in such an order.`);

/** Names with “key” or “quer” say whose the words are. */
const wordsOf = (name: string, words: readonly string[]): Found => (/key/i.test(name) ? { keys: words } : /quer/i.test(name) ? { queries: words } : { tokens: words });

const ofArray = (name: string, { shape, values, texts }: NumpyArray): Found => (texts ? wordsOf(name, texts) : { numbers: { shape, values } });

function ofArchive(arrays: ReadonlyMap<string, NumpyArray>): Found {
  const found: Found = {};
  const numbers = [...arrays].filter(([name, array]) => {
    if (array.texts) Object.assign(found, wordsOf(name, array.texts));
    return !array.texts;
  });
  const [own] = numbers.filter(([name]) => WEIGHTS.test(name));
  if (own) return { ...found, numbers: own[1] };
  const [first] = numbers;
  if (!first) throw refuse(msg('There is no array of numbers in this archive. Save it with np.savez(name, attention=weights, tokens=words).'));
  return { ...found, numbers: numbers.length === 1 ? first[1] : stacked(numbers) };
}

/** One array a layer, in the order of the numbers in their names. */
function stacked(arrays: readonly (readonly [string, NumpyArray])[]): NonNullable<Found['numbers']> {
  const place = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? NaN);
  const sorted = arrays.toSorted(([a], [b]) => place(a) - place(b));
  const shape = sorted[0]?.[1].shape ?? [];
  if (!sorted.every(([name, array]) => !Number.isNaN(place(name)) && array.shape.join() === shape.join()) || shape.length < 2 || shape.length > 4) {
    throw refuse(msg(str`This archive holds the arrays ${listed(arrays.slice(0, 8).map(([name]) => clipped(name))).join('')}. Call one “attention”, or save one array a layer, all of one shape.`));
  }
  const size = sorted[0]?.[1].values.length ?? 0;
  const all = [sorted.length, ...(shape.length === 2 ? [1] : []), ...shape];
  checkShape(all, sorted.length * size);
  const values = new Float32Array(sorted.length * size);
  sorted.forEach(([, array], i) => values.set(array.values, i * size));
  return { shape: all, values };
}

function ofText(name: string, text: string): Found | null {
  const isJson = /\.json$/i.test(name);
  if (!isJson) return wordsOf(name, linesOf(text));
  const value = parsed(name, text);
  if (Array.isArray(value)) return Array.isArray(value[0]) ? { numbers: nested(value, checkShape) } : wordsOf(name, stringsOf(name, value));
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value);
  const [weights] = entries.filter(([key]) => WEIGHTS.test(key));
  const words = Object.fromEntries(entries.filter(([key]) => key === 'tokens' || key === 'queries' || key === 'keys').map(([key, list]) => [key, stringsOf(key, list)])) as Found;
  if (!weights) return Object.keys(words).length > 0 ? words : null;
  return { ...words, numbers: nested(weights[1], checkShape) };
}

/** Lines are tokens, which may hold spaces; a single line is parted at spaces. */
function linesOf(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.length > 1 ? lines : text.trim().split(/\s+/);
}

/** Python writes NaN and Infinity, which are no JSON: outside of strings they are read as what they are. */
function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    try {
      return JSON.parse(text.replace(/"(?:[^"\\]|\\[^])*"|NaN|Infinity/g, (found) => (found === 'NaN' ? 'null' : found === 'Infinity' ? '1e999' : found)));
    } catch {
      throw refuse(msg(str`${named(name)} is not JSON: ${clipped(cause instanceof Error ? cause.message : String(cause))}. Write it with json.dump.`), cause);
    }
  }
}

function stringsOf(name: string, list: unknown): string[] {
  if (Array.isArray(list) && list.length <= MOST_TOKENS && list.every((each) => typeof each === 'string' || typeof each === 'number')) return list.map(String);
  throw refuse(msg(str`${named(name)} is no list of at most ${count(MOST_TOKENS)} words. Write the tokens as a list of texts.`));
}

function assembled(name: string, { numbers, tokens, queries, keys }: Found): Attention {
  const { shape, values } = numbers as NonNullable<Found['numbers']>;
  const [layers, heads, T, S] = sizesOf(shape);
  const attention = { name, layers, heads, T, S, weights: values };
  for (const [which, words, needed, what] of [['queries', queries, T, msg('rows')], ['keys', keys, S, msg('columns')]] as const) {
    if (words && words.length !== needed) throw refuse(msg(str`“${which}” holds ${words.length} words, and the weights have ${needed} ${what}. Give a word for each.`));
  }
  if (queries || keys) {
    const asking = queries ?? (tokens?.length === T ? tokens : null);
    const answering = keys ?? (tokens?.length === S ? tokens : null);
    return { ...attention, queries: asking, keys: answering ?? (T === S ? null : numbered(S)) };
  }
  if (!tokens) return { ...attention, queries: null, keys: T === S ? null : numbered(S) };
  // With keys that were kept from before, the last tokens alone ask.
  if (tokens.length === S && T < S) return { ...attention, queries: tokens.slice(-T), keys: tokens };
  if (tokens.length !== T) throw refuse(msg(str`There are ${tokens.length} words, and the weights have ${T} rows and ${S} columns. Give a word for each, or “queries” and “keys” apart.`));
  return { ...attention, queries: tokens, keys: T === S ? null : numbered(S) };
}

export const numbered = (length: number): string[] => Array.from({ length }, (_, i) => String(i + 1));

function sizesOf(shape: readonly number[]): [layers: number, heads: number, T: number, S: number] {
  const whole = shape.length === 5 && shape[1] === 1 ? [shape[0] as number, ...shape.slice(2)] : shape;
  if (shape.length === 5 && shape[1] !== 1) throw refuse(msg(str`The shape is [${shape.join(', ')}]: the second extent is a batch of ${shape[1] as number} texts, and one is shown. Save one of them, as attention[:, 0].`));
  if (whole.length < 2 || whole.some((extent) => extent === 0)) throw refuse(shapeWords(shape));
  const [T = 0, S = 0] = whole.slice(-2);
  const heads = whole.at(-3) ?? 1;
  const layers = whole.at(-4) ?? 1;
  if (T > MOST_TOKENS || S > MOST_TOKENS) throw new AttentionError('too_large', msg(str`The weights have ${count(T)} rows and ${count(S)} columns; at most ${count(MOST_TOKENS)} tokens are shown. Save a shorter text.`));
  if (layers * heads > MOST_HEADS) throw new AttentionError('too_large', msg(str`These are ${count(layers * heads)} heads; at most ${count(MOST_HEADS)} are shown. Save fewer layers.`));
  return [layers, heads, T, S];
}

// Nested lists of numbers as one array. What is not as regular as an array is said with its place.

/** Deeper lists are no weights. */
const MOST_DEEP = 6;

const shown = (each: unknown) => (Array.isArray(each) ? '[…]' : typeof each === 'object' && each !== null ? '{…}' : clipped(JSON.stringify(each) ?? ''));
/** Places are counted from 1, outermost first; null is NaN. @throws AttentionError with a sentence */
export function nested(list: unknown, check: CheckShape): { shape: readonly number[]; values: Float32Array } {
  const shape: number[] = [];
  for (let each = list; Array.isArray(each) && shape.length < MOST_DEEP; [each] = each) shape.push(each.length);
  check(shape, shape.reduce((product, extent) => product * extent, 1));
  if (shape.length === 0) throw refuse(msg('The weights are no list. Write them as nested lists of numbers.'));
  const values = new Float32Array(shape.reduce((product, extent) => product * extent, 1));
  let at = 0;
  const place: number[] = [];
  const where = () => place.map((index) => index + 1).join(', ');
  const read = (each: unknown, depth: number): void => {
    if (depth === shape.length) {
      if (typeof each !== 'number' && each !== null) throw refuse(msg(str`At [${where()}] of the weights stands ${shown(each)}, where a number belongs. Write numbers alone.`));
      values[at++] = each ?? NaN;
      return;
    }
    if (!Array.isArray(each)) throw refuse(msg(str`At [${where()}] of the weights stands ${shown(each)}, where a list of ${shape[depth] as number} belongs. All lists must be as deep as the first.`));
    if (each.length !== shape[depth]) throw refuse(msg(str`The list at [${where()}] of the weights has ${each.length} entries, and the first has ${shape[depth] as number}. All must have as many.`));
    for (let i = 0; i < each.length; i += 1) {
      place[depth] = i;
      read(each[i], depth + 1);
    }
    place.length = depth;
  };
  read(list, 0);
  return { shape, values };
}
