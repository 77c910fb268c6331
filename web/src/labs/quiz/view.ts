// One question as it is seen: its words, its matrix, its answers, and what the engine says.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { fixed } from '../../lib/format.ts';
import { withSubs } from '../../text/word.ts';
import { radioGroup } from '../../ui/kit/controls.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { button, list, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { smallMatrix } from '../kit/small-matrix.ts';
import { KINDS } from './draw.ts';
import type { Draw, Kind, Marking, Shown } from './kinds.ts';

export interface QuizData {
  text: string;
  words: readonly string[];
  q: number;
  posed: { kind: Kind; draw: Draw } | null;
  answer: string;
  /** Null until it is checked. */
  marking: Marking | null;
  problem: string;
  score: { right: number; answered: number };
  shown: Shown | null;
  paint: Paint;
}

export interface QuizEvents {
  type(text: string): void;
  answer(answer: string): void;
  check(): void;
  next(): void;
  again(): void;
}

/** More are a list to open. */
const MOST_RADIOS = 16;
/** Matrices of more words would have cells too small to press; of twice as many, too small to see. */
const MOST_SHOWN = 24;

export function quizView(data: QuizData, events: QuizEvents): TemplateResult {
  const { text, q, posed, score } = data;
  return frame({
    title: msg('Ask yourself'),
    lesson: html`
      <p class="lab-claim">${msg('Guess first. Then the engine computes it on your own sentence and shows why.')}</p>
      <p>${msg(str`There are ${KINDS.length} kinds of question. Change your sentence at any time: the same question is asked of the new one.`)}</p>
    `,
    controls: html`
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${button(msg('Other questions'), events.again)}
    `,
    figure: posed ? html`
      <form class="lab-quiz" @submit=${(event: Event) => submit(event, data, events)}>
        <p class="lab-quiz-place"><b>${msg(str`Question ${q}`)}</b> <span class="muted">${score.answered > 0 ? msg(str`Right so far: ${score.right} of ${score.answered}`) : nothing}</span></p>
        <p class="lab-question" id="lab-quiz-question" tabindex="-1">${withSubs(posed.kind.ask(posed.draw))}</p>
        ${posed.kind.shown ? matrix(data, events) : nothing}
        ${posed.kind.options ? choices(data, events) : numberField(data, events)}
        ${result(data)}
        <p><button class="lab-button lab-quiz-go">${data.marking ? msg('Next question') : msg('Check')}</button></p>
        ${posed.kind.shown ? nothing : matrix(data, events)}
      </form>
    ` : html`<p class="muted">${msg('Type a word.')}</p>`,
  });
}

function submit(event: Event, { marking }: QuizData, { check, next }: QuizEvents): void {
  event.preventDefault();
  if (marking) next();
  else check();
}

function matrix({ words, shown, answer, marking, paint }: QuizData, events: QuizEvents): TemplateResult | typeof nothing {
  if (!shown || (shown.picks ? words.length : shown.rows.length / 2) > MOST_SHOWN) return nothing;
  const { title, rows, columns, kind, value, picks, lit } = shown;
  const at = answer === '' ? 0 : Number(answer);
  const all = rows.flatMap((_, row) => columns.map((__, column) => value(row, column))).filter((x) => x !== null);
  const open = picks && !marking;
  return smallMatrix({
    title, rows, columns, kind, value, paint, range: Math.max(0, ...all.map(Math.abs)),
    axes: shown.axes ?? { down: msg('query'), across: msg('key') },
    summary: open ? msg('A press, or the arrow keys, choose your answer.') : msg(str`${rows.length} × ${columns.length}`),
    ...(kind === 'signed' && { words: shown.words ?? ((x: number) => fixed(x, 2)) }),
    ...(lit && { lit }),
    ...(picks && answer !== '' && { lit: { [picks]: at } }),
    ...(open && {
      chosen: answer === '' ? null : picks === 'row' ? { row: at, column: 0 } : { row: 0, column: at },
      choose: (place) => events.answer(String(place[picks])),
    }),
  });
}

function choices({ posed, answer, marking }: QuizData, events: QuizEvents): TemplateResult {
  const { kind, draw } = posed as NonNullable<typeof posed>;
  const options = kind.options?.(draw) ?? [];
  const label = (option: string) => kind.label?.(option, draw) ?? option;
  if (options.length > MOST_RADIOS) {
    const named = options.map((option) => [option, `${Number(option) + 1}  ${draw.words[Number(option)] ?? ''}`] as const);
    return html`<p ?inert=${marking !== null}>${list(msg('Your answer'), [['', '–'] as const, ...named], answer, events.answer)}</p>`;
  }
  return html`
    <fieldset class=${options.length > 5 ? 'lab-answers many' : 'lab-answers'} aria-labelledby="lab-quiz-question" ?disabled=${marking !== null}>${options.map((option) => html`
      <label class="lab-answer" data-mark=${marking ? (marking.isRight(option) ? 'right' : option === answer ? 'wrong' : 'other') : nothing}>
        <input type="radio" ${radioGroup('lab-quiz-answer')} value=${option} .checked=${live(option === answer)} @change=${() => events.answer(option)}>
        <span>${withSubs(label(option))}</span>
      </label>
    `)}</fieldset>
  `;
}

function numberField({ answer, marking }: QuizData, events: QuizEvents): TemplateResult {
  return html`<label class="lab-field"><span>${msg('Your answer, a number')}</span>
    <input class="field lab-quiz-number" inputmode="decimal" autocomplete="off" aria-describedby="lab-quiz-question" ?readonly=${marking !== null} .value=${live(answer)} @input=${(event: Event) => events.answer((event.target as HTMLInputElement).value)}>
  </label>`;
}

/** Always there: a status that comes and goes is not read out. */
function result({ posed, answer, marking, problem }: QuizData): TemplateResult {
  if (!posed || !marking) return html`<p class="lab-result" role="status">${problem}</p>`;
  const { kind, draw } = posed;
  const right = kind.options?.(draw).filter((option) => marking.isRight(option)) ?? [];
  const best = kind.options ? html`${right.map((option, i) => html`${i > 0 ? ' / ' : ''}${withSubs(kind.label?.(option, draw) ?? option)}`)}` : html`<b>${marking.number}</b>`;
  const isRight = marking.isRight(answer);
  const why = withSubs(marking.why);
  return html`<p class="lab-result" role="status" data-right=${isRight ? 'yes' : 'no'}>${isRight ? msg(html`<b>Yes.</b> ${best}. ${why}`) : msg(html`<b>It is:</b> ${best}. ${why}`)}</p>`;
}
