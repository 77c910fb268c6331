// A state that was pinned, to compare with what is now.
import type { Settings, Trace } from './engine.ts';
import type { Wanted } from './model.ts';

export type Mode = 'now' | 'pinned' | 'difference';

export interface Pinned {
  readonly trace: Trace;
  subtract(a: Float32Array, b: Float32Array): Float32Array;
}

const NAMES: Partial<Record<keyof Settings, string>> = { num_heads: 'heads', num_kv_heads: 'key and value heads', out_proj: 'W_O', scale_factor: 'factor' };

/** "Since then: mask causal → none." */
export function pinnedWords(then: Wanted, now: Wanted): string {
  const changed: string[] = [];
  if (then.text !== now.text) changed.push('other words');
  if (then.keyText !== now.keyText) changed.push('another second sentence');
  for (const name of Object.keys(now.settings) as (keyof Settings)[]) {
    const [before, after] = [then.settings[name], now.settings[name]];
    if (before !== after) changed.push(`${NAMES[name] ?? name.replaceAll('_', ' ')} ${say(before)} → ${say(after)}`);
  }
  if (then.source !== now.source || then.given !== now.given) changed.push('other parameters');
  if (then.edits !== now.edits) changed.push('numbers set by hand');
  if (then.maskEdits !== now.maskEdits) changed.push('cells masked by hand');
  return changed.length === 0 ? 'Pinned. Nothing has changed since: change anything.' : `Since then: ${changed.join(', ')}.`;
}

function say(value: unknown): string {
  return value === true ? 'on' : value === false ? 'off' : String(value);
}
