// Why more than one head: two letters to name, and one softmax in which they must share.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { percent } from '../../../lib/format.ts';
import { type Lesson, type Part, best } from '../lesson.ts';

const letters: Part = {
  id: 'letters', name: () => msg('letters'),
  runs: [
    { id: 'one_head', name: () => msg('One head') },
    { id: 'two_heads', name: () => msg('Two heads') },
    { id: 'four_heads', name: () => msg('Four heads') },
  ],
  shown: ['one_head', 'two_heads'], seed: 4, job: 'letters', measure: 'right',
  // Half of the answers, and of the others those where both letters are the same by chance.
  chance: ({ guessing }) => {
    const same = Math.exp(-guessing);
    const value = same + (1 - same) / 2;
    return { value, words: msg(str`tossing a coin between the two: ${percent(value)}`) };
  },
  pointers: () => [msg('1 back'), msg('3 back')],
  asked: () => [msg('1 back'), msg('3 back')],
};

export const heads: Lesson = {
  id: 'heads',
  question: () => msg('Why more than one head?'),
  task: () => msg(html`At every letter, name the letter <b>1 back</b> and the letter <b>3 back</b>.`),
  ask: () => msg('Which model will learn to name both letters?'),
  answers: () => [
    { id: 'one', words: () => msg('one head'), isRight: false },
    { id: 'two', words: () => msg('two heads'), isRight: true },
    { id: 'both', words: () => msg('both'), isRight: false },
  ],
  parts: [letters],
  seen: ({ step, run }) => {
    const [one, more] = [run('one_head'), run('two_heads') ?? run('four_heads')];
    if (step === 0) return msg('Nothing is learnt yet: each row looks wherever its random numbers point.');
    if (!one || !more) return null;
    if (more.right < 0.65) return msg(html`Both have learnt that the answers are near. So far one head names <b>${percent(one.right)}</b> right and several heads <b>${percent(more.right)}</b>.`);
    const [near, far] = [best(more, 0), best(more, 1)];
    if (!near || !far || near.weight < 0.6 || far.weight < 0.6) return msg(html`The heads part: several now name <b>${percent(more.right)}</b> right. One head looks at both places at once and stays at <b>${percent(one.right)}</b>.`);
    return msg(html`One head looks at both places at once and mixes the two letters up: <b>${percent(one.right)}</b> right. Several heads take one place each: one gives <b>${percent(near.weight)}</b> to the letter 1 back, one <b>${percent(far.weight)}</b> to the letter 3 back.`);
  },
  small: () => msg('This is one head in one layer; two layers of one head solve it, too. All models have the same number of parameters. Seeds 1 to 10: two heads always pass 90\u00a0% by step 320, one head never passes 60\u00a0% in 1,000 steps.'),
};
