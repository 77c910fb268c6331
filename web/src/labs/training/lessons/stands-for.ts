// What “it” stands for: the word that decides comes later, so a causal mask hides it.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { percent } from '../../../lib/format.ts';
import { type Lesson, type Part, best } from '../lesson.ts';

const sentences: Part = {
  id: 'sentences', name: () => msg('sentences'),
  runs: [
    { id: 'seen_so_far', name: () => msg('Words so far') },
    { id: 'seen_whole', name: () => msg('Whole sentence') },
    { id: 'seen_whole_8', of: 'seen_whole', seed: 8, name: () => msg('Whole sentence, seed 8') },
    { id: 'one_layer', name: () => msg('Whole sentence, 1 layer') },
  ],
  shown: ['seen_so_far', 'seen_whole', 'seen_whole_8'], seed: 7, job: 'words', measure: 'right',
  chance: () => ({ value: 0.5, words: msg(str`tossing a coin: ${percent(0.5)}`) }),
  pointers: () => [msg('the noun'), null],
  sentences: ([
    ['the animal didn\'t cross the street because it was too tired .', 'animal'], ['the animal didn\'t cross the street because it was too wide .', 'street'],
    ['the trophy didn\'t fit in the suitcase because it was too big .', 'trophy'], ['the trophy didn\'t fit in the suitcase because it was too small .', 'suitcase'],
  ] as const).map(([text, noun]) => ({ text, at: 'it', right: [noun] })),
};

export const standsFor: Lesson = {
  id: 'stands_for',
  question: () => msg('What does “it” stand for?'),
  task: () => msg(html`At <i>it</i>, and again at the full stop, <b>name the noun that <i>it</i> stands for</b>. The word that decides, <i>tired</i> or <i>wide</i>, comes after <i>it</i>.`),
  ask: () => msg('Which model will learn what “it” stands for?'),
  answers: () => [
    { id: 'before', words: () => msg('the one that sees what came before'), isRight: false },
    { id: 'whole', words: () => msg('the one that sees the whole sentence'), isRight: true },
    { id: 'both', words: () => msg('both'), isRight: false },
  ],
  parts: [sentences],
  seen: ({ step, run }) => {
    const [before, whole, other] = [run('seen_so_far'), run('seen_whole'), run('seen_whole_8')];
    if (step === 0) return msg('Nothing is learnt yet: each row looks wherever its random numbers point.');
    if (!before || !whole) return null;
    if (whole.right < 0.8) return msg(html`So far <b>${percent(whole.right)}</b> right where the whole sentence is seen, <b>${percent(before.right)}</b> where only its beginning is.`);
    const [aim, otherAim] = [best(whole, 0, 1), best(other, 0, 1)];
    const answers = msg(html`With the whole sentence <b>${percent(whole.right)}</b> right. With the mask, <i>tired</i> and <i>wide</i> leave the row of <i>it</i> the very same, and only at the full stop can it know: <b>${percent(before.right)}</b>.`);
    if (!aim) return answers;
    const picture = msg(html`In layer 2 a head gives <b>${percent(aim.weight)}</b> to the noun itself.`);
    return html`${answers} ${picture} ${other && otherAim ? msg(html`From seed 8 the same model is <b>${percent(other.right)}</b> right, yet no head of layer 2 gives the noun more than <b>${percent(otherAim.weight)}</b>.`) : ''}`;
  },
  small: () => msg('A toy English of some 150 words. The sentences above were never in training, and neither were their pairs of words. Not in every seed does “it” look at its noun, even where the answers are right: seed 7 was chosen because its picture is clear, and seed 8 stands beside it because its picture is not.'),
};
