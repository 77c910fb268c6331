// Multiply-adds of full, window and linear attention, and what a window does not hear.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { count, significant } from '../../format.ts';
import { withSubs } from '../../views/subs.ts';
import { slider } from '../views/controls.ts';
import { lines } from '../views/lines.ts';
import { COSTS, type Sizes, type Way, windowReach } from './formulas.ts';
import type { Figure, ReachData, ReachEvents } from './view.ts';

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
      ${lines({
        title: msg('Multiply-adds of attention over n words'), note: msg('both axes multiply'), height: 320,
        summary: msg(str`At ${count(FARTHEST)} words: full ${manyProducts(far('full'))}, window ${manyProducts(far('window'))}, linear ${manyProducts(far('linear'))}.`),
        x: { label: msg('n, words'), least: 1, most: FARTHEST, log: 2, words: (value) => (value >= 1024 ? `${value / 1024} k` : String(value)) },
        y: { label: msg('multiply-adds'), least: Math.min(...WAYS.map((way) => COSTS[way](1, sizes))), most: far('full'), log: 10, words: (value) => power(value) },
        series: WAYS.map((way) => ({ label: names[way], points: Array.from({ length: 18 }, (_, i) => ({ x: 2 ** i, y: COSTS[way](2 ** i, sizes) })) })),
        at: { x: n, words: msg(str`your ${n}`) },
      })}
      <div class="lab-columns">
        <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('What attention costs')}><table class="lab-table" data-costs>
          <thead><tr><th scope="col">n</th>${WAYS.map((way) => html`<th scope="col">${names[way]}</th>`)}</tr></thead>
          <tbody>
            <tr class="muted"><th scope="row">${msg('formula')}</th><td>2·n²·d</td><td>2·n·${msg('min(w, n)')}·d</td><td>2·n·${withSubs('d_k')}·d</td></tr>
            ${lengths.map((length) => html`<tr ?data-chosen=${length === n}><th scope="row">${count(length)}</th>${WAYS.map((way) => html`<td data-cost=${`${way},${length}`}>${manyProducts(COSTS[way](length, sizes))}</td>`)}</tr>`)}
          </tbody>
        </table></div>
        <div>
          <h3>${msg('What a window loses')}</h3>
          <p>${msg(html`A row hears ${count(sizes.window - 1)} words back in one layer, and layers pass on what they heard: L·(w − 1) = ${knobs.layers} · ${count(sizes.window - 1)} = <b data-back>${count(back)}</b> words after ${knobs.layers}. Full attention hears all of them in the first.`)}</p>
          <p class="lab-note">${withSubs(msg(str`Counted: scores and weighted values; for linear attention sums of φ(k)·vᵀ in heads of d_k = ${sizes.d_k}. Its weights are no softmax: it blends all that was read into d_k·d_v numbers a head. The four projections cost 4·n·d² in each.`))}</p>
        </div>
      </div>
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
