// A safetensors file, or several that are parts of one, read without trust: 8 bytes of header length, a JSON header,
// then the numbers. Only headers are read at once; tensors follow, as float32, when they are asked for.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';

interface Entry {
  file: Blob | Uint8Array;
  /** As the file writes it. */
  name: string;
  type: string;
  shape: readonly number[];
  /** Bytes of the file. */
  begin: number;
  end: number;
}

const MOST_HEADER = 16 << 20;
/** What Git LFS leaves in a model's place begins so. */
const POINTER = 'version ';
/** Numbers that are read at once: between such parts the page can paint. */
const AT_ONCE = 1 << 20;

/** Of a block of GGUF's Q8_0, which share a scale of 16 bits; and its bytes. */
const [BLOCK, BLOCK_BYTES] = [32, 34];
const NARROW_BYTES: Readonly<Record<string, number>> = { BF16: 2, F16: 2, I8: 1, Q8_0: BLOCK_BYTES / BLOCK };

export const broken = (message: string, cause?: unknown) => new AttentionError('bad_file', message, { cause });
export const written = (shape: readonly number[]) => (shape.length === 0 ? msg('a single number') : shape.join(' × '));
export const numbersOf = (shape: readonly number[]) => shape.reduce((product, extent) => product * extent, 1);
/** What torch.compile and parallel training put into names. */
const WRAPPERS: ReadonlySet<string> = new Set(['_orig_mod', 'module', '_fsdp_wrapped_module', '_checkpoint_wrapped_module']);

/** A tensor's name as the model itself has it, its parts joined by dots. */
export const unwrapped = (name: string): string => name.split(/[./]/).filter((part) => !WRAPPERS.has(part)).join('.');

/** A name or value of the file, short enough for a sentence. */
export const quote = (text: string) => `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;

export class Safetensors {
  readonly #entries: ReadonlyMap<string, Entry>;
  /** What the file says of itself, as text. */
  readonly metadata: ReadonlyMap<string, string>;

  private constructor(entries: ReadonlyMap<string, Entry>, metadata: ReadonlyMap<string, string>) {
    this.#entries = entries;
    this.metadata = metadata;
  }

  /** @param files one, or the parts of a model @throws AttentionError `bad_file`, with a sentence */
  static async open(files: Blob | Uint8Array | readonly (Blob | Uint8Array)[]): Promise<Safetensors> {
    const parts = [];
    for (const file of Array.isArray(files) ? files as readonly Blob[] : [files as Blob]) parts.push(await openOne(file));
    return new Safetensors(unique(parts.flatMap(({ entries }) => entries)), new Map(parts.flatMap(({ metadata }) => metadata)));
  }

  /** The same tensors under other names. */
  renamed(rename: (name: string) => string): Safetensors {
    return new Safetensors(unique([...this.#entries].map(([name, entry]) => [rename(name), entry])), this.metadata);
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** A tensor's name as the file writes it. */
  written(name: string): string {
    return this.#entry(name).name;
  }

  /** Its extents. @throws AttentionError when there is no such tensor */
  shape(name: string): readonly number[] {
    return this.#entry(name).shape;
  }

  /** Numbers of all tensors that `isCounted`. */
  numbers(isCounted: (name: string) => boolean): number {
    return [...this.#entries].reduce((sum, [name, { shape }]) => sum + (isCounted(name) ? numbersOf(shape) : 0), 0);
  }

  /** What they take where they are used: matrices as the file has them, all else as float32. */
  bytes(isCounted: (name: string) => boolean): number {
    return [...this.#entries].reduce((sum, [name, { shape, type }]) => sum + (isCounted(name) ? numbersOf(shape) * (shape.length === 2 ? NARROW_BYTES[type] ?? 4 : 4) : 0), 0);
  }

  /** Throws unless there is such a tensor, of this shape and of numbers that can be read. */
  require(name: string, shape: readonly number[]): void {
    const entry = this.#entry(name);
    typeOf(entry);
    if (entry.shape.length !== shape.length || entry.shape.some((extent, i) => extent !== shape[i])) {
      throw broken(msg(str`The tensor ${quote(entry.name)} is ${written(entry.shape)} where ${written(shape)} is needed. The file does not fit its own sizes; download it again.`));
    }
    if (entry.type === 'I8') this.#requireScale(name, shape.slice(0, 1));
  }

  /** A tensor of its own, of numbers that need no scale themselves. */
  #requireScale(name: string, shape: readonly number[]): void {
    const scale = scaleOf(name);
    if (scale === name || this.#entry(scale).type === 'I8') {
      throw broken(msg(str`The tensor ${quote(name)} is of I8, which is read times a scale: a tensor ${quote(scale)} of another type, beside one whose name ends in “.weight”. Convert the file, for example to F16.`));
    }
    this.require(scale, shape);
  }

  /** Its numbers as float32, row-major; I8 is times `.scale`, one for each row. `progress` is told how many have come. */
  async read(name: string, shape: readonly number[], progress: (numbers: number) => void = () => {}): Promise<Float32Array> {
    const numbers = new Float32Array(numbersOf(shape));
    for await (const part of this.parts(name, shape)) {
      decode(this.type(name), part.numbers, numbers.subarray(part.first, part.first + part.count));
      progress(part.count);
    }
    if (this.type(name) === 'I8') scaleRows(numbers, await this.scales(name, shape));
    return numbers;
  }

  /** Its numbers as the file has them, but F64 as float32: some whole rows at a time, `count` from number `first` on. */
  async* parts(name: string, shape: readonly number[]): AsyncGenerator<{ first: number; count: number; numbers: FileNumbers }> {
    this.require(name, shape);
    const { file, begin, name: own } = this.#entry(name);
    const [type, all, width] = [this.type(name), numbersOf(shape), shape.at(-1) ?? 1];
    const atOnce = Math.max(1, Math.floor(AT_ONCE / width)) * width;
    for (let first = 0; first < all; first += atOnce) {
      const from = begin + first * BYTES[type];
      const count = Math.min(atOnce, all - first);
      const buffer = (await slice(file, from, from + count * BYTES[type])).buffer as ArrayBuffer;
      yield { first, count, numbers: type === 'F64' ? rounded(own, new Float64Array(buffer)) : new ARRAYS[type](buffer) };
    }
  }

  /** Of a tensor that require() has seen. */
  type(name: string): NumberType {
    return typeOf(this.#entry(name));
  }

  /** Of I8, one for each row. */
  async scales(name: string, shape: readonly number[]): Promise<Float32Array> {
    return this.read(scaleOf(name), shape.slice(0, 1));
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry) throw broken(msg(str`The file has no tensor ${quote(name)}, which such a model needs. It is another kind of model, or incomplete; download it again.`));
    return entry;
  }
}

async function openOne(file: Blob | Uint8Array): Promise<{ entries: [string, Entry][]; metadata: [string, string][] }> {
  const size = sizeOf(file);
  if (size < 10) throw broken(msg(str`This is not a safetensors file: it has ${size} bytes, and the shortest has 10. Choose another file.`));
  const length = headerLength(await slice(file, 0, 8), size);
  const { __metadata__: metadata, entries } = readHeader(await slice(file, 8, 8 + length));
  const data = 8 + length;
  const checked = [...entries].map(([name, entry]): [string, Entry] => [name, { file, name, ...readEntry(name, entry, data, size) }]);
  refuseOverlaps(checked);
  return { entries: checked, metadata: readMetadata(metadata) };
}

function unique(entries: readonly [string, Entry][]): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const [name, entry] of entries) {
    if (found.has(name)) throw broken(msg(str`The tensor ${quote(name)} is there twice; a model has one of each name. Choose the files of one model, each once.`));
    found.set(name, entry);
  }
  return found;
}

const sizeOf = (file: Blob | Uint8Array) => (file instanceof Blob ? file.size : file.byteLength);

/** A copy, of its own buffer. */
async function slice(file: Blob | Uint8Array, begin: number, end: number): Promise<Uint8Array> {
  if (!(file instanceof Blob)) return new Uint8Array(file.subarray(begin, end)); // slice() of Node's Buffer is a view
  try {
    return new Uint8Array(await file.slice(begin, end).arrayBuffer());
  } catch (cause) {
    throw broken(msg('The file could not be read: it was moved, changed or is too large for this browser. Choose it again.'), cause);
  }
}

/** @param bytes the first 8 of a file */
export function refusePointer(bytes: Uint8Array): void {
  if (new TextDecoder().decode(bytes) === POINTER) throw broken(msg('This is a pointer of Git LFS, without the model’s numbers. Run “git lfs pull” in its folder, or download the file itself.'));
}

function headerLength(bytes: Uint8Array, size: number): number {
  const view = new DataView(bytes.buffer);
  const [low, high] = [view.getUint32(0, true), view.getUint32(4, true)];
  refusePointer(bytes);
  if (/^\s*<[!a-z]/i.test(new TextDecoder().decode(bytes))) throw broken(msg('This is a web page, not the model. Download the file itself: it may ask you to log in first.'));
  if (high > 0 || low > MOST_HEADER) {
    throw broken(msg(str`This is not a safetensors file: its header would be longer than ${MOST_HEADER.toLocaleString('en')} bytes. Choose another file.`));
  }
  if (low < 2 || 8 + low > size) {
    throw broken(msg(str`The file is cut off: its header takes ${low} bytes, and ${size - 8} are there. Download it again.`));
  }
  return low;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function readHeader(bytes: Uint8Array): { __metadata__: unknown; entries: Map<string, unknown> } {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw broken(msg('The header of the file is not JSON, as a safetensors file’s is. The file is damaged or of another kind; download it again.'), cause);
  }
  if (!isObject(header)) throw broken(msg('The header of the file names no tensors, as a safetensors file’s does. Choose another file.'));
  const entries = new Map(Object.entries(header)); // any name is only a name
  const metadata = entries.get('__metadata__');
  entries.delete('__metadata__');
  return { __metadata__: metadata, entries };
}

function readMetadata(metadata: unknown): [string, string][] {
  const entries = Object.entries(isObject(metadata) ? metadata : {});
  return entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readEntry(name: string, entry: unknown, data: number, size: number): Omit<Entry, 'file' | 'name'> {
  const { dtype, shape, data_offsets: offsets } = isObject(entry) ? entry : {};
  const isWell = typeof dtype === 'string' && Array.isArray(shape) && shape.length <= 8 && shape.every(isCount)
    && Array.isArray(offsets) && offsets.length === 2 && offsets.every(isCount);
  if (!isWell) {
    throw broken(msg(str`The header does not give ${quote(name)} a type, a shape and two offsets. The file is damaged; download it again.`));
  }
  const [begin, end] = offsets as [number, number];
  if (begin > end || data + end > size) {
    throw broken(msg(str`The tensor ${quote(name)} reaches from byte ${begin} to ${end}, and the file holds ${size - data} bytes of numbers. It is cut off or damaged; download it again.`));
  }
  if (isNumberType(dtype) && (numbersOf(shape) * BYTES[dtype] !== end - begin || (dtype === 'Q8_0' && (shape.at(-1) ?? 1) % BLOCK !== 0))) {
    throw broken(msg(str`The tensor ${quote(name)} is ${written(shape)} in ${dtype}, which does not take ${end - begin} bytes. The file is damaged; download it again.`));
  }
  return { type: dtype, shape, begin: data + begin, end: data + end };
}

function refuseOverlaps(entries: readonly [string, Entry][]): void {
  const ordered = entries.filter(([, { begin, end }]) => end > begin).sort(([, a], [, b]) => a.begin - b.begin);
  ordered.forEach(([name, { end }], i) => {
    const next = ordered[i + 1];
    if (next && next[1].begin < end) {
      throw broken(msg(str`The tensors ${quote(name)} and ${quote(next[0])} lie on the same bytes. The file is damaged; download it again.`));
    }
  });
}

function typeOf({ name, type }: Entry): NumberType {
  if (isNumberType(type)) return type;
  throw broken(msg(str`The tensor ${quote(name)} is of ${quote(type)}; ${Object.keys(BYTES).filter((each) => each !== 'Q8_0').join(', ')} can be read. Convert the file, for example to F16.`));
}

/** Of 64 bits to 32, unless that makes any infinite. */
function rounded(name: string, numbers: Float64Array): Float32Array {
  const narrow = new Float32Array(numbers);
  const large = numbers.find((number, i) => Number.isFinite(number) && !Number.isFinite(narrow[i]));
  if (large !== undefined) throw broken(msg(str`The tensor ${quote(name)} holds ${large}, and numbers up to 3.4e38 can be read. Choose another model.`));
  return narrow;
}

/** What the rows of an I8 tensor are times. */
export const scaleOf = (name: string) => name.replace(/\.weight$/, '.scale');

function scaleRows(numbers: Float32Array, scales: Float32Array): void {
  const width = numbers.length / scales.length;
  scales.forEach((scale, row) => {
    for (let i = row * width; i < (row + 1) * width; i += 1) numbers[i] = numbers[i]! * scale;
  });
}

// The numbers of a file, as float32.

/** Bytes of one number of each type that can be read; Q8_0 comes from GGUF alone. */
export const BYTES = { F64: 8, F32: 4, F16: 2, BF16: 2, I8: 1, Q8_0: BLOCK_BYTES / BLOCK } as const;
export type NumberType = keyof typeof BYTES;

export const isNumberType = (type: string): type is NumberType => Object.hasOwn(BYTES, type);

/** How each lies in memory, little-endian as in the file; those of 16 bits as patterns, blocks as bytes. */
const ARRAYS = { F32: Float32Array, F16: Uint16Array, BF16: Uint16Array, I8: Int8Array, Q8_0: Uint8Array } as const;
export type FileNumbers = Float32Array | Uint16Array | Int8Array | Uint8Array;

/** As many numbers, widened exactly. */
function decode(type: NumberType, numbers: FileNumbers, out: Float32Array): void {
  if (type === 'F16') widen(numbers as Uint16Array, out);
  else if (type === 'Q8_0') widenBlocks(numbers as Uint8Array, out);
  else out.set(type === 'BF16' ? new Float32Array(shifted(numbers as Uint16Array).buffer) : numbers);
}

let halves: Float32Array | undefined;

/** A sign, 5 bits of exponent, 10 of mantissa (IEEE 754 binary16); looked up. */
function widen(numbers: Uint16Array, out: Float32Array): void {
  const table = tableOfHalves();
  for (let i = 0; i < numbers.length; i += 1) out[i] = table[numbers[i] as number] as number;
}

/** Exact, since 11 bits times 8 fit into float32. */
function widenBlocks(blocks: Uint8Array, out: Float32Array): void {
  const [table, view] = [tableOfHalves(), new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength)];
  for (let i = 0, at = 0; i < out.length; at += BLOCK_BYTES) {
    const scale = table[view.getUint16(at, true)] as number;
    for (let k = 0; k < BLOCK; k += 1, i += 1) out[i] = scale * view.getInt8(at + 2 + k);
  }
}

/** Whether every block's scale is. */
export function areBlocksFinite(blocks: Uint8Array): boolean {
  for (let at = 1; at < blocks.length; at += BLOCK_BYTES) if (((blocks[at] as number) & 0x7c) === 0x7c) return false;
  return true;
}

function tableOfHalves(): Float32Array {
  return (halves ??= Float32Array.from({ length: 1 << 16 }, (_, bits) => {
    const [sign, exponent, mantissa] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return mantissa ? NaN : sign * Infinity;
    return sign * (exponent ? (1024 + mantissa) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
  }));
}

/** The upper half of a float32. */
function shifted(numbers: Uint16Array): Uint32Array {
  const out = new Uint32Array(numbers);
  for (let i = 0; i < out.length; i += 1) out[i] = (out[i] as number) << 16;
  return out;
}
