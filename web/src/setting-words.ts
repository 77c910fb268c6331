// Settings and their values in sentences, as the switches call them.
import { msg } from '@lit/localize';
import { MASKS } from './masks.ts';
import { KNOBS, type Knobs, SETTINGS, type Setting, fieldsOf } from './settings.ts';

/** The label of the switch that sets a field. */
export const fieldWords = (field: keyof Knobs): string => SETTINGS.find((each) => fieldsOf(each).includes(field))?.label() ?? field;

const VALUES: Readonly<Record<string, () => string>> = {
  true: () => msg('on'), false: () => msg('off'), factor: () => msg('factor'), sinusoidal: () => msg('sinusoidal'), learned: () => msg('learned'),
  ...Object.fromEntries(Object.entries(MASKS).map(([id, { label }]) => [id, label])),
};

/** A value of the core's; numbers and code words stay: 0.5, sqrt-dk, rope. */
export const valueWords = (value: unknown): string => VALUES[String(value)]?.() ?? String(value);

/** What a switch stands at: “causal”, “÷ √d_k”, “× 0.3”. */
export function standsAt({ control, format }: Pick<Setting, 'control' | 'format'>, knobs: Partial<Knobs>): string {
  const value = format({ ...KNOBS, ...knobs });
  if (control.kind !== 'choice') return value;
  const label = control.choices.find(([id]) => id === value)?.[1];
  return label?.() ?? (control.own?.sign ? `${control.own.sign} ${value}` : value);
}
