// The question, its answers and what became of them.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Selection } from '../../engine/types.ts';
import { exact } from '../../lib/format.ts';
import type { Picture } from '../../state/result.ts';
import type { Task } from '../../state/views.ts';
import { keyWord, word } from '../../text/word.ts';

export interface Option {
  /** Of a key or a head, from 0. */
  index: number;
  word: unknown;
  /** The weight that it gets. */
  value: number;
}

export interface Answered {
  given: Option;
  best: Option;
  right: boolean;
  /** What was looked at when it was asked. */
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
  'largest-key': (picture, { head, query }) => msg(html`In head ${head + 1}, which word does <b class="accent">${word(picture, query)}</b> look at most?`),
  'smallest-key': (picture, { head, query }) => msg(html`In head ${head + 1}, which of the words that it may see does <b class="accent">${word(picture, query)}</b> look at least?`),
  'largest-head': (picture, { query, key }) => msg(html`In which head does <b class="accent">${word(picture, query)}</b> look most at <b>${keyWord(picture, key)}</b>?`),
};

export function taskPanel({ task, picture, selection, options, answered }: TaskView, events: TaskEvents): TemplateResult {
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
