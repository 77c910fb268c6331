// The reader's own paragraph, learnt by heart.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { fixed, percent } from '../../../lib/format.ts';
import type { Lesson, Part } from '../lesson.ts';

const paragraph: Part = {
  id: 'paragraph', name: () => msg('your paragraph'),
  runs: [{ id: 'own_paragraph', name: () => msg('Your paragraph') }],
  shown: ['own_paragraph'], seed: 1, job: 'words', measure: 'right', looks: { honest: 'held-out', writes: true }, readsText: true,
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
};

export const words: Lesson = {
  id: 'words',
  question: () => msg('What does it learn from your text?'),
  task: () => msg(html`At each word of your paragraph, <b>name the next</b>. A line that it never reads in training is the test.`),
  ask: () => msg('After 300 steps, what will it be able to do?'),
  answers: () => [
    { id: 'heart', words: () => msg('say the paragraph by heart'), isRight: true },
    { id: 'language', words: () => msg('write other sentences like it'), isRight: false },
    { id: 'neither', words: () => msg('neither'), isRight: false },
  ],
  parts: [paragraph],
  seen: ({ step, run }) => {
    const own = run('own_paragraph');
    if (!own) return null;
    if (step === 0) return msg('Nothing is learnt yet: what it writes is babble.');
    const test = own.honest === null ? '' : msg(html`On the line that it never read its loss is <b>${fixed(own.honest, 2)}</b>.`);
    if (own.right < 0.5) return html`${msg(html`Babble becomes phrases: <b>${percent(own.right)}</b> of the next words are right.`)} ${test}`;
    if (own.right < 0.9) return html`${msg(html`Whole phrases come: <b>${percent(own.right)}</b> of the next words are right.`)} ${test}`;
    return html`${msg(html`It knows the paragraph <b>by heart</b>: <b>${percent(own.right)}</b> of the next words are right. That is memory, not language.`)} ${test}`;
  },
  small: () => msg('So small a model with so little text learns no language: it stores the paragraph. A model that writes needs thousands of times as much to read. Your text stays in this browser. Seen with a tale of 125 words, seeds 1 to 5: always past 90% by step 150.'),
};
