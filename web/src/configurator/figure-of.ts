// What is chosen, as the table of snippets wants it.
import { msg, str } from '@lit/localize';
import { isLab } from '../labs/names.ts';
import { type Chosen, type Said, value } from './choices.ts';
import { type Figure, SYSTEMS, type SystemId } from './snippets.ts';
import { LAB_WORDS } from './words.ts';

export const systemOf = (name: string): SystemId => (Object.hasOwn(SYSTEMS, name) ? name as SystemId : 'html');

/** What is shown without JavaScript where the author has no better sentence. */
export function suggestedFallback(said: Said): string {
  const view = value('view', said);
  const text = value('text', said);
  return isLab(view)
    ? msg(str`${LAB_WORDS[view]()}: a figure that needs JavaScript and WebAssembly.`)
    : msg(str`What the words of “${text}” attend to: a figure that needs JavaScript and WebAssembly.`);
}

/** An address of a folder ends with a slash. */
const folder = (base: string): string => (base === '' || base.endsWith('/') ? base : `${base}/`);
const isElsewhere = (base: string): boolean => /^(https?:)?\/\//i.test(base);

/** Matrices of the author's own are no attribute: they go into a file beside the others. */
export const OWN_FILE = 'figure.json';
export const isOwn = (said: Said): boolean => value('parameters', said) === 'yours';

export function figureOf({ said, system, base, fallback }: Chosen, integrity: Readonly<Record<string, string>> | null): Figure {
  const at = folder(base.trim());
  const left = isOwn(said) ? ['text', 'parameters'] : ['text'];
  const pairs = Object.entries(said).filter(([name]) => !left.includes(name));
  if (isOwn(said)) pairs.push(['src', `${at || SYSTEMS[systemOf(system)].base}${OWN_FILE}`]);
  return {
    text: value('text', said),
    attributes: Object.fromEntries(pairs.map(([name, own]) => [name, name === 'readonly' ? true : own])),
    fallback: fallback.trim() || suggestedFallback(said),
    ...(at !== '' && { base: at }),
    ...(integrity && isElsewhere(at) && { integrity }),
  };
}
