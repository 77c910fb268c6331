// What has changed since a state was pinned.
import { msg, str } from '@lit/localize';
import { listed } from './format.ts';
import type { Wanted } from './model.ts';
import { standsAt } from './setting-words.ts';
import { SETTINGS } from './settings.ts';

/** "Since then: Mask causal → none." */
export function pinnedWords(then: Wanted, now: Wanted): string {
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
