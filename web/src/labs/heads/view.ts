// The heads' lab as it is seen: designed heads side by side on the reader's sentence, what they add up to, and two that were trained.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { count, listed, percent, significant } from '../../lib/format.ts';
import { weight } from '../../text/numbers.ts';
import { ownWord } from '../../text/word.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { bars, plot, roomFor } from '../kit/plot.ts';
import { list, segments, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { TRAINED } from './trained.ts';

export const COUNTS = [1, 2, 4, 8] as const;

export interface DesignedHead extends Head {
  about: string;
  /** Share of marked cases where it is right; null where nothing is marked. */
  accuracy: number | null;
}

export interface HeadsData {
  text: string;
  words: readonly string[];
  /** Those that are shown. */
  heads: readonly DesignedHead[];
  wanted: number;
  row: number;
  unknown: readonly string[];
  /** How far the sum of all heads' updates is from the row's output; null while it is not computed. */
  apart: number | null;
  /** Why the list of words did not come; empty when it did. */
  problem: string;
  /** Whether the reader wants to see the training. */
  isTraining: boolean;
  paint: Paint;
}

export interface HeadsEvents {
  type(text: string): void;
  heads(count: number): void;
  row(index: number): void;
  train(open: boolean): void;
}

export function headsView(data: HeadsData, events: HeadsEvents): TemplateResult {
  const { text, words, heads, wanted, row } = data;
  return frame({
    title: msg('Several heads look for several things'),
    lesson: html`
      <p class="lab-claim">${msg('One head looks for one thing. A word that needs more asks several heads at once.')}</p>
      <p>${msg('A head has one row of shares for each word, and the shares add up to 100%: what it gives to one word it takes from another. These heads were designed by hand, each for one question, and are computed here on your sentence.')}</p>
    `,
    controls: html`
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${segments(msg('Heads side by side'), 'lab-heads-heads', COUNTS.map((each) => [String(each), String(each)] as const), String(COUNTS.find((each) => each >= wanted) ?? 8), (value) => events.heads(Number(value)))}
      ${words.length > 0 ? list(msg('Word that looks'), words.map((word, i) => [String(i), `${i + 1}  ${word}`] as const), String(row), (value) => events.row(Number(value))) : ''}
    `,
    said: heads.length > 0 ? saidOf(data) : null,
    tries: heads.length > 0 ? [
      { label: msg('One head alone'), act: () => events.heads(1) },
      { label: msg('All eight'), act: () => events.heads(8) },
    ] : [],
    figure: html`${heads.length > 0 ? pictures(data) : html`<p class="muted">${words.length === 0 ? msg('Type a word.') : msg('Loading…')}</p>`}${trained(data, events)}`,
    more: heads.length > 0 ? { title: msg('What each head looks for'), body: abouts(heads) } : null,
  });
}

interface Found { head: DesignedHead; at: number; share: number }

const found = ({ heads, words, row }: HeadsData): Found[] => heads.map((head) => {
  const shares = rowOf(head, row, words.length);
  const at = topOf(shares);
  return { head, at, share: shares[at] ?? NaN };
});

function saidOf(data: HeadsData): TemplateResult {
  const { words, row, heads } = data;
  const word = html`<b>${ownWord(words[row])}</b>`;
  const away = found(data).filter(({ at }) => at !== row);
  const looks = listed(away.map(({ head, at, share }) => html`<b>${ownWord(words[at])}</b> (${head.name}, ${percent(share)})`));
  if (away.length === 0) return msg(html`No head finds anything for ${word}: its shares stay with it.`);
  return away.length === heads.length
    ? msg(html`${word} looks at ${looks}.`)
    : msg(html`${word} looks at ${looks}. The other heads find nothing for it: ${heads.length - away.length} of ${heads.length}.`);
}

function pictures(data: HeadsData): TemplateResult {
  const { words, row, unknown, apart, wanted, problem } = data;
  return html`
    <div class="lab-heads">${found(data).map(({ head, at, share }) => headArcs(head, words, row, html`<p class="lab-look-said">${at === row
      ? msg(html`nothing for <b>${ownWord(words[row])}</b>: ${percent(share)} stays with it`)
      : msg(html`<b>${ownWord(words[row])}</b> → <b>${ownWord(words[at])}</b>, ${percent(share)}`)}</p>`))}</div>
    ${problem ? html`<p class="lab-note">${problem}</p>` : nothing}
    ${unknown.length > 0 ? html`<p class="lab-note">${msg(html`These heads know English words. They do not know ${listed(unknown.map((word) => html`<b>${ownWord(word)}</b>`))}.`)}</p>` : nothing}
    ${apart === null || wanted < 8 ? nothing : html`<p class="lab-adds">${msg(html`Nothing that a head finds is lost to another: W<sub>O</sub> makes one update of each head’s finding, and the output of <b>${ownWord(words[row])}</b> is the sum of the eight.`)} ${apart === 0 ? msg('Added up one by one here, they are the layer’s output to the last bit.') : msg(str`Added up one by one here, they differ from the layer’s output by ${significant(apart, 2)} at most, which is rounding.`)}</p>`}
  `;
}

/** The lesson on training, which any reader may run: its last numbers, and the lesson itself on demand. */
function trained({ isTraining, paint }: HeadsData, events: HeadsEvents): TemplateResult {
  const { step, seed, parameters, one_head, two_heads, chance } = TRAINED;
  const bar = (name: string, share: number, chosen: boolean) => ({ name, share, words: percent(share), chosen });
  const stay = (event: Event) => event.stopPropagation();
  return html`
    <section class="lab-trained">
      <h3>${msg('Trained, not designed: one head fails where two succeed')}</h3>
      <p>${msg(str`Two small models learn the same job: at every letter, name the letter 1 back and the letter 3 back. Both have ${count(parameters)} parameters in one layer; one has a single head, the other two heads of half the width.`)}</p>
      ${bars({
        title: msg(str`Answers right after ${step} steps`), note: msg(str`seed ${seed}`), columns: [msg('Model'), msg('right')], domain: ['0', percent(1)],
        bars: [bar(msg('One head'), one_head, false), bar(msg('Two heads'), two_heads, true), bar(msg('tossing a coin'), chance, false)],
      })}
      <details class="lab-more" ?open=${isTraining} @toggle=${(event: Event) => events.train((event.target as HTMLDetailsElement).open)}>
        <summary>${msg('Watch both learn')}</summary>
        ${isTraining ? html`<attention-playground view="training" lesson="heads" preset="title=off" controls="basic" theme=${paint.theme} @attention-ready=${stay} @attention-change=${stay}></attention-playground>` : nothing}
      </details>
    </section>
  `;
}

function abouts(heads: readonly DesignedHead[]): TemplateResult {
  return html`<dl class="lab-abouts">${heads.map(({ name, about, accuracy }) => html`
    <dt>${name}</dt><dd>${about} ${accuracy === null ? nothing : msg(str`Right in ${percent(accuracy)} of marked cases.`)}</dd>
  `)}</dl>`;
}

// One head's picture: the words from top to bottom, and beside them an arc from each word to those that it looks at.

interface Head {
  name: string;
  /** [words, words] */
  weights: Float32Array;
}

const LINE = 21;
const MOST_NAME = 92;
/** Thinner ones would not be seen. */
const LEAST = 0.1;

const rowOf = ({ weights }: Head, row: number, words: number): Float32Array => weights.subarray(row * words, (row + 1) * words);
const topOf = (row: Float32Array): number => row.indexOf(Math.max(...row));

function headArcs(head: Head, words: readonly string[], row: number, said: TemplateResult): TemplateResult {
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
