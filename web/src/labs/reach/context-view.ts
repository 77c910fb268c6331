// What "the context is full" means: the words that the last row still sees.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { count, percent } from '../../format.ts';
import { ownWord } from '../../views/word.ts';
import { slider } from '../views/controls.ts';
import type { Figure, ReachData, ReachEvents } from './view.ts';

export function contextFigure({ knobs, words, context, parameters, width }: ReachData, events: ReachEvents): Figure {
  const { all, first, read, weights } = context as NonNullable<ReachData['context']>;
  const word = html`<b>${ownWord(all[read - 1])}</b>`;
  const cells = (read - first) ** 2;
  return {
    controls: html`
      ${slider(msg('Words in the context'), { least: 1, most: 64, value: knobs.context, words: String(knobs.context) }, (holds) => events.set({ context: holds }))}
      ${slider(msg('Your sentence, repeated'), { least: 1, most: 8, value: knobs.repeat, words: `${knobs.repeat} ×` }, (repeat) => events.set({ repeat }))}
      ${slider(msg('Read up to word'), { least: 1, most: all.length, value: read, words: msg(str`${read} of ${all.length}`) }, (to) => events.set({ read: to }))}
    `,
    said: first === 0
      ? msg(html`At word ${read}, ${word}, all that was read fits. Places left: <b>${knobs.context - read}</b>.`)
      : msg(html`At word ${read}, ${word}, the context is full: the row is made of words ${first + 1} to ${read}. All up to word <b>${first}</b> is gone and cannot reach it any more.`),
    figure: html`
      <ol class="lab-context" aria-label=${msg('Words, with the last row’s share of each')}>${all.map((each, i) => {
        const state = i < first ? 'gone' : i >= read ? 'later' : 'seen';
        return html`<li data-state=${state} ?data-last=${i === read - 1}><bdi lang="">${each}</bdi><small class=${state === 'gone' ? 'unseen' : ''}>${state === 'seen' ? percent(weights[i - first] ?? NaN) : state === 'gone' ? msg('gone') : ''}</small></li>`;
      })}</ol>
      <p class="lab-note">${msg(html`The matrices do not limit the context: 4 · ${width}² = ${count(parameters)} numbers here, whether it holds 1 word or 64. What grows is the table, ${read - first} × ${read - first} = ${count(cells)} cells in each head, and the places that a model was trained on. The shares are head 1’s, of a run on exactly these words.`)}</p>
    `,
    tries: [
      { label: msg('Read one word further'), act: () => events.set({ read: Math.min(all.length, read + 1) }) },
      { label: msg('Go back to the first word'), act: () => events.set({ read: 1 }) },
      { label: msg('Make the context as long as your sentence'), act: () => events.set({ context: Math.min(64, words.length), read: 128 }) },
    ],
  };
}
