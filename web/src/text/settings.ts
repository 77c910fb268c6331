// Settings and their values in sentences, under the names that their switches have.
import { msg, str } from '@lit/localize';
import { MASKS } from '../engine/masks.ts';
import { listed } from '../lib/format.ts';
import { KNOBS, type Knobs, SETTINGS, type Setting } from '../state/settings.ts';
import type { State } from '../state/state.ts';

const VALUES: Readonly<Record<string, () => string>> = {
  true: () => msg('on'), false: () => msg('off'), factor: () => msg('factor'), sinusoidal: () => msg('sinusoidal'), learned: () => msg('learned'),
  ...Object.fromEntries(Object.entries(MASKS).map(([id, { label }]) => [id, label])),
};

/** A value of the core's; numbers and code words stay: 0.5, sqrt-dk, rope. */
export const valueWords = (value: unknown): string => VALUES[String(value)]?.() ?? String(value);

/** A switch's present value: “causal”, “÷ √d_k”, “× 0.3”. */
export function standsAt({ control, format }: Pick<Setting, 'control' | 'format'>, knobs: Partial<Knobs>): string {
  const value = format({ ...KNOBS, ...knobs });
  if (control.kind !== 'choice') return value;
  const label = control.choices.find(([id]) => id === value)?.[1];
  return label?.() ?? (control.own?.sign ? `${control.own.sign} ${value}` : value);
}

/** What has changed since a state was pinned: "Since then: Mask causal → none." */
export function pinnedWords(then: State, now: State): string {
  const changed: string[] = [];
  if (then.text !== now.text) changed.push(msg('other words'));
  if (then.keyText !== now.keyText) changed.push(msg('another second sentence'));
  for (const setting of SETTINGS) {
    const [before, after] = [standsAt(setting, then.settings), standsAt(setting, now.settings)];
    if (before !== after) changed.push(`${setting.label()} ${before} → ${after}`);
  }
  if (then.source !== now.source || then.given !== now.given) changed.push(msg('other parameters'));
  if (then.edits !== now.edits) changed.push(msg('numbers set by hand'));
  if (then.maskEdits !== now.maskEdits) changed.push(msg('cells masked by hand'));
  return changed.length === 0 ? msg('Pinned. Nothing has changed since: change anything.') : msg(str`Since then: ${listed(changed).join('')}.`);
}
