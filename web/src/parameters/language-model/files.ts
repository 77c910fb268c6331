// Which of the files that the reader chose are a model, and which lie beside it: a whole folder may be chosen at once.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { ANSWERS } from '../../lib/dropped.ts';
import { clipped } from '../../lib/format.ts';
import { parseObject } from './configuration.ts';
import type { Beside, Named } from './load.ts';
import { broken } from './safetensors.ts';

export interface SortedFiles {
  /** One, or the parts of one model. */
  models: readonly File[];
  beside: Beside;
  /** Names of what is not needed. */
  aside: string[];
}

/** The largest vocabularies take a tenth of it. */
const MOST_BESIDE = 64 << 20;
const BESIDE: Readonly<Record<keyof Beside, readonly string[]>> = {
  config: ['config.json'], params: ['params.json'], tokenizer: ['tokenizer.json'], vocabulary: ['vocab.json', 'encoder.json'], merges: ['merges.txt', 'vocab.bpe'], pieces: ['vocab.txt'], sentencePieces: ['tokenizer.model'],
  special: ['special_tokens_map.json'], added: ['added_tokens.json'], tokenizerConfig: ['tokenizer_config.json'],
};
const MODEL = '.safetensors';
const INDEX = '.safetensors.index.json';
const PART = /-(\d+)-of-(\d+)\.safetensors$/;
/** What may cut texts under another name than the usual one: SentencePiece's pieces, and llama2.c's. */
const OTHER_PIECES = /\.model$|^tok\w*\.bin$/;

/** @throws AttentionError when there is no whole model, or more than one */
export async function sortFiles(files: readonly File[]): Promise<SortedFiles> {
  const named = inOrder(files);
  const stored = named.filter(({ name }) => name.endsWith(MODEL));
  const index = named.find(({ name }) => name.endsWith(INDEX));
  const models = await modelOf(stored, await partsOf(stored, index), files);
  const { beside, used } = await besideOf(files);
  for (const file of [...models, ...(index && models.length > 1 ? [index.file] : [])]) used.add(file);
  return { models, beside, aside: files.filter((file) => !used.has(file)).map(({ name }) => name) };
}

/** A file that has its usual name comes before a copy of it. */
const inOrder = (files: readonly File[]): Named[] => files.map((file): Named => ({ file, name: usualName(file.name) })).sort((a, b) => Number(a.name !== a.file.name) - Number(b.name !== b.file.name));

/** What lies beside a model, and the files that say it. */
export async function besideOf(files: readonly File[]): Promise<{ beside: Beside; used: Set<File> }> {
  const named = inOrder(files);
  const used = new Set<File>();
  const found = Object.fromEntries(Object.entries(BESIDE).map(([key, names]) => [key, named.find(({ name }) => names.includes(name))?.file])) as Record<keyof Beside, File | undefined>;
  // One of these says nothing without the other.
  if (!found.vocabulary || !found.merges) [found.vocabulary, found.merges] = [undefined, undefined];
  const beside: Beside = {};
  for (const [key, file] of Object.entries(found)) {
    if (!file) continue;
    if (key === 'sentencePieces') beside.sentencePieces = new Uint8Array(await contentOf(file, () => file.arrayBuffer()));
    else beside[key as Exclude<keyof Beside, 'sentencePieces'>] = await textOf(file);
    used.add(file);
  }
  for (const { file, name } of named) {
    if (name !== ANSWERS) continue;
    beside.config = JSON.stringify({ ...parseObject(beside.config ?? beside.params ?? '{}', 'config.json'), ...parseObject(await textOf(file), ANSWERS) });
    used.add(file);
  }
  const others = named.filter(({ file, name }) => file.size <= MOST_BESIDE && OTHER_PIECES.test(name));
  const isCut = beside.tokenizer ?? beside.vocabulary ?? beside.pieces ?? beside.sentencePieces;
  if (isCut !== undefined || others.length === 0) return { beside, used };
  const pieces = await (await import('./other-files.ts')).piecesIn(others);
  if (pieces) used.add(pieces.file);
  return { beside: { ...beside, ...pieces?.beside }, used };
}

/** Without capitals, and without what browsers and systems add to a file that is there already: “config (1).json”, “config - Copy.json”, “config.json.1”. */
function usualName(name: string): string {
  const copies = /(?:\s*[([]\d+[)\]]|\s+-\s+copy|\s+copy(?:\s+\d+)?|\s+\d+)+(?=\.[a-z]+$|$)/;
  return name.trim().toLowerCase().replace(copies, '').replace(/(\.(?:json|txt|bpe|safetensors))\.(?:\d+|txt)$/, '$1').replace(/-\d{1,2}(?=\.(?:json|txt|bpe)$)/, '');
}

/** The names of the files that a model is parted into: as the index says, or as they are numbered; none where it is one file. */
async function partsOf(stored: readonly Named[], index: Named | undefined): Promise<string[]> {
  const map = index && parseObject(await textOf(index.file), index.file.name).weight_map;
  const names = typeof map === 'object' && map !== null ? Object.values(map).filter((name) => typeof name === 'string') : [];
  if (names.length > 0) return [...new Set(names.map((name) => usualName(name.split('/').at(-1) ?? '')))];
  const first = stored.find(({ name }) => PART.test(name))?.name ?? '';
  const [, digits = '', count = ''] = PART.exec(first) ?? [];
  // As many as are chosen decide, not a number in a name.
  return Array.from({ length: Math.min(Number(count), stored.length + 1) }, (_, i) => first.replace(PART, `-${String(i + 1).padStart(digits.length, '0')}-of-${count}${MODEL}`));
}

async function modelOf(stored: readonly Named[], parts: readonly string[], files: readonly File[]): Promise<File[]> {
  const found = parts.flatMap((part) => stored.find(({ name }) => name === part)?.file ?? []);
  if (found.length > 0 && found.length === parts.length) return found;
  const whole = stored.filter(({ name }) => !PART.test(name));
  const usual = whole.filter(({ name }) => name === 'model.safetensors');
  const [one] = usual.length === 1 ? usual : whole.length === 1 ? whole : [];
  if (one) return [one.file];
  throw (await import('./other-files.ts')).noModel(stored, parts, files);
}

const textOf = (file: File): Promise<string> => contentOf(file, () => file.text());

async function contentOf<Content>(file: File, read: () => Promise<Content>): Promise<Content> {
  if (file.size > MOST_BESIDE) throw new AttentionError('too_large', msg(str`“${clipped(file.name)}” has ${file.size.toLocaleString('en')} bytes; at most ${MOST_BESIDE.toLocaleString('en')} are read. Choose the file that belongs to the model.`));
  try {
    return await read();
  } catch (cause) {
    throw broken(msg(str`“${clipped(file.name)}” could not be read: it was moved or changed. Choose it again.`), cause);
  }
}
