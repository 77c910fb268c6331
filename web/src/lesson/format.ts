// A lesson is read: how long its texts may be, and the sentence about what is wrong. It comes from a file, a link or a page's
// author and is believed no more than any of these: all that it says is shown as text.
import { msg, str } from '@lit/localize';
import { fromBase64, toBase64 } from '../lib/base64.ts';
import { clipped } from '../lib/format.ts';
import { type After, type Answer, type Lesson, MEASURES, type MeasureName, type Passage, type Show, type Step, type Try } from './lesson.ts';

const MOST_LESSON = 100_000;
const MOST_STEPS = 30;
const MOST_LINE = 200;
const MOST_TEXT = 1500;
const MOST_SENTENCE = 500;
const MOST_STATE = 8000;

/** Takes a value up, or notes what is wrong with it and where. */
type Rule<T> = (value: unknown, at: string, problems: string[]) => T;

const text = (most: number, isNeeded = false): Rule<string> => (value, at, problems) => {
  if (value === undefined && !isNeeded) return '';
  if (typeof value !== 'string' || (isNeeded && value.trim() === '')) problems.push(msg(str`${at} must be a text.`));
  else if (value.length > most) problems.push(msg(str`${at} has ${value.length} characters; ${most} are allowed.`));
  else return value;
  return '';
};

const oneOf = <T extends string>(values: readonly T[]): Rule<T> => (value, at, problems) => {
  const found = values.find((each) => each === value);
  if (found === undefined) problems.push(msg(str`${at} must be one of ${values.join(', ')}.`));
  return found ?? (values[0] as T);
};

const matching = (pattern: RegExp, rule: () => string): Rule<string> => (value, at, problems) => {
  if (typeof value === 'string' && pattern.test(value)) return value;
  problems.push(msg(str`${at} cannot be “${clipped(String(value))}”: it must be ${rule()}.`));
  return '';
};

const list = <T>(each: Rule<T>, least: number, most: number): Rule<T[]> => (value, at, problems) => {
  if (value === undefined && least === 0) return [];
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    problems.push(msg(str`${at} must be a list of ${least} to ${most}.`));
    return [];
  }
  return value.map((one: unknown, i) => each(one, `${at}[${i + 1}]`, problems));
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of these fields and no others. */
const fields = <T extends object>(rules: { [Name in keyof T]-?: Rule<T[Name]> }): Rule<T> => (value, at, problems) => {
  const given = isRecord(value) ? value : {};
  if (!isRecord(value)) problems.push(msg(str`${at} must be an object in braces.`));
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rules, name)) problems.push(msg(str`${at} has “${clipped(name)}”, which a lesson does not know. It knows ${Object.keys(rules).join(', ')}.`));
  }
  const taken = Object.entries<Rule<unknown>>(rules).map(([name, rule]) => [name, rule(Object.hasOwn(given, name) ? given[name] : undefined, at === '' ? name : `${at}.${name}`, problems)]);
  return Object.fromEntries(taken) as T;
};

/** Texts by names. */
const texts = (most: number): Rule<Record<string, string>> => (value, at, problems) => {
  if (value === undefined) return {};
  if (!isRecord(value)) problems.push(msg(str`${at} must be an object in braces.`));
  return Object.fromEntries(Object.entries(isRecord(value) ? value : {}).map(([name, each]) => [name, text(most, true)(each, `${at}.${clipped(name)}`, problems)]));
};

const perhaps = <T>(rule: Rule<T>): Rule<T | undefined> => (value, at, problems) => (value === undefined ? undefined : rule(value, at, problems));

const answer: Rule<Answer> = (value, at, problems) => {
  const kinds = { word: oneOf(['largest', 'smallest'] as const), effect: oneOf(Object.keys(MEASURES) as MeasureName[]), choice: whole };
  const names = isRecord(value) ? Object.keys(value) : [];
  const kind = Object.keys(kinds).find((each) => names.length === 1 && names[0] === each) as keyof typeof kinds | undefined;
  if (!kind) {
    problems.push(msg(str`${at} must be an object with one of ${Object.keys(kinds).join(', ')}.`));
    return { choice: 1 };
  }
  return { [kind]: kinds[kind]((value as Record<string, unknown>)[kind], `${at}.${kind}`, problems) } as unknown as Answer;
};

const whole: Rule<number> = (value, at, problems) => {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 6) return value as number;
  problems.push(msg(str`${at} must be a whole number from 1 to 6.`));
  return 1;
};

const state = (): Rule<string> => (value, at, problems) => (value === undefined || value === '' ? '' : matching(new RegExp(`^#?v1(&[^#]{0,${MOST_STATE}})?$`), () => msg('the end of a link of this page, from #v1 on'))(value, at, problems));
const id = matching(/^[a-z][a-z0-9-]{0,30}$/, () => msg('small letters, digits and hyphens, a letter first, at most 31'));
const viewName = matching(/^[a-z][a-z-]{0,30}$/, () => msg('a view of the element, such as “cell”, or “door”'));
const passage = { title: text(MOST_LINE, true), text: text(MOST_TEXT, true) };

const STEP = fields<Step>({
  id, question: text(MOST_LINE, true), before: text(MOST_TEXT), jobs: texts(MOST_TEXT), choices: list(text(MOST_LINE, true), 0, 6),
  show: fields<Show>({ view: viewName, state: state(), step: text(60), controls: text(10), preset: text(2000), lesson: text(30), sentence: text(MOST_SENTENCE) }),
  then: state(), answer: perhaps(answer),
  after: fields<After>({ title: text(MOST_LINE), right: text(MOST_TEXT), wrong: text(MOST_TEXT), unasked: text(MOST_TEXT) }),
  why: perhaps(fields<Passage>(passage)),
  try: perhaps(fields<Try>({ ...passage, after: text(MOST_TEXT), replace: perhaps(fields<{ word: string; by: string }>({ word: text(MOST_LINE, true), by: text(MOST_LINE, true) })) })),
});

const LESSON = fields<Lesson>({
  title: text(MOST_LINE, true), lang: text(20), text: text(MOST_SENTENCE, true), words: list(text(60, true), 0, 64), steps: list(STEP, 1, MOST_STEPS),
});

/** @throws Error with a sentence for each thing that is wrong, the first few */
export function readLesson(raw: unknown): Lesson {
  const problems: string[] = [];
  const lesson = LESSON(raw, '', problems);
  lesson.steps.forEach((step, i) => {
    if (lesson.steps.findIndex((other) => other.id === step.id) < i) problems.push(msg(str`Two steps are called “${clipped(step.id)}”. Each needs an id of its own.`));
    if (step.answer && 'choice' in step.answer && step.answer.choice > step.choices.length) problems.push(msg(str`Step ${i + 1} has ${step.choices.length} choices, and its answer is number ${step.answer.choice}.`));
    if (step.answer && 'effect' in step.answer && (step.choices.length !== 3 || step.then === '')) problems.push(msg(str`Step ${i + 1} is marked by what a change does: it needs “then”, and three choices: more, the same, less.`));
  });
  if (problems.length > 0) throw new Error(problems.slice(0, 5).join(' '));
  return lesson;
}

/** @throws Error with a sentence */
export function parseLesson(json: string): Lesson {
  if (json.length > MOST_LESSON) throw new Error(msg(str`This lesson has ${json.length} characters; ${MOST_LESSON} are allowed.`));
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (error) {
    throw new Error(msg(str`This lesson is not valid JSON: ${error instanceof Error ? error.message : ''}`));
  }
  return readLesson(raw);
}

// A lesson in an address: its JSON, made smaller, in letters that an address may hold.

/** @throws Error with a sentence */
export async function lessonOf(packed: string): Promise<Lesson> {
  let json: string;
  try {
    json = await unpacked(fromBase64(packed));
  } catch {
    throw new Error(msg('The lesson in this link cannot be read: the link may have been cut off. Ask for it again, or for the lesson as a file.'));
  }
  if (json.length > MOST_LESSON) throw new Error(msg(str`The lesson in this link has more than ${MOST_LESSON} characters.`));
  return parseLesson(json);
}

export async function packedLesson(json: string): Promise<string> {
  const packed = new Uint8Array(await new Response(new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  return toBase64(packed);
}

/** Stops where it is longer than a lesson may be. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST_LESSON) {
      void reader.cancel();
      return text;
    }
  }
}
