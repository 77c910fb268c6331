// Why the future is hidden: without the mask a model foretells dice, by looking.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { fixed, percent } from '../../../lib/format.ts';
import type { Lesson, Now, Part } from '../lesson.ts';

const dice: Part = {
  id: 'dice', name: () => msg('throws of a die'),
  runs: [{ id: 'dice_masked', name: () => msg('Mask on') }, { id: 'dice_unmasked', name: () => msg('Mask off') }],
  shown: ['dice_masked', 'dice_unmasked'], seed: 1, job: 'dice', measure: 'loss', looks: { honest: 'fair' },
  chance: ({ guessing, words }) => ({ value: guessing, words: msg(str`guessing: ln ${words.length} = ${fixed(guessing, 2)}`) }),
};

const characters: Part = {
  id: 'characters', name: () => msg('a tale, letter by letter'),
  runs: [{ id: 'characters_masked', name: () => msg('Mask on') }, { id: 'characters_unmasked', name: () => msg('Mask off') }],
  shown: ['characters_masked', 'characters_unmasked'], seed: 1, job: 'words', measure: 'loss', looks: { honest: 'fair', writes: true }, readsText: true,
  pointers: () => [null],
  chance: ({ guessing, words }) => ({ value: guessing, words: msg(str`guessing: ln ${words.length} = ${fixed(guessing, 2)}`) }),
};

function seenDice({ step, run }: Now): unknown {
  const [on, off] = [run('dice_masked'), run('dice_unmasked')];
  if (step === 0) return msg('Nothing is learnt yet. A fair die cannot be foretold, so nothing but guessing should ever be reached.');
  if (!on || !off) return null;
  if (off.right < 0.4) return msg(html`So far both guess: <b>${percent(on.right)}</b> right with the mask, <b>${percent(off.right)}</b> without.`);
  const cheats = msg(html`Without a mask this model gets <b>${percent(off.right)}</b> of the throws right, because it looks one throw ahead and copies it.`);
  if (off.honest === null) return cheats;
  const worse = off.honest > Math.log(6)
    ? msg(html`Take that throw away, and it does <b>worse than guessing</b>: a loss of <b>${fixed(off.honest, 2)}</b>.`)
    : msg(html`Take that throw away, and its loss is <b>${fixed(off.honest, 2)}</b>.`);
  return html`${cheats} ${worse}`;
}

function seenCharacters({ step, run }: Now): unknown {
  const [on, off] = [run('characters_masked'), run('characters_unmasked')];
  if (step === 0) return msg('Nothing is learnt yet.');
  if (!on || !off) return null;
  if (off.right < 0.6) return msg(html`The loss falls faster without the mask: <b>${fixed(off.loss, 2)}</b> beside <b>${fixed(on.loss, 2)}</b>.`);
  return msg(html`Without the mask the training loss looks far better, <b>${fixed(off.loss, 2)}</b> beside <b>${fixed(on.loss, 2)}</b>. But it has learnt to look at the next letter, and where there is none it writes nonsense.`);
}

export const mask: Lesson = {
  id: 'mask',
  question: () => msg('Why hide the future?'),
  task: ({ id }) => (id === 'dice'
    ? msg(html`After each throw of a fair die, <b>foretell the next</b>. The whole row is there in training; the mask hides what comes later.`)
    : msg(html`At each letter of a tale, <b>name the next</b>. Then write on alone, where no next letter is there yet.`)),
  ask: ({ id }) => (id === 'dice' ? msg('With which model will more throws be right in training?') : msg('Which model will write better?')),
  answers: ({ id }) => [
    { id: 'on', words: () => msg('with the mask'), isRight: id !== 'dice' },
    { id: 'off', words: () => msg('without it'), isRight: id === 'dice' },
    { id: 'both', words: () => msg('both alike'), isRight: false },
  ],
  parts: [dice, characters],
  seen: (now, { id }) => (id === 'dice' ? seenDice(now) : seenCharacters(now)),
  small: ({ id }) => (id === 'dice'
    ? msg('Loss: how surprised the model is by what comes; less is better. Without the mask not quite all are right, since the last throw of a row has no next. Seeds 1 to 10: without the mask always past 90% by step 300, with it never past 25%.')
    : msg('Loss: how surprised the model is by what comes; less is better. The tale is short, so with the mask it is learnt by heart. Seen in seeds 1 and 2.')),
};
