// Where the numbers come from, said where they are shown: random is called random, designed designed.
import { type TemplateResult, html } from 'lit';
import { percent } from '../format.ts';
import type { Reading } from '../model-reader.ts';
import type { Picture } from '../picture.ts';
import type { Source } from '../settings.ts';

const KINDS: Record<Source, string> = { random: 'random parameters', designed: 'designed parameters', trained: 'trained parameters', yours: 'your parameters' };

/** After the head's number: "designed: noun → adjectives, right in 90 %, best fixed distance 85 %". */
export function sourceWords(picture: Picture | null, head: number): string {
  if (picture?.reading) return `layer ${picture.reading.layer + 1}, ${readWords(picture.reading, head, picture.source === 'yours')}`;
  const own = picture?.designed?.heads[head];
  if (!own) return KINDS[picture?.source ?? 'random'];
  const { name, measured } = own;
  if (!measured) return `designed: ${name}`;
  const { accuracy, baseline } = measured;
  const beside = accuracy > baseline ? `best fixed distance ${percent(baseline)}` : 'no more than a fixed distance';
  return `designed: ${name}, right in ${percent(accuracy)}, ${beside}`;
}

/** "trained: the word before, right in 86 %, best fixed distance 60 %". */
function readWords({ reader, layer }: Reading, head: number, isOwn: boolean): string {
  const own = reader.evidence.find((each) => each.layer === layer && each.head === head && each.named);
  return own ? `trained: ${own.name}, right in ${percent(own.score)}, best fixed distance ${percent(own.baseline)}` : isOwn ? 'your model' : 'trained';
}

const HONEST: Record<Source, (seed: number) => TemplateResult> = {
  random: (seed) => html`The parameters are random numbers drawn from seed ${seed}. Patterns here teach how attention works, not what words mean.`,
  designed: () => html`The parameters are designed by hand, so that each head finds what its name says. Nothing here is learnt: look above for how often each head is right.`,
  trained: () => html`The parameters were learnt from stories and captions; nothing here was drawn or made by hand. A head’s name says what was measured of it, not what it is for.`,
  yours: (seed) => html`The parameters are yours where you gave them; the others are random numbers drawn from seed ${seed}.`,
};

export function honestWords(source: Source, seed: number, isModel: boolean): TemplateResult {
  return source === 'yours' && isModel ? html`The parameters are those of your file, and nothing here was drawn. Nobody has measured what its heads do.` : HONEST[source](seed);
}
