// What each kind of file must say to be opened.
import type { DecoderParameters, Operators, Tensor } from '../operators.ts';
import type { Configuration, HeadEvidence } from './configuration.ts';
import type { Safetensors } from './safetensors.ts';
import type { Tokenizer } from './tokens.ts';

/** The file's tensor of this name, once it is checked to have this shape; its numbers come later. */
export interface Take {
  (name: string, shape: readonly number[]): Tensor;
  /** One made otherwise, to be freed with the others. */
  keep(tensor: Tensor): Tensor;
}

/** What lies beside the model's file, as text. */
export interface Beside {
  config?: string | undefined;
  vocabulary?: string | undefined;
  merges?: string | undefined;
}

export interface Layout {
  /** Whether a file is of this kind. */
  reads(file: Safetensors): boolean;
  /** Whether a tensor is one of the model's. */
  isParameter(name: string): boolean;
  configuration(file: Safetensors, beside: Beside): Configuration;
  parameters(take: Take, has: (name: string) => boolean, configuration: Configuration, operators: Operators): DecoderParameters;
  tokenizer(file: Safetensors, configuration: Configuration, beside: Beside): Tokenizer;
  heads(file: Safetensors, configuration: Configuration): HeadEvidence[];
}
