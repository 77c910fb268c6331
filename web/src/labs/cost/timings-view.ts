// What was measured in this browser: attention that keeps every stage, beside attention that keeps none.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { count, fixed, significant } from '../../format.ts';
import { button } from '../views/controls.ts';
import { lines } from '../views/lines.ts';
import { KEPT } from './formulas.ts';
import { RUNS, SIZES, type Timing, WIDTH } from './measure.ts';
import { bytesWords } from './words.ts';

interface Data { timings: readonly Timing[]; running: boolean; ready: boolean; refused: string }

export function timingsView({ timings, running, ready, refused }: Data, events: { measure(): void; stop(): void }): TemplateResult {
  const last = timings.at(-1);
  const next = SIZES[timings.length];
  return html`
    <section class="timings">
      <h3>${msg('Measured here: with and without the n × n matrices')}</h3>
      <p class="lab-note">${msg(str`One head of ${WIDTH} numbers over random queries, keys and values, on this machine and in this browser, now. A trace writes scores, scaled scores, masked scores and weights to memory, as this page does for you to look at; fused attention goes through them block by block and keeps none. Median of ${RUNS} runs, in turns.`)}</p>
      <div class="lab-controls">
        ${running ? button(msg('Stop'), events.stop) : ready ? button(timings.length > 0 ? msg('Measure again') : msg('Measure'), events.measure) : html`<p class="muted">${msg('Loading…')}</p>`}
        <p role="status">${running && next ? msg(str`${count(next)} tokens…`) : last ? msg(html`At ${count(last.n)} tokens: fused <b>${ms(last.fused)}</b>, with every stage kept <b>${ms(last.trace)}</b> and ${bytesWords(kept(last))}.`) : nothing} ${refused}</p>
      </div>
      ${timings.length > 0 ? html`<div class="lab-columns">${lines({
        title: msg('Milliseconds of one head'), note: msg('measured here'),
        summary: last ? msg(str`At ${count(last.n)} tokens fused attention takes ${ms(last.fused)}, a trace ${ms(last.trace)}.`) : '',
        x: { label: msg('tokens, n'), least: SIZES[0], most: SIZES.at(-1) ?? 2048, log: 2, words: count },
        y: { label: msg('milliseconds'), log: 10, words: (value) => significant(value, 3), tick: (value) => (value < 1 ? String(value) : count(value)), ...range(timings) },
        series: [
          { label: msg('fused'), points: timings.map(({ n, fused }) => ({ x: n, y: fused })) },
          { label: msg('trace'), points: timings.map(({ n, trace }) => ({ x: n, y: trace })) },
          ...(last ? [{ label: '∝ n²', reference: true, points: timings.map(({ n }) => ({ x: n, y: last.fused * (n / last.n) ** 2 })) }] : []),
        ],
      })}
        <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Measured here')}>
          <table class="lab-table timed">
            <thead><tr><th scope="col">n</th><th scope="col">${msg('fused')}</th><th scope="col">${msg('trace')}</th><th scope="col">${msg('trace ÷ fused')}</th><th scope="col">${msg('kept, 4 · n² · 4 bytes')}</th><th scope="col">${msg('largest difference of a number')}</th></tr></thead>
            <tbody>${timings.map((each) => html`<tr data-n=${each.n}><th scope="row">${count(each.n)}</th><td>${ms(each.fused)}</td><td>${ms(each.trace)}</td><td>${fixed(each.trace / each.fused, 2)}</td><td>${bytesWords(kept(each))}</td><td>${significant(each.difference, 2)}</td></tr>`)}</tbody>
          </table>
        </div>
      </div>` : nothing}
    </section>
  `;
}

const kept = ({ n }: Timing): number => KEPT * n * n * 4;
const ms = (time: number): string => `${significant(time, 3)}\u00a0ms`;

function range(timings: readonly Timing[]): { least: number; most: number } {
  const all = timings.flatMap(({ fused, trace }) => [fused, trace]);
  return { least: 10 ** Math.floor(Math.log10(Math.min(...all))), most: 10 ** Math.ceil(Math.log10(Math.max(...all))) };
}
