// Why scores are divided by √d: dot products of many random pairs, of any length, and what softmax makes of them.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Moments, Operators } from '../../engine/operators/operators.ts';
import { choice, whole } from '../kit/controls-state.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { Experiment, type Measured, POWERS, WIDEST } from './experiment.ts';
import { type Own, scaleView } from './view.ts';

interface Knobs {
  d: number;
  pairs: '500' | '2000' | '4000';
  /** Scores in a row of softmax. */
  keys: number;
  seed: number;
}

/** Scores of more words could not be told apart as marks. */
const OWN_WORDS = 24;

export default class ScaleLab extends Lab<Knobs> {
  #experiment: Experiment | null = null;
  /** At each power of two; kept until another sample is drawn or rows become longer. */
  #powers: { of: string; measured: readonly Measured[] } | null = null;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      d: whole(64, 1, WIDEST), pairs: choice('2000', ['500', '2000', '4000']), keys: whole(16, 2, 128), seed: whole(1, 0, 2 ** 32 - 1),
    });
  }

  override free(): void {
    super.free();
    this.#experiment?.free();
    this.#experiment = null;
  }

  protected override view(): TemplateResult {
    const { operators, knobs } = this;
    const measured = operators && this.#measure(operators);
    return scaleView({ text: this.text, knobs, measured, own: operators && this.#own(operators) }, {
      type: (text) => this.type(text),
      set: (part) => this.change(part),
    });
  }

  #measure(operators: Operators): { now: Measured; powers: readonly Measured[] } {
    const { d, pairs, keys, seed } = this.knobs;
    if (this.#experiment?.pairs !== Number(pairs) || this.#experiment.seed !== seed) {
      this.#experiment?.free();
      this.#experiment = null;
      this.#experiment = new Experiment(operators, Number(pairs), seed);
    }
    const experiment = this.#experiment;
    const of = [pairs, seed, keys].join();
    if (this.#powers?.of !== of) this.#powers = { of, measured: POWERS.map((power) => experiment.measure(power, keys)) };
    return { now: this.#powers.measured.find((each) => each.d === d) ?? experiment.measure(d, keys), powers: this.#powers.measured };
  }

  /** All raw scores of the reader's sentence in one head of d numbers, with random parameters and no positions. */
  #own(operators: Operators): Own | null {
    const tokens = this.tokens(OWN_WORDS);
    if (tokens.length === 0) return null;
    const settings = { ...DEFAULTS, num_heads: 1, d_k: this.knobs.d, positions: 'none' as const, mask: 'none' as const, seed: this.knobs.seed };
    const trace = this.run('sentence', tokens, settings);
    const [scores, scaled] = [trace.stage('scores').slice(), trace.stage('scaled_scores').slice()];
    return { words: tokens.length, scores, scaled, raw: moments(operators, scores), divided: moments(operators, scaled) };
  }
}

function moments(operators: Operators, numbers: Float32Array): Moments {
  const tensor = operators.tensor([numbers.length], numbers);
  try {
    return operators.statistics.moments(tensor);
  } finally {
    tensor.free();
  }
}
