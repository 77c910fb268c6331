// The arithmetic of one cell: how its weight is computed, step by step, with the products of its score as bars.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import type { CellArithmetic } from '../../engine/engine.ts';
import { maskOf } from '../../engine/masks.ts';
import type { Selection } from '../../engine/types.ts';
import { count, fixed, percent, plural, significant } from '../../lib/format.ts';
import { exact, signed, weight } from '../../text/numbers.ts';
import { language } from '../../lib/language.ts';
import type { Both } from '../../state/comparison.ts';
import { type Picture, isByHand, isCross, lineOf, maskedRow, rowOf, weightsRow } from '../../state/result.ts';
import { keyWord, word } from '../../text/word.ts';
import { rowTable } from './tables.ts';
import { line, steps } from './steps.ts';

export interface InspectorData {
  picture: Picture;
  selection: Selection;
  cell: CellArithmetic;
  rowsFrom: number;
  arcs: boolean;
  termsOpen: boolean;
  /** Beside the present weight, when a state is pinned. */
  both: Both | null;
}

export interface InspectorEvents {
  terms(open: boolean): void;
  selectKey(key: number): void;
  scrollRows(event: Event): void;
}

export function inspector(data: InspectorData, events: InspectorEvents): TemplateResult {
  const { picture, selection, cell } = data;
  const [query, key] = [word(picture, selection.query), keyWord(picture, selection.key)];
  return html`
    <h2 class="small-heading">${msg('This cell')}</h2>
    <div class="cell-title">
      <span class="pair">${query}<span class="arrow" aria-hidden="true">→</span><span class="unseen"> ${msg('looks at')} </span>${key}</span>
      <span class="value accent" data-stage="weights">${weight(cell.weight)}</span>
    </div>
    ${data.both ? html`<p class="pinned-line">${msg(html`pinned <b data-cell-pinned>${exact(data.both.pinned)}</b>, now − pinned <b data-cell-difference>${exact(data.both.difference)}</b>`)}</p>` : nothing}
    <p class="cell-words">${picture.ready ? readyWords(data) : inWords(data)}</p>
    ${picture.ready ? nothing : html`<div class="steps">${score(data)} ${terms(data, events)} ${steps(data)}</div>`}
    ${rowTable({ picture, selection, cell, from: data.rowsFrom, arcs: data.arcs }, events)}
  `;
}

function unseen(picture: Picture, { query, key }: Selection): TemplateResult {
  const [asks, answers] = [html`<b>${word(picture, query)}</b>`, html`<b>${keyWord(picture, key)}</b>`];
  const why = maskOf(picture.trace.settings.mask).cells?.hidden();
  if (isByHand(picture, query, key) || !why) return msg(html`Query ${asks} may not look at key ${answers}, which is masked by hand. Its weight is exactly 0.`);
  return msg(html`Query ${asks} may not look at key ${answers}, which ${why}. Its weight is exactly 0.`);
}

/** For weights from a file, nothing else is known. */
function readyWords({ picture, selection, cell }: InspectorData): TemplateResult {
  const [query, key] = [html`<b>${word(picture, selection.query)}</b>`, html`<b>${keyWord(picture, selection.key)}</b>`];
  return html`${Number.isFinite(cell.weight)
    ? msg(html`Query ${query} gives key ${key} the weight ${exact(cell.weight)}, ${rankOf(picture, selection).words}.`)
    : notFinite(query, key)}
    ${msg('The file holds weights alone: from which scores this one came, and what it brings, is not known.')}`;
}

const notFinite = (query: TemplateResult, key: TemplateResult) => msg(html`Query ${query} gives key ${key} what is not a finite number.`);

function inWords({ picture, selection, cell }: InspectorData): TemplateResult {
  const query = html`<b>${word(picture, selection.query)}</b>`;
  const key = html`<b>${keyWord(picture, selection.key)}</b>`;
  if (cell.row_max === -Infinity) {
    return lineOf(picture) === 'row'
      ? msg(html`Query ${query} may look at no key at all: every weight of its row is exactly 0, and so is its context.`)
      : msg(html`Query ${query} may look at no key at all: every weight of its column is exactly 0, and so is its context.`);
  }
  if (!cell.allowed) return unseen(picture, selection);
  if (!Number.isFinite(cell.weight)) return notFinite(query, key);
  const own = selection.query === selection.key && !isCross(picture);
  const rank = rankOf(picture, selection);
  const share = percent(cell.weight);
  if (picture.trace.settings.dropout > 0 && cell.weight > 0) return droppedWords(own, query, key, sharesOf(picture, selection)[selection.key] ?? 0, rank.words);
  if (rank.of === 1) {
    return own
      ? msg(html`Query ${query} looks at itself, the only word it can see, and takes all of its context from it.`)
      : msg(html`Query ${query} looks at key ${key}, the only word it can see, and takes all of its context from it.`);
  }
  return own
    ? msg(html`Query ${query} looks at itself and takes ${share} of its context from it, ${rank.words}.`)
    : msg(html`Query ${query} looks at key ${key} and takes ${share} of its context from it, ${rank.words}.`);
}

/** The input of the context: the weights, or what dropout leaves of them. */
function sharesOf(picture: Picture, { head, query }: Selection): Float32Array {
  return picture.trace.settings.dropout > 0 ? rowOf(picture, picture.trace.head('dropped_weights', head), query) : weightsRow(picture, head, query);
}

/** With dropout, the share that is taken is not the weight. */
function droppedWords(own: boolean, query: TemplateResult, key: TemplateResult, share: number, rank: string): TemplateResult {
  if (share === 0) {
    return own
      ? msg(html`Query ${query} looks at itself, but dropout sets this weight to 0: it takes nothing of its context from it.`)
      : msg(html`Query ${query} looks at key ${key}, but dropout sets this weight to 0: it takes nothing of its context from it.`);
  }
  return own
    ? msg(html`Query ${query} looks at itself and, after dropout, takes ${percent(share)} of its context from it, ${rank}.`)
    : msg(html`Query ${query} looks at key ${key} and, after dropout, takes ${percent(share)} of its context from it, ${rank}.`);
}

function rankOf(picture: Picture, { head, query, key }: Selection): { of: number; words: string } {
  const weights = sharesOf(picture, { head, query, key });
  const masked = maskedRow(picture, head, query);
  const own = weights[key] ?? 0;
  let [larger, equal, smaller] = [0, 0, 0];
  for (let i = 0; i < weights.length; i += 1) {
    if (masked[i] === -Infinity) continue;
    const other = weights[i] ?? 0;
    if (other > own) larger += 1;
    else if (other === own) equal += 1;
    else smaller += 1;
  }
  const of = larger + equal + smaller;
  const isRow = lineOf(picture) === 'row';
  const rank = larger === 0 ? (isRow ? msg('the largest share in its row') : msg('the largest share in its column'))
    : smaller === 0 ? (isRow ? msg('the smallest share in its row') : msg('the smallest share in its column'))
    : msg(str`the ${ordinal(larger + 1)} largest of ${of} shares`);
  return { of, words: equal > 1 ? plural(equal - 1, msg(str`${rank}, shared with 1 other`), msg(str`${rank}, shared with ${count(equal - 1)} others`)) : rank };
}

/** English has a word for each; other languages write the number, and what belongs to it stands in their sentence. */
function ordinal(n: number): string {
  if (language() !== 'en') return String(n);
  const names = ['', '', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
  if (names[n]) return names[n];
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

function score({ cell, picture }: InspectorData): TemplateResult {
  const { query_row: q, key_row: k } = cell;
  const term = (i: number) => html`<span class="term">${signed(q[i] ?? 0)}${signed(k[i] ?? 0)}</span>`;
  const last = q.length - 1;
  const shown = [term(0)];
  if (last >= 1) shown.push(html` + ${term(1)}`);
  if (last >= 3) shown.push(html` + … + ${term(last)}`);
  else for (let i = 2; i <= last; i += 1) shown.push(html` + ${term(i)}`);
  return html`
    ${line(html`${msg('Score')}<br><span class="symbol">q·k</span>`, html`${shown}${productBars(cell.products)}`, significant(cell.score), 'scores')}
    <p class="step-note">${productsWords(cell.products, picture.trace.settings.positions === 'rope')}</p>
  `;
}

function productsWords(products: Float32Array, turned: boolean): string {
  let [low, high] = [0, 0];
  products.forEach((product, i) => {
    if (product < (products[low] ?? 0)) low = i;
    if (product > (products[high] ?? 0)) high = i;
  });
  const [least, most] = [fixed(products[low] ?? 0, 2), fixed(products[high] ?? 0, 2)];
  const words = plural(products.length, msg('1 product, and nothing to add to it'), msg(str`${count(products.length)} products, from ${least} to ${most}`));
  return turned ? msg(str`${words}; q and k are turned by their places`) : words;
}

function terms({ cell, termsOpen }: InspectorData, events: InspectorEvents): TemplateResult {
  const { query_row: q, key_row: k, products, partial_sums: sums } = cell;
  const rows = () => Array.from(products, (product, i) => html`
    <tr><th scope="row">${i + 1}</th><td>${exact(q[i] ?? 0)}</td><td>${exact(k[i] ?? 0)}</td><td>${exact(product)}</td><td>${exact(sums[i] ?? 0)}</td></tr>
  `);
  return html`
    <details class="terms" ?open=${termsOpen} @toggle=${(event: Event) => events.terms((event.target as HTMLDetailsElement).open)}>
      <summary>${msg('Every term, in full precision')}</summary>
      ${termsOpen
        ? html`
            <div class="terms-scroll" tabindex="0" role="region" aria-label=${msg('Every term of the score')}>
              <table>
                <caption class="unseen">${msg('The score as a sum of products, added in this order')}</caption>
                <thead><tr><th scope="col">i</th><th scope="col">q<sub>i</sub></th><th scope="col">k<sub>i</sub></th><th scope="col">q<sub>i</sub>·k<sub>i</sub></th><th scope="col">${msg('running sum')}</th></tr></thead>
                <tbody>${rows()}</tbody>
              </table>
            </div>
          `
        : nothing}
    </details>
  `;
}

// The products of one score as a strip of bars: above the line what raises it, below what lowers it.

const WIDTH = 258;
const HEIGHT = 36;

export function productBars(products: Float32Array): TemplateResult {
  let [least, most] = [0, 0];
  for (const product of products) {
    least = Math.min(least, product);
    most = Math.max(most, product);
  }
  const range = most - least || 1;
  const zero = 1 + (most / range) * (HEIGHT - 2);
  const pitch = WIDTH / products.length;
  const bar = Math.min(12, Math.max(pitch > 3 ? pitch - 1 : pitch, 0.4));
  const [above, below]: [string[], string[]] = [[], []];
  products.forEach((product, i) => {
    const height = (Math.abs(product) / range) * (HEIGHT - 2);
    const left = (i * pitch).toFixed(2);
    if (product >= 0) above.push(`M${left} ${zero.toFixed(2)}v${(-height).toFixed(2)}h${bar.toFixed(2)}v${height.toFixed(2)}z`);
    else below.push(`M${left} ${zero.toFixed(2)}v${height.toFixed(2)}h${bar.toFixed(2)}v${(-height).toFixed(2)}z`);
  });
  return html`
    <svg class="product-bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<path class="above" d=${above.join('')}></path><path class="below" d=${below.join('')}></path>
      <path class="zero-line" d="M0 ${zero.toFixed(2)}h${WIDTH}"></path>`}
    </svg>
  `;
}
