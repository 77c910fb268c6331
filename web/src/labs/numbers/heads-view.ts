// So many dimensions in so many heads: what divides and what does not.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, html, nothing, svg } from 'lit';
import { noticeWords } from '../../core-words.ts';
import { count, short } from '../../format.ts';
import { divisors } from '../../setting-values.ts';
import { withSubs } from '../../views/subs.ts';
import { cell } from '../views/cells.ts';
import { plot } from '../views/plot.ts';
import { type Example, type NumbersData, type NumbersEvents, cellsOf } from './view.ts';
import { split } from './worked.ts';

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
    from: msg('From a text: an attention output of 720 dimensions in 12 heads.'),
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
