// What has changed since a state was pinned.
import { msg, str } from '@lit/localize';
import type { Settings } from './engine.ts';
import { listed } from './format.ts';
import type { Wanted } from './model.ts';
import { fieldWords, valueWords } from './setting-words.ts';

/** "Since then: mask causal → none." */
export function pinnedWords(then: Wanted, now: Wanted): string {
  const changed: string[] = [];
  if (then.text !== now.text) changed.push(msg('other words'));
  if (then.keyText !== now.keyText) changed.push(msg('another second sentence'));
  for (const name of Object.keys(now.settings) as (keyof Settings)[]) {
    const [before, after] = [then.settings[name], now.settings[name]];
    if (before !== after) changed.push(`${fieldWords(name)} ${valueWords(before)} → ${valueWords(after)}`);
  }
  if (then.source !== now.source || then.given !== now.given) changed.push(msg('other parameters'));
  if (then.edits !== now.edits) changed.push(msg('numbers set by hand'));
  if (then.maskEdits !== now.maskEdits) changed.push(msg('cells masked by hand'));
  return changed.length === 0 ? msg('Pinned. Nothing has changed since: change anything.') : msg(str`Since then: ${listed(changed).join('')}.`);
}
