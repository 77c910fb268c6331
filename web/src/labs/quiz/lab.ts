// Predict, then see: the reader answers, and then the engine is asked, on the reader's own sentence.
import { msg } from '@lit/localize';
import type { TemplateResult } from 'lit';
import { engineKey } from '../../engine/tokens.ts';
import { parseNumber } from '../../lib/parse.ts';
import { whole } from '../../link/lab-settings.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { draw } from './draw.ts';
import type { Asked } from './kinds.ts';
import { type QuizData, quizView } from './view.ts';

interface Knobs {
  seed: number;
  /** The question, from 1. */
  q: number;
}

/** "1,024" and "−3" as they are printed here, too. */
const plain = (text: string): string => text.trim().replace('−', '-').replace(/(?<=\d)[,\s](?=\d{3}(\D|$))/g, '');

export default class QuizLab extends Lab<Knobs> {
  /** Of which question the answer is; a changed sentence asks again. */
  #of = '';
  #answer = '';
  #checked = false;
  #problem = '';
  /** Questions of this seed that were answered; the first answer counts. */
  #answered = new Map<number, boolean>();
  #seed = NaN;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, { seed: whole(1, 1, 999_999), q: whole(1, 1, 9999) });
  }

  protected override view(): TemplateResult {
    return quizView(this.#data(), {
      type: (text) => this.type(text),
      answer: (answer) => {
        this.#answer = answer;
        this.#problem = '';
        this.show();
      },
      check: () => this.#check(),
      next: () => {
        this.change({ q: this.knobs.q + 1 });
        this.#focus('.lab-question');
      },
      again: () => this.change({ seed: (this.knobs.seed % 999_999) + 1, q: 1 }),
    });
  }

  get #words(): string[] {
    return this.tokens().map(engineKey);
  }

  get #asked(): Asked {
    return { engine: this.engine, run: (name, tokens, settings, more) => this.run(name, tokens, settings, more) };
  }

  #data(): QuizData {
    const { seed, q } = this.knobs;
    const words = this.#words;
    const base = { text: this.text, words, q, paint: this.paint, answer: '', marking: null, problem: '', score: this.#score(seed), shown: null };
    if (words.length === 0) return { ...base, posed: null };
    const of = JSON.stringify([seed, q, words]);
    if (of !== this.#of) {
      this.#of = of;
      this.#answer = '';
      this.#checked = false;
      this.#problem = '';
    }
    const posed = draw(seed, q, words);
    const { kind } = posed;
    // Marked again each time: its words are in the language of the moment.
    const marking = this.#checked ? kind.mark(posed.draw, this.#asked) : null;
    const shown = marking ? kind.reveal(posed.draw, this.#asked) : (kind.shown?.(posed.draw, this.#asked) ?? null);
    return { ...base, posed, answer: this.#answer, marking, problem: this.#problem, shown };
  }

  #score(seed: number): QuizData['score'] {
    if (seed !== this.#seed) {
      this.#seed = seed;
      this.#answered.clear();
    }
    return { right: [...this.#answered.values()].filter(Boolean).length, answered: this.#answered.size };
  }

  #check(): void {
    const { seed, q } = this.knobs;
    const { kind, draw: drawn } = draw(seed, q, this.#words);
    const answer = kind.options ? this.#answer : plain(this.#answer);
    if (kind.options ? answer === '' : parseNumber(answer) === null) {
      this.#problem = kind.options ? msg('Choose an answer first.') : msg('Type a number first.');
      return this.show();
    }
    this.#checked = true;
    if (!this.#answered.has(q)) this.#answered.set(q, kind.mark(drawn, this.#asked).isRight(answer));
    this.#answer = answer;
    this.show();
    this.#focus('.lab-quiz-go');
  }

  /** Answers are closed after the check: by keys one goes on from the button, and then from the new question. */
  #focus(selector: string): void {
    this.host.querySelector<HTMLElement>(selector)?.focus();
  }
}
