// The seven questions: one lesson a language, in the format that any lesson has. English comes with the script; the others
// are files beside it.
import english from '../../lessons/en.json';
import { type Language, language } from '../lib/language.ts';
import type { Lesson, Step } from './lesson.ts';

const FILES: Readonly<Record<Exclude<Language, 'en'>, () => URL>> = {
  es: () => new URL('lesson-es.json', import.meta.url),
  'zh-Hans': () => new URL('lesson-zh-Hans.json', import.meta.url),
};

const made = new Map<Language, Lesson>();

/** In the language in use; in English where that one cannot be loaded. */
export async function shippedLesson(wanted: Language = language()): Promise<Lesson> {
  const known = made.get(wanted);
  if (known) return known;
  const lesson = wanted === 'en' ? complete(english) : await fetched(FILES[wanted]());
  if (!lesson) return shippedLesson('en');
  made.set(wanted, lesson);
  return lesson;
}

async function fetched(address: URL): Promise<Lesson | null> {
  const response = await fetch(address).catch(() => null);
  return response?.ok ? complete(await response.json() as Shipped) : null;
}

interface Shipped { title: string; text: string; steps: readonly { id: string; question: string; show: { view: string }; after: object; try?: { title: string; text: string } }[] }

/** As readLesson() completes any lesson: the page's own are held to its rules by the tests, not at each visit. */
export function complete({ steps, ...lesson }: Shipped): Lesson {
  return {
    lang: '', words: [], ...lesson,
    steps: steps.map(({ show, after, try: tried, ...step }) => ({
      before: '', jobs: {}, choices: [], then: '', ...step,
      show: { state: '', step: '', controls: '', preset: '', lesson: '', sentence: '', ...show },
      after: { title: '', right: '', wrong: '', unasked: '', ...after },
      ...(tried && { try: { after: '', ...tried } }),
    })) as Step[],
  };
}
