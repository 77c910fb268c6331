// Why positions: without them a row cannot know which letter stands where.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { percent } from '../../../lib/format.ts';
import { type Lesson, type Part, best } from '../lesson.ts';

const letters: Part = {
  id: 'letters', name: () => msg('letters'),
  runs: [{ id: 'without_positions', name: () => msg('Without positions') }, { id: 'with_positions', name: () => msg('With positions') }],
  shown: ['without_positions', 'with_positions'], seed: 1, job: 'letters', measure: 'right',
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
  pointers: () => [msg('2 back')],
};

export const positions: Lesson = {
  id: 'positions',
  question: () => msg('Why does it need positions?'),
  task: () => msg(html`At every letter, name the letter <b>2 back</b>. Attention itself sees a bag of letters: their order must be told to it.`),
  ask: () => msg('Which model will learn to look two back?'),
  answers: () => [
    { id: 'with', words: () => msg('with positions'), isRight: true },
    { id: 'without', words: () => msg('without'), isRight: false },
    { id: 'both', words: () => msg('both'), isRight: false },
  ],
  parts: [letters],
  seen: ({ step, run }) => {
    const [off, on] = [run('without_positions'), run('with_positions')];
    if (step === 0) return msg('Nothing is learnt yet: each row looks wherever its random numbers point.');
    if (!on || !off) return null;
    const aim = best(on, 0);
    if (on.right < 0.9 || !aim) return msg(html`With positions <b>${percent(on.right)}</b> right, without them <b>${percent(off.right)}</b>.`);
    return msg(html`With positions each row gives <b>${percent(aim.weight)}</b> to the letter 2 back: <b>${percent(on.right)}</b> right. Without them every row spreads over all it sees, and the best it can do is to name a letter that is often there: <b>${percent(off.right)}</b>.`);
  },
  small: () => msg('The mask gives a little order away: a row sees only what came before. Two layers can make a little use of it, one cannot. Seeds 1 to 5: with positions always past 90% by step 150, without never past 40% in 300.'),
};
