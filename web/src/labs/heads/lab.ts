// The same d_model in one head or in many: what each head looks at, and how their parts become one output again.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import type { Operators } from '../../engine/operators/operators.ts';
import { choice, whole } from '../kit/controls-state.ts';
import { Lab, type LabTools, withTensors } from '../kit/lab.ts';
import { D_MODEL, HEADS, type HeadsData, type Updates, headsView } from './view.ts';

interface Knobs { heads: (typeof HEADS)[number]; row: number }

const MOST = 24;

export default class HeadsLab extends Lab<Knobs> {
  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, { heads: choice<Knobs['heads']>('4', HEADS), row: whole(8, 1, MOST) });
  }

  protected override view(): TemplateResult {
    return headsView(this.#data(), {
      type: (text) => this.type(text),
      heads: (heads) => this.change({ heads }),
      row: (row) => this.change({ row: row + 1 }),
    });
  }

  #data(): HeadsData {
    const { knobs, text, paint } = this;
    const words = this.tokens(MOST).map((token) => token.text);
    const heads = Number(knobs.heads);
    if (words.length === 0) return { text, words, heads, row: 0, trace: null, updates: null, paint };
    const row = Math.min(words.length, knobs.row) - 1;
    const trace = this.run('heads', words, { ...DEFAULTS, d_model: D_MODEL, num_heads: heads });
    return { text, words, heads, row, trace, updates: this.operators && this.#updates(this.operators, trace, row), paint };
  }

  /** What each head adds to the row: its part of concat times its rows of W_O; their sum; and the output beside it. */
  #updates(operators: Operators, trace: Trace, row: number): Updates {
    const { D, H, d_v } = trace.shape;
    const concat = trace.stage('concat').slice(row * H * d_v, (row + 1) * H * d_v);
    const output = trace.stage('output').slice(row * D, (row + 1) * D);
    const out_proj = trace.parameter('W_O');
    return withTensors(operators, (tensor) => {
      const all = new Float32Array(H * D);
      for (let head = 0; head < H; head += 1) {
        const y = tensor([1, D]);
        const weight = tensor([d_v, D], out_proj.slice(head * d_v * D, (head + 1) * d_v * D));
        operators.linear(tensor([1, d_v], concat.slice(head * d_v, (head + 1) * d_v)), { weight }, y);
        all.set(y.read(), head * D);
      }
      // A row of ones adds the heads up.
      const sum = tensor([1, D]);
      operators.linear(tensor([1, H], new Float32Array(H).fill(1)), { weight: tensor([H, D], all) }, sum);
      const added = sum.read();
      const apart = this.engine.subtract(added, output).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const norm = (x: Float32Array) => this.engine.compare(x, x)?.norm_a ?? NaN;
      return { concat, out_proj, each: all, sum: added, output, apart, norms: Array.from({ length: H }, (_, head) => norm(all.slice(head * D, (head + 1) * D))) };
    });
  }
}
