// What leaks without the mask: one later word is changed, and each row shows how far its output has moved.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import { choice, whole, words } from '../../link/lab-settings.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { type Hiding, type MaskData, hidings, maskView } from './view.ts';

interface Knobs {
  /** The word that is changed, from 1; beyond the last it is the last. */
  word: number;
  by: string;
  /** The row whose later scores are hidden in three ways, from 1. */
  row: number;
  head: number;
  shown: 'causal' | 'none';
}

const HEADS = DEFAULTS.num_heads;

export default class MaskLab extends Lab<Knobs> {
  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      word: whole(99, 1, 99), by: words('wide', 40), row: whole(8, 1, 99), head: whole(1, 1, HEADS), shown: choice('causal', ['causal', 'none']),
    });
  }

  protected override view(): TemplateResult {
    return maskView(this.#data(), {
      type: (text) => this.type(text),
      word: (word) => this.change({ word: word + 1 }),
      by: (by) => this.change({ by }),
      row: (row) => this.change({ row: row + 1 }),
      head: (head) => this.change({ head: head + 1 }),
      shown: (shown) => this.change({ shown }),
    });
  }

  #data(): MaskData {
    const { knobs } = this;
    const tokens = this.tokens();
    const T = tokens.length;
    const base = { text: this.text, by: knobs.by, heads: HEADS, head: knobs.head - 1, shown: knobs.shown, paint: this.paint };
    if (T === 0) return { ...base, words: [], word: 0, row: 0, moved: null, now: null, hiding: null };
    const own = tokens.map(({ text }) => text);
    const word = Math.min(T, knobs.word) - 1;
    const other = own.with(word, knobs.by.trim() || '?');
    const moved = { causal: this.#moved('causal', own, other), none: this.#moved('none', own, other) };
    const now = this.run(`${knobs.shown} now`, own, { ...DEFAULTS, mask: knobs.shown });
    const row = Math.min(T, knobs.row) - 1;
    return { ...base, words: own, word, row, moved, now, hiding: this.#hiding(this.run('hidden', own, { ...DEFAULTS, mask: 'causal' }), row) };
  }

  /** ‖output of the other sentence − output‖, row by row. */
  #moved(mask: 'causal' | 'none', own: readonly string[], other: readonly string[]): number[] {
    const settings = { ...DEFAULTS, mask };
    const [a, b] = [this.run(`${mask} now`, own, settings), this.run(`${mask} other`, other, settings)];
    const D = a.shape.D;
    const difference = this.engine.subtract(b.stage('output'), a.stage('output'));
    return own.map((_, t) => {
      const row = difference.subarray(t * D, (t + 1) * D);
      return this.engine.compare(row, row)?.norm_a ?? NaN;
    });
  }

  /** The row's weights when what comes later is hidden by −∞, by 0 and by adding −10⁹; and the same of a row that may see nothing. */
  #hiding(trace: Trace, row: number): Hiding[] | null {
    const { operators } = this;
    if (!operators) return null;
    const { S, T } = trace.shape;
    const start = ((this.knobs.head - 1) * T + row) * S;
    const rows = hidings(trace.stage('scaled_scores').slice(start, start + S), row);
    const scores = operators.tensor([rows.length, S], Float32Array.from(rows.flatMap(({ scores: each }) => [...each])));
    const weights = operators.tensor([rows.length, S]);
    try {
      operators.softmax(scores, weights);
      const numbers = weights.read();
      return rows.map((each, i) => ({ ...each, weights: numbers.slice(i * S, (i + 1) * S) }));
    } finally {
      scores.free();
      weights.free();
    }
  }
}
