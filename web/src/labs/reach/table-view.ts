// A matrix of its own for every pair of words, against the three that stand in for all of them.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, html, nothing, svg } from 'lit';
import { count, significant } from '../../format.ts';
import { withSubs } from '../../views/subs.ts';
import { slider } from '../views/controls.ts';
import { plot } from '../views/plot.ts';
import { FLOAT_BYTES, bytes, pairTable, threeMatrices } from './formulas.ts';
import type { Figure, ReachData, ReachEvents } from './view.ts';

const MOST_DRAWN = 32;

const manyNumbers = (value: number): string => (value < 1e15 ? count(value) : significant(value));

export function tableFigure({ knobs, words }: ReachData, events: ReachEvents): Figure {
  const n = knobs.n || words.length;
  const [d, delta] = [2 ** knobs.width, 2 ** knobs.delta];
  const [table, three] = [pairTable(n, d, delta), threeMatrices(d, delta)];
  const row = (name: unknown, formula: string, numbers: number, id: string) => html`
    <tr data-size=${id}><th scope="row">${withSubs(name)}</th><td>${formula}</td><td><b>${manyNumbers(numbers)}</b></td><td>${bytes(numbers * FLOAT_BYTES)}</td></tr>`;
  return {
    controls: html`
      ${slider(msg('Words, n'), { least: 0, most: 17, value: knobs.n === 0 ? 0 : Math.round(Math.log2(knobs.n)), words: knobs.n === 0 ? msg(str`yours, ${words.length}`) : count(n) }, (power) => events.set({ n: power === 0 ? 0 : 2 ** power }))}
      ${slider(msg('Width in, d'), { least: 3, most: 14, value: knobs.width, words: count(d) }, (width) => events.set({ width }))}
      ${slider(msg('Width out, δ'), { least: 3, most: 14, value: knobs.delta, words: count(delta) }, (to) => events.set({ delta: to }))}
    `,
    said: msg(html`A matrix for each of ${count(n)} × ${count(n)} pairs would hold <b>${manyNumbers(table)}</b> numbers, ${bytes(table * FLOAT_BYTES)}. W<sub>Q</sub>, W<sub>K</sub> and W<sub>V</sub> hold ${manyNumbers(three)}, ${bytes(three * FLOAT_BYTES)}, for any number of words.`),
    figure: html`<div class="lab-columns">
      ${plot({
        title: msg('One square is one d × δ matrix'), note: n > MOST_DRAWN ? msg(str`${MOST_DRAWN} of ${count(n)} rows and columns are drawn`) : '', height: 300,
        summary: msg(str`${manyNumbers(n * n)} squares against 3.`),
        draw: (width) => squares(Math.min(n, MOST_DRAWN), width, n > MOST_DRAWN),
        numbers: { columns: [msg('What is held'), msg('squares')], rows: [[msg('for each pair'), manyNumbers(n * n)], [msg('in their place'), '3']] },
      })}
      <div><div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Numbers and bytes')}><table class="lab-table">
        <thead><tr><th scope="col">${msg('What is held')}</th><th scope="col">${msg('formula')}</th><th scope="col">${msg('numbers')}</th><th scope="col">${msg('as float32')}</th></tr></thead>
        <tbody>
          ${row(msg('A matrix for each pair'), `n·n·d·δ = ${count(n)}² · ${count(d)} · ${count(delta)}`, table, 'pairs')}
          ${row(msg('W_Q, W_K, W_V'), `3·d·δ = 3 · ${count(d)} · ${count(delta)}`, three, 'three')}
        </tbody>
      </table></div>
      <p class="lab-note">${msg('“How much does this word hear from that one” is a dot product of two rows, “what does it hear” one row: three learnt matrices answer for every pair, and another sentence needs no others. The large table would have to be learnt anew for each length.')}</p></div></div>
    `,
    tries: [
      { label: msg('2,048 words of width 8,192 into heads of 128'), act: () => events.set({ n: 2048, width: 13, delta: 7 }) },
      { label: msg('Your sentence, as this page computes it'), act: () => events.set({ n: 0, width: 6, delta: 6 }) },
    ],
  };
}

function squares(n: number, width: number, goesOn: boolean): SVGTemplateResult {
  const cell = Math.min(40, 270 / n, (width - 90) / (n + 1.5));
  const size = Math.max(1, cell - (cell > 5 ? 1.5 : 0.6));
  const field = n * cell;
  const square = (x: number, y: number, kind: string) => svg`<rect class=${kind} x=${x.toFixed(1)} y=${y.toFixed(1)} width=${size.toFixed(1)} height=${size.toFixed(1)}></rect>`;
  const names = ['Q', 'K', 'V'];
  const right = field + Math.max(36, cell);
  const apart = Math.max(20, cell + 2);
  return svg`
    <g data-squares=${n * n}>${Array.from({ length: n * n }, (_, i) => square((i % n) * cell, Math.floor(i / n) * cell, 'lab-block'))}</g>
    ${goesOn ? svg`<text class="plot-name" x=${field + 6} y=${field - 2}>…</text>` : nothing}
    ${names.map((name, i) => svg`${square(right, i * apart, 'lab-block own')}<text class="plot-name" x=${right + cell + 6} y=${i * apart + Math.min(14, size / 2 + 6)}>W<tspan dy="0.25em" font-size="0.75em">${name}</tspan></text>`)}
  `;
}
