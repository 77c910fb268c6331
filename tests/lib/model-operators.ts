// The conformance cases of what stands around attention, run through the built operators.
import type { Case, CaseTensor } from './cases.ts';
import { Run, exchange } from './operators.ts';
import type { DecoderBlock, DecoderParameters, Operators, Tensor } from '../../web/src/engine/operators/operators.ts';

/** Parameters named as GPT-2's, whose matrices lie (in, out). */
function gpt2(run: Run): DecoderParameters {
  const tensor = (name: string) => run.input(name) as Tensor;
  const norm = (name: string) => ({ gain: tensor(`${name}.g`), bias: tensor(`${name}.b`) });
  const linear = (name: string) => ({ weight: tensor(`${name}.w`), bias: tensor(`${name}.b`) });
  const blocks = Array.from({ length: run.number('layers') ?? 0 }, (_, i): DecoderBlock => {
    const packed = linear(`h${i}.attn.c_attn`);
    const [query, key, value] = [0, 1, 2].map((part) => ({ ...packed, part, parts: 3 })) as [Part, Part, Part];
    return {
      norm1: norm(`h${i}.ln_1`), norm2: norm(`h${i}.ln_2`), up: linear(`h${i}.mlp.c_fc`), down: linear(`h${i}.mlp.c_proj`),
      attention: { heads: run.number('num_heads') ?? 1, query, key, value, outProj: linear(`h${i}.attn.c_proj`) },
    };
  });
  const output = run.input('lm_head');
  return {
    embeddings: tensor('wte'), positions: tensor('wpe'), blocks, finalNorm: norm('ln_f'),
    ...(output && { output: { weight: output, layout: 'out_in' } }),
  };
}

interface Part { weight: Tensor; bias: Tensor; part: number; parts: number }

/** Logits of all tokens, read `step` at a time. */
export function runDecoder(operators: Operators, given: Case, step = Infinity): number[] {
  const run = new Run(operators, given);
  const tokens = (given.inputs.get('tokens') as CaseTensor).numbers;
  const vocabulary = (given.inputs.get('wte') as CaseTensor).shape[0] ?? 0;
  const decoder = run.keep(operators.decoder(gpt2(run), tokens.length));
  const all: number[] = [];
  for (let first = 0; first < tokens.length; first += step) {
    const some = tokens.slice(first, first + step);
    const logits = run.tensor([some.length, vocabulary]);
    decoder.run(some, logits);
    all.push(...logits.read());
  }
  run.free();
  return all;
}

/** What the last token's logits and the weights of all blocks are, once read at once. */
export function runDecoderWithWeights(operators: Operators, given: Case): { last: number[]; weights: number[] } {
  const run = new Run(operators, given);
  const tokens = (given.inputs.get('tokens') as CaseTensor).numbers;
  const last = run.tensor([(given.inputs.get('wte') as CaseTensor).shape[0] ?? 0]);
  const weights = run.tensor([run.number('layers') ?? 0, run.number('num_heads') ?? 0, tokens.length, tokens.length]);
  run.keep(operators.decoder(gpt2(run), tokens.length)).run(tokens, last, weights);
  const result = { last: [...last.read()], weights: [...weights.read()] };
  run.free();
  return result;
}

/** Of tables that all batches share. */
export function runRotary(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const { shape, numbers } = (given.inputs.get('X') ?? given.inputs.get('input')) as CaseTensor;
  const tables = run.tables(run.number('interleaved') === 1);
  const [B = 1, rows = 1, width = 1] = shape;
  const H = run.number('num_heads') || width / (2 * (tables.cosines.shape[1] ?? 1));
  const x = shape.length === 4 ? run.tensor(shape, numbers) : run.tensor([B, H, rows, width / H], exchange(numbers, B, rows, H, width / H));
  const y = run.tensor(x.shape);
  operators.rotate(x, tables, y, given.inputs.get('position_ids')?.numbers ?? null);
  const turned = [...y.read()];
  run.free();
  return shape.length === 4 ? turned : exchange(turned, B, H, rows, width / H);
}

export function runNorm(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const x = run.input('X') as Tensor;
  const bias = run.input('B');
  operators.layerNorm(x, { gain: run.input('Scale') as Tensor, ...(bias && { bias }), epsilon: run.number('epsilon') ?? 1e-5 }, x);
  const numbers = [...x.read()];
  run.free();
  return numbers;
}

export function runGelu(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const x = run.input('X') as Tensor;
  operators.gelu(x, x, given.attributes.get('approximate') === 'tanh' ? 'tanh' : 'erf');
  const numbers = [...x.read()];
  run.free();
  return numbers;
}
