// What a head does on the reader's own sentence, in words.
import { msg } from '@lit/localize';
import type { HeadFacts } from '../../parameters/language-model/language-model.ts';

/** A share of its rows that a head is called by. */
export const ROLES = ['previous', 'start', 'self', 'induction'] as const;
export type Role = (typeof ROLES)[number];

/** A head is called by what takes at least this much of its rows, on average. */
export const ROLE_FROM = 0.4;

export function roleWords(role: Role): string {
  switch (role) {
    case 'previous': return msg('previous word');
    case 'start': return msg('first token');
    case 'self': return msg('the word itself');
    case 'induction': return msg('induction');
  }
}

export const isRole = (sort: string): sort is Role => (ROLES as readonly string[]).includes(sort);

/** What takes the most of its rows; null where nothing takes enough. NaN is never enough. */
export function roleOf(facts: HeadFacts): Role | null {
  return ROLES.reduce<Role | null>((best, role) => (facts[role] >= ROLE_FROM && !(best !== null && facts[best] >= facts[role]) ? role : best), null);
}
