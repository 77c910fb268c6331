// The fields of a lesson that is being made, and the lesson that they make.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { withField } from '../link/address.ts';
import { fieldOf } from '../link/fields.ts';
import type { MeasureName } from '../lesson/lesson.ts';
import { LESSONS, type LessonId } from '../state/views.ts';

export interface FormEvents {
  lesson(part: Partial<Draft>): void;
  step(at: number, part: Partial<DraftStep>): void;
  move(at: number, by: 1 | -1): void;
  remove(at: number): void;
  add(): void;
  /** Shows that step in the preview. */
  look(at: number): void;
}

const VIEWS = (): readonly (readonly [string, string])[] => [
  ['stage', msg('One word’s row, stage by stage')], ['door', msg('The sentence in large letters: which word does “it” look at?')], ['arcs', msg('The sentence with arcs')],
  ['matrix', msg('The matrix of weights')], ['heads', msg('All heads')], ['cell', msg('One cell, worked out')], ['pipeline', msg('The walk')], ['model', msg('The trained model')], ['training', msg('A training run')], ['playground', msg('The whole playground')],
];

const RUNS: Readonly<Record<LessonId, () => string>> = {
  look_back: () => msg('How does it learn where to look?'), mask: () => msg('Why hide the future?'), scale: () => msg('Why divide by √d?'), heads: () => msg('Why more than one head?'),
  words: () => msg('What does it learn from your text?'), positions: () => msg('Why does it need positions?'), stands_for: () => msg('What does “it” stand for?'),
};

const MARKS = (choices: number): readonly (readonly [Marks, string])[] => [
  ['none', msg('Nothing is asked')], ['largest', msg('The engine: the word with the largest share (large letters only)')], ['smallest', msg('The engine: the word with the smallest share (large letters only)')],
  ['largest-share', msg('The engine: does the change make the largest share more, the same, less?')], ['words-seen', msg('The engine: does the change show more words, as many, fewer?')],
  ...Array.from({ length: choices }, (_, i): [Marks, string] => [`${i + 1}`, msg(str`You: choice ${i + 1}`)]),
];

const value = (event: Event): string => (event.target as HTMLInputElement).value;

interface Around { rows?: number; note?: string; example?: string }

function field(label: string, now: string, take: (text: string) => void, { rows = 0, note = '', example = '' }: Around = {}): TemplateResult {
  return html`<label><span>${label}</span>${rows > 0
    ? html`<textarea rows=${rows} placeholder=${example} .value=${now} @change=${(event: Event) => take(value(event))}></textarea>`
    : html`<input type="text" placeholder=${example} .value=${now} @change=${(event: Event) => take(value(event))}>`}${note ? html`<span>${note}</span>` : nothing}</label>`;
}

/** What an opened lesson has and the list does not is one choice more. */
function list(label: string, now: string, options: readonly (readonly [string, string])[], take: (value: string) => void): TemplateResult {
  const all = options.some(([id]) => id === now) ? options : [...options, [now, now] as const];
  return html`<label><span>${label}</span><select @change=${(event: Event) => take(value(event))}>${all.map(([id, words]) => html`<option value=${id} ?selected=${id === now}>${words}</option>`)}</select></label>`;
}

export function form(draft: Draft, events: FormEvents): TemplateResult {
  return html`
    <fieldset><legend>${msg('The lesson')}</legend>
      ${field(msg('Title'), draft.title, (title) => events.lesson({ title }), { example: msg('What does a mask hide?') })}
      ${field(msg('The sentence that it opens with'), draft.text, (text) => events.lesson({ text }), { note: msg('Each step shows it, or what the learner has typed instead, unless the step’s link has a text of its own.') })}
      ${field(msg('Language of your texts, such as en or es'), draft.lang, (lang) => events.lesson({ lang }))}
    </fieldset>
    ${repeat(draft.steps, (_, i) => i, (step, i) => stepForm(step, i, draft.steps.length, events))}
    <button type="button" @click=${() => events.add()}>${msg('Add a step')}</button>
  `;
}

function stepForm(step: DraftStep, i: number, count: number, events: FormEvents): TemplateResult {
  const take = (part: Partial<DraftStep>) => events.step(i, part);
  const isEffect = step.marks === 'largest-share' || step.marks === 'words-seen';
  const isTraining = step.view === 'training';
  return html`
    <fieldset data-step=${i + 1} @focusin=${() => events.look(i)}><legend>${msg(str`Step ${i + 1}`)}</legend>
      ${field(msg('Question'), step.question, (question) => take({ question }), { example: msg('How many words does “it” see?') })}
      ${field(msg('Said before the answer'), step.before, (before) => take({ before }), { rows: 3, note: msg('**bold**, *italic*') })}
      ${list(msg('Shows'), step.view, VIEWS(), (view) => take({ view }))}
      ${isTraining
        ? list(msg('Which run'), step.run || LESSONS[0], LESSONS.map((id) => [id, RUNS[id]()] as const), (run) => take({ run }))
        : field(msg('State: a link of the playground'), step.link, (link) => take({ link }), { rows: 2, note: msg('Set the playground as you want it and paste its address here. Leave its text out to show the learner’s own sentence.') })}
      ${isTraining ? nothing : html`
        ${field(msg('Choices, one a line'), step.choices, (text) => take({ choices: text }), { rows: 3 })}
        ${list(msg('Who marks the answer'), step.marks, MARKS(lines(step.choices).length), (marks) => take({ marks: marks as Marks }))}
        ${isEffect ? html`
          ${field(msg('The change: a link to the state after it'), step.then, (then) => take({ then }), { rows: 2, note: step.marks === 'words-seen' ? msg('Three choices in this order: more, as many, fewer.') : msg('Three choices in this order: more, the same, less.') })}
          ${field(msg('Measured in the row of word number'), rowOf(step.link), (row) => take({ link: withRow(step.link, row), ...(step.then && { then: withRow(step.then, row) }) }), { example: '8', note: msg('Counted from 1. Left empty, it is the row that the state shows: of designed heads that of the word that looks back, or else that of the last word.') })}` : nothing}
        ${step.marks === 'none' ? nothing : html`
          ${field(msg('Title of the answer'), step.title, (title) => take({ title }))}
          ${field(msg('Said with the answer'), step.after, (after) => take({ after }), { rows: 3, note: msg('{share}, {top}, {query} in large letters, and {before}, {after} elsewhere, stand for the engine’s values.') })}
          ${field(msg('Said instead after a right guess'), step.right, (right) => take({ right }), { rows: 2 })}
          ${field(msg('Said instead after a wrong guess'), step.wrong, (wrong) => take({ wrong }), { rows: 2 })}`}`}
      ${field(msg('What to try'), step.try, (text) => take({ try: text }), { rows: 2 })}
      ${step.try === '' || step.view !== 'door' ? nothing : html`
        ${field(msg('A word to change there'), step.word, (word) => take({ word }))}
        ${field(msg('What it becomes'), step.by, (by) => take({ by }))}
        ${step.word && step.by ? field(msg('Said once it is changed'), step.tried, (tried) => take({ tried }), { rows: 2 }) : nothing}`}
      <div class="teach-bar">
        <button type="button" ?disabled=${i === 0} @click=${() => events.move(i, -1)}>${msg('Move up')}</button>
        <button type="button" ?disabled=${i === count - 1} @click=${() => events.move(i, 1)}>${msg('Move down')}</button>
        <button type="button" ?disabled=${count === 1} @click=${() => events.remove(i)}>${msg('Delete')}</button>
      </div>
    </fieldset>
  `;
}

/** The row that a link shows, from 1; empty where it says none. */
const rowOf = (link: string): string => /^\d+/.exec(fieldOf(link, 'row') ?? '')?.[0] ?? '';

function withRow(link: string, row: string): string {
  const place = /^[1-9]\d{0,2}$/.test(row.trim()) ? row.trim() : '';
  return withField(place === '' ? link : link || '#v1', 'row', place || null);
}

/** What every lesson needs and this one has not yet. */
export function lacking({ title, text, steps }: Draft): string[] {
  return [
    ...(title.trim() ? [] : [msg('a title')]), ...(text.trim() ? [] : [msg('a sentence')]),
    ...steps.flatMap(({ question }, i) => (question.trim() ? [] : [msg(str`a question in step ${i + 1}`)])),
  ];
}

/** What is wrong with a lesson, by the names of the fields and not by places in its file. */
export function inFields(problem: string): string {
  const names: Readonly<Record<string, () => string>> = {
    question: () => msg('Question'), before: () => msg('Said before the answer'), choices: () => msg('Choices, one a line'), then: () => msg('The change: a link to the state after it'),
    'show.state': () => msg('State: a link of the playground'), 'after.title': () => msg('Title of the answer'), 'after.unasked': () => msg('Said with the answer'),
    'after.right': () => msg('Said instead after a right guess'), 'after.wrong': () => msg('Said instead after a wrong guess'), 'try.text': () => msg('What to try'), 'try.after': () => msg('Said once it is changed'), 'try.replace.word': () => msg('A word to change there'), 'try.replace.by': () => msg('What it becomes'),
  };
  return problem.replace(/steps\[(\d+)\]\.([a-z.]+)(?:\[\d+\])?/g, (path: string, step: string, name: string) => {
    const label = names[name]?.();
    return label === undefined ? path : msg(str`Step ${step}, “${label}”`);
  });
}

// A lesson that is being made: as the fields of the page hold it, and as the data that is played.

/** What marks a step: nothing, a word of the sentence, a choice of the teacher's (from 1), or what a change does. */
type Marks = 'none' | 'largest' | 'smallest' | MeasureName | `${number}`;

export interface DraftStep {
  question: string;
  before: string;
  view: string;
  link: string;
  /** One a line. */
  choices: string;
  marks: Marks;
  /** The link to what the answer shows. */
  then: string;
  title: string;
  after: string;
  /** Instead of `after`, to who guessed right or wrong; empty for the same. */
  right: string;
  wrong: string;
  try: string;
  /** What to try may change one word for another, and say something then. */
  word: string;
  by: string;
  tried: string;
  /** Of the view “training”. */
  run: string;
  /** The step of an opened lesson, with what the page has no field for. */
  rest: Record<string, unknown>;
}

export interface Draft { title: string; lang: string; text: string; steps: readonly DraftStep[]; rest: Record<string, unknown> }

export const NEW_STEP: DraftStep = { question: '', before: '', view: 'stage', link: '', choices: '', marks: 'none', then: '', title: '', after: '', right: '', wrong: '', try: '', word: '', by: '', tried: '', run: '', rest: {} };

/** A link's end, from #v1 on; empty where it has none. */
export const stateOf = (link: string): string => /#(v1&.*)$/s.exec(link.trim())?.[0] ?? (link.trim() === '' ? '' : link.trim());

const lines = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

function answerOf(marks: Marks): object | undefined {
  if (marks === 'none') return undefined;
  if (marks === 'largest' || marks === 'smallest') return { word: marks };
  return /^\d+$/.test(marks) ? { choice: Number(marks) } : { effect: marks };
}

/** As JSON holds it; readLesson() says what is wrong with it. What an opened lesson had besides is still in it. */
export function lessonOfDraft({ title, lang, text, steps, rest }: Draft): object {
  const { words, ...others } = rest;
  const ids = idsOf(steps);
  return {
    // Words of another sentence would not fit.
    ...others, ...(words !== undefined && text === rest['text'] && { words }), title, lang, text,
    steps: steps.map((step, i) => ({ ...stepOfDraft(step), id: ids[i] })),
  };
}

/** Each as it was opened; new ones get numbers that no other has. */
function idsOf(steps: readonly DraftStep[]): string[] {
  const taken = new Set(steps.map(({ rest }) => textOf(rest, 'id')));
  let number = 0;
  const next = (): string => {
    do number += 1; while (taken.has(`step-${number}`));
    return `step-${number}`;
  };
  return steps.map(({ rest }) => textOf(rest, 'id') || next());
}

function stepOfDraft({ rest, ...step }: DraftStep): object {
  const { answer: _, then: __, try: tried, ...others } = rest;
  const answer = answerOf(step.marks);
  const [state, then] = [stateOf(step.link), stateOf(step.then)];
  const before = isRecord(rest['show']) && rest['show']['view'] === step.view ? rest['show'] : {};
  const isNew = Object.keys(before).length === 0;
  return {
    ...others, question: step.question, before: step.before, choices: lines(step.choices),
    show: {
      ...before, view: step.view, ...((state || before['state'] !== undefined) && { state }),
      ...(step.view === 'training' && { lesson: step.run || LESSONS[0], ...(isNew && { preset: 'title=off' }) }),
      ...((step.view === 'model' || step.view === 'training') && isNew && { controls: 'basic' }),
    },
    ...(then && { then }), ...(answer && { answer }),
    after: { title: step.title, right: step.right || step.after, wrong: step.wrong || step.after, unasked: step.after },
    ...(step.try && { try: { title: step.question, ...(isRecord(tried) && tried), text: step.try, replace: step.word && step.by ? { word: step.word, by: step.by } : undefined, after: step.tried || undefined } }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown, name: string): string => (isRecord(value) && typeof value[name] === 'string' ? value[name] : '');

/** A lesson opened again. */
export function draftOfLesson(raw: object): Draft {
  const steps = isRecord(raw) && Array.isArray(raw['steps']) ? raw['steps'] as unknown[] : [];
  const { steps: _, ...rest } = isRecord(raw) ? raw : {};
  return { title: textOf(raw, 'title'), lang: textOf(raw, 'lang'), text: textOf(raw, 'text'), rest, steps: steps.filter(isRecord).map(draftOfStep) };
}

function draftOfStep(rest: Record<string, unknown>): DraftStep {
  const { show, after, answer, choices, try: tried } = rest;
  const change = isRecord(tried) ? tried['replace'] : null;
  const said = textOf(after, 'unasked') || textOf(after, 'right');
  const other = (name: string) => (textOf(after, name) === said ? '' : textOf(after, name));
  return {
    ...NEW_STEP, rest, question: textOf(rest, 'question'), before: textOf(rest, 'before'), view: textOf(show, 'view') || 'stage', link: textOf(show, 'state'), run: textOf(show, 'lesson'),
    choices: Array.isArray(choices) ? choices.join('\n') : '', marks: marksOf(answer), then: textOf(rest, 'then'),
    title: textOf(after, 'title'), after: said, right: other('right'), wrong: other('wrong'), try: textOf(tried, 'text'), word: textOf(change, 'word'), by: textOf(change, 'by'), tried: textOf(tried, 'after'),
  };
}

function marksOf(answer: unknown): Marks {
  if (!isRecord(answer)) return 'none';
  const [value] = Object.values(answer);
  return String(value) as Marks;
}
