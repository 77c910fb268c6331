// One layer of a model, as the page's own layer takes it, so that its walk shows it.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import type { DecoderBlock, Linear, Operators, Tensor } from '../../engine/operators/operators.ts';
import type { GivenId, Settings } from '../../engine/types.ts';
import type { Configuration } from './configuration.ts';

/** For Session.run(): settings that the layer decides, and what is given. Content rows are norm_1 of what came before. */
export interface WalkedLayer {
  settings: Pick<Settings, 'd_model' | 'num_heads' | 'num_kv_heads' | 'd_k' | 'd_v' | 'value_rank' | 'tie' | 'biases' | 'out_proj' | 'positions'>;
  given: Partial<Record<GivenId, Float32Array>>;
}

/** The base that the page's own layer turns by. */
const PAGE_BASE = 10000;

/** As the core's kLimits.max_d_model. */
const MOST_D_MODEL = 1024;

/** Whether the page's own layer can be such a model's. @throws AttentionError */
export function requireWalkable({ d_model, positions, rotary_base }: Configuration): void {
  if (d_model > MOST_D_MODEL) {
    throw new AttentionError('too_large', msg(str`This model has d_model ${d_model}; the page’s layer takes at most ${MOST_D_MODEL}. Choose a smaller model.`));
  }
  if (positions === 'rope' && rotary_base !== PAGE_BASE) {
    throw new AttentionError('invalid_option', msg(str`This model turns by the base ${rotary_base}, and the page’s layer by ${PAGE_BASE}. Look at its weights instead.`));
  }
}

/** What of it is the same for every text: all but the rows. */
export function layerParameters(configuration: Configuration, block: DecoderBlock): WalkedLayer {
  requireWalkable(configuration);
  const { d_model: D, heads: H, positions, rotary_interleaved, d_k = D / H } = configuration;
  const { query, key, value, outProj } = block.attention;
  const turned = positions === 'rope' && !rotary_interleaved ? H : 0;
  const [q, k, v, o] = [parameter(query, D, H * d_k, turned), parameter(key, D, H * d_k, turned), parameter(value, D, D), parameter(outProj as Linear, D, D)];
  const biases = [q, k, v, o].some(({ bias }) => bias);
  const none = new Float32Array(D);
  const unbiased = new Float32Array(H * d_k);
  return {
    settings: {
      d_model: D, num_heads: H, num_kv_heads: 0, d_k: d_k === D / H ? 0 : d_k, d_v: 0, value_rank: 0, tie: 'none', out_proj: true, biases,
      positions: positions === 'rope' ? 'rope' : positions === 'query_key' ? 'learned' : 'none',
    },
    given: {
      W_Q: q.matrix, W_K: k.matrix, W_V: v.matrix, W_O: o.matrix,
      ...(biases && { b_Q: q.bias ?? unbiased, b_K: k.bias ?? unbiased, b_V: v.bias ?? none, b_O: o.bias ?? none }),
    },
  };
}

/** @param rows [T, D], the residual before the layer */
export function walkedLayer(operators: Operators, { d_model: D, heads: H }: Configuration, block: DecoderBlock, { settings, given }: WalkedLayer, rows: Float32Array): WalkedLayer {
  const T = rows.length / D;
  const content = normed(operators, block, rows, D);
  return {
    settings: { ...settings },
    given: {
      ...given, content,
      ...(block.queryKeyPositions && {
        P: block.queryKeyPositions.read().slice(0, T * D),
        value: splitHeads(projected(operators, block.attention.value, content, D), T, H, D / H), // made without positions
      }),
    },
  };
}

/** A part of a parameter as [D, width] from in to out; columns of `turned` heads go from halves to pairs. */
function parameter(linear: Linear, D: number, width: number, turned = 0): { matrix: Float32Array; bias?: Float32Array } {
  const { weight, bias } = linear;
  const [layout, part, parts] = [linear.layout ?? 'in_out', linear.part ?? 0, linear.parts ?? 1];
  const numbers = weight.read();
  const matrix = new Float32Array(D * width);
  const column = turned ? paired(width / turned) : (o: number) => o;
  for (let i = 0; i < D; i += 1) {
    for (let o = 0; o < width; o += 1) {
      const from = part * width + o;
      matrix[i * width + column(o)] = numbers[layout === 'in_out' ? i * parts * width + from : from * D + i] as number;
    }
  }
  if (!bias) return { matrix };
  const moved = new Float32Array(width);
  bias.read().slice(part * width, (part + 1) * width).forEach((number, o) => { moved[column(o)] = number; });
  return { matrix, bias: moved };
}

/** Numbers i and i + half of a head become 2i and 2i + 1: scores are the same sums, in another order. */
function paired(width: number): (o: number) => number {
  const half = width / 2;
  return (o) => {
    const [head, i] = [Math.floor(o / width) * width, o % width];
    return head + (i < half ? 2 * i : 2 * (i - half) + 1);
  };
}

function normed(operators: Operators, { norm1 }: DecoderBlock, rows: Float32Array, D: number): Float32Array {
  return withTensor(operators, [rows.length / D, D], rows, (x) => {
    operators.layerNorm(x, norm1, x);
    return x.read();
  });
}

function projected(operators: Operators, value: Linear, rows: Float32Array, D: number): Float32Array {
  return withTensor(operators, [rows.length / D, D], rows, (x) => withTensor(operators, [rows.length / D, D], undefined, (y) => {
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
