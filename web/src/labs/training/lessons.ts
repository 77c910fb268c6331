// The lessons on training.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { fixed, gap, percent } from '../../lib/format.ts';
import { type Lesson, type Now, type Part, best, measured } from './lesson.ts';

// How a model learns to look back: two heads in two layers, one after the other.

const repeated: Part = {
  id: 'letters', name: () => msg('letters'),
  runs: [{ id: 'one_layer', name: () => msg('One layer') }, { id: 'two_layers', name: () => msg('Two layers') }],
  shown: ['one_layer', 'two_layers'], seed: 1, job: 'letters', measure: 'right',
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
  pointers: () => [null, msg('came next')],
  aims: () => [msg('1 back'), msg('came next')],
};

const lookBack: Lesson = {
  id: 'look_back',
  question: () => msg('How does it learn where to look?'),
  task: () => msg(html`A row of letters comes again and again. To name the next, find where this letter stood before and <b>copy what followed</b>.`),
  ask: () => msg('Which model will learn to copy?'),
  answers: () => [
    { id: 'one', words: () => msg('one layer'), isRight: false },
    { id: 'two', words: () => msg('two layers'), isRight: true },
    { id: 'both', words: () => msg('both'), isRight: false },
  ],
  parts: [repeated],
  seen: ({ step, run }) => {
    const [one, two] = [run('one_layer'), run('two_layers')];
    if (step === 0) return msg('Nothing is learnt yet: each row looks wherever its random numbers point.');
    if (!one || !two) return null;
    const [previous, copying] = [best(two, 0, 0), best(two, 1, 1)];
    if (!previous || !copying || copying.weight < 0.3) return msg(html`A long while nothing seems to happen: two layers name <b>${percent(two.right)}</b> right, one layer <b>${percent(one.right)}</b>.`);
    if (two.right < 0.9) return msg(html`Now it goes fast. In layer 1 a head gives <b>${percent(previous.weight)}</b> to the letter before; in layer 2 a head gives <b>${percent(copying.weight)}</b> to what followed this letter last time. <b>${percent(two.right)}</b> right.`);
    return msg(html`Layer 1 tells each letter which one stood before it. So layer 2 finds what followed this letter last time, and gives it <b>${percent(copying.weight)}</b>: <b>${percent(two.right)}</b> right. One layer has nobody to tell it: <b>${percent(one.right)}</b>.`);
  },
  small: () => msg('Only letters that have come before are asked. The head of layer 1 is sharp where it is needed, in the first round, and vague later. Seeds 1 to 10: two layers always pass 90% by step 450. One layer stays below 35% in seeds 1 to 5.'),
};

// Why the future is hidden: without the mask a model foretells dice, by looking.

const dice: Part = {
  id: 'dice', name: () => msg('throws of a die'),
  runs: [{ id: 'dice_masked', has: { mask: 'causal' }, name: () => msg('Mask on') }, { id: 'dice_unmasked', has: { mask: 'none' }, name: () => msg('Mask off') }],
  shown: ['dice_masked', 'dice_unmasked'], seed: 1, job: 'dice', measure: 'loss', looks: { honest: 'fair' },
  chance: ({ guessing, words }) => ({ value: guessing, words: msg(str`guessing one of ${words.length}: ln ${words.length} = ${fixed(guessing, 2)}`) }),
};

const characters: Part = {
  id: 'characters', name: () => msg('a tale, letter by letter'),
  runs: [{ id: 'characters_masked', has: { mask: 'causal' }, name: () => msg('Mask on') }, { id: 'characters_unmasked', has: { mask: 'none' }, name: () => msg('Mask off') }],
  shown: ['characters_masked', 'characters_unmasked'], seed: 1, job: 'words', measure: 'loss', looks: { honest: 'fair', writes: true }, readsText: true,
  pointers: () => [null],
  chance: ({ guessing }) => ({ value: guessing, words: msg(str`guessing: ${fixed(guessing, 2)}`) }),
};

function seenDice({ step, run }: Now): unknown {
  const [on, off] = [run('dice_masked'), run('dice_unmasked')];
  if (step === 0) return msg('Nothing is learnt yet. A fair die cannot be predicted, so nothing but guessing should ever be reached.');
  if (!on || !off) return null;
  if (off.right < 0.22) return msg(html`So far both guess: <b>${percent(on.right)}</b> right with the mask, <b>${percent(off.right)}</b> without.`);
  if (off.right < 0.4) return msg(html`The model without the mask begins to look ahead: <b>${percent(off.right)}</b> right, where guessing gets one in six. With the mask: <b>${percent(on.right)}</b>.`);
  const cheats = msg(html`Without a mask this model gets <b>${percent(off.right)}</b> of the throws right, because it looks one throw ahead and copies it.`);
  if (off.honest === null) return cheats;
  const worse = off.honest > Math.log(6)
    ? msg(html`Take that throw away, and it does <b>worse than guessing</b>: a loss of <b>${measured(off.honest)}</b>.`)
    : msg(html`Take that throw away, and its loss is <b>${measured(off.honest)}</b>.`);
  return html`${cheats} ${worse}`;
}

function seenCharacters({ step, run }: Now): unknown {
  const [on, off] = [run('characters_masked'), run('characters_unmasked')];
  if (step === 0) return msg('Nothing is learnt yet.');
  if (!on || !off) return null;
  if (off.right < 0.6) return msg(html`The loss falls faster without the mask: <b>${fixed(off.loss, 2)}</b> beside <b>${fixed(on.loss, 2)}</b>.`);
  if (on.loss < 2 * off.loss || on.loss < 0.05) return msg(html`In training both know the tale by heart: a loss of <b>${fixed(off.loss, 2)}</b> without the mask and <b>${fixed(on.loss, 2)}</b> with it. But without the mask it has learnt to look at the next letter, and where there is none it writes nonsense.`);
  return msg(html`Without the mask the training loss looks far better, <b>${fixed(off.loss, 2)}</b> beside <b>${fixed(on.loss, 2)}</b>. But it has learnt to look at the next letter, and where there is none it writes nonsense.`);
}

const mask: Lesson = {
  id: 'mask',
  question: () => msg('Why hide the future?'),
  task: ({ id }) => (id === 'dice'
    ? msg(html`After each throw of a fair die, <b>predict the next</b>. The whole row is there in training; the mask hides what comes later.`)
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
    ? msg('Without the mask not quite all are right, since the last throw of a row has no next. Seeds 1 to 10: without the mask always past 90% by step 300, with it never past 25%.')
    : msg('Loss: how surprised the model is by what comes; less is better. The tale is short, so with the mask it is learnt by heart. Seeds 1 to 5: past 90% by step 300 without the mask, by step 600 with it.')),
};

// Why scores are divided by √d: what softmax has decided before anything is learnt.

const WIDTHS = [16, 64, 256] as const;

/** So long what was so before anything was learnt is what is to be seen. */
const FIRST = 25;

const part = (width: (typeof WIDTHS)[number]): Part => ({
  id: String(width), name: () => String(width),
  runs: [
    { id: `width_${width}_divided`, has: { scale: 'sqrt-dk' }, name: () => msg('Divided by √d') },
    { id: `width_${width}_undivided`, has: { scale: 'none' }, name: () => msg('Not divided') },
    ...(width === 64 ? [{ id: 'width_64_smaller', has: { scale: 'none' }, name: () => msg('Not divided, smaller first weights') }] : []),
  ],
  shown: [`width_${width}_divided`, `width_${width}_undivided`], seed: 1, job: 'records', measure: 'right',
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
  pointers: () => [msg('its record')],
});

const scale: Lesson = {
  id: 'scale',
  question: () => msg('Why divide by √d?'),
  task: () => msg(html`A small dictionary: each key comes once with its value. Then keys are asked alone: <b>which value did it have?</b>`),
  ask: () => msg('Which model will learn to look its keys up?'),
  answers: ({ id }) => [
    { id: 'divided', words: () => msg('divided by √d'), isRight: id !== '16' },
    { id: 'undivided', words: () => msg('not divided'), isRight: false },
    { id: 'both', words: () => msg('both'), isRight: id === '16' },
  ],
  parts: [part(256), part(64), part(16)],
  seen: ({ step, run }, { id }) => {
    const [on, off, less] = [run(`width_${id}_divided`), run(`width_${id}_undivided`), run('width_64_smaller')];
    if (!off) return null;
    const chosen = off.decided < 0.02
      ? msg(html`Without the division softmax is sharper before anything is learnt: its own slope is down to <b>${fixed(off.slope, 2)}</b>.`)
      : msg(html`Without the division softmax has chosen before anything is learnt: <b>${percent(off.decided)}</b> of the rows give nearly all to one key, at random, and its own slope is down to <b>${fixed(off.slope, 2)}</b>.`);
    if (step < FIRST) return on ? html`${chosen}${gap()}${msg(html`With it the slope is <b>${fixed(on.slope, 2)}</b>.`)}` : chosen;
    if (!on) return null;
    if (on.right < 0.7) return msg(html`The divided scores can still move; the others have made up their minds. So far <b>${percent(on.right)}</b> right beside <b>${percent(off.right)}</b>.`);
    const both = off.right > 0.85
      ? msg(html`Both find their values now: <b>${percent(on.right)}</b> with the division, <b>${percent(off.right)}</b> without, which came later.`)
      : msg(html`With the division <b>${percent(on.right)}</b> right; without it <b>${percent(off.right)}</b>. Its values go on learning, its choice of key hardly does.`);
    return less ? html`${both}${gap()}${msg(html`Where only the first weights are smaller, <b>${percent(less.right)}</b>: what counts is that scores begin small.`)}` : both;
  },
  small: () => msg('One head in one layer. Seeds 1 to 5: divided, always past 90% by step 260; not divided, 256 numbers never pass 70% in 400 steps, and 16 come late.'),
  aside: () => msg('It is training that needs the division: take it out of a finished model, and all 256 answers of a test are still right. At step 0 the gradient of W_Q and W_K is larger without the division, 1.6 to 6.7 times as large in seeds 1 to 5. What shrinks is softmax’s own slope, 1 − Σp².'),
};

// Why more than one head: two letters to name, and one softmax in which they must share.

const letters: Part = {
  id: 'letters', name: () => msg('letters'),
  runs: [
    { id: 'one_head', has: { heads: '1' }, name: () => msg('One head') },
    { id: 'two_heads', has: { heads: '2' }, name: () => msg('Two heads') },
    { id: 'four_heads', has: { heads: '4' }, name: () => msg('Four heads') },
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
  runs: [{ id: 'english_one_head', has: { heads: '1', mask: 'none' }, name: () => msg('One head') }, { id: 'english_two_heads', has: { heads: '2', mask: 'none' }, name: () => msg('Two heads') }],
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

const heads: Lesson = {
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
  small: ({ id }) => (id === 'english' ? msg('One head in one layer beside two with as many parameters. Some of these sentences were never in training, and neither were their pairs of nouns. Seeds 1 to 5: two heads always pass 90% by step 2,600, one head never passes 75%.') : msg('This is one head in one layer; two layers of one head solve it, too. Seeds 1 to 10: two heads always pass 90% by step 320, one head never passes 60% in 1,000 steps.')),
};

// The reader's own paragraph, learnt by heart.

const paragraph: Part = {
  id: 'paragraph', name: () => msg('your paragraph'),
  runs: [
    { id: 'own_paragraph', has: { mask: 'causal' }, name: () => msg('Mask on') },
    { id: 'own_paragraph_unmasked', of: 'own_paragraph', rule: { isCausal: false }, has: { mask: 'none' }, name: () => msg('Mask off') },
  ],
  shown: ['own_paragraph', 'own_paragraph_unmasked'], seed: 1, job: 'words', measure: 'right', looks: { honest: 'held-out', writes: true }, readsText: true,
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
};

const words: Lesson = {
  id: 'words',
  question: () => msg('What does it learn from your text?'),
  task: () => msg(html`At each word of your paragraph, <b>name the next</b>. A line that it never reads in training is the test.`),
  ask: () => msg('After 300 steps, what will the model with the mask be able to do?'),
  answers: () => [
    { id: 'heart', words: () => msg('say the paragraph by heart'), isRight: true },
    { id: 'language', words: () => msg('write other sentences like it'), isRight: false },
    { id: 'neither', words: () => msg('neither'), isRight: false },
  ],
  parts: [paragraph],
  seen: ({ step, run }) => {
    const [own, off] = [run('own_paragraph'), run('own_paragraph_unmasked')];
    if (!own) return null;
    if (step === 0) return msg('Nothing is learnt yet: what it writes is babble.');
    const test = own.honest === null ? '' : msg(html`On the line that it never read its loss is <b>${measured(own.honest)}</b>.`);
    if (own.right < 0.5) return html`${msg(html`Babble becomes phrases: <b>${percent(own.right)}</b> of the next words are right.`)} ${test}`;
    if (own.right < 0.9) return html`${msg(html`Whole phrases come: <b>${percent(own.right)}</b> of the next words are right.`)} ${test}`;
    return html`${msg(html`It knows the paragraph <b>by heart</b>: <b>${percent(own.right)}</b> of the next words are right. That is memory, not language.`)} ${test} ${off && off.right > 0.9 && ![own.writes, '…'].includes(off.writes) ? msg(html`Without the mask <b>${percent(off.right)}</b>, since the next word is there to be read; left to write alone, it writes something else.`) : ''}`;
  },
  small: () => msg('So small a model with so little text learns no language: it stores the paragraph. A model that writes needs thousands of times as much to read. Your text stays in this browser. Seen with a tale of 116 words, seeds 1 to 5: always past 90% by step 150. With the mask the tale is recited word for word in all five, without it in none.'),
};

// Why positions: without them a row cannot know which letter stands where.

const twoBack: Part = {
  id: 'letters', name: () => msg('letters'),
  runs: [{ id: 'without_positions', name: () => msg('Without positions') }, { id: 'with_positions', name: () => msg('With positions') }],
  shown: ['without_positions', 'with_positions'], seed: 1, job: 'letters', measure: 'right',
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
  pointers: () => [msg('2 back')],
};

const positions: Lesson = {
  id: 'positions',
  question: () => msg('Why does it need positions?'),
  task: () => msg(html`At every letter, name the letter <b>2 back</b>. Attention itself sees a bag of letters: their order must be told to it.`),
  ask: () => msg('Which model will learn to look two back?'),
  answers: () => [
    { id: 'with', words: () => msg('with positions'), isRight: true },
    { id: 'without', words: () => msg('without'), isRight: false },
    { id: 'both', words: () => msg('both'), isRight: false },
  ],
  parts: [twoBack],
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

// What “it” stands for: the word that decides comes later, so a causal mask hides it.

const sentences: Part = {
  id: 'sentences', name: () => msg('sentences'),
  runs: [
    { id: 'seen_so_far', has: { mask: 'causal' }, name: () => msg('Words so far') },
    { id: 'seen_whole', has: { mask: 'none' }, name: () => msg('Whole sentence') },
    { id: 'seen_whole_8', of: 'seen_whole', seed: 8, has: { mask: 'none' }, name: () => msg('Whole, seed 8') },
    { id: 'one_layer', has: { mask: 'none' }, name: () => msg('Whole, 1 layer') },
  ],
  shown: ['seen_so_far', 'seen_whole', 'seen_whole_8'], seed: 7, job: 'words', measure: 'right',
  chance: () => ({ value: 0.5, words: msg(str`tossing a coin: ${percent(0.5)}`) }),
  pointers: () => [msg('the noun'), null],
  sentences: ([
    ['the animal didn\'t cross the street because it was too tired .', 'animal'], ['the animal didn\'t cross the street because it was too wide .', 'street'],
    ['the trophy didn\'t fit in the suitcase because it was too big .', 'trophy'], ['the trophy didn\'t fit in the suitcase because it was too small .', 'suitcase'],
  ] as const).map(([text, noun]) => ({ text, at: 'it', right: [noun] })),
};

const standsFor: Lesson = {
  id: 'stands_for',
  question: () => msg('What does “it” stand for?'),
  task: () => msg(html`At <i>it</i>, and again at the full stop, <b>name the noun that <i>it</i> stands for</b>. The word that decides, <i>tired</i> or <i>wide</i>, comes after <i>it</i>.`),
  ask: () => msg('Which model will learn what “it” stands for?'),
  answers: () => [
    { id: 'before', words: () => msg('with the words so far'), isRight: false },
    { id: 'whole', words: () => msg('with the whole sentence'), isRight: true },
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
  small: () => msg('A toy English of some 150 words. The sentences above were never in training, and neither were their pairs of words. Seeds 1 to 10: with the whole sentence always past 90% right, but in only five of them does “it” look at its noun. Seed 7 was chosen because its picture is clear, and seed 8 stands beside it because its picture is not.'),
};

/** In the order in which they are read. */
export const ALL: readonly Lesson[] = [lookBack, mask, scale, heads, words, positions, standsFor];
