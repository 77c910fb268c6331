// Written by tools/lib/designed/measure.ts --write; measured, not chosen.
import type { HeadId } from './heads.ts';

export interface Measured {
  /** Share of cases where the head's largest weight is on the right word. */
  accuracy: number;
  /** The same of the best fixed offset, which looks always so many words back. */
  baseline: number;
  back: number;
  cases: number;
}

export const MEASURED: Partial<Record<HeadId, Measured>> = {
  previous: { accuracy: 1.000, baseline: 1.000, back: 1, cases: 23146 },
  same: { accuracy: 1.000, baseline: 0.081, back: 3, cases: 2155 },
  describers: { accuracy: 0.901, baseline: 0.854, back: 1, cases: 1291 },
  subject: { accuracy: 0.822, baseline: 0.473, back: 1, cases: 1485 },
  antecedent: { accuracy: 0.705, baseline: 0.583, back: 1, cases: 132 },
  bearer: { accuracy: 0.654, baseline: 0.397, back: 2, cases: 156 },
  preposition: { accuracy: 0.902, baseline: 0.408, back: 2, cases: 1625 },
};
