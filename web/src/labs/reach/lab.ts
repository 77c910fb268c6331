// How far a word's information goes, and what that costs.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import { engineKey, tokenize } from '../../engine/tokens.ts';
import { choice, whole, words } from '../../link/lab-settings.ts';
import { Lab, type LabTools, MOST_WORDS } from '../kit/lab.ts';
import { FOLDED, type Knobs, type ReachData, SHOWN, type Shown } from './data.ts';
import { reachView } from './view.ts';

/** Words that three matrices side by side have room for. */
const MOST_IN_MASKS = 24;
const MOST_REPEATED = 128;

export default class ReachLab extends Lab<Knobs> {
  #isUnfolded = false;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      show: choice('all', ['all', ...SHOWN]),
      from: whole(1, 1, MOST_WORDS), to: whole(MOST_WORDS, 1, MOST_WORDS), kernel: whole(3, 2, 9),
      d: whole(6, 3, 14), window: whole(2, 1, 13), layers: whole(12, 1, 96),
      n: whole(0, 0, 131072), width: whole(6, 3, 14), delta: whole(6, 3, 14),
      context: whole(8, 1, 64), repeat: whole(2, 1, 8), read: whole(MOST_REPEATED, 1, MOST_REPEATED),
      second: words('el animal no cruzó la calle', 300),
    });
  }

  protected override view(): TemplateResult {
    return reachView(this.#data(), { type: (text) => this.type(text), set: (part) => this.change(part), unfold: (isOpen) => this.#unfold(isOpen) });
  }

  #unfold(isOpen: boolean): void {
    if (isOpen === this.#isUnfolded) return;
    this.#isUnfolded = isOpen;
    this.show();
  }

  #data(): ReachData {
    const { knobs, text, paint } = this;
    const tokens = this.tokens().map(engineKey);
    const data: ReachData = { knobs, text, paint, words: tokens, isUnfolded: this.#isUnfolded, parameters: 4 * DEFAULTS.d_model ** 2, width: DEFAULTS.d_model };
    if (tokens.length === 0) return data;
    const isShown = (name: Shown) => knobs.show === name || (knobs.show === 'all' && (this.#isUnfolded || !FOLDED.includes(name)));
    if (isShown('paths')) data.direct = this.#direct(tokens);
    if (isShown('context')) data.context = this.#context(tokens);
    if (isShown('masks')) data.masks = this.#masks(tokens.slice(0, MOST_IN_MASKS));
    if (isShown('next')) data.next = this.#next(tokens);
    return data;
  }

  /** What the later word takes from the earlier one, in head 1. */
  #direct(tokens: readonly string[]): number {
    const { from, to } = this.knobs;
    const [early, late] = [Math.min(from, to, tokens.length) - 1, Math.min(tokens.length, Math.max(from, to)) - 1];
    return this.run('direct', tokens, DEFAULTS).stage('weights')[late * tokens.length + early] ?? NaN;
  }

  /** The words read so far, of which the last `context` are seen; and the last row's weights on these. */
  #context(tokens: readonly string[]): NonNullable<ReachData['context']> {
    const { context, repeat } = this.knobs;
    const all = Array.from({ length: Math.min(MOST_REPEATED, tokens.length * repeat) }, (_, i) => tokens[i % tokens.length] ?? '');
    const read = Math.min(this.knobs.read, all.length);
    const first = Math.max(0, read - context);
    const trace = this.run('context', all.slice(first, read), DEFAULTS);
    const { T, S } = trace.shape;
    return { all, first, read, weights: trace.head('weights', 0).slice((T - 1) * S) };
  }

  #masks(tokens: readonly string[]): NonNullable<ReachData['masks']> {
    const second = tokenize(this.knobs.second).slice(0, MOST_IN_MASKS).map(engineKey);
    return {
      encoder: this.run('encoder', tokens, { ...DEFAULTS, mask: 'none' }),
      decoder: this.run('decoder', tokens, { ...DEFAULTS, mask: 'causal' }),
      cross: second.length > 0 ? this.run('cross', tokens, { ...DEFAULTS, mask: 'none' }, { keyTokens: second }) : null,
    };
  }

  /** How far each row of one run is from the last row of a run on its own beginning alone. */
  #next(tokens: readonly string[]): NonNullable<ReachData['next']> {
    const whole = this.run('whole', tokens, DEFAULTS);
    const lastOf = ({ stage, shape: { T, D } }: Trace, row = T - 1) => stage('output').slice(row * D, (row + 1) * D);
    const apart = tokens.map((_, row) => {
      const difference = this.engine.subtract(lastOf(whole, row), lastOf(this.run('beginning', tokens.slice(0, row + 1), DEFAULTS)));
      return this.engine.compare(difference, difference).norm_a;
    });
    const { T, S } = whole.shape;
    return { apart, last: whole.head('weights', 0).slice((T - 1) * S) };
  }
}
