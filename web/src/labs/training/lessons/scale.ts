// Why scores are divided by √d: what softmax has decided before anything is learnt.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { fixed, percent } from '../../../lib/format.ts';
import type { Lesson, Part } from '../lesson.ts';

const WIDTHS = [16, 64, 256] as const;

/** So long what was so before anything was learnt is what is to be seen. */
const FIRST = 25;

const part = (width: (typeof WIDTHS)[number]): Part => ({
  id: String(width), name: () => String(width),
  runs: [
    { id: `width_${width}_divided`, name: () => msg('Divided by √d') },
    { id: `width_${width}_undivided`, name: () => msg('Not divided') },
    ...(width === 64 ? [{ id: 'width_64_smaller', name: () => msg('Not divided, smaller first weights') }] : []),
  ],
  shown: [`width_${width}_divided`, `width_${width}_undivided`], seed: 1, job: 'records', measure: 'right',
  chance: ({ guessing }) => ({ value: Math.exp(-guessing), words: msg(str`guessing: ${percent(Math.exp(-guessing))}`) }),
  pointers: () => [msg('its record')],
});

export const scale: Lesson = {
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
    if (step < FIRST) return on ? html`${chosen} ${msg(html`With it the slope is <b>${fixed(on.slope, 2)}</b>.`)}` : chosen;
    if (!on) return null;
    if (on.right < 0.7) return msg(html`The divided scores can still move; the others have made up their minds. So far <b>${percent(on.right)}</b> right beside <b>${percent(off.right)}</b>.`);
    const both = off.right > 0.85
      ? msg(html`Both find their values now: <b>${percent(on.right)}</b> with the division, <b>${percent(off.right)}</b> without, which came later.`)
      : msg(html`With the division <b>${percent(on.right)}</b> right; without it <b>${percent(off.right)}</b>. Its values go on learning, its choice of key hardly does.`);
    return less ? html`${both} ${msg(html`Where only the first weights are smaller, <b>${percent(less.right)}</b>: what counts is that scores begin small.`)}` : both;
  },
  small: () => msg('At step 0 the gradient of W_Q and W_K is larger without the division, not smaller: what shrinks is softmax’s own slope, 1 − Σp². A finished model hardly needs the division; training does. Seeds 1 to 5: divided, always past 90% by step 260. Not divided, 256 numbers never pass 70% in 400 steps; 16 come late.'),
};
