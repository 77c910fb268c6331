// One layer of a model, as the page's own layer takes it, so that its walk shows it.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import type { DecoderBlock, DecoderParameters, HeadNorm, Linear, Operators, Tensor } from '../../engine/operators/operators.ts';
import type { Traceable } from '../../engine/training/types.ts';
import type { GivenId, HeadNormId, Settings } from '../../engine/types.ts';
import { type Configuration, keyHeads, keyWidth, valueWidth } from './configuration.ts';

/** For Session.run(): settings that the layer decides, and what is given. Content rows are norm_1 of what came before, or that itself where norms stand behind. */
export interface WalkedLayer {
  settings: Pick<Settings, 'd_model' | 'num_heads' | 'num_kv_heads' | 'd_k' | 'd_v' | 'value_rank' | 'tie' | 'biases' | 'out_proj' | 'positions'>;
  given: Partial<Record<GivenId | HeadNormId, Float32Array>>;
}

/** What of it changes with the text. */
export const OF_ROWS: ReadonlySet<string> = new Set<GivenId>(['content', 'cos', 'sin', 'P', 'value']);

/** A silenced head's part of W_O is 0, so that the walk ends as the model goes on. */
export function withoutHeads(given: WalkedLayer['given'], heads: readonly number[], configuration: Configuration): WalkedLayer['given'] {
  if (heads.length === 0 || !given.W_O) return given;
  const W_O = given.W_O.slice();
  const size = valueWidth(configuration) * configuration.d_model;
  for (const head of heads) W_O.fill(0, head * size, (head + 1) * size);
  return { ...given, W_O };
}

/** As the core's kLimits.max_d_model. */
const MOST_D_MODEL = 4096;

/** Whether the page's own layer can be such a model's. @throws AttentionError */
export function requireWalkable({ d_model }: Configuration): void {
  if (d_model > MOST_D_MODEL) {
    throw new AttentionError('too_large', msg(str`This model has d_model ${d_model}; the page’s layer takes at most ${MOST_D_MODEL}. Choose a smaller model.`));
  }
}

/** What of it is the same for every text: all but the rows. */
export function layerParameters(configuration: Configuration, block: DecoderBlock): WalkedLayer {
  requireWalkable(configuration);
  const { d_model: D, heads: H, positions, rotary_interleaved, rotary_width = keyWidth(configuration) } = configuration;
  const [d_k, d_v, H_kv] = [keyWidth(configuration), valueWidth(configuration), keyHeads(configuration)];
  const { query, key, value, outProj, queryNorm, keyNorm } = block.attention;
  const column = positions === 'rope' && !rotary_interleaved ? paired(d_k, rotary_width) : same;
  const [q, k] = [parameter(query, D, H * d_k, column), parameter(key, D, H_kv * d_k, column)];
  const [v, o] = [parameter(value, D, H_kv * d_v), parameter(outProj as Linear, H * d_v, D)];
  const biases = [q, k, v, o].some(({ bias }) => bias);
  const own = (width: number) => (width === D / H ? 0 : width);
  return {
    settings: {
      d_model: D, num_heads: H, num_kv_heads: H_kv === H ? 0 : H_kv, d_k: own(d_k), d_v: own(d_v), value_rank: 0, tie: 'none', out_proj: true, biases,
      positions: positions === 'rope' ? 'rope' : positions === 'query_key' ? 'learned' : 'none',
    },
    given: {
      W_Q: q.matrix, W_K: k.matrix, W_V: v.matrix, W_O: o.matrix,
      ...(queryNorm && { query_norm: headNorm(queryNorm, column) }), ...(keyNorm && { key_norm: headNorm(keyNorm, column) }),
      ...(biases && { b_Q: q.bias ?? new Float32Array(H * d_k), b_K: k.bias ?? new Float32Array(H_kv * d_k), b_V: v.bias ?? new Float32Array(H_kv * d_v), b_O: o.bias ?? new Float32Array(D) }),
    },
  };
}

/** @param rows [T, D], the residual before the layer */
export function walkedLayer(operators: Operators, configuration: Configuration, block: DecoderBlock, { settings, given }: WalkedLayer, rows: Float32Array): WalkedLayer {
  const { d_model: D } = configuration;
  const [T, d_k, d_v, H_kv] = [rows.length / D, keyWidth(configuration), valueWidth(configuration), keyHeads(configuration)];
  const content = block.isPostNorm ? rows : normed(operators, block, rows, D);
  const { rotary, value } = block.attention;
  const half = Math.floor(d_k / 2);
  return {
    settings: { ...settings },
    given: {
      ...given, content,
      ...(rotary && { cos: widened(rotary.cosines, T, half, 1), sin: widened(rotary.sines, T, half, 0) }),
      ...(block.queryKeyPositions && {
        P: block.queryKeyPositions.read().slice(0, T * D),
        value: splitHeads(projected(operators, value, content, D, H_kv * d_v), T, H_kv, d_v), // made without positions
      }),
    },
  };
}

const same = (column: number): number => column;

/** A part of a parameter as [D_in, D_out], its columns moved. */
function parameter(linear: Linear, D_in: number, D_out: number, column = same): { matrix: Float32Array; bias?: Float32Array } {
  const { weight, bias } = linear;
  const [layout, part, parts] = [linear.layout ?? 'in_out', linear.part ?? 0, linear.parts ?? 1];
  const numbers = weight.read();
  const matrix = new Float32Array(D_in * D_out);
  for (let i = 0; i < D_in; i += 1) {
    for (let o = 0; o < D_out; o += 1) {
      const from = part * D_out + o;
      matrix[i * D_out + column(o)] = numbers[layout === 'in_out' ? i * parts * D_out + from : from * D_in + i] as number;
    }
  }
  if (!bias) return { matrix };
  const moved = new Float32Array(D_out);
  bias.read().slice(part * D_out, (part + 1) * D_out).forEach((number, o) => { moved[column(o)] = number; });
  return { matrix, bias: moved };
}

/** Gains, moved as the columns are, and the epsilon behind them. */
function headNorm({ gain, epsilon }: HeadNorm, column: (o: number) => number): Float32Array {
  const numbers = gain.read();
  const moved = new Float32Array(numbers.length + 1).fill(epsilon as number);
  numbers.forEach((number, i) => { moved[column(i)] = number; });
  return moved;
}

/** Numbers i and i + half of what is turned in a head become 2i and 2i + 1: scores are the same sums, in another order. */
function paired(width: number, turned: number): (o: number) => number {
  const half = turned / 2;
  return (o) => {
    const i = o % width;
    return o - i + (i < half ? 2 * i : i < turned ? 2 * (i - half) + 1 : i);
  };
}

/** [T, half] of a table, wider where only a part of each head is turned: `still` leaves the others as they are. */
function widened(table: Tensor, T: number, half: number, still: number): Float32Array {
  const [numbers, own] = [table.read(), table.shape[1] ?? half];
  if (own === half) return numbers.slice(0, T * half);
  const wide = new Float32Array(T * half).fill(still);
  for (let t = 0; t < T; t += 1) wide.set(numbers.subarray(t * own, (t + 1) * own), t * half);
  return wide;
}

function normed(operators: Operators, { norm1 }: DecoderBlock, rows: Float32Array, D: number): Float32Array {
  return withTensor(operators, [rows.length / D, D], rows, (x) => {
    operators.layerNorm(x, norm1, x);
    return x.read();
  });
}

function projected(operators: Operators, value: Linear, rows: Float32Array, D: number, width: number): Float32Array {
  return withTensor(operators, [rows.length / D, D], rows, (x) => withTensor(operators, [rows.length / D, width], undefined, (y) => {
    operators.linear(x, value, y);
    return y.read();
  }));
}

function withTensor<T>(operators: Operators, shape: readonly number[], numbers: Float32Array | undefined, use: (tensor: Tensor) => T): T {
  const tensor = operators.tensor(shape, numbers);
  try {
    return use(tensor);
  } finally {
    tensor.free();
  }
}

/** [T, H · width] to [H, T, width]. */
function splitHeads(rows: Float32Array, T: number, H: number, width: number): Float32Array {
  const out = new Float32Array(rows.length);
  for (let h = 0; h < H; h += 1) {
    for (let t = 0; t < T; t += 1) out.set(rows.subarray((t * H + h) * width, (t * H + h + 1) * width), (h * T + t) * width);
  }
  return out;
}

// A whole model, as what trains models takes it, so that its gradients can be followed.

/** LayerNorm's own, as what trains models has it. */
const EPSILON = 1e-5;
const POSITIONS = { none: 'none', learned: 'added', query_key: 'queries_keys', rope: null } as const;

/** Null where the model is built otherwise than those that are trained here. */
export function traceable(configuration: Configuration, parameters: DecoderParameters): Traceable | null {
  const { layers, heads, d_model: D, d_mlp: hidden, vocabulary, context, causal = true, scaled = true, predicts = 'next' } = configuration;
  const { embeddingsNorm, blocks, transform, finalNorm, output } = parameters;
  const positions = POSITIONS[configuration.positions];
  const linears = blocks.flatMap(({ attention: { query, key, value, outProj }, up, down }) => [query, key, value, outProj, ...(hidden > 0 ? [up, down] : [])]);
  const norms = [finalNorm, ...blocks.flatMap(({ norm1, norm2 }) => [norm1, ...(hidden > 0 ? [norm2] : [])])];
  const isAlike = !embeddingsNorm && !transform && predicts === 'next' && keyHeads(configuration) === heads && valueWidth(configuration) === D / heads
    && blocks.every(({ gate, isParallel, isPostNorm, gelu, alibiSlopes }) => !gate && !isParallel && !isPostNorm && gelu !== 'erf' && !alibiSlopes)
    && linears.every((linear) => linear && !linear.bias && !linear.parts) && !output?.bias && norms.every((norm) => norm && norm.kind !== 'rms' && (norm.epsilon ?? EPSILON) === EPSILON);
  if (!positions || !isAlike) return null;
  return { parameters, shape: { vocabulary, context, slots: 1, d_model: D, heads, d_k: keyWidth(configuration), layers, hidden, positions, tied: !output, queryKeyGain: 1 }, rule: { isCausal: causal, scales: scaled } };
}
