// Small sums: dimensions in heads, what a printed row leaves, one weight times one value.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, html, nothing, svg } from 'lit';
import { count, fixed } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { divisors } from '../../lib/parse.ts';
import { noticeWords } from '../../text/core-sentences.ts';
import { withSubs } from '../../text/word.ts';
import { cell } from '../kit/controls.ts';
import { plot } from '../kit/plot.ts';
import { type Example, type NumbersData, type NumbersEvents, cellsOf, from, split, sumOf, weightedValue } from './examples.ts';

const MOST_BLOCKS = 128;

export function headsExample(data: NumbersData, events: NumbersEvents): Example {
  const [d = 1, heads = 1] = data.knobs.split;
  const { split: made, rule } = split(data.run, data.engine, d, heads);
  const whole = d % heads === 0;
  const width = d / heads;
  const cells = cellsOf(data, events, 'split');
  const fits = divisors(d);
  const [dWords, hWords, wWords] = [count(d), count(heads), count(width)];
  return {
    from: from('chapter', msg('an attention output of 720 dimensions in 12 heads.')),
    said: whole
      ? msg(html`${dWords} ÷ ${hWords} = <b>${wWords}</b> dimensions a head. Each head’s scores are divided by √${wWords} = ${short(Math.sqrt(width))}, the root of its own width, not of ${dWords}.`)
      : msg(html`${dWords} ÷ ${hWords} is no whole number, so ${dWords} dimensions cannot be cut into ${hWords} equal heads. ${rule ? noticeWords(rule) : ''}`),
    figure: html`
      <p class="lab-inline">${msg(html`${cell(cells, 0, msg('dimensions'))} dimensions in ${cell(cells, 1, msg('heads'))} heads`)}</p>
      ${whole ? html`${blocks(d, heads)}
        <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Numbers in W_Q')}><table class="lab-table">
          <tbody>
            <tr><th scope="row">${withSubs(msg('Numbers in W_Q of one head'))}</th><td>${dWords} × ${wWords} = <b>${count(d * width)}</b></td></tr>
            <tr><th scope="row">${msg('of all heads')}</th><td>${hWords} × ${count(d * width)} = ${dWords} × ${dWords} = <b>${count(d * d)}</b></td></tr>
            ${made ? html`<tr><th scope="row">${withSubs(msg('The engine’s own d_k and scale, of a run'))}</th><td data-engine>${made.d_k}, ${short(made.factor)} = 1 ÷ √${made.d_k}</td></tr>` : nothing}
          </tbody>
        </table></div>` : nothing}
      <div class="lab-divisors" data-sets>
        <p class="small-heading">${msg(str`${dWords} can be cut into so many heads; press one:`)}</p>
        <p>${fits.map((each) => html`<button type="button" class="plain" aria-pressed=${each === heads ? 'true' : 'false'} @click=${() => events.set({ split: [d, each] })}>${count(each)}</button> `)}</p>
      </div>
    `,
    tries: [
      { label: msg('GPT-3: 12,288 in 96 heads'), act: () => events.set({ split: [12288, 96] }) },
      { label: msg('720 in 7 heads'), act: () => events.set({ split: [720, 7] }) },
    ],
  };
}

function blocks(d: number, heads: number) {
  const words = msg(str`${count(heads)} blocks of ${count(d / heads)}`);
  if (heads > MOST_BLOCKS) return html`<p class="muted">${words}</p>`;
  return plot({
    title: msg('One row of the output'), note: words, summary: words, height: 56,
    draw: (width) => bar(heads, width, d / heads),
    numbers: { columns: [msg('Head'), msg('from'), msg('to')], rows: Array.from({ length: heads }, (_, h) => [count(h + 1), count((h * d) / heads + 1), count(((h + 1) * d) / heads)]) },
  });
}

function bar(heads: number, width: number, each: number): SVGTemplateResult {
  const block = width / heads;
  return svg`${Array.from({ length: heads }, (_, h) => svg`
    <rect class="lab-block" x=${(h * block).toFixed(2)} y="2" width=${Math.max(0.5, block - (block > 3 ? 2 : 0.5)).toFixed(2)} height="32"></rect>
    ${block >= 28 ? svg`<text class="lab-block-name" x=${((h + 0.5) * block).toFixed(2)} y="23" text-anchor="middle">${count(each)}</text>` : nothing}
  `)}`;
}

// What a printed row of weights leaves for the others.

/** The printed words of the sentence; the dots stand for the other six. */
const LENGTH_WORDS = ['the', 'animal', 'didn\'t', 'street', 'tired'];
const OTHERS = 6;

export function sharesExample(data: NumbersData, events: NumbersEvents): Example {
  const sum = sumOf(data.engine, data.knobs.shares);
  const cells = cellsOf(data, events, 'shares');
  const rest = 1 - sum;
  const [sumWords, restWords, each] = [fixed(sum, 2), fixed(rest, 2), fixed(rest / OTHERS, 2)];
  return {
    from: from('notes', msg('the row of “it” in “the animal didn’t cross the street because it was too tired”, five weights and dots for the others.')),
    said: rest >= -1e-6
      ? msg(html`The five printed weights sum to <b>${sumWords}</b>. A row sums to 1, so the other six words share <b>${restWords}</b>: ${each} each, were they equal.`)
      : msg(html`These five sum to <b>${sumWords}</b>, which is more than 1: no softmax gives such a row.`),
    figure: html`
      <div class="lab-scroll"><table class="lab-table lab-worked">
        <thead><tr><th scope="col">${msg('Word')}</th><th scope="col">${msg('weight from “it”')}</th></tr></thead>
        <tbody>${LENGTH_WORDS.map((word, i) => html`<tr ?data-chosen=${i === 1}><th scope="row" lang="en">${word}</th><td>${cell(cells, i, word)}</td></tr>`)}
          <tr><th scope="row">${msg('the other six')}</th><td>${restWords}</td></tr>
          <tr class="lab-sum"><th scope="row">${msg('sum')}</th><td>1</td></tr></tbody>
      </table></div>
      <p class="lab-note">${msg('These are weights that a trained model might have. The causal playground never shows “it” a weight on “was”, “too” or “tired”: they come later, and this “it” looks both ways.')}</p>
    `,
  };
}

// One weight times one value, and the sum of all of them.

/** The chapter's words; its row is the fourth. */
const VALUE_WORDS = ['Houston', 'we', 'have', 'a', 'problem'];
const ROW = 3;

export function valueExample(data: NumbersData, events: NumbersEvents): Example {
  const { knobs } = data;
  const { sums, total } = weightedValue(data.run, data.engine, knobs);
  const [weights, values] = [cellsOf(data, events, 'weights'), cellsOf(data, events, 'values')];
  const product = (row: number, c: number): number => sums[c]?.terms[row]?.product ?? NaN;
  const list = (numbers: readonly number[]) => `[${numbers.map(short).join(', ')}]`;
  const [row, context] = [list(sums.map((_, c) => product(ROW, c))), list(sums.map(({ result }) => result))];
  const weight = short(knobs.weights[ROW] ?? 0);
  return {
    from: from('chapter', msg('the fourth of five words has the weight 0.27 and the value [6.2, 1.4, 7.9]. The numbers of the other four are ours.')),
    said: Math.abs(total - 1) < 1e-6
      ? msg(html`Row 4 brings ${weight} · its value = <b>${row}</b>. All five rows together are the context, <b>${context}</b>: one row of the layer’s output.`)
      : msg(html`Row 4 brings ${weight} · its value = <b>${row}</b>. These weights sum to ${short(total)}; softmax’s always sum to 1. With them as they are the context is <b>${context}</b>.`),
    figure: html`
      <div class="lab-scroll"><table class="lab-table lab-worked">
        <thead><tr><th scope="col">${msg('Word')}</th><th scope="col">${msg('weight')}</th><th scope="colgroup" colspan="3">${msg('value')}</th><th scope="colgroup" colspan="3">${msg('weight × value')}</th></tr></thead>
        <tbody>
          ${VALUE_WORDS.map((word, i) => html`
            <tr ?data-chosen=${i === ROW}>
              <th scope="row">${i + 1} <span lang="en">${word}</span></th>
              <td>${cell(weights, i, `${msg('weight')} ${i + 1}`)}</td>
              ${sums.map((_, c) => html`<td>${cell(values, i * sums.length + c, `${msg('value')} ${i + 1}, ${c + 1}`)}</td>`)}
              ${sums.map((_, c) => html`<td data-product=${`${i},${c}`}>${short(product(i, c))}</td>`)}
            </tr>
          `)}
          <tr class="lab-sum"><th scope="row">${msg('sum')}</th><td>${fixed(total, 2)}</td><td colspan=${sums.length}></td>${sums.map(({ result }, c) => html`<td data-context=${c}><b>${short(result)}</b></td>`)}</tr>
        </tbody>
      </table></div>
      <p class="lab-note">${msg('The chapter prints row 4 as [1.67, 0.378, 2.13], rounded to three digits.')}</p>
    `,
    tries: [
      { label: msg('Give all weight to the fourth word'), act: () => events.set({ weights: [0, 0, 0, 1, 0] }) },
      { label: msg('Give every word the same'), act: () => events.set({ weights: [0.2, 0.2, 0.2, 0.2, 0.2] }) },
    ],
  };
}
