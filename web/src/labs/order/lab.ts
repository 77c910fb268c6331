// Order: the words are shuffled, and every word's weights and output are compared with its own from before.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import type { Operators } from '../../engine/operators/operators.ts';
import { choice, whole } from '../../link/lab-settings.ts';
import { Lab, type LabTools, withTensors } from '../kit/lab.ts';
import { type Combination, MASKS, type OrderData, POSITIONS, orderView } from './view.ts';

interface Knobs {
  /** 0: reversed; others shuffle by the engine's own random numbers. */
  seed: number;
  mask: (typeof MASKS)[number];
  positions: (typeof POSITIONS)[number];
}

const MOST = 24;

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
    const base = { text, words, mask, positions, paint };
    if (words.length === 0 || !operators) return { ...base, shuffled: null };
    const order = seed === 0 ? words.map((_, i) => words.length - 1 - i) : permutation(operators, words.length, seed);
    const combinations = MASKS.flatMap((each) => POSITIONS.map((where): Combination => ({ mask: each, positions: where, moved: this.#moved(words, order, each, where) })));
    const now = this.run('now', words, { ...DEFAULTS, mask, positions });
    const later = this.run('later', order.map((i) => words[i] ?? ''), { ...DEFAULTS, mask, positions });
    return { ...base, shuffled: { order, combinations, now, changed: this.#changed(now, later, order) } };
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
    return this.engine.compare(difference, difference)?.norm_a ?? NaN;
  }

  /** Head 1's weights of the shuffled words, put back into the order before, minus those from before; a masked weight is 0. */
  #changed(now: Trace, later: Trace, order: readonly number[]): (number | null)[] {
    const { S } = now.shape;
    const place = order.map((_, word) => order.indexOf(word));
    const back = Array.from({ length: S * S }, (_, cell) => (place[Math.floor(cell / S)] ?? 0) * S + (place[cell % S] ?? 0));
    const [weights, scores] = [later.head('weights', 0), later.head('masked_scores', 0)];
    const before = now.head('masked_scores', 0).slice();
    const difference = this.engine.subtract(Float32Array.from(back, (cell) => weights[cell] ?? NaN), now.head('weights', 0).slice());
    return [...difference].map((by, cell) => (before[cell] === -Infinity && scores[back[cell] ?? 0] === -Infinity ? null : by));
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
