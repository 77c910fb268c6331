// Two small sums: the length of a vector of ones, and what a printed row of weights leaves for the others.
import { msg } from '@lit/localize';
import { html } from 'lit';
import { count, fixed, short } from '../../format.ts';
import { cell } from '../views/cells.ts';
import { slider } from '../views/controls.ts';
import { type Example, type NumbersData, type NumbersEvents, cellsOf } from './view.ts';
import { lengthOf, sumOf } from './worked.ts';

export function lengthExample(data: NumbersData, events: NumbersEvents): Example {
  const { knobs, engine } = data;
  const entry = knobs.entry[0] ?? 1;
  const [length, root, d] = [short(lengthOf(engine, knobs.count, entry)), short(Math.sqrt(knobs.count)), count(knobs.count)];
  return {
    from: msg('A text calls √d the length of a vector of d numbers, with [1, 1] as its example.'),
    said: Math.abs(entry) === 1
      ? msg(html`${d} times ${short(entry)} is <b>${length}</b> long, and √${d} = ${root}. They are equal because every number is 1 or −1.`)
      : msg(html`${d} times ${short(entry)} is <b>${length}</b> long, and √${d} = ${root}. √d is the length of this vector only where the numbers are 1 or −1.`),
    figure: html`
      <div class="lab-controls">
        ${slider(msg('Numbers in the vector'), { least: 1, most: 64, value: knobs.count, words: d }, events.count)}
        <label class="lab-field"><span>${msg('each of them')}</span>${cell(cellsOf(data, events, 'entry'), 0, msg('each of them'))}</label>
      </div>
      <p class="lab-note">${msg('Scores are divided by √d for another reason: a sum of d independent products has a standard deviation that grows as √d.')}</p>
    `,
    tries: [{ label: msg('Two numbers of 3'), act: () => events.set({ count: 2, entry: [3] }) }],
  };
}

/** The printed words of the sentence; the dots stand for the other six. */
const LENGTH_WORDS = ['the', 'animal', 'didn\'t', 'street', 'tired'];
const OTHERS = 6;

export function sharesExample(data: NumbersData, events: NumbersEvents): Example {
  const sum = sumOf(data.engine, data.knobs.shares);
  const cells = cellsOf(data, events, 'shares');
  const rest = 1 - sum;
  const [sumWords, restWords, each] = [fixed(sum, 2), fixed(rest, 2), fixed(rest / OTHERS, 2)];
  return {
    from: msg('A text draws the row of “it” in “the animal didn’t cross the street because it was too tired”: five weights, and dots for the others.'),
    said: rest >= -1e-6
      ? msg(html`The five printed weights sum to <b>${sumWords}</b>. A row sums to 1, so the other six words share <b>${restWords}</b>: ${each} each, were they equal.`)
      : msg(html`These five sum to <b>${sumWords}</b>, which is more than 1: no softmax gives such a row.`),
    figure: html`
      <div class="lab-scroll"><table class="lab-table lab-worked">
        <thead><tr><th scope="col">${msg('Word')}</th><th scope="col">${msg('weight from “it”')}</th></tr></thead>
        <tbody>${LENGTH_WORDS.map((word, i) => html`<tr ?data-chosen=${i === 1}><th scope="row" lang="en">${word}</th><td>${cell(cells, i, word)}</td></tr>`)}
          <tr><th scope="row">${msg('the other six')}</th><td>${restWords}</td></tr>
          <tr class="lab-sum"><th scope="row">${msg('sum')}</th><td>1</td></tr></tbody>
      </table></div>
      <p class="lab-note">${msg('These are weights that a trained model might have. The causal playground never shows “it” a weight on “was”, “too” or “tired”: they come later, and the text’s “it” looks both ways.')}</p>
    `,
  };
}
