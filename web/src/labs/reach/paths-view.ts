// The way from one word to another through four kinds of net: a figure for each, and every step of it an arc of its own.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { count, percent, plural } from '../../lib/format.ts';
import { letters, ownWord } from '../../text/word.ts';
import { list, slider } from '../kit/controls.ts';
import { plot } from '../kit/plot.ts';
import { type Figure, type ReachData, type ReachEvents, places } from './data.ts';
import { type Net, dilationOf, pathOf, windowPath } from './formulas.ts';

const NETS: readonly Net[] = ['recurrent', 'convolution', 'dilated', 'attention'];

interface Way { net: Net | 'window'; path: readonly number[]; kernel: number; name: string; formula: string }

export function pathsFigure({ knobs, words, direct }: ReachData, events: ReachEvents): Figure {
  const [from, to] = [knobs.from, knobs.to].map((place) => Math.min(place, words.length) - 1) as [number, number];
  const [early, late] = [Math.min(from, to), Math.max(from, to)];
  const distance = late - early;
  const { kernel } = knobs;
  const ways = NETS.map((net): Way => ({ net, path: pathOf(net, distance, kernel), kernel, ...wordsOf(net, distance, kernel) }));
  const [recurrent = 0, convolution = 0, dilated = 0] = ways.map(({ path }) => path.length - 1);
  const [first, last] = [html`<b>${ownWord(words[early])}</b>`, html`<b>${ownWord(words[late])}</b>`];
  return {
    controls: html`
      ${list(msg('From'), places(words), String(from + 1), (place) => events.set({ from: Number(place) }))}
      ${list(msg('to'), places(words), String(to + 1), (place) => events.set({ to: Number(place) }))}
      ${slider(msg('Convolution’s width'), { least: 2, most: 9, value: kernel, words: String(kernel) }, (width) => events.set({ kernel: width }))}
    `,
    said: distance === 0
      ? msg('This is one word, and nothing lies between. Choose two.')
      : msg(html`Steps from ${first} to ${last}: ${recurrent} in a recurrent net, ${convolution} in a convolution, ${dilated} in a dilated one, <b>1</b> in attention. Here ${last} takes ${percent(direct ?? NaN)} straight from ${first}.`),
    figure: html`
      <div class="lab-columns lab-ways">${ways.map((way) => drawing(way, words, early, late))}</div>
      <p class="lab-note">${msg('The share is head 1’s of a causal layer with random parameters: what is learnt changes the share, not the number of steps.')}</p>`,
    tries: words.length > 1 ? [
      { label: msg('The whole way'), act: () => events.set({ from: 1, to: words.length }) },
      { label: msg('Two neighbours'), act: () => events.set({ from: 1, to: 2 }) },
    ] : [],
  };
}

function wordsOf(net: Net, n: number, k: number): Pick<Way, 'name' | 'formula'> {
  switch (net) {
    case 'recurrent': return { name: msg('Recurrent'), formula: msg('a step for each word on the way') };
    case 'convolution': return { name: msg(str`Convolution, width ${k}`), formula: msg(str`a layer for every ${k - 1}: ⌈${n} ÷ ${k - 1}⌉`) };
    case 'dilated': return { name: msg(str`Dilated by 1, ${k}, ${k * k}, …`), formula: msg(str`each layer reaches ${k} times as far: ⌈log_${k} ${n + 1}⌉`) };
    case 'attention': return { name: msg('Attention'), formula: msg('one step, however far') };
  }
}

const LETTER = 7.2;
const [LEFT, RIGHT, TOP, NAMES] = [24, 16, 14, 26];
/** More dots than these would be a grey field. */
const MOST_DOTS = 900;

const isLayered = ({ net }: Way): boolean => net !== 'recurrent' && net !== 'attention';

/** From the words up to what the last layer holds, or over the words. */
function heightOf(way: Way): number {
  const steps = way.path.length - 1;
  return isLayered(way) ? Math.max(32, Math.min(220, steps * 34)) : way.net === 'attention' ? 64 : 34;
}

/** One window of keys after another, up to so many layers: how far the first word gets. */
export function windowHops(words: readonly string[], window: number, layers: number): TemplateResult {
  const last = words.length - 1;
  const path = windowPath(last, window, layers);
  return drawing({ net: 'window', path, kernel: window, name: msg(str`Through windows of ${count(window)}`), formula: msg(str`a row hears ${count(window - 1)} words back in each layer`) }, words, 0, path.at(-1) ?? 0);
}

function drawing(way: Way, words: readonly string[], early: number, late: number): TemplateResult {
  const { net, name, formula, path } = way;
  const steps = path.length - 1;
  const word = (place: number) => words[early + place] ?? '';
  const height = TOP + heightOf(way) + NAMES;
  const many = plural(steps, msg('1 step'), msg(str`${steps} steps`));
  return html`<div data-net=${net}>${plot({
    title: msg(str`${name}: ${many}`), note: formula, height,
    summary: path.map(word).join(' → '),
    draw: (width) => picture(way, words, early, late, width, height - NAMES),
    numbers: { columns: [msg('Step'), msg('From'), msg('to')], rows: path.slice(1).map((place, i) => [String(i + 1), word(path[i] ?? 0), word(place)]) },
  })}</div>`;
}

function picture(way: Way, words: readonly string[], early: number, late: number, width: number, base: number): SVGTemplateResult {
  const { path } = way;
  const step = words.length > 1 ? (width - LEFT - RIGHT) / (words.length - 1) : 0;
  const at = (place: number) => (words.length > 1 ? LEFT + place * step : width / 2);
  const layers = isLayered(way) ? path.length - 1 : 0;
  const up = (layer: number) => base - (layers === 0 ? 0 : (layer * heightOf(way)) / layers);
  const stops = path.map((place, i) => ({ x: at(early + place), y: up(layers > 0 ? i : 0) }));
  return svg`
    ${(layers + 1) * words.length <= MOST_DOTS ? Array.from({ length: layers + 1 }, (_, layer) => svg`
      ${words.map((__, place) => svg`<circle class="lab-dot" cx=${at(place).toFixed(1)} cy=${up(layer).toFixed(1)} r="1.5"></circle>`)}
      ${layers > 0 && layer > 0 && heightOf(way) / layers >= 14 ? svg`<text x="0" y=${up(layer) + 4}>${layer}</text>` : nothing}
    `) : nothing}
    ${layers > 0 ? path.slice(1).map((place, i) => fan(way, i, early + place, words.length, at, up)) : nothing}
    ${stops.slice(1).map((stop, i) => hop(way, stops[i] ?? stop, stop, i, base))}
    ${stops.map(({ x, y }) => svg`<circle class="lab-stop" cx=${x.toFixed(1)} cy=${y.toFixed(1)} r="3.5"></circle>`)}
    ${names(words, early, late, step, at, base + 20)}
  `;
}

/** What a number of a convolution is made of: the k below it, as far apart as the layer's dilation. */
function fan({ net, kernel }: Way, layer: number, place: number, count: number, at: (place: number) => number, up: (layer: number) => number): SVGTemplateResult {
  const read = Array.from({ length: kernel }, (_, i) => place - i * dilationOf(net, kernel, layer)).filter((each) => each >= 0 && each < count);
  return svg`<path class="lab-fan" d=${read.map((each) => `M${at(each).toFixed(1)} ${up(layer).toFixed(1)}L${at(place).toFixed(1)} ${up(layer + 1).toFixed(1)}`).join('') || 'M0 0'}></path>`;
}

interface Stop { x: number; y: number }

/** Along the words, up into the next layer, or straight to the word. */
function hop(way: Way, from: Stop, to: Stop, i: number, base: number): SVGTemplateResult {
  const rise = way.net === 'attention' ? 2 * (base - TOP) : Math.min(44, Math.max(16, (to.x - from.x) * 0.9));
  const [cx, cy] = isLayered(way) ? [from.x, to.y] : [(from.x + to.x) / 2, base - rise];
  const points = [from.x, from.y, cx, cy, to.x, to.y].map((each) => each.toFixed(1));
  return svg`<path class="lab-path" data-hop=${i + 1} d=${`M${points[0]} ${points[1]}Q${points[2]} ${points[3]} ${points[4]} ${points[5]}`}></path>`;
}

/** The two words always; the others where they have room. */
function names(words: readonly string[], early: number, late: number, step: number, at: (place: number) => number, y: number): SVGTemplateResult {
  const fits = words.every((word, i) => i === early || i === late || letters(word) * LETTER < step - 4);
  const anchor = (place: number) => (place === 0 ? 'start' : place === words.length - 1 ? 'end' : 'middle');
  const edge = (place: number) => (place === 0 ? -LEFT : place === words.length - 1 ? RIGHT : 0);
  // Two that would lie on each other.
  const close = (late - early) * step < LETTER * (letters(words[early] ?? '') + letters(words[late] ?? '') + 1) / (early === 0 || late === words.length - 1 ? 1 : 2);
  return svg`${words.map((word, i) => (i === early || i === late || fits
    ? svg`<text class=${i === early || i === late ? 'plot-lit' : 'plot-name'} x=${(at(i) + edge(i)).toFixed(1)} y=${y + (!fits && i === late && close && late > early ? 13 : 0)} text-anchor=${anchor(i)}>${word.length > 16 ? `${word.slice(0, 15)}…` : word}</text>`
    : nothing))}`;
}
