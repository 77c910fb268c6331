// One query, three keys, three values: every step of it.
import { msg } from '@lit/localize';
import { html } from 'lit';
import { column, fixed, percent, short, weight } from '../../format.ts';
import { cell } from '../views/cells.ts';
import { type Example, type NumbersData, type NumbersEvents, cellsOf } from './view.ts';
import { three } from './worked.ts';

const THREE_KEYS = [0, 1, 2];
const PLACES = [0, 1, 2];

export function threeExample(data: NumbersData, events: NumbersEvents): Example {
  const { trace } = three(data.run, data.engine, data.knobs);
  const cells = THREE_KEYS.map((key) => trace.cell({ head: 0, query: 0, key }));
  const exps = cells[0]?.exps ?? new Float32Array();
  const weighted = trace.weightedValues(0, 0);
  const context = [...trace.stage('context')];
  const [query, keys, values] = [cellsOf(data, events, 'query3'), cellsOf(data, events, 'keys3'), cellsOf(data, events, 'values3')];
  const most = cells.reduce((best, { weight }, k) => (weight > (cells[best]?.weight ?? 0) ? k : best), 0);
  const written = (numbers: readonly number[]) => `[${numbers.map(short).join(', ')}]`;
  const [share, result, value] = [percent(cells[most]?.weight ?? NaN), written(context), written(data.knobs.values3.slice(3 * most, 3 * most + 3))];
  return {
    from: msg('A text works this through with vectors of three numbers, so scores are divided by √3, and its third key wins. The numbers it printed were lost on their way to us; these were chosen to come out as it says.'),
    said: (cells[most]?.weight ?? 0) > 0.5
      ? msg(html`Key ${most + 1} takes <b>${share}</b>: the context <b>${result}</b> is mostly its value, ${value}.`)
      : msg(html`No key takes more than ${share}: the context <b>${result}</b> is a blend of all three values.`),
    figure: html`
      <div class="lab-scroll"><table class="lab-table lab-worked">
        <caption class="small-heading">${msg('The query')}: ${PLACES.map((c) => cell(query, c, `q ${c + 1}`))}</caption>
        <thead><tr>
          <th scope="col">${msg('Key')}</th><th scope="colgroup" colspan="3">${msg('its numbers')}</th><th scope="colgroup" colspan="3">${msg('value')}</th>
          <th scope="col">q·k</th><th scope="col">÷ √3</th><th scope="col">exp(s − max)</th><th scope="col">${msg('weight')}</th><th scope="colgroup" colspan="3">${msg('weight × value')}</th>
        </tr></thead>
        <tbody>
          ${cells.map((each, k) => html`
            <tr ?data-chosen=${k === most}>
              <th scope="row">${k + 1}</th>
              ${PLACES.map((c) => html`<td>${cell(keys, 3 * k + c, `${msg('key')} ${k + 1}, ${c + 1}`)}</td>`)}
              ${PLACES.map((c) => html`<td>${cell(values, 3 * k + c, `${msg('value')} ${k + 1}, ${c + 1}`)}</td>`)}
              <td data-score=${k}>${short(each.score)}</td><td data-scaled=${k}>${fixed(each.scaled_score, 3)}</td><td data-exp=${k}>${weight(exps[k] ?? NaN)}</td><td data-weight=${k}>${weight(each.weight)}</td>
              ${PLACES.map((c) => html`<td data-product=${`${k},${c}`}>${column(weighted[3 * k + c] ?? NaN)}</td>`)}
            </tr>
          `)}
          <tr class="lab-sum"><th scope="row">${msg('sum')}</th><td colspan="8"></td><td data-exp-sum>${fixed(cells[0]?.exp_sum ?? NaN, 4)}</td><td></td>${context.map((number, c) => html`<td data-context=${c}><b>${column(number)}</b></td>`)}</tr>
        </tbody>
      </table></div>
    `,
    tries: [
      { label: msg('Make all keys the same'), act: () => events.set({ keys3: [1, 1, 1, 1, 1, 1, 1, 1, 1] }) },
      { label: msg('Turn the query away from the third key'), act: () => events.set({ query3: [1, 2, -3] }) },
    ],
  };
}
