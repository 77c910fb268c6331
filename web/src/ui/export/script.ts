// The layer as a runnable script with its exact numbers, in explicit operations that NumPy and PyTorch share.
import type { ArrayId, Trace } from '../../engine/engine.ts';
import { shortest } from '../../lib/parse.ts';

export type Dialect = 'torch' | 'numpy';

/** More numbers than this are no script that one reads or pastes. */
export const MOST_NUMBERS = 500_000;

const PREAMBLES: Record<Dialect, string> = {
  torch: `import torch
from torch import einsum, stack, tanh

def array(shape, text):
    return torch.tensor([float(x) for x in text.split()], dtype=torch.float32).reshape(shape)
def places(n):
    return torch.arange(n, dtype=torch.float32)
def largest(x):
    return x.amax(-1, keepdim=True)
def total(x):
    return x.sum(-1, keepdim=True)
exp = torch.exp`,
  numpy: `import numpy as np
from numpy import einsum, stack, tanh

def array(shape, text):
    return np.array([float(x) for x in text.split()], dtype=np.float32).reshape(shape)
def places(n):
    return np.arange(n, dtype=np.float32)
def largest(x):
    return x.max(-1, keepdims=True)
def total(x):
    return x.sum(-1, keepdims=True)
exp = np.exp`,
};

/** How many numbers the script would hold. */
export function numbersOf(trace: Trace): number {
  return inputs(trace).reduce((sum, id) => sum + trace.extents(id).reduce((product, extent) => product * extent, 1), 0);
}

export function script(trace: Trace, dialect: Dialect): string {
  return [
    `# One attention layer of Attention Playground: the same numbers, in ${dialect === 'torch' ? 'PyTorch' : 'NumPy'}.`,
    PREAMBLES[dialect], '', sizes(trace), '', ...inputs(trace).map((id) => given(trace, id)), '', ...steps(trace), '', PRINT,
  ].join('\n');
}

/** Normed ones, too: a run does not say what by. */
const isGiven = (trace: Trace, id: ArrayId): boolean => ['given', 'norm'].includes(trace.explain(id, 0).rule);

/** What is not computed: rows, parameters, tables; and queries, keys or values that were given. */
function inputs(trace: Trace): ArrayId[] {
  const rows: ArrayId[] = trace.present('key_embeddings') ? ['embeddings', 'key_embeddings'] : ['embeddings'];
  const made = (['query', 'key', 'value'] as const).filter((id) => isGiven(trace, id));
  const parameters: ArrayId[] = ['W_Q', 'b_Q', 'W_K', 'b_K', 'W_V', 'W_V_down', 'W_V_up', 'b_V', 'cos', 'sin', 'slopes', 'W_O', 'b_O'];
  const unused: readonly ArrayId[] = made.flatMap((id): ArrayId[] => (id === 'query' ? ['W_Q', 'b_Q'] : id === 'key' ? ['W_K', 'b_K'] : ['W_V', 'W_V_down', 'W_V_up', 'b_V']));
  return [...rows, ...made, ...parameters.filter((id) => has(trace, id) && !unused.includes(id))];
}

const numbers = (values: Float32Array) => Array.from(values, (x) => (x === -Infinity ? '-inf' : shortest(x))).join(' ');
const extents = (sizes: readonly number[]) => `(${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})`;

function given(trace: Trace, id: ArrayId): string {
  const values = /^(W_|b_|cos|sin|slopes)/.test(id) ? trace.parameter(id as 'W_Q') : trace.stage(id as 'query');
  return `${id} = array(${extents(trace.extents(id))}, '${numbers(values)}')`;
}

const escaped = (code: number): string => (code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`);

/** A list of strings in Python, where a character beyond four hexadecimal digits is one, with eight. */
export const words = (list: readonly string[]): string => JSON.stringify(list).replace(/[\u007f-\u{10ffff}]/gu, (character) => escaped(character.codePointAt(0) as number));

function sizes({ shape: { T, S, D, H, H_kv, d_k, d_v }, tokens, keyTokens }: Trace): string {
  return [
    `T, S, D, H, H_kv, d_k, d_v = ${[T, S, D, H, H_kv, d_k, d_v].join(', ')}`,
    `tokens = ${words(tokens)}`, `key_tokens = ${words(keyTokens)}`,
  ].join('\n');
}

const has = (trace: Trace, id: ArrayId): boolean => trace.present(id) && trace.extents(id).length > 0;

/** Of tied parameters, the one that stands for the others. */
const PARAMETERS: Readonly<Record<'query' | 'key' | 'value', readonly [W: readonly ArrayId[], b: readonly ArrayId[]]>> = {
  query: [['W_Q'], ['b_Q']], key: [['W_K', 'W_Q'], ['b_K', 'b_Q']], value: [['W_V', 'W_Q'], ['b_V', 'b_Q']],
};

/** y = x·W + b, [rows, heads, width] */
function project(trace: Trace, id: 'query' | 'key' | 'value', x: string, shape: string): string {
  // A stage that was given lies [heads, rows, width].
  if (isGiven(trace, id)) return `${id} = einsum('htd->thd', ${id})`;
  const [W, b] = PARAMETERS[id].map((candidates) => candidates.find((each) => has(trace, each)));
  const product = id === 'value' && has(trace, 'W_V_down') ? `(${x} @ W_V_down) @ W_V_up` : `${x} @ ${W}`;
  return `${id} = (${product}${b ? ` + ${b}` : ''}).reshape(${shape})  # [${shape}]`;
}

function steps(trace: Trace): string[] {
  const { settings, shape: { H, H_kv } } = trace;
  const keys = trace.present('key_embeddings') ? 'key_embeddings' : 'embeddings';
  const grouped = H !== H_kv ? [`group = [h // (H // H_kv) for h in range(H)]`, `key, value = key[:, group], value[:, group]`] : [];
  return [
    project(trace, 'query', 'embeddings', 'T, H, d_k'),
    project(trace, 'key', keys, 'S, H_kv, d_k'),
    project(trace, 'value', keys, 'S, H_kv, d_v'),
    ...(settings.positions === 'rope' ? ROTARY : []),
    ...grouped,
    "scores = einsum('tha,sha->hts', query, key)  # [H, T, S]",
    ...(settings.temperature === 0 ? [`scores = scores[..., ${JSON.stringify(firstAlike(trace))}]  # equal keys score alike to the last bit, in any library: here the largest takes all`] : []),
    `scores = scores * ${shortest(trace.factor)}  # the scale`,
    ...(settings.softcap > 0 ? [`scores = ${shortest(settings.softcap)} * tanh(scores / ${shortest(settings.softcap)})`] : []),
    ...(settings.positions === 'alibi' ? ['scores = scores - slopes[:, None, None] * abs(places(S)[None, :] - places(T)[:, None])'] : []),
    `scores = scores + ${maskOf(trace)}  # the mask: 0, or -inf where a key may not be looked at`,
    ...softmax(settings.temperature),
    ...(settings.dropout > 0 ? [`dropped_weights = weights * ${keptOf(trace)}  # dropout's draw`] : []),
    `context = einsum('hts,sha->tha', ${settings.dropout > 0 ? 'dropped_weights' : 'weights'}, value)  # [T, H, d_v]`,
    'concat = context.reshape(T, H * d_v)',
    `output = concat${settings.out_proj ? ` @ W_O${settings.biases ? ' + b_O' : ''}` : ''}`,
    ...(settings.residual && trace.present('residual') ? ['residual = embeddings + output'] : []),
  ];
}

/** For each key, the first that is equal to it in every number. */
function firstAlike(trace: Trace): number[] {
  const { shape: { S, H_kv, d_k }, settings } = trace;
  const key = trace.stage(settings.positions === 'rope' ? 'rotated_key' : 'key');
  // A stage lies [heads, rows, width].
  const row = (s: number) => Array.from({ length: H_kv }, (_, h) => key.subarray((h * S + s) * d_k, (h * S + s + 1) * d_k).join()).join(';');
  const rows = Array.from({ length: S }, (_, s) => row(s));
  return rows.map((each) => rows.indexOf(each));
}

const ROTARY = [
  'def turn(x, n):  # pairs of numbers, by an angle that grows with the place',
  '    half = x.shape[-1] // 2 * 2',
  '    a, b = x[..., 0:half:2], x[..., 1:half:2]',
  '    c, s = cos[:n, None, :], sin[:n, None, :]',
  '    turned = stack((a * c - b * s, b * c + a * s), -1).reshape(*x.shape[:-1], half)',
  '    return turned if half == x.shape[-1] else stack([turned[..., i] if i < half else x[..., i] for i in range(x.shape[-1])], -1)',
  'query, key = turn(query, T), turn(key, S)',
];

/** −∞ where no head may look; which cells are masked is the same in every head. */
function maskOf(trace: Trace): string {
  const { T, S } = trace.shape;
  const masked = trace.head('masked_scores', 0);
  return `array(${extents([T, S])}, '${Array.from(masked, (x) => (x === -Infinity ? '-inf' : '0')).join(' ')}')`;
}

function keptOf(trace: Trace): string {
  const { H, T, S } = trace.shape;
  const [weights, dropped] = [trace.stage('weights'), trace.stage('dropped_weights')];
  const factor = shortest(1 / (1 - trace.settings.dropout));
  return `array(${extents([H, T, S])}, '${Array.from(dropped, (x, i) => (x === 0 && weights[i] !== 0 ? '0' : factor)).join(' ')}')`;
}

/** A row that may look at nothing has a largest score of −∞, and weights of 0. */
function softmax(temperature: number): string[] {
  const most = 'most = largest(scores)';
  const seen = "some = array((1,), '-1e38') < most";
  if (temperature === 0) return [most, seen, 'ties = (scores == most) * some * 1.0', 'weights = ties / (total(ties) + (total(ties) == 0) * 1.0)  # temperature 0: the largest takes all'];
  const divided = temperature === 1 ? 'scores - most' : `(scores - most) / ${shortest(temperature)}`;
  return [most, seen, "most[~some] = 0", `powers = exp(${divided})`, 'weights = powers / (total(powers) + (total(powers) == 0) * 1.0)  # softmax over each query’s keys'];
}

const PRINT = `for h in range(H):
    print(f'head {h + 1}')
    for t in range(T):
        print(f'{tokens[t]!r:>14}', ' '.join(f'{float(weights[h, t, s]):.6f}' for s in range(S)))`;
