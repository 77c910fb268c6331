// The fields of a lesson that is being made, and the lesson that they make.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { MeasureName } from '../lesson/format.ts';

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
  ['matrix', msg('The matrix of weights')], ['heads', msg('All heads')], ['cell', msg('One cell, worked out')], ['pipeline', msg('The walk')], ['model', msg('The trained model')], ['playground', msg('The whole playground')],
];

const MARKS = (choices: number): readonly (readonly [Marks, string])[] => [
  ['none', msg('Nothing is asked')], ['largest', msg('The engine: the word with the largest share (large letters only)')], ['smallest', msg('The engine: the word with the smallest share (large letters only)')],
  ['largest-share', msg('The engine: does the change make the largest share more, the same, less?')], ['words-seen', msg('The engine: does the change show more words, as many, fewer?')],
  ...Array.from({ length: choices }, (_, i): [Marks, string] => [`${i + 1}`, msg(str`You: choice ${i + 1}`)]),
];

const value = (event: Event): string => (event.target as HTMLInputElement).value;

function field(label: string, now: string, take: (text: string) => void, rows = 0, note = ''): TemplateResult {
  return html`<label><span>${label}</span>${rows > 0
    ? html`<textarea rows=${rows} .value=${now} @change=${(event: Event) => take(value(event))}></textarea>`
    : html`<input type="text" .value=${now} @change=${(event: Event) => take(value(event))}>`}${note ? html`<span>${note}</span>` : nothing}</label>`;
}

function list(label: string, now: string, options: readonly (readonly [string, string])[], take: (value: string) => void): TemplateResult {
  return html`<label><span>${label}</span><select @change=${(event: Event) => take(value(event))}>${options.map(([id, words]) => html`<option value=${id} ?selected=${id === now}>${words}</option>`)}</select></label>`;
}

export function form(draft: Draft, events: FormEvents): TemplateResult {
  return html`
    <fieldset><legend>${msg('The lesson')}</legend>
      ${field(msg('Title'), draft.title, (title) => events.lesson({ title }))}
      ${field(msg('The sentence that it opens with'), draft.text, (text) => events.lesson({ text }), 0, msg('Each step shows it, or what the learner has typed instead, unless the step’s link has a text of its own.'))}
      ${field(msg('Language of your texts, such as en or es'), draft.lang, (lang) => events.lesson({ lang }))}
    </fieldset>
    ${repeat(draft.steps, (_, i) => i, (step, i) => stepForm(step, i, draft.steps.length, events))}
    <button type="button" @click=${() => events.add()}>${msg('Add a step')}</button>
  `;
}

function stepForm(step: DraftStep, i: number, count: number, events: FormEvents): TemplateResult {
  const take = (part: Partial<DraftStep>) => events.step(i, part);
  const choices = step.choices.split('\n').filter((line) => line.trim()).length;
  const isEffect = step.marks === 'largest-share' || step.marks === 'words-seen';
  return html`
    <fieldset data-step=${i + 1}><legend>${msg(str`Step ${i + 1}`)}</legend>
      ${field(msg('Question'), step.question, (question) => take({ question }))}
      ${field(msg('Said before the answer'), step.before, (before) => take({ before }), 3, msg('**bold**, *italic*'))}
      ${list(msg('Shows'), step.view, VIEWS(), (view) => take({ view }))}
      ${field(msg('State: a link of the playground'), step.link, (link) => take({ link }), 2, msg('Set the playground as you want it and paste its address here. Leave its text out to show the learner’s own sentence.'))}
      ${field(msg('Choices, one a line'), step.choices, (text) => take({ choices: text }), 3)}
      ${list(msg('Who marks the answer'), step.marks, MARKS(choices), (marks) => take({ marks: marks as Marks }))}
      ${isEffect ? field(msg('The change: a link to the state after it'), step.then, (then) => take({ then }), 2, msg('Three choices in this order: more, the same, less.')) : nothing}
      ${step.marks === 'none' ? nothing : html`${field(msg('Title of the answer'), step.title, (title) => take({ title }))}${field(msg('Said with the answer'), step.after, (after) => take({ after }), 3, msg('{share}, {top}, {query} in large letters, and {before}, {after} elsewhere, stand for the engine’s values.'))}`}
      ${field(msg('What to try'), step.try, (text) => take({ try: text }), 2)}
      <div class="teach-bar">
        <button type="button" @click=${() => events.look(i)}>${msg('Preview')}</button>
        <button type="button" ?disabled=${i === 0} @click=${() => events.move(i, -1)}>${msg('Move up')}</button>
        <button type="button" ?disabled=${i === count - 1} @click=${() => events.move(i, 1)}>${msg('Move down')}</button>
        <button type="button" ?disabled=${count === 1} @click=${() => events.remove(i)}>${msg('Delete')}</button>
      </div>
    </fieldset>
  `;
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
  try: string;
}

export interface Draft { title: string; lang: string; text: string; steps: readonly DraftStep[] }

export const NEW_STEP: DraftStep = { question: '', before: '', view: 'stage', link: '', choices: '', marks: 'none', then: '', title: '', after: '', try: '' };

/** A link's end, from #v1 on; empty where it has none. */
export const stateOf = (link: string): string => /#(v1&.*)$/s.exec(link.trim())?.[0] ?? (link.trim() === '' ? '' : link.trim());

const lines = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

function answerOf(marks: Marks): object | undefined {
  if (marks === 'none') return undefined;
  if (marks === 'largest' || marks === 'smallest') return { word: marks };
  return /^\d+$/.test(marks) ? { choice: Number(marks) } : { effect: marks };
}

/** As JSON holds it; readLesson() says what is wrong with it. */
export function lessonOfDraft({ title, lang, text, steps }: Draft): object {
  return {
    title, lang, text,
    steps: steps.map((step, i) => {
      const answer = answerOf(step.marks);
      const [state, then] = [stateOf(step.link), stateOf(step.then)];
      return {
        id: `step-${i + 1}`, question: step.question, before: step.before, choices: lines(step.choices),
        show: { view: step.view, ...(state && { state }), ...(step.view === 'model' && { controls: 'basic' }) },
        ...(then && { then }), ...(answer && { answer }),
        after: { title: step.title, right: step.after, wrong: step.after, unasked: step.after },
        ...(step.try && { try: { title: step.question, text: step.try } }),
      };
    }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown, name: string): string => (isRecord(value) && typeof value[name] === 'string' ? value[name] : '');

/** A lesson opened again: what the page has no field for is left out, and is still in the file. */
export function draftOfLesson(raw: object): Draft {
  const steps = isRecord(raw) && Array.isArray(raw['steps']) ? raw['steps'] as unknown[] : [];
  return {
    title: textOf(raw, 'title'), lang: textOf(raw, 'lang'), text: textOf(raw, 'text'),
    steps: steps.filter(isRecord).map((step) => ({
      ...NEW_STEP, question: textOf(step, 'question'), before: textOf(step, 'before'), view: textOf(step['show'], 'view') || 'stage', link: textOf(step['show'], 'state'),
      choices: Array.isArray(step['choices']) ? step['choices'].join('\n') : '', marks: marksOf(step['answer']), then: textOf(step, 'then'),
      title: textOf(step['after'], 'title'), after: textOf(step['after'], 'unasked') || textOf(step['after'], 'right'), try: textOf(step['try'], 'text'),
    })),
  };
}

function marksOf(answer: unknown): Marks {
  if (!isRecord(answer)) return 'none';
  const [value] = Object.values(answer);
  return String(value) as Marks;
}
