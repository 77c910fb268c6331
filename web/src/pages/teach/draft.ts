// A lesson that is being made: as the fields of the page hold it, and as the data that is played.
import type { MeasureName } from '../../lesson/format.ts';

/** What marks a step: nothing, a word of the sentence, a choice of the teacher's (from 1), or what a change does. */
export type Marks = 'none' | 'largest' | 'smallest' | MeasureName | `${number}`;

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
