// Where the numbers come from, said where they are shown; and what was measured of a trained head.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { percent } from '../lib/format.ts';
import type { HeadEvidence } from '../parameters/language-model/language-model.ts';
import type { Reading } from '../parameters/language-model/reader.ts';
import type { Source } from '../parameters/sources.ts';
import type { Picture } from '../state/result.ts';

const KINDS: Record<Source, () => string> = {
  random: () => msg('random parameters'), designed: () => msg('designed parameters'), trained: () => msg('trained parameters'), yours: () => msg('your parameters'),
};

/** After the head's number: "designed: noun → adjectives, right in 90 %, best fixed distance 85 %". */
export function sourceWords(picture: Picture | null, head: number): string {
  if (picture?.reading) return msg(str`layer ${picture.reading.layer + 1}, ${readWords(picture.reading, head, picture.source === 'yours')}`);
  const own = picture?.designed?.heads[head];
  if (!own) return KINDS[picture?.source ?? 'random']();
  const { name, measured } = own;
  if (!measured) return msg(str`designed: ${name}`);
  const { accuracy, baseline } = measured;
  return accuracy > baseline
    ? msg(str`designed: ${name}, right in ${percent(accuracy)}, best fixed distance ${percent(baseline)}`)
    : msg(str`designed: ${name}, right in ${percent(accuracy)}, no more than a fixed distance`);
}

/** "trained: the word before, right in 86 %, best fixed distance 60 %". */
function readWords({ reader, layer }: Reading, head: number, isOwn: boolean): string {
  const own = reader.evidence.find((each) => each.layer === layer && each.head === head && each.named);
  if (own) return msg(str`trained: ${evidenceWords(own)}, right in ${percent(own.score)}, best fixed distance ${percent(own.baseline)}`);
  return isOwn ? msg('your model') : msg('trained');
}

const HONEST: Record<Source, (seed: number) => TemplateResult> = {
  random: (seed) => msg(html`The parameters are random numbers drawn from seed ${seed}. Patterns here teach how attention works, not what words mean.`),
  designed: () => msg(html`The parameters are designed by hand, so that each head finds what its name says. Nothing here is learnt: look above for how often each head is right.`),
  trained: () => msg(html`The parameters were learnt from stories and captions; nothing here was drawn or made by hand. A head’s name says what was measured of it, not what it is for.`),
  yours: (seed) => msg(html`The parameters are yours where you gave them; the others are random numbers drawn from seed ${seed}.`),
};

export function honestWords(source: Source, seed: number, isModel: boolean): TemplateResult {
  return source === 'yours' && isModel ? msg(html`The parameters are those of your file, and nothing here was drawn. Nobody has measured what its heads do.`) : HONEST[source](seed);
}

// What was measured of a trained head, in words: the file of a model names it in English, and so does this page in its own.

interface Names { name: () => string; relation: () => string }

/** By relation; the names are those of the file. */
const NAMES: Readonly<Record<string, Names>> = {
  adjective: { name: () => msg('noun → its adjective'), relation: () => msg('adjective') },
  attached: { name: () => msg('preposition → what it belongs to'), relation: () => msg('attached') },
  auxiliary: { name: () => msg('verb → its auxiliary'), relation: () => msg('auxiliary') },
  compound: { name: () => msg('noun → the noun before it'), relation: () => msg('compound') },
  conjunct: { name: () => msg('joined word → the first'), relation: () => msg('conjunct') },
  copula: { name: () => msg('predicate → is, was …'), relation: () => msg('copula') },
  determiner: { name: () => msg('noun → its determiner'), relation: () => msg('determiner') },
  induction: { name: () => msg('induction'), relation: () => msg('induction') },
  itself: { name: () => msg('the word itself'), relation: () => msg('itself') },
  noun_subject: { name: () => msg('verb → its subject, a noun'), relation: () => msg('noun subject') },
  object: { name: () => msg('object → its verb'), relation: () => msg('object') },
  possessive: { name: () => msg('noun → whose'), relation: () => msg('possessive') },
  preposition: { name: () => msg('noun → its preposition'), relation: () => msg('preposition') },
  previous: { name: () => msg('previous word'), relation: () => msg('previous') },
  same: { name: () => msg('same word before'), relation: () => msg('same') },
  subject: { name: () => msg('verb → its subject'), relation: () => msg('subject') },
};

/** “verb → its subject”. What another model's file says is shown as it stands there. */
export function evidenceWords({ relation, name }: Pick<HeadEvidence, 'relation' | 'name'>): string {
  return NAMES[relation]?.name() ?? name;
}

export function relationWords({ relation }: Pick<HeadEvidence, 'relation'>): string {
  return NAMES[relation]?.relation() ?? relation;
}
