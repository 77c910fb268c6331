// A model's parameters, read from its file into the operators' memory; and what each kind of file must say to be opened.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { type DecoderParameters, type MatrixLayout, type MatrixNumbers, type MatrixTensor, type MatrixType, type Operators, type Tensor, type Weight } from '../../engine/operators/operators.ts';
import type { Configuration, HeadEvidence } from './configuration.ts';
import { type FileNumbers, type NumberType, type Safetensors, areBlocksFinite, broken, numbersOf, quote, scaleOf } from './safetensors.ts';
import type { Tokenizer } from './tokens.ts';

export interface Loaded {
  parameters: DecoderParameters;
  sources: Sources;
  /** Names of the file's tensors that are not read, as it writes them; without those that are made again. */
  unread: readonly string[];
  free(): void;
}

/** Where numbers in memory come from: names of tensors, as the file writes them. */
export interface Sources {
  readonly names: ReadonlyMap<Weight, string>;
  /** Matrices that lie in the file the other way, (in, out). */
  readonly turned: ReadonlySet<Weight>;
  /** What a row was added up from, where the file has its parts. */
  readonly sums: ReadonlyMap<Weight, RowsOf>;
}
export type RowsOf = (row: number) => readonly { tensor: Tensor; row: number }[];

/** Share of the numbers read so far, 0 … 1. */
export type Progress = (share: number) => void;

/** Everything is checked before the first number is read. @throws AttentionError; nothing stays in memory then. */
export async function load(file: Safetensors, layout: Layout, configuration: Configuration, operators: Operators, progress: Progress): Promise<Loaded> {
  const kept: Weight[] = [];
  const [names, turned, sums] = [new Map<Weight, string>(), new Set<Weight>(), new Map<Weight, RowsOf>()];
  const taken = new Set<string>();
  const waiting: { size: number; read: (progress: (numbers: number) => void) => Promise<void> }[] = [];
  const keep = <Kept extends Weight>(tensor: Kept) => {
    kept.push(tensor);
    return tensor;
  };
  const named = (name: string, tensor: Weight) => {
    names.set(tensor, file.written(name));
    for (const each of file.type(name) === 'I8' ? [name, scaleOf(name)] : [name]) taken.add(each);
  };
  const matrix = (name: string, shape: readonly [number, number], layout: MatrixLayout, rowTo?: RowTo): { weight: MatrixTensor; layout: MatrixLayout } => {
    file.require(name, shape);
    const type = TYPES[file.type(name)] ?? 'f32';
    // Scales are those of the file's rows.
    const isInRows = layout === 'in_out' && (type === 'i8' || type === 'q8_0');
    const made = isInRows || layout === 'out_in' ? shape : [shape[1], shape[0]];
    const weight = keep(room(name, shape, () => operators.matrixTensor(made, type, null, null, isInRows ? 'rows' : 'interleaved')));
    named(name, weight);
    if (made !== shape) turned.add(weight);
    waiting.push({ size: numbersOf(shape), read: (progress) => readMatrix(file, name, shape, weight, { rowTo, layout: isInRows ? 'out_in' : layout }, progress) });
    return { weight, layout: isInRows ? layout : 'out_in' };
  };
  const take: Take = Object.assign((name: string, shape: readonly number[], moved: Moved = (numbers) => numbers, made = shape) => {
    file.require(name, shape);
    const tensor = keep(room(name, made, () => operators.tensor(made)));
    named(name, tensor);
    waiting.push({ size: numbersOf(shape), read: async (progress) => {
      const numbers = await file.read(name, shape, progress);
      requireFinite(name, numbers.every(Number.isFinite));
      tensor.write(moved(numbers));
    } });
    return tensor;
  }, {
    keep,
    sum: (tensor: Tensor, rows: RowsOf) => void sums.set(tensor, rows),
    matrix: (name: string, shape: readonly [number, number], rowTo?: RowTo) => matrix(name, shape, 'out_in', rowTo).weight,
    linear: (name: string, [from, to]: readonly [number, number], layout: MatrixLayout) => matrix(name, layout === 'in_out' ? [from, to] : [to, from], layout),
  });
  const free = () => kept.forEach((tensor) => tensor.free());
  try {
    const parameters = layout.parameters(take, file, configuration, operators);
    const all = waiting.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    for (const { read } of waiting) await read((count) => progress((done += count) / all));
    const unread = file.names.filter((name) => layout.isParameter(name) && !taken.has(name)).map((name) => file.written(name));
    return { parameters, sources: { names, turned, sums }, unread, free };
  } catch (error) {
    free();
    throw error;
  }
}

/** What stays in memory as the file has it. */
const TYPES: Readonly<Partial<Record<NumberType, MatrixType>>> = { BF16: 'bf16', F16: 'f16', I8: 'i8', Q8_0: 'q8_0' };

/** Part by part, so that no more than a part is there twice. */
async function readMatrix(file: Safetensors, name: string, shape: readonly [number, number], tensor: MatrixTensor, { rowTo = (row) => row, layout }: { rowTo?: RowTo | undefined; layout: MatrixLayout }, progress: (numbers: number) => void): Promise<void> {
  const [rows, width] = shape;
  if (tensor.type === 'i8') {
    const scales = await file.scales(name, shape);
    requireFinite(name, scales.every((scale) => Number.isFinite(Math.fround(scale * -128))));
    const moved = new Float32Array(rows);
    scales.forEach((scale, row) => { moved[rowTo(row)] = scale; });
    tensor.writeScales(moved);
  }
  for await (const { first, count, numbers } of file.parts(name, shape)) {
    requireFinite(name, areFinite(tensor.type, numbers));
    const [firstRow, step] = [first / width, (numbers.length / count) * width];
    // Rows that stay side by side are written at once.
    for (let at = 0, from = 0; from < numbers.length; from = at) {
      const to = rowTo(firstRow + from / step);
      do at += step; while (at < numbers.length && rowTo(firstRow + at / step) === to + (at - from) / step);
      tensor.write(numbers.subarray(from, at) as MatrixNumbers, to * width, layout);
    }
    progress(count);
  }
}

function areFinite(type: MatrixType, numbers: FileNumbers): boolean {
  if (type === 'f32') return (numbers as Float32Array).every(Number.isFinite);
  if (type === 'i8') return true;
  if (type === 'q8_0') return areBlocksFinite(numbers as Uint8Array);
  const exponent = type === 'bf16' ? 0x7f80 : 0x7c00;
  return (numbers as Uint16Array).every((bits) => (bits & exponent) !== exponent);
}

function room<Kept>(name: string, shape: readonly number[], make: () => Kept): Kept {
  try {
    return make();
  } catch (cause) {
    throw new AttentionError('too_large', msg(str`There is no memory for the ${numbersOf(shape).toLocaleString('en')} numbers of ${quote(name)}. Choose a smaller model, or close other pages.`), { cause });
  }
}

function requireFinite(name: string, isFinite: boolean): void {
  if (!isFinite) throw broken(msg(str`The tensor ${quote(name)} holds numbers that are not finite. The file is damaged; download it again.`));
}

// What each kind of file must say to be opened.

/** The file's numbers in another order. */
export type Moved = (numbers: Float32Array) => Float32Array;

/** Which row of the matrix a row of the file becomes. */
export type RowTo = (row: number) => number;

/** The file's tensor of this name, once it is checked to have this shape; its numbers come later, as float32, moved into what is `made` of it. */
export interface Take {
  (name: string, shape: readonly number[], moved?: Moved, made?: readonly number[]): Tensor;
  /** A parameter matrix in the width that it has in the file, in the order that is multiplied fastest. */
  matrix(name: string, shape: readonly [number, number], rowTo?: RowTo): MatrixTensor;
  /** That of a linear layer, [from, to], which lies in the file as `layout` says; and how it lies in memory. */
  linear(name: string, sizes: readonly [number, number], layout: MatrixLayout): { weight: MatrixTensor; layout: MatrixLayout };
  /** What the rows of one are added up from. */
  sum(tensor: Tensor, rows: RowsOf): void;
  /** One made otherwise, to be freed with the others. */
  keep<Kept extends Weight>(tensor: Kept): Kept;
}

/** A file, and the name that it usually has. */
export interface Named { file: File; name: string }

/** What lies beside the model's file. */
export interface Beside {
  config?: string | undefined;
  /** params.json: Meta's configuration. */
  params?: string | undefined;
  vocabulary?: string | undefined;
  merges?: string | undefined;
  /** vocab.txt: BERT's vocabulary. */
  pieces?: string | undefined;
  /** tokenizer.json: vocabulary, merges and special tokens in one. */
  tokenizer?: string | undefined;
  /** tokenizer.model: SentencePiece's pieces. */
  sentencePieces?: Uint8Array | undefined;
  /** What names special tokens: special_tokens_map.json, added_tokens.json, tokenizer_config.json. */
  special?: string | undefined;
  added?: string | undefined;
  tokenizerConfig?: string | undefined;
}

export interface Layout {
  /** The file under the names that this kind has; null where it is of another kind. */
  reads(file: Safetensors): Safetensors | null;
  /** Whether a tensor is one of the model's. */
  isParameter(name: string): boolean;
  configuration(file: Safetensors, beside: Beside): Configuration;
  parameters(take: Take, file: Safetensors, configuration: Configuration, operators: Operators): DecoderParameters;
  tokenizer(file: Safetensors, configuration: Configuration, beside: Beside): Tokenizer | Promise<Tokenizer>;
  heads(file: Safetensors, configuration: Configuration): HeadEvidence[];
}
