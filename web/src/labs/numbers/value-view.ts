// One weight times one value, and the sum of all of them.
import { msg } from '@lit/localize';
import { html } from 'lit';
import { fixed, short } from '../../format.ts';
import { cell } from '../views/cells.ts';
import { type Example, type NumbersData, type NumbersEvents, cellsOf } from './view.ts';
import { weightedValue } from './worked.ts';

/** The text's words; its row is the fourth. */
const VALUE_WORDS = ['Houston', 'we', 'have', 'a', 'problem'];
const ROW = 3;

export function valueExample(data: NumbersData, events: NumbersEvents): Example {
  const { knobs } = data;
  const { sums, total } = weightedValue(data.run, data.engine, knobs);
  const [weights, values] = [cellsOf(data, events, 'weights'), cellsOf(data, events, 'values')];
  const product = (row: number, c: number): number => sums[c]?.terms[row]?.product ?? NaN;
  const list = (numbers: readonly number[]) => `[${numbers.map(short).join(', ')}]`;
  const [row, context] = [list(sums.map((_, c) => product(ROW, c))), list(sums.map(({ result }) => result))];
  const weight = short(knobs.weights[ROW] ?? 0);
  return {
    from: msg('From a text that takes the fourth word of five: its weight is 0.27, its value [6.2, 1.4, 7.9]. The other four words’ numbers are ours.'),
    said: Math.abs(total - 1) < 1e-6
      ? msg(html`Row 4 brings ${weight} · its value = <b>${row}</b>. All five rows together are the context, <b>${context}</b>: one row of the layer’s output.`)
      : msg(html`Row 4 brings ${weight} · its value = <b>${row}</b>. These weights sum to ${short(total)}; softmax’s always sum to 1. With them as they are the context is <b>${context}</b>.`),
    figure: html`
      <div class="lab-scroll"><table class="lab-table lab-worked">
        <thead><tr><th scope="col">${msg('Word')}</th><th scope="col">${msg('weight')}</th><th scope="colgroup" colspan="3">${msg('value')}</th><th scope="colgroup" colspan="3">${msg('weight × value')}</th></tr></thead>
        <tbody>
          ${VALUE_WORDS.map((word, i) => html`
            <tr ?data-chosen=${i === ROW}>
              <th scope="row">${i + 1} <span lang="en">${word}</span></th>
              <td>${cell(weights, i, `${msg('weight')} ${i + 1}`)}</td>
              ${sums.map((_, c) => html`<td>${cell(values, i * sums.length + c, `${msg('value')} ${i + 1}, ${c + 1}`)}</td>`)}
              ${sums.map((_, c) => html`<td data-product=${`${i},${c}`}>${short(product(i, c))}</td>`)}
            </tr>
          `)}
          <tr class="lab-sum"><th scope="row">${msg('sum')}</th><td>${fixed(total, 2)}</td><td colspan=${sums.length}></td>${sums.map(({ result }, c) => html`<td data-context=${c}><b>${short(result)}</b></td>`)}</tr>
        </tbody>
      </table></div>
      <p class="lab-note">${msg('The text prints row 4 as [1.67, 0.378, 2.13], rounded to three digits.')}</p>
    `,
    tries: [
      { label: msg('Give all weight to the fourth word'), act: () => events.set({ weights: [0, 0, 0, 1, 0] }) },
      { label: msg('Give every word the same'), act: () => events.set({ weights: [0.2, 0.2, 0.2, 0.2, 0.2] }) },
    ],
  };
}
