// A model's parameters, read from its file into the operators' memory; and what each kind of file must say to be opened.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import type { DecoderParameters, Operators, Tensor } from '../../engine/operators/operators.ts';
import type { Configuration, HeadEvidence } from './configuration.ts';
import { type Safetensors, broken, numbersOf, quote } from './safetensors.ts';
import type { Tokenizer } from './tokens.ts';

export interface Loaded {
  parameters: DecoderParameters;
  free(): void;
}

/** Share of the numbers read so far, 0 … 1. */
export type Progress = (share: number) => void;

/** Everything is checked before the first number is read. @throws AttentionError; nothing stays in memory then. */
export async function load(file: Safetensors, layout: Layout, configuration: Configuration, operators: Operators, progress: Progress): Promise<Loaded> {
  const kept: Tensor[] = [];
  const waiting: { name: string; shape: readonly number[]; tensor: Tensor; moved: Moved }[] = [];
  const keep = (tensor: Tensor) => {
    kept.push(tensor);
    return tensor;
  };
  const take: Take = Object.assign((name: string, shape: readonly number[], moved: Moved = (numbers) => numbers) => {
    file.require(name, shape);
    const tensor = keep(room(operators, name, shape));
    waiting.push({ name, shape, tensor, moved });
    return tensor;
  }, { keep });
  const free = () => kept.forEach((tensor) => tensor.free());
  try {
    const parameters = layout.parameters(take, file, configuration, operators);
    const all = waiting.reduce((sum, { shape }) => sum + numbersOf(shape), 0);
    let done = 0;
    for (const { name, shape, tensor, moved } of waiting) {
      const numbers = await file.read(name, shape, (count) => progress((done += count) / all));
      requireFinite(name, numbers);
      tensor.write(moved(numbers));
    }
    return { parameters, free };
  } catch (error) {
    free();
    throw error;
  }
}

function room(operators: Operators, name: string, shape: readonly number[]): Tensor {
  try {
    return operators.tensor(shape);
  } catch (cause) {
    throw new AttentionError('too_large', msg(str`There is no memory for the ${numbersOf(shape).toLocaleString('en')} numbers of ${quote(name)}. Choose a smaller model, or close other pages.`), { cause });
  }
}

function requireFinite(name: string, numbers: Float32Array): void {
  for (let i = 0; i < numbers.length; i += 1) {
    if (!Number.isFinite(numbers[i])) throw broken(msg(str`The tensor ${quote(name)} holds something else than finite numbers. The file is damaged; get it anew.`));
  }
}

// What each kind of file must say to be opened.

/** The file's numbers in another order. */
export type Moved = (numbers: Float32Array) => Float32Array;

/** The file's tensor of this name, once it is checked to have this shape; its numbers come later. */
export interface Take {
  (name: string, shape: readonly number[], moved?: Moved): Tensor;
  /** One made otherwise, to be freed with the others. */
  keep(tensor: Tensor): Tensor;
}

/** What lies beside the model's file, as text. */
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
