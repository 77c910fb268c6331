// The job at one place of the shown text: what is asked there, where the answer lies, and what each run answers.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { comma, count, fixed, percent } from '../../lib/format.ts';
import { letters } from '../../text/word.ts';
import { sized } from '../kit/plot.ts';
import { type Chance, measured } from './lesson.ts';

/** Where the answer to a place lies. */
export interface Pointer { name: string; place: number }

export interface Given { word: string; share: number; isRight: boolean | null }

export interface JobData {
  title: string;
  tokens: readonly string[];
  row: number;
  pointers: readonly Pointer[];
  step: number;
  /** What is asked: a name for each answer. */
  asked: readonly string[];
  runs: readonly { name: string; answers: readonly (Given | null)[] }[];
}

export function job(data: JobData): TemplateResult {
  return html`
    <section class="training-job">
      <h3>${data.title}</h3>
      <div class="training-letters">${sized((width) => picture(data, width))}</div>
      ${answers(data)}
    </section>
  `;
}

type Shown = Pick<JobData, 'tokens' | 'row' | 'pointers'>;

/** The place that asks and those that it points at. */
const needed = ({ row, pointers }: Shown): number[] => [row, ...pointers.map(({ place }) => place).filter((place) => place >= 0)];

/** In their order, null for a gap. */
function withGaps(places: ReadonlySet<number>, length: number): (number | null)[] {
  const all = [...places].sort((a, b) => a - b);
  return all.flatMap((place, i) => ((all[i + 1] ?? length) > place + 1 ? [place, null] : [place]));
}

/** The places that are drawn: those that are needed, and of the places before them the nearest, as many as there is room for. */
export function placesOf(shown: Shown, room: number, widthOf: (place: number | null) => number): (number | null)[] {
  const { tokens } = shown;
  const must = needed(shown);
  const far = (place: number) => Math.min(...must.map((each) => Math.abs(each - place)));
  const others = Array.from({ length: Math.max(...must) }, (_, place) => place).filter((place) => !must.includes(place)).sort((a, b) => far(a) - far(b) || b - a);
  let best = withGaps(new Set(must), tokens.length);
  for (let many = 1; many <= others.length; many += 1) {
    const more = withGaps(new Set([...must, ...others.slice(0, many)]), tokens.length);
    if (more.reduce<number>((sum, place) => sum + widthOf(place), 0) > room) break;
    best = more;
  }
  return best;
}

/** Letters stand wide apart; words as they are written, smaller where the needed ones would not fit. */
function typeOf(shown: Shown, room: number): { size: number; widthOf(place: number | null): number } {
  const wide = Math.max(1, ...shown.tokens.map((token) => letters(token)));
  const widthOf = (size: number) => (place: number | null): number => (wide === 1 ? 40 : wide < 4 ? Math.max(34, 15 * letters(place === null ? '' : (shown.tokens[place] ?? '')) + 16) : place === null ? 1.4 * size : 0.6 * size * letters(shown.tokens[place] ?? '') + 10);
  let size = wide === 1 ? 30 : wide < 4 ? 24 : 19;
  const least = withGaps(new Set(needed(shown)), shown.tokens.length);
  while (size > 12 && least.reduce<number>((sum, place) => sum + widthOf(size)(place), 0) > room) size -= 1;
  return { size, widthOf: widthOf(size) };
}

const [BASE, PLAIN, NAMES, SECOND] = [74, 34, 24, 16];

function picture(data: JobData, width: number): TemplateResult {
  const { tokens, row, pointers } = data;
  const { size, widthOf } = typeOf(data, width);
  const places = placesOf(data, width, widthOf);
  const middles = places.map((place, i) => places.slice(0, i).reduce<number>((sum, each) => sum + widthOf(each), 0) + widthOf(place) / 2);
  const x = (place: number) => middles[places.indexOf(place)] ?? 0;
  const seen = pointers.filter(({ place }) => place >= 0);
  const [first, second] = seen;
  const isClose = first && second && Math.abs(x(first.place) - x(second.place)) < 7.4 * Math.max(letters(first.name), letters(second.name));
  // Without arrows it needs no room for them.
  const base = pointers.length > 0 ? BASE : PLAIN;
  const height = base + 8 + (seen.length > 0 ? NAMES : 0) + (isClose ? SECOND : 0);
  return html`
    <svg class="training-picture" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${spoken(data)}>
      ${seen.map(({ place }, i) => arrow(x(row), x(place), i, place === row))}
      ${places.map((place, i) => svg`<text class=${place === row ? 'training-own' : seen.some((each) => each.place === place) ? 'training-aim' : 'muted'} x=${middles[i]} y=${base} text-anchor="middle" font-size=${size}>${place === null ? '…' : tokens[place]}</text>`)}
      ${seen.map(({ name, place }, i) => svg`<text class="training-pointer" x=${Math.min(width - 3.6 * letters(name), Math.max(letters(name) * 3.6, x(place)))} y=${BASE + NAMES + (isClose && i === 1 ? SECOND : 0)} text-anchor="middle">${name}</text>`)}
    </svg>
  `;
}

/** From the letter that asks to where its answer lies; the second one is dashed. */
function arrow(from: number, to: number, i: number, isOwn: boolean): SVGTemplateResult {
  const top = BASE - 28;
  if (isOwn) return svg`<path class="training-arrow" d=${`M${from - 7} ${top}C${from - 22} ${top - 26} ${from + 22} ${top - 26} ${from + 8} ${top}`}></path>`;
  const height = Math.min(44, 18 + Math.abs(from - to) * 0.22);
  const start = from - Math.sign(from - to) * 1;
  return svg`
    <path class="training-arrow" data-at=${i} d=${`M${start} ${top}C${start} ${top - height} ${to} ${top - height} ${to} ${top - 4}`}></path>
    <path class="training-tip" d=${`M${to - 5} ${top - 6}h10l-5 8z`}></path>`;
}

function spoken({ tokens, row, pointers }: JobData): string {
  const from = tokens[row] ?? '';
  const parts = pointers.filter(({ place }) => place >= 0).map(({ name, place }) => `${name}: ${tokens[place] ?? ''}`);
  return parts.length > 0 ? msg(str`At place ${row + 1}, ${from}. ${parts.join(comma())}`) : msg(str`At place ${row + 1}, ${from}. Here nothing is asked.`);
}

function answers({ runs, asked, step }: JobData): TemplateResult {
  if (runs.every((run) => run.answers.length === 0)) return html`<p class="training-note">${msg('Here nothing is asked. Pick another row.')}</p>`;
  return html`
    <table class="training-answers">
      <caption>${msg(str`The answers at step ${count(step)}`)}</caption>
      ${asked.length > 1 ? html`<thead><tr><td></td>${asked.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>` : nothing}
      <tbody>${runs.map(({ name, answers: given }) => html`<tr><th scope="row">${name}</th>${given.map((each) => (each ? html`<td data-right=${String(each.isRight)}><bdi>${each.word}</bdi> ${percent(each.share)} ${mark(each.isRight)}</td>` : html`<td>…</td>`))}</tr>`)}</tbody>
    </table>
  `;
}

const mark = (isRight: boolean | null): TemplateResult | typeof nothing => (isRight === null ? nothing : html`<span aria-hidden="true">${isRight ? '✓' : '✗'}</span><span class="unseen">${isRight ? msg('right') : msg('wrong')}</span>`);

// Dice: what a model sees in training, and in a fair test.

export interface FairData {
  tokens: readonly string[];
  row: number;
  chance: Chance;
  runs: readonly { name: string; loss: number; honest: number | null }[];
}

const FACES: readonly (readonly (readonly [number, number])[])[] = [
  [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

/** One die; `face` from 1, 0 = not thrown yet. */
export function die(face: number, x: number, y: number, size: number, look: string): SVGTemplateResult {
  const middle = size / 2;
  return svg`<g class="training-die" data-look=${look}>
    <rect x=${x + 1} y=${y + 1} width=${size - 2} height=${size - 2} rx=${size / 7}></rect>
    ${face === 0 ? svg`<text x=${x + middle} y=${y + middle + size / 5} text-anchor="middle" font-size=${size * 0.55}>?</text>`
      : (FACES[face - 1] ?? []).map(([right, down]) => svg`<circle cx=${x + middle + right * size * 0.25} cy=${y + middle + down * size * 0.25} r=${size * 0.08}></circle>`)}
  </g>`;
}

export function fairTest(data: FairData): TemplateResult {
  const { tokens, row, runs, chance } = data;
  const first = Math.max(0, Math.min(row - 3, tokens.length - 5));
  const shown = tokens.slice(first, Math.min(tokens.length, row + 2)).map(Number);
  const most = Math.max(chance.value, ...runs.flatMap(({ loss, honest }) => [loss, honest || 0])) * 1.02 || 1;
  const dice = (isThrown: boolean) => {
    const faces = shown.map((face, i) => (first + i > row && !isThrown ? 0 : face));
    return html`<svg class="training-dice" width=${faces.length * 44} height="50" viewBox=${`0 0 ${faces.length * 44} 50`} aria-hidden="true">
      ${faces.map((face, i) => die(face, i * 44 + 1, 13, 36, first + i === row ? 'own' : face === 0 ? 'open' : ''))}
      ${isThrown && row + 1 < tokens.length ? svg`<path class="training-arrow accent" d=${`M${(row - first) * 44 + 19} 12C${(row - first) * 44 + 26} -2 ${(row - first) * 44 + 56} -2 ${(row - first) * 44 + 63} 8`}></path><path class="training-tip accent" d=${`M${(row - first) * 44 + 58} 7h10l-5 6z`}></path>` : nothing}
    </svg>`;
  };
  const bar = (name: string, value: number | null, run: number) => html`
    <tr data-run=${run}><th scope="row">${name}</th><td class="training-bar-room"><div class="training-loss" .style=${`width: ${(100 * (value || 0)) / most}%`}></div><i class="training-guess" .style=${`left: ${(100 * chance.value) / most}%`}></i></td><td>${measured(value)}</td></tr>`;
  return html`
    <section class="training-job training-fair">
      <h3>${msg('Training, then a fair test')}</h3>
      <p class="training-see">${dice(true)}<span>${msg('In training, the next throw is there to be seen.')}</span></p>
      <p class="training-see">${dice(false)}<span>${msg('In the test, it has not been thrown yet.')}</span></p>
      <table class="training-losses">
        <caption>${msg(str`Loss: surprise at the true throw; less is better. The dotted line, ln 6 = ${fixed(chance.value, 2)}, is guessing one of six.`)}</caption>
        ${runs.map(({ name, loss, honest }, i) => html`<tbody><tr class="training-losses-name"><th scope="rowgroup" colspan="3">${name}</th></tr>${bar(msg('training'), loss, i)}${bar(msg('test'), honest, i)}</tbody>`)}
      </table>
    </section>
  `;
}
