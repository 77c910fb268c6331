// A module of five tokens of width four, from its input to the outputs that a post prints.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import type { StageId } from '../../engine/engine.ts';
import { fixed } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { cellTable, segments } from '../kit/controls.ts';
import { smallMatrix } from '../kit/small-matrix.ts';
import { type Example, type NumbersData, type NumbersEvents, cellsOf, from, moduleRun } from './examples.ts';

const ROWS = ['1', '2', '3', '4', '5'];
const PLACES = ['1', '2', '3', '4'];

export function moduleExample(data: NumbersData, events: NumbersEvents): Example {
  const { knobs, paint } = data;
  const { trace, same } = moduleRun(data.run, knobs);
  const row = knobs.row - 1;
  const weights = [...trace.stage('weights').slice(5 * row, 5 * row + 5)];
  const sum = weights.slice(0, row + 1).map((weight, key) => `${fixed(weight, 4)} · v${key + 1}`).join(' + ');
  const result = `[${[...trace.stage('context').slice(4 * row, 4 * row + 4)].map((x) => fixed(x, 4)).join(', ')}]`;
  const stage = (id: StageId, title: string, columns: readonly string[], note: string) => {
    const numbers = trace.stage(id);
    // Scores share one range, so that ÷ √4 is seen to pale them.
    const finite = [...trace.stage(id === 'scaled_scores' || id === 'masked_scores' ? 'scores' : id)].map(Math.abs);
    return smallMatrix({
      title, note, rows: ROWS, columns, kind: id === 'weights' ? 'weights' : 'signed', range: Math.max(0, ...finite), paint, lit: { row },
      axes: { down: id === 'weights' || columns === ROWS ? msg('query') : msg('row'), across: columns === ROWS ? msg('key') : msg('dimension') },
      summary: msg(str`Row ${knobs.row}: ${[...numbers.slice(columns.length * row, columns.length * (row + 1))].map((x) => (Number.isFinite(x) ? fixed(x, 4) : msg('masked'))).join(', ')}`),
      value: (r, c) => {
        const number = numbers[r * columns.length + c] ?? NaN;
        return number === -Infinity || (id === 'weights' && c > r) ? null : number;
      },
      words: (x) => fixed(x, 2),
    });
  };
  return {
    from: from('post', msg('a module runs on five random tokens of width four. The post prints its 25 weights and 20 outputs, but not what went in. An input and matrices were made that give exactly those, to all four decimals; many others would.')),
    said: same.weights === 25 && same.output === 20
      ? msg(html`Row ${knobs.row}: ${sum} = <b>${result}</b>. All 25 weights and 20 outputs are the printed ones, to four decimals.`)
      : msg(html`Row ${knobs.row}: ${sum} = <b>${result}</b>. With your numbers, ${same.weights} of the 25 printed weights and ${same.output} of the 20 printed outputs are left.`),
    figure: html`
      <div class="lab-controls">${segments(msg('Row'), 'lab-numbers-row', ROWS.map((name) => [name, name] as const), String(knobs.row), (name) => events.row(Number(name) - 1))}</div>
      <div class="lab-stages wide">
        ${cellTable('X', msg('the input, 5 × 4'), cellsOf(data, events, 'x'), 4, (r) => String(r + 1))}
        ${cellTable('W_Q', '4 × 4', cellsOf(data, events, 'wq'), 4, (r) => String(r + 1))}
        ${cellTable('W_K', '4 × 4', cellsOf(data, events, 'wk'), 4, (r) => String(r + 1))}
        ${cellTable('W_V', '4 × 4', cellsOf(data, events, 'wv'), 4, (r) => String(r + 1))}
      </div>
      <div class="lab-stages">
        ${stage('query', 'Q', PLACES, '= X · W_Q')}${stage('key', 'K', PLACES, '= X · W_K')}${stage('value', 'V', PLACES, '= X · W_V')}
      </div>
      <div class="lab-stages">
        ${stage('scores', msg('Scores'), ROWS, '= Q · Kᵀ')}${stage('scaled_scores', msg('Scaled'), ROWS, `÷ √4 = × ${short(trace.factor)}`)}${stage('masked_scores', msg('Masked'), ROWS, msg('later ones −∞'))}
        ${stage('weights', msg('Weights'), ROWS, msg('softmax of each row'))}${stage('context', msg('Output'), PLACES, msg('weights · V'))}
      </div>
      <p class="lab-note">${msg('How the input was found: the outputs are weights times V, and no weight on the diagonal is 0, so V follows row by row. Scores are the logarithms of the weights, but for a constant in each row.')}</p>
    `,
    tries: [
      { label: msg('Change the last token: only row 5 moves'), act: () => events.set({ x: [...knobs.x.slice(0, 16), 1, -1, 1, -1], row: 5 }) },
      { label: msg('Make W_Q nothing: every row shares evenly'), act: () => events.set({ wq: Array.from({ length: 16 }, () => 0) }) },
    ],
  };
}
