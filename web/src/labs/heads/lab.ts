// Why several heads: those that were designed by hand, each on the reader's own sentence, and what became of two that were trained.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import type { Operators } from '../../engine/operators/operators.ts';
import { engineKey } from '../../engine/tokens.ts';
import { language } from '../../lib/language.ts';
import { DESIGNED_SETTINGS, type Design, design } from '../../parameters/designed/design.ts';
import type { HeadId } from '../../parameters/designed/heads.ts';
import { type Lexicon, loadLexicon, openingLexicon } from '../../parameters/designed/lexicon.ts';
import { whole } from '../../link/lab-settings.ts';
import { Lab, type LabTools, withTensors } from '../kit/lab.ts';
import { COUNTS, type DesignedHead, type HeadsData, headsView } from './view.ts';

interface Knobs { heads: number; row: number }

const MOST = 24;
/** What says most about a sentence comes first. */
const ORDER: readonly HeadId[] = ['antecedent', 'subject', 'bearer', 'previous', 'describers', 'preposition', 'same', 'idle'];

export default class HeadsLab extends Lab<Knobs> {
  /** The list of words, once a word has asked for it. */
  #list: Lexicon | null = null;
  #isLoading = false;
  #problem = '';
  #isTraining = false;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, { heads: whole(8, 1, 8), row: whole(8, 1, MOST) });
  }

  protected override get isBusy(): boolean {
    return super.isBusy || this.#isLoading;
  }

  protected override view(): TemplateResult {
    return headsView(this.#data(), {
      type: (text) => {
        // The list of words may be there by now.
        this.#problem = '';
        this.type(text);
      },
      heads: (heads) => this.change({ heads }),
      row: (row) => this.change({ row: row + 1 }),
      train: (open) => {
        if (open === this.#isTraining) return;
        this.#isTraining = open;
        this.show();
      },
    });
  }

  #data(): HeadsData {
    const { knobs, text, paint } = this;
    const tokens = this.tokens(MOST);
    const words = tokens.map((token) => token.text);
    const wanted = COUNTS.find((each) => each >= knobs.heads) ?? 8;
    const row = Math.max(0, Math.min(words.length, knobs.row) - 1);
    const data = { text, words, wanted, row, heads: [], unknown: [], apart: null, problem: this.#problem, isTraining: this.#isTraining, paint };
    const lexicon = this.#lexicon(words);
    if (words.length === 0 || !lexicon) return data;
    const keys = tokens.map(engineKey);
    const { content, W_Q, W_K, W_V, W_O, heads, known } = design(keys, lexicon);
    const trace = this.run('designed', keys, { ...DEFAULTS, ...DESIGNED_SETTINGS }, { given: { content, W_Q, W_K, W_V, W_O } });
    const shown = ORDER.slice(0, wanted).map((id) => headOf(trace, heads, id));
    return { ...data, heads: shown, unknown: words.filter((_, i) => !known[i]), apart: this.operators && this.#apart(this.operators, trace, W_O, row) };
  }

  /** The words of the opening sentence are at hand; null while the list of all others is on its way. */
  #lexicon(words: readonly string[]): Lexicon | null {
    const lexicon = openingLexicon(language(), this.#list);
    if (this.#list || words.every((word) => lexicon.look(word).known)) return lexicon;
    if (!this.#isLoading && this.#problem === '') void this.#load();
    return this.#problem === '' ? null : lexicon;
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    try {
      this.#list = await loadLexicon();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#isLoading = false;
    this.show();
  }

  /** Each head's part of concat times its rows of W_O, added up: how far from the row's output. */
  #apart(operators: Operators, trace: Trace, W_O: Float32Array, row: number): number {
    const { D, H, d_v } = trace.shape;
    const concat = trace.stage('concat').slice(row * H * d_v, (row + 1) * H * d_v);
    const output = trace.stage('output').slice(row * D, (row + 1) * D);
    return withTensors(operators, (tensor) => {
      const updates = new Float32Array(H * D);
      for (let head = 0; head < H; head += 1) {
        const update = tensor([1, D]);
        operators.linear(tensor([1, d_v], concat.slice(head * d_v, (head + 1) * d_v)), { weight: tensor([d_v, D], W_O.slice(head * d_v * D, (head + 1) * d_v * D)) }, update);
        updates.set(update.read(), head * D);
      }
      // A row of ones adds them up.
      const sum = tensor([1, D]);
      operators.linear(tensor([1, H], new Float32Array(H).fill(1)), { weight: tensor([H, D], updates) }, sum);
      return this.engine.subtract(sum.read(), output).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    });
  }
}

function headOf(trace: Trace, heads: Design['heads'], id: HeadId): DesignedHead {
  const at = heads.findIndex((head) => head.id === id);
  const { name = '', about = '', measured = null } = heads[at] ?? {};
  return { name, about, accuracy: measured?.accuracy ?? null, weights: trace.head('weights', at).slice() };
}
