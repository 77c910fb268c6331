// The figure that answers a question, of the engine's numbers: whole matrices, or a few rows under each other.
import { msg, str } from '@lit/localize';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Settings, Trace } from '../../engine/engine.ts';
import { type Asked, type Draw, type Shown, rowOf } from './kinds.ts';

const run = 'reveal';

/** All weights of one head; masked cells are hatched. */
export function whole(trace: Trace, head: number, lit: Shown['lit'] = {}): Shown {
  const { S } = trace.shape;
  const [weights, masked] = [trace.head('weights', head).slice(), trace.head('masked_scores', head).slice()];
  return {
    title: msg(str`Weights of head ${head + 1}`), rows: trace.tokens, columns: trace.keyTokens, kind: 'weights', lit,
    value: (row, key) => (masked[row * S + key] === -Infinity ? null : (weights[row * S + key] ?? NaN)),
  };
}

/** One row's weights under each setting; null where masked. */
export interface Line { name: string; weights: readonly (number | null)[] }

export function line(name: string, trace: Trace, at: Pick<Draw, 'head' | 'row'>): Line {
  const masked = rowOf(trace, 'masked_scores', at);
  return { name, weights: [...rowOf(trace, 'weights', at)].map((weight, key) => (masked[key] === -Infinity ? null : weight)) };
}

export const lines = (columns: readonly string[], all: readonly Line[], lit: Shown['lit'] = {}): Shown => ({
  title: msg('Weights of this row'), rows: all.map(({ name }) => name), columns, kind: 'weights', lit, value: (row, key) => all[row]?.weights[key] ?? null,
});

/** The drawn row as it is, and under other settings. */
export function beforeAndAfter({ words, head, row }: Draw, { run: ask }: Asked, [before, now]: readonly [string, Settings], [after, then]: readonly [string, Settings]): Shown {
  const first = line(before, ask(run, words, now), { head, row });
  return lines(words, [first, line(after, ask(run, words, then), { head, row })]);
}

/** The drawn row alone. */
export const thisRow = (draw: Draw, { run: ask }: Asked, row = draw.row, lit: Shown['lit'] = {}): Shown =>
  lines(draw.words, [line(draw.words[row] ?? '', ask(run, draw.words, DEFAULTS), { head: draw.head, row })], lit);

/** The first word's query, a line for each head. */
export function queryByHeads({ words }: Draw, { run: ask }: Asked, sizes: Pick<Settings, 'd_model' | 'num_heads'>): Shown {
  const trace = ask(run, words.slice(0, 1), { ...DEFAULTS, ...sizes });
  const { H, d_k } = trace.shape;
  const query = trace.stage('query').slice();
  return {
    title: msg(str`The query of “${words[0] ?? ''}”, head by head`), rows: heads(H), columns: Array.from({ length: d_k }, (_, i) => String(i + 1)), kind: 'signed',
    axes: { down: msg('head'), across: msg('number') }, value: (head, i) => query[head * d_k + i] ?? NaN,
  };
}

const heads = (count: number): string[] => Array.from({ length: count }, (_, head) => msg(str`head ${head + 1}`));

/** W_Q as blocks of d_k × d_k numbers. */
export function blocks({ words }: Draw, { run: ask }: Asked, sizes: Pick<Settings, 'd_model' | 'num_heads'>): Shown {
  const { H, d_k } = ask(run, words.slice(0, 1), { ...DEFAULTS, ...sizes }).shape;
  return {
    title: msg(str`W_Q in blocks of ${d_k} × ${d_k} numbers`), rows: Array.from({ length: H }, (_, i) => `${i * d_k + 1}–${(i + 1) * d_k}`), columns: heads(H), kind: 'signed',
    axes: { down: msg('number of the word'), across: msg('head') }, value: () => d_k ** 2, words: String,
  };
}
