// Why scores are divided by √d: one row of the reader's sentence, in one head of any length, with the division and without.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Operators } from '../../engine/operators/operators.ts';
import { choice, flag, whole } from '../../link/lab-settings.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { Experiment, type Measured, WIDEST } from './experiment.ts';
import { type Row, type ScaleKnobs, type Side, scaleView } from './view.ts';

/** A row of more words would be higher than a screen. */
const MOST = 24;

export default class ScaleLab extends Lab<ScaleKnobs> {
  #experiment: Experiment | null = null;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      d: whole(64, 1, WIDEST), divide: flag(true), row: whole(8, 1, MOST),
      pairs: choice('2000', ['500', '2000', '4000']), keys: whole(16, 2, 128), seed: whole(1, 0, 2 ** 32 - 1),
    });
  }

  override free(): void {
    super.free();
    this.#experiment?.free();
    this.#experiment = null;
  }

  protected override view(): TemplateResult {
    const { operators, knobs, text } = this;
    return scaleView({ text, knobs, own: this.#own(), measured: operators && this.#measure(operators) }, {
      type: (typed) => this.type(typed),
      set: (part) => this.change(part),
    });
  }

  /** One query's scores and weights in one head of d numbers, with random parameters and no positions: every word is a key. */
  #own(): Row | null {
    const tokens = this.tokens(MOST);
    if (tokens.length === 0) return null;
    const query = Math.min(tokens.length, this.knobs.row) - 1;
    const side = (scale: 'none' | 'sqrt-dk'): Side => {
      const trace = this.run(scale, tokens, { ...DEFAULTS, num_heads: 1, d_k: this.knobs.d, positions: 'none', mask: 'none', scale, seed: this.knobs.seed });
      const part = (stage: 'scaled_scores' | 'weights') => trace.stage(stage).slice(query * tokens.length, (query + 1) * tokens.length);
      return { scores: part('scaled_scores'), weights: part('weights') };
    };
    return { words: tokens.map(({ text }) => text), query, raw: side('none'), divided: side('sqrt-dk') };
  }

  #measure(operators: Operators): Measured {
    const { d, pairs, keys, seed } = this.knobs;
    if (this.#experiment?.pairs !== Number(pairs) || this.#experiment.seed !== seed) {
      this.#experiment?.free();
      this.#experiment = null;
      this.#experiment = new Experiment(operators, Number(pairs), seed);
    }
    return this.#experiment.measure(d, keys);
  }
}
