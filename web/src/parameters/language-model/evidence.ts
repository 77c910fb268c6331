// What was measured of a trained head, in words: the file of a model names it in English, and so does this page in its own.
import { msg } from '@lit/localize';
import type { HeadEvidence } from './language-model.ts';

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
