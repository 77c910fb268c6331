// What attention costs: by formula for any model and any number of tokens, and measured in this browser.
import type { TemplateResult } from 'lit';
import { choice, whole } from '../../link/lab-settings.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { MODELS } from './formulas.ts';
import { type CostKnobs, type Timing, measure } from './measure.ts';
import { costView } from './view.ts';

export const MOST_TOKENS = 131_072;
const START = MODELS['gpt-2'];

export default class CostLab extends Lab<CostKnobs> {
  #timings: readonly Timing[] = [];
  #running: AbortController | null = null;
  /** Why measuring ended early. */
  #refused = '';

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      n: whole(0, 0, MOST_TOKENS), d_model: whole(START.d_model, 1, 65_536), heads: whole(START.heads, 1, 512), d_k: whole(START.d_k, 1, 4096),
      blocks: whole(START.blocks, 1, 1024), bytes: choice('4', ['2', '4']),
    });
  }

  override free(): void {
    this.#running?.abort();
    super.free();
  }

  protected override view(): TemplateResult {
    // Words beyond those that other labs read are counted, too.
    const words = this.tokens(MOST_TOKENS).length;
    return costView({ text: this.text, knobs: this.knobs, words, timings: this.#timings, running: this.#running !== null, ready: this.operators !== null, refused: this.#refused }, {
      type: (text) => this.type(text),
      set: (part) => this.change(part),
      measure: () => void this.#measure(),
      stop: () => this.#running?.abort(),
    });
  }

  async #measure(): Promise<void> {
    const { operators } = this;
    if (!operators || this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#timings = [];
    this.#refused = '';
    this.show();
    try {
      for await (const timing of measure(operators, running.signal)) {
        this.#timings = [...this.#timings, timing];
        this.show();
      }
    } catch (error) {
      // Large sizes may find no memory on a small machine.
      this.#refused = error instanceof Error ? error.message : String(error);
    } finally {
      this.#running = null;
      this.show();
    }
  }
}
