// The author's question: the reader predicts, the engine's numbers mark the answer, and then they are shown.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Selection } from '../../engine/types.ts';
import { exact } from '../../text/numbers.ts';
import { type Picture, maskedRow, weightsRow } from '../../state/result.ts';
import type { Store } from '../../state/store.ts';
import { type Task, isTask } from '../../state/views.ts';
import { headOf, keyWord, word } from '../../text/word.ts';

export interface TaskPartEvents {
  update(): void;
  answered(detail: { task: Task; answer: number; right: boolean }): void;
}

/** Choices beyond these are too many to compare. */
const MOST_OPTIONS = 60;

export class TaskPart {
  #task: Task | null = null;
  /** The words for which the question was answered; other words ask it again. */
  #answered: (Answered & { of: string }) | null = null;

  constructor(private readonly store: Store, private readonly events: TaskPartEvents) {}

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
    // Selects the cell or head in question.
    this.store.change({ selection: task === 'largest-head' ? { head: best.index } : { key: best.index } });
    this.events.update();
  }
}

/** The possible answers, with the weight of each. */
function optionsOf(task: Task, picture: Picture, { head, query, key }: { head: number; query: number; key: number }): Option[] {
  if (task === 'largest-head') {
    return Array.from({ length: picture.trace.shape.H }, (_, each) => ({ index: each, word: headOf(picture, each), value: weightsRow(picture, each, query)[key] ?? 0 }));
  }
  const [weights, masked] = [weightsRow(picture, head, query), maskedRow(picture, head, query)];
  return Array.from(weights, (value, index) => ({ index, word: keyWord(picture, index), value })).filter(({ index }) => masked[index] !== -Infinity);
}

// The question, its answers and what became of them.

interface Option {
  /** Of a key or a head, from 0. */
  index: number;
  word: unknown;
  /** The weight that it gets. */
  value: number;
}

interface Answered {
  given: Option;
  best: Option;
  right: boolean;
  /** The selection when it was asked. */
  where: Selection;
}

export interface TaskView {
  task: Task;
  picture: Picture;
  selection: Selection;
  options: readonly Option[];
  answered: Answered | null;
}

export interface TaskEvents {
  answer(option: Option): void;
  again(): void;
}

const QUESTIONS: Record<Task, (picture: Picture, selection: Selection) => TemplateResult> = {
  'largest-key': (picture, { head, query }) => msg(html`In head ${headOf(picture, head)}, which word does <b class="accent">${word(picture, query)}</b> look at most?`),
  'smallest-key': (picture, { head, query }) => msg(html`In head ${headOf(picture, head)}, which of the words that it may see does <b class="accent">${word(picture, query)}</b> look at least?`),
  'largest-head': (picture, { query, key }) => msg(html`In which head does <b class="accent">${word(picture, query)}</b> look most at <b>${keyWord(picture, key)}</b>?`),
};

function taskPanel({ task, picture, selection, options, answered }: TaskView, events: TaskEvents): TemplateResult {
  return html`
    <section class="task" aria-label=${msg('A question')} part="task">
      <p class="task-question" id="task-question">${QUESTIONS[task](picture, answered?.where ?? selection)}</p>
      ${answered ? nothing : html`
        <div class="task-options" role="group" aria-labelledby="task-question">
          ${options.map((option) => html`<button type="button" class="task-option" data-option=${option.index + 1} @click=${() => events.answer(option)}><bdi lang="">${option.word}</bdi></button>`)}
        </div>
        <p class="muted">${msg('Say what you expect; the numbers are shown then.')}</p>
      `}
      <div role="status">${answered ? verdict(task, answered) : nothing}</div>
      ${answered ? html`<button type="button" class="plain" @click=${events.again}>${msg('Hide the numbers and ask again')}</button>` : nothing}
    </section>
  `;
}

function verdict(task: Task, { given, best, right }: Answered): TemplateResult {
  const [said, truth] = [exact(given.value), exact(best.value)];
  if (task === 'largest-head') {
    return right ? html`<p data-right>${msg(html`<b>Yes.</b> Head ${given.word} gives it ${said}.`)}</p>` : html`<p data-wrong>${msg(html`<b>No.</b> Head ${given.word} gives it ${said}; head ${best.word} gives it ${truth}.`)}</p>`;
  }
  return right ? html`<p data-right>${msg(html`<b>Yes.</b> <b>${given.word}</b> gets ${said}.`)}</p>` : html`<p data-wrong>${msg(html`<b>No.</b> <b>${given.word}</b> gets ${said}; <b>${best.word}</b> gets ${truth}.`)}</p>`;
}
