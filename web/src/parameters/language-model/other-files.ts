// Files that are not the usual ones of a model: what is said of them, and those that are read all the same.
import { msg, str } from '@lit/localize';
import { pathOf } from '../../lib/dropped.ts';
import { clipped, listed } from '../../lib/format.ts';
import { MOST, parse } from './configuration.ts';
import { piecesJoined, severalModels } from './gguf.ts';
import type { Beside, Named } from './load.ts';
import { broken, numbersOf } from './safetensors.ts';

const said = (names: readonly string[]) => listed(names.map((name) => clipped(name))).join('');
/** Models that are stored otherwise: PyTorch's pickles, which may hold programs, and others. */
const OTHERS = /\.(?:bin|pt|pth|ckpt|gguf|h5|msgpack|onnx|ot|tflite)$/i;
/** What browsers and other programs call a file until all of it is there. */
const UNFINISHED = /\.(?:crdownload|part|partial|incomplete|download|aria2)$/i;
const CUTS = /^tok\w*\.bin$|\.model$/i;

/** Why there is no model among the files. @param stored those that are safetensors @param parts what one model is parted into */
export function noModel(stored: readonly Named[], parts: readonly string[], files: readonly File[]): Error {
  const unfinished = files.find(({ name }) => UNFINISHED.test(name));
  if (unfinished && stored.length === 0) return broken(msg(str`The download of “${clipped(unfinished.name)}” has not ended. Wait for it, or download it again.`));
  if (parts.length > 0) {
    const missing = parts.filter((part) => !stored.some(({ name }) => name === part));
    return broken(msg(str`The model lies in several files, and of these are missing: ${said(missing)}. Choose all of them at once.`));
  }
  if (stored.length > 0) return severalModels(stored.map(({ file }) => file.name));
  const other = files.find(({ name }) => OTHERS.test(name) && !CUTS.test(name));
  if (other) return broken(msg(str`“${clipped(other.name)}” cannot be read: a model is read from .safetensors or .gguf. Save it so: with save_pretrained() of transformers, or what torch.load() gives, a dictionary of tensors, with save_file() of safetensors.torch.`));
  const words = files.find(({ name }) => CUTS.test(name));
  if (words) return broken(msg(str`“${clipped(words.name)}” cuts texts into tokens, and holds no model. Choose the model’s file with it.`));
  return broken(msg('There is no model here. Choose a .safetensors file, with config.json and tokenizer.json beside it where you have them.'));
}

// Whole folders.

const folderOf = (file: File) => pathOf(file).split('/').slice(0, -1).join('/');
const isIn = (folder: string, outer: string) => outer === '' || folder === outer || folder.startsWith(`${outer}/`);
/** Hold a model once more, in another format. */
const AGAIN = /(?:^|\/)(?:onnx|original|gguf|openvino|coreml|\.[^/]+)(?:\/|$)/i;

/** The files of the folder that holds the model, with those that lie in none; and what lies elsewhere, by the names of its folders. @throws AttentionError where several hold one */
export async function modelFolder(all: readonly File[]): Promise<{ files: readonly File[]; aside: readonly string[] }> {
  const cache = all.map(folderOf).find((folder) => /(?:^|\/)blobs$/.test(folder));
  const isBlob = (file: File) => folderOf(file) === cache;
  const foldersOf = (is: RegExp) => [...new Set(all.filter(({ name }) => is.test(name)).map(folderOf))];
  const models = foldersOf(/\.(?:safetensors|gguf)\b/i);
  // Without one, what may be opened lies in the outermost folder that holds anything of the kind.
  const holding = models.length > 0 ? models : foldersOf(/\.(?:bin|pth?|npy|npz|json)$/i).sort((a, b) => a.split('/').length - b.split('/').length).slice(0, 1);
  const outermost = holding.filter((folder) => !holding.some((outer) => outer !== folder && isIn(folder, outer)));
  const plain = outermost.filter((folder) => !AGAIN.test(folder));
  const [found = '', ...others] = await ofMain(plain.length > 0 ? plain : outermost, all);
  if (others.length > 0) throw severalFolders([found, ...others]);
  const own = all.filter((file) => folderOf(file) === found || folderOf(file) === '');
  // Chromium leaves out links, which is what snapshots of a cache hold.
  const blobs = all.filter(isBlob);
  const isEmpty = blobs.length > 0 && !own.some(({ name }) => /\.(?:safetensors|gguf)\b/i.test(name));
  const files = isEmpty ? [...await namedBlobs(blobs), ...all.filter((file) => folderOf(file) === '')] : own;
  const rest = all.filter((file) => !own.includes(file) && !(isEmpty && isBlob(file)) && !/(?:^|\/)refs$/.test(folderOf(file)));
  return { files, aside: [...new Set(rest.map((file) => besides(pathOf(file), found)))] };
}

/** The first of a path's names that is not of the folder. */
function besides(path: string, folder: string): string {
  const [names, own] = [path.split('/'), folder.split('/')];
  const at = names.findIndex((name, i) => name !== own[i]);
  return `${names[at]}${at < names.length - 1 ? '/' : ''}`;
}

/** Of several snapshots in a cache of Hugging Face, the one that refs/main names. */
async function ofMain(folders: readonly string[], all: readonly File[]): Promise<readonly string[]> {
  if (folders.length < 2) return folders;
  const mains = await Promise.all(all.filter((file) => /(?:^|\/)refs\/main$/.test(pathOf(file))).map(async (file) => `${pathOf(file).slice(0, -'refs/main'.length)}snapshots/${(await file.slice(0, 64).text()).trim()}`));
  const rootOf = (folder: string) => /^(.*?)snapshots\/[^/]+/.exec(folder)?.[1];
  return folders.filter((folder) => {
    const root = rootOf(folder);
    const main = mains.find((each) => root !== undefined && each.startsWith(`${root}snapshots/`));
    return main === undefined || isIn(folder, main) || !folders.some((other) => isIn(other, main));
  });
}

function severalFolders(folders: readonly string[]): Error {
  const isOfOne = new Set(folders.map((folder) => folder.replace(/snapshots\/.*/, ''))).size === 1 && folders.every((folder) => /(?:^|\/)snapshots\//.test(folder));
  return broken(isOfOne
    ? msg(str`This folder holds ${folders.length} snapshots of a model: ${said(folders.map((folder) => folder.split('/').at(-1) ?? ''))}. The one that refs/main names is opened, and it names none of these. Drop the folder of one snapshot.`)
    : msg(str`There are models in ${folders.length} folders: ${said(folders)}. One is opened at a time: drop its folder alone.`));
}

/** What files without names hold, by their contents. @throws AttentionError where several hold the same */
async function namedBlobs(blobs: readonly File[]): Promise<File[]> {
  const named = (await Promise.all(blobs.map(async (file) => ({ file, name: await nameOfBlob(file) })))).filter(({ name }) => name !== null) as Named[];
  const isWhole = named.some(({ name }) => name.startsWith('model.')) && new Set(named.map(({ name }) => name)).size === named.length;
  if (!isWhole) throw broken(msg('This cache folder has its names in links, which the browser does not follow, and its files alone do not say which belong together. Copy the snapshot’s folder with files in place of links (cp -rL), and drop the copy.'));
  return named.map(({ file, name }) => new File([file], name));
}

/** Keys of which a JSON file has one, by what it is; the first that fits. */
const KEYS = [['config.json', 'model_type'], ['tokenizer.json', 'added_tokens'], ['tokenizer_config.json', 'tokenizer_class'], ['tokenizer_config.json', 'added_tokens_decoder'], ['vocab.json', '<|endoftext|>'], ['vocab.json', '<mask>']] as const;

async function nameOfBlob(file: File): Promise<string | null> {
  const head = new DataView(await file.slice(0, 9).arrayBuffer());
  if (head.byteLength === 9 && head.getUint32(0) === 0x47475546) return 'model.gguf';
  if (head.byteLength === 9 && head.getUint8(8) === 0x7b && head.getBigUint64(0, true) < BigInt(file.size)) return 'model.safetensors';
  if (file.size > 64 << 20) return null;
  const text = await file.text();
  if (text.startsWith('#version')) return 'merges.txt';
  if (/^\[PAD\]\r?\n/.test(text)) return 'vocab.txt';
  if (!/^\s*\{[^]*\}\s*$/.test(text)) return null;
  const object = parse(text, file.name) as object;
  return KEYS.find(([, key]) => Object.hasOwn(object, key))?.[0] ?? null;
}

/** What begins SentencePiece's file: its first piece. */
const FIRST_PIECE = 10;

/** Pieces under another name than the usual one, and their file; null where there are none, or several that may be. */
export async function piecesIn(named: readonly Named[]): Promise<{ beside: Beside; file: File } | null> {
  const [models, lists] = [named.filter(({ name }) => name.endsWith('.model')), named.filter(({ name }) => !name.endsWith('.model'))];
  if (models.length === 1 && models[0]) {
    const { file } = models[0];
    const sentencePieces = await bytesOf(file);
    if (sentencePieces[0] === FIRST_PIECE) return { beside: { sentencePieces }, file };
  }
  const [list] = lists;
  const tokenizer = list ? piecesOf(await bytesOf(list.file)) : null;
  return list && tokenizer !== null ? { beside: { tokenizer }, file: list.file } : null;
}

async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    throw broken(msg(str`“${clipped(file.name)}” could not be read: it was moved or changed. Choose it again.`), cause);
  }
}

// llama2.c's files (https://github.com/karpathy/llama2.c), which its small Llamas of TinyStories come in, read without trust: a
// header of sizes and then all numbers as float32, and a list of pieces with their scores.

/** “ak42”, before all but the first kind of file. */
const MAGIC = 0x616b3432;
const [SIZES, LATER_HEADER] = [7, 256];

interface Header { version: number; sizes: readonly number[]; isTied: boolean; begin: number }

/** A tensor's name and shape, one for each layer or one in all, in the file's order. */
type Part = readonly [name: string, ...shape: number[]];

/** @returns the model as safetensors under Meta's names, and its file; null where none of the files is one @throws AttentionError with a sentence */
export async function readLlama2c(files: readonly File[]): Promise<{ file: File; model: Blob; beside: Beside } | null> {
  for (const file of files) {
    if (!/\.bin\b/i.test(file.name)) continue;
    const header = headerOf(new DataView(await file.slice(0, LATER_HEADER).arrayBuffer()), file.size);
    if (header) return { file, ...modelOf(file, header) };
  }
  return null;
}

function headerOf(view: DataView, size: number): Header | null {
  if (view.byteLength < 4 * SIZES) return null;
  const isLater = view.getUint32(0, true) === MAGIC && view.byteLength === LATER_HEADER;
  const [version, at] = isLater ? [view.getInt32(4, true), 8] : [0, 0];
  const sizes = Array.from({ length: SIZES }, (_, i) => view.getInt32(at + 4 * i, true));
  const [dim = 0, hidden = 0, layers = 0, heads = 0, keyHeads = 0, vocabulary = 0, context = 0] = sizes;
  const within = (value: number, most = 0) => value >= 1 && value <= most;
  const isPossible = within(dim, MOST.d_model) && within(hidden, MOST.d_mlp) && within(layers, MOST.layers) && within(heads, MOST.heads) && within(Math.abs(vocabulary), MOST.vocabulary) && within(context, MOST.context)
    && keyHeads >= 1 && heads % keyHeads === 0 && dim % heads === 0;
  // Any other .bin file may begin with anything; 28 bytes alone hold no model.
  if (!isPossible || size === 4 * SIZES) return null;
  return { version, sizes: sizes.map(Math.abs), isTied: isLater ? view.getUint8(8 + 4 * SIZES) === 1 : vocabulary > 0, begin: isLater ? LATER_HEADER : 4 * SIZES };
}

function modelOf(file: File, { version, sizes, isTied, begin }: Header): { model: Blob; beside: Beside } {
  if (version > 1 || version < 0) throw broken(msg(str`“${clipped(file.name)}” is llama2.c’s file of version ${version}, whose numbers are packed into int8; versions 0 and 1, in float32, can be read. Export the model again with --version 1.`));
  const [dim, hidden, layers, heads, keyHeads, vocabulary, context] = sizes as [number, number, number, number, number, number, number];
  const header: Record<string, object> = {};
  let at = 0;
  for (const [name, ...shape] of partsOf(version, { dim, hidden, layers, width: dim / heads, keyRows: (dim / heads) * keyHeads, vocabulary, context, isTied })) {
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at += 4 * numbersOf(shape)] };
  }
  if (begin + at !== file.size) throw broken(msg(str`“${clipped(file.name)}” looks like llama2.c’s, and would then have ${(begin + at).toLocaleString('en')} bytes; it has ${file.size.toLocaleString('en')}. It is cut off, damaged or of another kind. Download it again, or choose the model’s .safetensors.`));
  const text = new TextEncoder().encode(JSON.stringify(header));
  const config = { model_type: 'llama', _name_or_path: file.name.replace(/\.bin\b.*$/i, ''), n_layers: layers, n_heads: heads, n_kv_heads: keyHeads, max_seq_len: context, norm_eps: 1e-5, rope_theta: 10000 };
  return { model: new Blob([new BigUint64Array([BigInt(text.length)]), text, file.slice(begin)]), beside: { config: JSON.stringify(config) } };
}

interface Sizes { dim: number; hidden: number; layers: number; width: number; keyRows: number; vocabulary: number; context: number; isTied: boolean }

function partsOf(version: number, { dim, hidden, layers, width, keyRows, vocabulary, context, isTied }: Sizes): readonly Part[] {
  const each = (name: string, ...shape: number[]): Part[] => Array.from({ length: layers }, (_, i) => [`layers.${i}.${name}.weight`, ...shape]);
  const embeddings: Part = ['tok_embeddings.weight', vocabulary, dim];
  const last: Part = ['norm.weight', dim];
  const [before, between] = [each('attention_norm', dim), each('ffn_norm', dim)];
  const attention = [...each('attention.wq', dim, dim), ...each('attention.wk', keyRows, dim), ...each('attention.wv', keyRows, dim), ...each('attention.wo', dim, dim)];
  const mlp = [...each('feed_forward.w1', hidden, dim), ...each('feed_forward.w2', dim, hidden), ...each('feed_forward.w3', hidden, dim)];
  const tables: Part[] = [['freqs_cos', context, width / 2], ['freqs_sin', context, width / 2]];
  const output: Part[] = isTied ? [] : [['output.weight', vocabulary, dim]];
  return version === 0 ? [embeddings, ...before, ...attention, ...between, ...mlp, last, ...tables, ...output] : [...before, ...between, last, embeddings, ...attention, ...mlp, ...output];
}

/** What marks ids 0, 1 and 2, which the file writes with line breaks around. */
const [UNKNOWN, CONTROL, BYTE, WORD] = [2, 3, 6, 1];
const MARKS = ['<unk>', '<s>', '</s>'];

/** @param bytes tokenizer.bin @returns tokenizer.json; null where it is none, or its pieces could keep the page busy */
function piecesOf(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const [tokens, scores, kinds]: [string[], number[], number[]] = [[], [], []];
  try {
    for (let at = 4; at < bytes.length;) {
      const [score, length] = [view.getFloat32(at, true), view.getUint32(at + 4, true)];
      const end = at + 8 + length;
      if (!Number.isFinite(score) || end > bytes.length || tokens.length >= (MOST.vocabulary ?? 0)) return null;
      const token = MARKS[tokens.length] ?? utf8.decode(bytes.subarray(at + 8, end)).replaceAll(' ', '▁');
      kinds.push(tokens.length === 0 ? UNKNOWN : tokens.length < MARKS.length || token === '' ? CONTROL : /^<0x[0-9A-F]{2}>$/.test(token) ? BYTE : WORD);
      tokens.push(token);
      scores.push(score);
      at = end;
    }
  } catch {
    return null;
  }
  return tokens.length > MARKS.length ? piecesJoined(tokens, scores, kinds) : null;
}
