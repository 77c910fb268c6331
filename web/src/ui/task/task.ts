// A question that the author asks: the reader predicts, the engine's own numbers mark, and only then are they shown.
import { type TemplateResult, nothing } from 'lit';
import { type Picture, maskedRow, weightsRow } from '../../state/result.ts';
import type { Store } from '../../state/store.ts';
import { type Task, isTask } from '../../state/views.ts';
import { keyWord } from '../../text/word.ts';
import { type Answered, type Option, taskPanel } from './template.ts';

export interface TaskEvents {
  update(): void;
  answered(detail: { task: Task; answer: number; right: boolean }): void;
}

/** Choices beyond these are too many to compare. */
const MOST_OPTIONS = 60;

export class TaskPart {
  #task: Task | null = null;
  /** Of which words the question has been answered: others ask it anew. */
  #answered: (Answered & { of: string }) | null = null;

  constructor(private readonly store: Store, private readonly events: TaskEvents) {}

  /** Takes up the attribute; whether the numbers are still kept back. */
  set task(raw: unknown) {
    const task = isTask(raw) ? raw : null;
    if (task !== this.#task) this.#answered = null;
    this.#task = task;
  }

  get isOpen(): boolean {
    return this.#task !== null && this.#now === null;
  }

  get #now(): Answered | null {
    const { text } = this.store.state;
    return this.#answered?.of === text ? this.#answered : null;
  }

  render(): TemplateResult | typeof nothing {
    const { picture, selection } = this.store;
    const task = this.#task;
    if (!task || !picture || selection.query < 0) return nothing;
    const options = optionsOf(task, picture, selection).slice(0, MOST_OPTIONS);
    return taskPanel({ task, picture, selection, options, answered: this.#now }, {
      answer: (option) => this.#answer(task, options, option),
      again: () => {
        this.#answered = null;
        this.events.update();
      },
    });
  }

  #answer(task: Task, options: readonly Option[], given: Option): void {
    const sought = (task === 'smallest-key' ? Math.min : Math.max)(...options.map(({ value }) => value));
    const right = given.value === sought;
    const best = options.find(({ value }) => value === sought) ?? given;
    this.#answered = { of: this.store.state.text, given, best, right, where: { ...this.store.selection } };
    this.events.answered({ task, answer: given.index + 1, right });
    // What was asked for is looked at now.
    this.store.select(task === 'largest-head' ? { head: best.index } : { key: best.index });
    this.events.update();
  }
}

/** What may be answered, with the weight that each stands for. */
function optionsOf(task: Task, picture: Picture, { head, query, key }: { head: number; query: number; key: number }): Option[] {
  if (task === 'largest-head') {
    return Array.from({ length: picture.trace.shape.H }, (_, each) => ({ index: each, word: String(each + 1), value: weightsRow(picture, each, query)[key] ?? 0 }));
  }
  const [weights, masked] = [weightsRow(picture, head, query), maskedRow(picture, head, query)];
  return Array.from(weights, (value, index) => ({ index, word: keyWord(picture, index), value })).filter(({ index }) => masked[index] !== -Infinity);
}
