// One row of softmax: one query's score with every word, and the shares that these become, on axes that never change.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, svg } from 'lit';
import { count, percent, short } from '../../lib/format.ts';
import { type Axis, type Field, across, roomFor } from '../kit/axis.ts';
import { plot } from '../kit/plot.ts';

/** Scores as softmax is given them, and its shares. */
export interface Side { scores: Float32Array; weights: Float32Array }

export interface Row {
  words: readonly string[];
  /** The word that asks. */
  query: number;
  raw: Side;
  divided: Side;
}

const SCORES: Axis = { label: '', least: -40, most: 40, words: short };
const SHARES: Axis = { label: '', least: 0, most: 1, words: percent };
const [LINE, TOP, BAR] = [26, 40, 14];
const MOST_NAME = 96;
const GAP = 16;

export const top = (numbers: Float32Array): number => numbers.indexOf(Math.max(...numbers));

export function softmaxRow(row: Row, isDivided: boolean, d: number): TemplateResult {
  const { words, query, raw, divided } = row;
  const [now, other] = isDivided ? [divided, raw] : [raw, divided];
  const names = { raw: msg('without ÷ √d'), divided: msg('with ÷ √d') };
  const best = top(now.weights);
  return plot({
    title: msg(str`What “${words[query] ?? ''}” looks at`), note: msg(str`one query and ${words.length} keys, vectors of ${count(d)} random numbers`),
    summary: msg(str`The largest share is ${words[best] ?? ''}’s: ${percent(now.weights[best] ?? NaN)}.`),
    height: TOP + LINE * words.length + 24,
    draw: (width) => picture(words, query, now, other, isDivided, width),
    legend: html`<ul class="plot-names">
      <li><svg width="26" height="12" aria-hidden="true"><rect class="plot-bar" width="26" height="12"></rect></svg> ${isDivided ? names.divided : names.raw}</li>
      <li><svg width="26" height="12" aria-hidden="true"><rect class="plot-ghost" x="0.5" y="0.5" width="25" height="11"></rect></svg> ${isDivided ? names.raw : names.divided}</li>
    </ul>`,
    numbers: {
      columns: [msg('Word'), 'q·k', msg('its share'), 'q·k ÷ √d', msg('its share')],
      rows: words.map((word, i) => [word, ...[raw, divided].flatMap(({ scores, weights }) => [short(scores[i] ?? NaN), short(weights[i] ?? NaN)])]),
    },
  });
}

function picture(words: readonly string[], query: number, now: Side, other: Side, isDivided: boolean, width: number): SVGTemplateResult {
  const name = Math.min(MOST_NAME, Math.max(...words.map((word) => roomFor(word, 7.6)))) + 12;
  const bottom = TOP + LINE * words.length;
  const half = (width - name) / 2;
  // Each bar has its number behind it.
  const scores: Field = { left: name, right: name + half - 40 - GAP, top: TOP, bottom };
  const shares: Field = { left: name + half, right: width - 44, top: TOP, bottom };
  const best = top(now.weights);
  return svg`
    <g class="plot-axes">
      ${scale(SCORES, scores, [-40, 0, 40], isDivided ? msg('score, q·k ÷ √d') : msg('score, q·k'))}
      ${scale(SHARES, shares, width < 480 ? [0, 1] : [0, 0.5, 1], msg('share, after softmax'))}
    </g>
    <g class="plot-moving">${words.map((word, i) => {
      const y = TOP + LINE * i;
      const [score, share] = [now.scores[i] ?? 0, now.weights[i] ?? 0];
      return svg`
        <text class=${i === query ? 'plot-lit' : 'plot-name'} x=${name - 10} y=${y + 18} text-anchor="end">${clipped(word)}</text>
        ${bar(SCORES, scores, score, y, 'plot-bar')}${bar(SCORES, scores, other.scores[i] ?? 0, y, 'plot-ghost')}
        <text x=${scores.right + 40} y=${y + 18} text-anchor="end">${short(Number(score.toFixed(1)))}</text>
        ${bar(SHARES, shares, share, y, i === best ? 'plot-bar plot-most' : 'plot-bar')}${bar(SHARES, shares, other.weights[i] ?? 0, y, 'plot-ghost')}
        <text class=${i === best ? 'plot-name' : ''} x=${width} y=${y + 18} text-anchor="end" data-share=${i}>${percent(share)}</text>
      `;
    })}</g>
  `;
}

const clipped = (word: string): string => (roomFor(word, 7.6) > MOST_NAME ? `${[...word].slice(0, 11).join('')}…` : word);

/** From 0 to its number; beyond the axis on the edge. */
function bar(axis: Axis, field: Field, value: number, y: number, look: string): SVGTemplateResult {
  const [from, to] = [across(axis, field, 0), across(axis, field, value)];
  return svg`<rect class=${look} x=${Math.min(from, to).toFixed(1)} y=${y + (LINE - BAR) / 2} width=${Math.abs(to - from).toFixed(1)} height=${BAR}></rect>`;
}

function scale(axis: Axis, field: Field, at: readonly number[], label: string): SVGTemplateResult {
  const anchor = (i: number) => (['start', 'middle', 'end'] as const)[at.length === 2 ? 2 * i : i] ?? 'middle';
  return svg`
    <text x=${field.left} y="14">${label}</text>
    ${at.map((value, i) => svg`
      <line class="plot-grid" x1=${across(axis, field, value)} x2=${across(axis, field, value)} y1=${field.top - 6} y2=${field.bottom}></line>
      <text x=${across(axis, field, value)} y=${field.bottom + 18} text-anchor=${anchor(i)}>${axis.words(value).replace('-', '−')}</text>
    `)}
  `;
}
