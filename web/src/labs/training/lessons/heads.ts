// Why more than one head: two letters to name, and one softmax in which they must share.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { percent } from '../../../lib/format.ts';
import { type Lesson, type Now, type Part, best } from '../lesson.ts';

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
    return { value, words: msg(str`tossing a coin: ${percent(value)}`) };
  },
  pointers: () => [msg('1 back'), msg('3 back')],
  asked: () => [msg('1 back'), msg('3 back')],
};

const english: Part = {
  id: 'english', name: () => msg('English'),
  runs: [{ id: 'english_one_head', name: () => msg('One head') }, { id: 'english_two_heads', name: () => msg('Two heads') }],
  shown: ['english_one_head', 'english_two_heads'], seed: 1, job: 'words', measure: 'right',
  chance: () => ({ value: 0.5, words: msg(str`tossing a coin: ${percent(0.5)}`) }),
  pointers: () => [msg('who did it'), msg('to whom')],
  asked: () => [msg('who did it'), msg('to whom')],
  sentences: [
    { text: 'the dog bit the cat .', at: 'bit', right: ['dog', 'cat'] }, { text: 'the cat was bitten by the dog .', at: 'bitten', right: ['dog', 'cat'] },
    { text: 'the fox followed the horse near the house .', at: 'followed', right: ['fox', 'horse'] },
  ],
};

function seenLetters({ step, run }: Now): unknown {
  const [one, more] = [run('one_head'), run('two_heads') ?? run('four_heads')];
  if (step === 0) return msg('Nothing is learnt yet: each row looks wherever its random numbers point.');
  if (!one || !more) return null;
  if (more.right < 0.65) return msg(html`Both have learnt that the answers are near. So far one head names <b>${percent(one.right)}</b> right and several heads <b>${percent(more.right)}</b>.`);
  const [near, far] = [best(more, 0), best(more, 1)];
  if (!near || !far || near.weight < 0.6 || far.weight < 0.6) return msg(html`The heads part: several now name <b>${percent(more.right)}</b> right. One head looks at both places at once and stays at <b>${percent(one.right)}</b>.`);
  return msg(html`One head looks at both places at once and mixes the two letters up: <b>${percent(one.right)}</b> right. Several heads take one place each: one gives <b>${percent(near.weight)}</b> to the letter 1 back, one <b>${percent(far.weight)}</b> to the letter 3 back.`);
}

function seenEnglish({ step, run }: Now): unknown {
  const [one, two] = [run('english_one_head'), run('english_two_heads')];
  if (step === 0) return msg('Nothing is learnt yet: each row looks wherever its random numbers point.');
  if (!one || !two) return null;
  if (two.right < 0.8) return msg(html`So far one head answers <b>${percent(one.right)}</b> right, two heads <b>${percent(two.right)}</b>.`);
  return msg(html`One head looks at both nouns at once and cannot say which is which: <b>${percent(one.right)}</b> right. Of two heads one looks at who did it, one at to whom: <b>${percent(two.right)}</b>.`);
}

export const heads: Lesson = {
  id: 'heads',
  question: () => msg('Why more than one head?'),
  task: ({ id }) => (id === 'letters'
    ? msg(html`At every letter, name the letter <b>1 back</b> and the letter <b>3 back</b>.`)
    : msg(html`At the verb, say <b>who did it</b> and <b>to whom</b>: <i>the dog bit the cat</i>, or <i>the cat was bitten by the dog</i>.`)),
  ask: () => msg('Which model will learn to give both answers?'),
  answers: () => [
    { id: 'one', words: () => msg('one head'), isRight: false },
    { id: 'two', words: () => msg('two heads'), isRight: true },
    { id: 'both', words: () => msg('both'), isRight: false },
  ],
  parts: [letters, english],
  seen: (now, { id }) => (id === 'letters' ? seenLetters(now) : seenEnglish(now)),
  small: ({ id }) => (id === 'english' ? msg('One head in one layer beside two with as many parameters. Some of these sentences were never in training, and neither were their pairs of nouns.') : msg('This is one head in one layer; two layers of one head solve it, too. All models have the same number of parameters. Seeds 1 to 10: two heads always pass 90% by step 320, one head never passes 60% in 1,000 steps.')),
};
