// The seven questions: one lesson a language, in the format that any lesson has. English comes with the script; the others
// are files beside it.
import english from '../../lessons/en.json';
import { type Language, language } from '../lib/language.ts';
import { type Lesson, parseLesson, readLesson } from './format.ts';

const FILES: Readonly<Record<Exclude<Language, 'en'>, () => URL>> = {
  es: () => new URL('lesson-es.json', import.meta.url),
  'zh-Hans': () => new URL('lesson-zh-Hans.json', import.meta.url),
};

const made = new Map<Language, Lesson>();

/** In the language in use; in English where that one cannot be loaded. */
export async function shippedLesson(wanted: Language = language()): Promise<Lesson> {
  const known = made.get(wanted);
  if (known) return known;
  const lesson = wanted === 'en' ? readLesson(english) : await fetched(FILES[wanted]());
  if (!lesson) return shippedLesson('en');
  made.set(wanted, lesson);
  return lesson;
}

async function fetched(address: URL): Promise<Lesson | null> {
  const response = await fetch(address).catch(() => null);
  return response?.ok ? parseLesson(await response.text()) : null;
}
