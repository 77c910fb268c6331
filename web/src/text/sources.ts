// Sentences on where the shown numbers come from, and what was measured about a trained head.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { percent } from '../lib/format.ts';
import type { Source } from '../parameters/sources.ts';
import { type Picture, readOf } from '../state/result.ts';

const KINDS: Record<Source, () => string> = {
  random: () => msg('random parameters'), designed: () => msg('designed parameters'), trained: () => msg('trained parameters'), 'trained-here': () => msg('random parameters'), yours: () => msg('your parameters'),
};

/** What each head is called; empty where it has no name. */
export const headNames = ({ designed, reading, trace }: Picture): string[] => (
  Array.from({ length: trace.shape.H }, (_, head) => designed?.heads[head]?.name ?? reading?.headName(head) ?? ''));

/** After the head's number: "designed: noun → adjectives, right in 90%; a fixed distance back gets 85%". */
export function sourceWords(picture: Picture | null, head: number): string {
  const read = readOf(picture);
  if (read) return read.headWords(head, picture?.source === 'yours');
  const own = picture?.designed?.heads[head];
  if (!own) return KINDS[picture?.source ?? 'random']();
  const { name, measured } = own;
  if (!measured) return msg(str`designed: ${name}`);
  const { accuracy, baseline } = measured;
  return accuracy > baseline
    ? msg(str`designed: ${name}, right in ${percent(accuracy)}; a fixed distance back gets ${percent(baseline)}`)
    : msg(str`designed: ${name}, right in ${percent(accuracy)}, no more than a fixed distance`);
}

const random = (seed: number): TemplateResult => msg(html`The parameters are random numbers drawn from seed ${seed}. Patterns here teach how attention works, not what words mean.`);

/** If nothing has been trained here yet, the numbers are random. */
const HONEST: Record<Source, (seed: number) => TemplateResult> = {
  random, 'trained-here': random,
  designed: () => msg(html`The parameters are designed by hand, so that each head finds what its name says. Nothing is learnt: look above for how often each is right.`),
  trained: () => msg(html`The parameters were learnt from stories and captions. A head’s name says what was measured of it, not what it is for.`),
  yours: (seed) => msg(html`The parameters are yours where you gave them; the others are random numbers drawn from seed ${seed}.`),
};

export function honestWords(source: Source, seed: number, picture: Picture | null): TemplateResult {
  return (source !== 'trained' && readOf(picture)?.reader.honest) || HONEST[source](seed);
}
