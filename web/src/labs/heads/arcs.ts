// One head's picture: the words from top to bottom, and beside them an arc from each word to those that it looks at.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, nothing, svg } from 'lit';
import { weight } from '../../lib/format.ts';
import { roomFor } from '../kit/axis.ts';
import { plot } from '../kit/plot.ts';

export interface Head {
  name: string;
  /** [words, words] */
  weights: Float32Array;
}

const LINE = 21;
const MOST_NAME = 92;
/** Thinner ones would not be seen. */
const LEAST = 0.1;

export const rowOf = ({ weights }: Head, row: number, words: number): Float32Array => weights.subarray(row * words, (row + 1) * words);
export const topOf = (row: Float32Array): number => row.indexOf(Math.max(...row));

export function headArcs(head: Head, words: readonly string[], row: number, said: TemplateResult): TemplateResult {
  const tops = words.map((_, i) => topOf(rowOf(head, i, words.length)));
  const aim = tops[row] ?? row;
  return plot({
    title: head.name, height: LINE * words.length + 4,
    summary: msg(str`${words[row] ?? ''} looks at ${words[aim] ?? ''}.`),
    draw: (width) => picture(head, words, row, width),
    legend: said,
    numbers: {
      columns: [msg('Word'), msg('looks most at'), msg('its share')],
      rows: words.map((word, i) => [word, words[tops[i] ?? i] ?? '', weight(rowOf(head, i, words.length)[tops[i] ?? i] ?? NaN)]),
    },
  });
}

function picture(head: Head, words: readonly string[], row: number, width: number): SVGTemplateResult {
  const name = Math.min(MOST_NAME, width * 0.55, Math.max(...words.map((word) => roomFor(word, 7.6)))) + 10;
  const aim = topOf(rowOf(head, row, words.length));
  const y = (place: number) => LINE * (place + 0.5);
  const order = [...words.keys()].filter((from) => from !== row).concat(row);
  return svg`
    ${words.map((word, i) => svg`<text class=${i === row ? 'plot-lit' : i === aim ? 'plot-name lab-aim' : 'plot-name'} x=${name - 8} y=${y(i) + 4} text-anchor="end">${clipped(word, name - 10)}</text>`)}
    ${order.map((from) => [...rowOf(head, from, words.length)].map((share, to) => (
      share < LEAST || to === from ? nothing : arc(name, y(from), y(to), share, bulge(from - to, words.length, width - name), from === row))))}
    ${aim === row ? svg`<circle class="lab-self" cx=${name} cy=${y(row)} r="4"></circle>` : nothing}
  `;
}

const clipped = (word: string, room: number): string => (roomFor(word, 7.6) > room ? `${[...word].slice(0, Math.max(1, Math.floor(room / 7.6) - 1)).join('')}…` : word);

/** The farther, the wider; the farthest uses all the room. */
const bulge = (distance: number, words: number, room: number): number => 12 + (room - 20) * Math.sqrt(Math.abs(distance) / words);

function arc(x: number, from: number, to: number, share: number, wide: number, isOwn: boolean): SVGTemplateResult {
  const thick = 1 + 4 * share;
  const reach = x + (wide * 4) / 3;
  const tip = to + Math.sign(from - to) * 3;
  return svg`<g class=${isOwn ? 'lab-look own' : 'lab-look'}>
    <path d=${`M${x} ${from}C${reach.toFixed(1)} ${from} ${reach.toFixed(1)} ${tip} ${x + 7} ${tip}`} stroke-width=${thick.toFixed(1)}></path>
    <path class="lab-tip" d=${`M${x} ${tip}l8 -${2.5 + thick / 2}v${5 + thick}z`}></path>
  </g>`;
}
