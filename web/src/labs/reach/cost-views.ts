// Multiply-adds of full, window and linear attention; and one matrix for every pair of words against three for all.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, html, nothing, svg } from 'lit';
import { count, significant } from '../../lib/format.ts';
import { withSubs } from '../../text/word.ts';
import { slider } from '../kit/controls.ts';
import { lines } from '../kit/lines.ts';
import { plot } from '../kit/plot.ts';
import type { Figure, ReachData, ReachEvents } from './data.ts';
import { windowHops } from './paths-view.ts';
import { COSTS, FLOAT_BYTES, type Sizes, type Way, bytes, pairTable, threeMatrices, windowReach } from './formulas.ts';

const FARTHEST = 131072;
const HEAD = 64;
const WAYS: readonly Way[] = ['full', 'window', 'linear'];

const manyProducts = (value: number): string => (value < 1e9 ? count(value) : significant(value));

export function costFigure({ knobs, words }: ReachData, events: ReachEvents): Figure {
  const sizes: Sizes = { d: 2 ** knobs.d, d_k: Math.min(HEAD, 2 ** knobs.d), window: 2 ** knobs.window };
  const n = words.length;
  const names: Record<Way, string> = { full: msg('full'), window: msg('window'), linear: msg('linear') };
  const back = windowReach(sizes.window, knobs.layers);
  const lengths = [...new Set([n, 1024, 8192, FARTHEST])].sort((a, b) => a - b);
  const far = (way: Way) => COSTS[way](FARTHEST, sizes);
  const saved = [far('full') / far('window'), far('full') / far('linear')].map((each) => count(Math.round(each)));
  return {
    controls: html`
      ${slider('d_model', { least: 3, most: 14, value: knobs.d, words: count(sizes.d) }, (d) => events.set({ d }))}
      ${slider(msg('Window, keys a row'), { least: 1, most: 13, value: knobs.window, words: count(sizes.window) }, (window) => events.set({ window }))}
      ${slider(msg('Layers'), { least: 1, most: 96, value: knobs.layers, words: String(knobs.layers) }, (layers) => events.set({ layers }))}
    `,
    said: msg(html`At your n = ${n} full attention costs <b>${manyProducts(COSTS.full(n, sizes))}</b> multiply-adds. At ${count(FARTHEST)} words it costs ${saved[0]} times the window and ${saved[1]} times linear attention. But a word is heard at most ${count(back)} words on through ${knobs.layers} windows of ${count(sizes.window)} keys.`),
    figure: html`
      <div class="lab-columns">
        <div>
          ${windowHops(words, sizes.window, knobs.layers)}
          <p class="lab-note">${msg(html`Layers pass on what they heard: L·(w − 1) = ${knobs.layers} · ${count(sizes.window - 1)} = <b data-back>${count(back)}</b> words back. Full attention hears all of them in the first.`)}</p>
        </div>
        ${lines({
          title: msg('Multiply-adds of attention over n words'), note: msg('both axes multiply'), height: 280,
          summary: msg(str`At ${count(FARTHEST)} words: full ${manyProducts(far('full'))}, window ${manyProducts(far('window'))}, linear ${manyProducts(far('linear'))}.`),
          x: { label: msg('n, words'), least: 1, most: FARTHEST, log: 2, words: (value) => (value >= 1024 ? `${value / 1024} k` : String(value)) },
          y: { label: msg('multiply-adds'), least: Math.min(...WAYS.map((way) => COSTS[way](1, sizes))), most: far('full'), log: 10, words: (value) => power(value) },
          series: WAYS.map((way) => ({ label: names[way], points: Array.from({ length: 18 }, (_, i) => ({ x: 2 ** i, y: COSTS[way](2 ** i, sizes) })) })),
          at: { x: n, words: msg(str`your ${n}`) },
        })}
      </div>
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('What attention costs')}><table class="lab-table" data-costs>
        <thead><tr><th scope="col">n</th>${WAYS.map((way) => html`<th scope="col">${names[way]}</th>`)}</tr></thead>
        <tbody>
          <tr class="muted"><th scope="row">${msg('formula')}</th><td>2·n²·d</td><td>2·n·${msg('min(w, n)')}·d</td><td>2·n·${withSubs('d_k')}·d</td></tr>
          ${lengths.map((length) => html`<tr ?data-chosen=${length === n}><th scope="row">${count(length)}</th>${WAYS.map((way) => html`<td data-cost=${`${way},${length}`}>${manyProducts(COSTS[way](length, sizes))}</td>`)}</tr>`)}
        </tbody>
      </table></div>
      <p class="lab-note">${withSubs(msg(str`Counted: scores and weighted values; for linear attention sums of φ(k)·vᵀ in heads of d_k = ${sizes.d_k}. Its weights are no softmax: it blends all that was read into d_k·d_v numbers a head. The four projections cost 4·n·d² in each.`))}</p>
    `,
    tries: [
      { label: msg('GPT-2 medium’s width and depth, a window of 256'), act: () => events.set({ d: 10, window: 8, layers: 24 }) },
      { label: msg('Where full costs as much as linear: n = d_k'), act: () => events.set({ d: 6, window: 6 }) },
    ],
  };
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Powers of ten on the axis; between them, three digits. */
function power(value: number): string {
  const exponent = Math.round(Math.log10(value));
  if (value < 1000) return count(Math.round(value));
  return Math.abs(value / 10 ** exponent - 1) < 1e-9 ? `10${[...String(exponent)].map((digit) => RAISED[Number(digit)] ?? '').join('')}` : significant(value, 3);
}

// A matrix of its own for every pair of words, against the three that stand in for all of them.

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
      <p class="lab-note">${msg('“How much does this word hear from that one” is a dot product of two rows, “what does it hear” one row: three learnt matrices answer for every pair, and another sentence needs no others. The large table would have to be learnt again for each length.')}</p></div></div>
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
