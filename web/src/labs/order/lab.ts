// Order: the words are shuffled, and every word's output is compared with its own from before.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import type { Operators } from '../../engine/operators/operators.ts';
import { choice, whole } from '../kit/controls-state.ts';
import { Lab, type LabTools, withTensors } from '../kit/lab.ts';
import { type Combination, type Layers, MASKS, type OrderData, POSITIONS, type Stream, orderView } from './view.ts';

interface Knobs {
  /** 0: reversed; others shuffle by the engine's own random numbers. */
  seed: number;
  mask: (typeof MASKS)[number];
  positions: (typeof POSITIONS)[number];
}

const MOST = 24;
/** Width of the little feed-forward network that attention is compared with. */
const HIDDEN = 32;

export default class OrderLab extends Lab<Knobs> {
  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, { seed: whole(1, 0, 9999), mask: choice('none', MASKS), positions: choice('none', POSITIONS) });
  }

  protected override view(): TemplateResult {
    return orderView(this.#data(), {
      type: (text) => this.type(text),
      set: (part) => this.change(part),
      again: () => this.change({ seed: (this.knobs.seed % 9999) + 1 }),
      reverse: () => this.change({ seed: 0 }),
    });
  }

  #data(): OrderData {
    const { text, paint, knobs: { seed, mask, positions }, operators } = this;
    const words = this.tokens(MOST).map((token) => token.text);
    const base = { text, words, mask, positions, paint, reversed: seed === 0 };
    if (words.length === 0 || !operators) return { ...base, shuffled: null };
    const order = seed === 0 ? words.map((_, i) => words.length - 1 - i) : permutation(operators, words.length, seed);
    const combinations = MASKS.flatMap((each) => POSITIONS.map((where): Combination => ({ mask: each, positions: where, moved: this.#moved(words, order, each, where) })));
    const now = this.run('now', words, { ...DEFAULTS, mask, positions });
    const later = this.run('later', order.map((i) => words[i] ?? ''), { ...DEFAULTS, mask, positions });
    return { ...base, shuffled: { order, combinations, now, later, layers: this.#layers(operators, words), stream: this.#stream(now) } };
  }

  /** How far each word's output moves when the words stand in another order: ‖before − after‖, word by word. */
  #moved(words: readonly string[], order: readonly number[], mask: Knobs['mask'], positions: Knobs['positions']): number[] {
    const settings = { ...DEFAULTS, mask, positions };
    const before = this.run('before', words, settings);
    const after = this.run('after', order.map((i) => words[i] ?? ''), settings);
    return words.map((_, word) => this.#apart(before, word, after, order.indexOf(word)));
  }

  #apart(a: Trace, row: number, b: Trace, other: number): number {
    const { D } = a.shape;
    const difference = this.engine.subtract(b.stage('output').slice(other * D, (other + 1) * D), a.stage('output').slice(row * D, (row + 1) * D));
    return this.#norm(difference);
  }

  #norm(x: Float32Array): number {
    return this.engine.compare(x, x)?.norm_a ?? NaN;
  }

  /** A feed-forward network with random weights, and attention: the sentence, and the sentence without its last word. */
  #layers(operators: Operators, words: readonly string[]): Layers {
    const settings = { ...DEFAULTS, mask: 'none', positions: 'none' } as const;
    const [whole, less] = [this.run('before', words, settings), this.run('after', words.length > 1 ? words.slice(0, -1) : words, settings)];
    const { D } = whole.shape;
    return withTensors(operators, (tensor) => {
      const normal = (rows: number, columns: number, stream: number) => {
        const weight = tensor([rows, columns]);
        operators.statistics.normals(weight, { seed: DEFAULTS.seed, stream });
        // N(0, 1/rows), as the layer's own matrices.
        return tensor([rows, columns], weight.read().map((x) => x / Math.sqrt(rows)));
      };
      const [up, down] = [normal(D, HIDDEN, 101), normal(HIDDEN, D, 102)];
      const forward = ({ shape: { T }, ...trace }: Trace) => {
        const [x, hidden, bent, y] = [tensor([T, D], trace.stage('content')), tensor([T, HIDDEN]), tensor([T, HIDDEN]), tensor([T, D])];
        operators.linear(x, { weight: up }, hidden);
        operators.gelu(hidden, bent);
        operators.linear(bent, { weight: down }, y);
        return y.read();
      };
      const [before, after] = [forward(whole), forward(less)];
      const moved = (a: Float32Array, b: Float32Array, word: number) => this.#norm(this.engine.subtract(b.slice(word * D, (word + 1) * D), a.slice(word * D, (word + 1) * D)));
      return { hidden: HIDDEN, words: words.slice(0, less.shape.T).map((_, word) => ({ network: moved(before, after, word), attention: this.#apart(whole, word, less, word) })) };
    });
  }

  /** What attention adds to each word's row, beside what was there. */
  #stream(now: Trace): Stream[] {
    const { D } = now.shape;
    const [x, added, sum] = [now.stage('embeddings'), now.stage('output'), now.stage('residual')];
    const row = (numbers: Float32Array, t: number) => numbers.slice(t * D, (t + 1) * D);
    return Array.from({ length: now.shape.T }, (_, t) => {
      const { norm_a = NaN, norm_b = NaN, cosine = NaN } = this.engine.compare(row(x, t), row(added, t)) ?? {};
      return { before: norm_a, added: norm_b, cosine, after: this.#norm(row(sum, t)) };
    });
  }
}

/** Words in the order of as many random numbers; never the order in which they stand already, if there is another. */
function permutation(operators: Operators, count: number, seed: number): number[] {
  return withTensors(operators, (tensor) => {
    const keys = tensor([1, count]);
    operators.statistics.normals(keys, { seed, stream: 100 });
    const numbers = keys.read();
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b);
    return count > 1 && order.every((from, to) => from === to) ? [...order.slice(1), 0] : order;
  });
}
