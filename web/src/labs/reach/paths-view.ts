// The way from one word to another through four kinds of net.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, html, nothing, svg } from 'lit';
import { percent } from '../../lib/format.ts';
import { withSubs } from '../../text/subscripts.ts';
import { letters, ownWord } from '../../text/word.ts';
import { list, slider } from '../kit/controls.ts';
import { plot } from '../kit/plot.ts';
import { type Figure, type ReachData, type ReachEvents, places } from './data.ts';
import { type Net, pathOf } from './formulas.ts';

const NETS: readonly Net[] = ['recurrent', 'convolution', 'dilated', 'attention'];

interface Way { net: Net; path: readonly number[]; name: string; formula: string }

export function pathsFigure({ knobs, words, direct }: ReachData, events: ReachEvents): Figure {
  const [from, to] = [knobs.from, knobs.to].map((place) => Math.min(place, words.length) - 1) as [number, number];
  const [early, late] = [Math.min(from, to), Math.max(from, to)];
  const distance = late - early;
  const k = knobs.kernel;
  const ways = NETS.map((net): Way => ({ net, path: pathOf(net, distance, k), ...wordsOf(net, distance, k) }));
  const [recurrent = 0, convolution = 0, dilated = 0] = ways.map(({ path }) => path.length - 1);
  const [first, last] = [html`<b>${ownWord(words[early])}</b>`, html`<b>${ownWord(words[late])}</b>`];
  return {
    controls: html`
      ${list(msg('From'), places(words), String(from + 1), (place) => events.set({ from: Number(place) }))}
      ${list(msg('to'), places(words), String(to + 1), (place) => events.set({ to: Number(place) }))}
      ${slider(msg('Convolution’s width'), { least: 2, most: 9, value: k, words: String(k) }, (kernel) => events.set({ kernel }))}
    `,
    said: distance === 0
      ? msg('This is one word, and nothing lies between. Choose two.')
      : msg(html`Steps from ${first} to ${last}: ${recurrent} in a recurrent net, ${convolution} in a convolution, ${dilated} in a dilated one, <b>1</b> in attention. Here ${last} takes ${percent(direct ?? NaN)} straight from ${first}.`),
    figure: html`${drawing(ways, words, early, late)}
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Steps of each net')}><table class="lab-table lab-ways">
        <thead><tr><th scope="col">${msg('Net')}</th><th scope="col">${msg('steps one after another')}</th><th scope="col">${msg('for a distance of n words')}</th></tr></thead>
        <tbody>${ways.map(({ net, path, name, formula }) => html`<tr data-net=${net}><th scope="row">${name}</th><td><b>${path.length - 1}</b></td><td class="muted">${withSubs(formula)}</td></tr>`)}</tbody>
      </table></div>
      <p class="lab-note">${msg('The share is head 1’s of a causal layer with random parameters: what is learnt changes the share, not the number of steps.')}</p>`,
    tries: words.length > 1 ? [
      { label: msg('The whole way'), act: () => events.set({ from: 1, to: words.length }) },
      { label: msg('Two neighbours'), act: () => events.set({ from: 1, to: 2 }) },
    ] : [],
  };
}

function wordsOf(net: Net, n: number, k: number): Pick<Way, 'name' | 'formula'> {
  switch (net) {
    case 'recurrent': return { name: msg('Recurrent'), formula: msg(str`n = ${n}`) };
    case 'convolution': return { name: msg(str`Convolution, width ${k}`), formula: `⌈n ÷ (k − 1)⌉ = ⌈${n} ÷ ${k - 1}⌉` };
    case 'dilated': return { name: msg(str`Dilated by 1, ${k}, ${k * k}, …`), formula: `⌈log_k (n + 1)⌉ = ⌈log_${k} ${n + 1}⌉` };
    case 'attention': return { name: msg('Attention'), formula: msg('always 1') };
  }
}

const LANE_TOP = 26;
const MOST_DOTS = 900;
const LETTER = 7.2;

/** What a lane needs below its title. */
const laneHeight = ({ net, path }: Way): number => (net === 'recurrent' ? 26 : net === 'attention' ? 44 : Math.max(20, Math.min(72, (path.length - 1) * 14)));

function drawing(ways: readonly Way[], words: readonly string[], early: number, late: number) {
  const tops = ways.map((_, i) => ways.slice(0, i).reduce((sum, each) => sum + LANE_TOP + laneHeight(each) + 16, 0));
  const bottom = (tops.at(-1) ?? 0) + LANE_TOP + laneHeight(ways.at(-1) as Way);
  return plot({
    title: msg('The way'), note: msg('each line is one step'), height: bottom + 34,
    summary: ways.map(({ name, path }) => `${name}: ${path.length - 1}`).join(', '),
    draw: (width) => {
      const step = words.length > 1 ? (width - 24) / (words.length - 1) : 0;
      const at = (place: number) => (words.length > 1 ? 12 + place * step : width / 2);
      return svg`
        <line class="plot-at" x1=${at(early)} x2=${at(early)} y1=${LANE_TOP} y2=${bottom + 6}></line>
        <line class="plot-at" x1=${at(late)} x2=${at(late)} y1=${LANE_TOP} y2=${bottom + 6}></line>
        ${ways.map((way, i) => svg`<g data-way=${way.net} transform=${`translate(0 ${tops[i] ?? 0})`}>
          <text class="plot-name lab-lane" x="20" y="14">${way.name}: ${way.path.length - 1}</text>
          ${lane(way, words.length, early, at)}
        </g>`)}
        ${names(words, early, late, step, at, bottom + 24)}
      `;
    },
    numbers: { columns: [msg('Net'), msg('words passed')], rows: ways.map(({ name, path }) => [name, path.map((place) => words[early + place] ?? '').join(' → ')]) },
  });
}

/** Recurrent nets hop along, convolutions climb, attention leaps. */
function lane({ net, path }: Way, count: number, early: number, at: (place: number) => number): SVGTemplateResult {
  const height = laneHeight({ net, path } as Way);
  const base = LANE_TOP + height;
  const layers = net === 'recurrent' || net === 'attention' ? 0 : path.length - 1;
  const up = (layer: number) => (layers === 0 ? base : base - (layer * height) / layers);
  const dots = (layers + 1) * count <= MOST_DOTS ? Array.from({ length: layers + 1 }, (_, layer) => Array.from({ length: count }, (__, place) => svg`<circle class="lab-dot" cx=${at(place).toFixed(1)} cy=${up(layer).toFixed(1)} r="1.5"></circle>`)) : nothing;
  const steps = path.slice(1).map((place, i) => {
    const [x0, x1] = [at(early + (path[i] ?? 0)), at(early + place)];
    if (layers > 0) return `M${x0.toFixed(1)} ${up(i).toFixed(1)}L${x1.toFixed(1)} ${up(i + 1).toFixed(1)}`;
    const rise = net === 'attention' ? 2 * height : Math.min(2 * height, (x1 - x0) * 1.2);
    return `M${x0.toFixed(1)} ${base}Q${((x0 + x1) / 2).toFixed(1)} ${(base - rise * 0.95).toFixed(1)} ${x1.toFixed(1)} ${base}`;
  });
  return svg`${dots}<path class="lab-path" data-steps=${steps.length} d=${steps.join('') || 'M0 0'}></path>`;
}

/** The two words always; the others where they have room. */
function names(words: readonly string[], early: number, late: number, step: number, at: (place: number) => number, y: number): SVGTemplateResult {
  const fits = words.every((word, i) => i === early || i === late || letters(word) * LETTER < step - 4);
  const anchor = (place: number) => (place === 0 ? 'start' : place === words.length - 1 ? 'end' : 'middle');
  const edge = (place: number) => (place === 0 ? -12 : place === words.length - 1 ? 12 : 0);
  return svg`${words.map((word, i) => (i === early || i === late || fits
    ? svg`<text class=${i === early || i === late ? 'plot-lit' : 'plot-name'} x=${(at(i) + edge(i)).toFixed(1)} y=${y + (!fits && i === late && late - early < 4 && step * (late - early) < 80 ? 14 : 0)} text-anchor=${anchor(i)}>${word.length > 16 ? `${word.slice(0, 15)}…` : word}</text>`
    : nothing))}`;
}
