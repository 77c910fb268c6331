// A query against keys that point its way, across it and away from it; and every step of one with three.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, html, svg } from 'lit';
import { fixed, percent } from '../../lib/format.ts';
import { column, short, weight } from '../../text/numbers.ts';
import { cell } from '../kit/controls.ts';
import { plot } from '../kit/plot.ts';
import { type Example, type Lookup, type NumbersData, type NumbersEvents, cellsOf, from, plane, three } from './examples.ts';

const PLANE_KEYS = ['k₁', 'k₂', 'k₃'];

/** Degrees between two vectors; NaN where one has no direction. */
const degrees = ({ cosine, norm_a, norm_b }: Lookup['against'][number]): number => (norm_a > 0 && norm_b > 0 ? (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI : NaN);

const angle = (value: number): string => (Number.isNaN(value) ? '–' : `${short(Math.round(value * 10) / 10)}°`);

export function planeExample(data: NumbersData, events: NumbersEvents): Example {
  const found = plane(data.run, data.engine, data.knobs);
  const scores = found.trace.stage('scaled_scores');
  const weights = found.trace.stage('weights');
  const [query, keys] = [cellsOf(data, events, 'query2'), cellsOf(data, events, 'keys2')];
  const said = (k: number) => {
    const [key, at, score, share] = [html`<b>${PLANE_KEYS[k]}</b>`, angle(degrees(found.against[k] as Lookup['against'][number])), short(scores[k] ?? NaN), percent(weights[k] ?? NaN)];
    return msg(html`${key} at ${at} scores ${score} and takes ${share}.`);
  };
  return {
    from: from('notes', msg('their last question, one query and a key that is aligned with it, one at right angles and one opposed. Scores are not scaled here.')),
    said: html`${PLANE_KEYS.map((_, k) => html`${said(k)} `)}`,
    figure: html`
      <div class="lab-columns">
        ${arrows(data, found)}
        <div class="lab-scroll"><table class="lab-table lab-worked">
          <thead><tr><th scope="col">${msg('Vector')}</th><th scope="colgroup" colspan="2">x, y</th><th scope="col">${msg('length')}</th><th scope="col">${msg('angle to q')}</th><th scope="col">q·k = ‖q‖ ‖k‖ cos θ</th><th scope="col">${msg('weight')}</th></tr></thead>
          <tbody>
            <tr data-chosen><th scope="row">q</th>${[0, 1].map((c) => html`<td>${cell(query, c, `q ${c + 1}`)}</td>`)}<td>${short(found.against[0]?.norm_a ?? NaN)}</td><td colspan="3"></td></tr>
            ${found.against.map((each, k) => html`
              <tr><th scope="row">${PLANE_KEYS[k]}</th>${[0, 1].map((c) => html`<td>${cell(keys, 2 * k + c, `${PLANE_KEYS[k] ?? ''} ${c + 1}`)}</td>`)}
                <td>${short(each.norm_b)}</td><td>${angle(degrees(each))}</td>
                <td><span class="muted">${short(each.norm_a)} · ${short(each.norm_b)} · ${fixed(each.cosine, 3)} =</span> <b data-score=${k}>${short(scores[k] ?? NaN)}</b></td>
                <td data-weight=${k}>${weight(weights[k] ?? NaN)}</td></tr>
            `)}
          </tbody>
        </table></div>
      </div>
    `,
    tries: [
      { label: msg('Make the opposed key twice as long'), act: () => events.set({ query2: [1, 2], keys2: [1, 2, -2, 1, -2, -4] }) },
      { label: msg('A longer key at an angle beats a shorter aligned one'), act: () => events.set({ query2: [1, 2], keys2: [1, 2, 1, 4, -1, -2] }) },
      { label: msg('Make the query ten times shorter'), act: () => events.set({ query2: [0.1, 0.2] }) },
    ],
  };
}

const HEIGHT = 300;

function arrows({ knobs }: NumbersData, { against }: Lookup) {
  const all = [{ name: 'q', x: knobs.query2[0] ?? 0, y: knobs.query2[1] ?? 0 }, ...PLANE_KEYS.map((name, k) => ({ name, x: knobs.keys2[2 * k] ?? 0, y: knobs.keys2[2 * k + 1] ?? 0 }))];
  const reach = Math.max(1e-6, ...all.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)])) * 1.2;
  return plot({
    title: msg('The query and three keys'), height: HEIGHT,
    summary: PLANE_KEYS.map((key, k) => `${key}: ${angle(degrees(against[k] as Lookup['against'][number]))}`).join(', '),
    draw: (width) => picture(all, reach, width),
    numbers: { columns: [msg('Vector'), 'x', 'y'], rows: all.map(({ name, x, y }) => [name, short(x), short(y)]) },
  });
}

interface Arrow { name: string; x: number; y: number }

function picture(all: readonly Arrow[], reach: number, width: number): SVGTemplateResult {
  const [cx, cy] = [width / 2, HEIGHT / 2];
  const unit = Math.min(cx, cy) / reach;
  return svg`
    <g class="plot-axes">
      <line class="plot-grid" x1="0" x2=${width} y1=${cy} y2=${cy}></line><line class="plot-grid" x1=${cx} x2=${cx} y1="0" y2=${HEIGHT}></line>
    </g>
    ${[...all].reverse().map((each) => arrow(each, cx, cy, unit))}
  `;
}

/** The query is drawn last and wide; where a key lies on it, both are seen. */
function arrow({ name, x, y }: Arrow, cx: number, cy: number, unit: number): SVGTemplateResult {
  const [tipX, tipY] = [cx + x * unit, cy - y * unit];
  const length = Math.hypot(tipX - cx, tipY - cy);
  const isQuery = name === 'q';
  const [ux, uy] = length > 0 ? [(tipX - cx) / length, (tipY - cy) / length] : [0, 0];
  const [backX, backY] = [tipX - 10 * ux, tipY - 10 * uy];
  // Names stand on either side of an arrow, so that two on one line can be read.
  const side = isQuery ? 16 : -16;
  return svg`
    <g class=${isQuery ? 'lab-arrow query' : 'lab-arrow'} data-arrow=${name}>
      <line x1=${cx} y1=${cy} x2=${backX.toFixed(1)} y2=${backY.toFixed(1)}></line>
      <path d=${length > 0 ? `M${tipX.toFixed(1)} ${tipY.toFixed(1)}L${(backX - 5 * uy).toFixed(1)} ${(backY + 5 * ux).toFixed(1)}L${(backX + 5 * uy).toFixed(1)} ${(backY - 5 * ux).toFixed(1)}z` : 'M0 0'}></path>
      <text x=${(tipX - side * uy).toFixed(1)} y=${(tipY + side * ux + 4).toFixed(1)} text-anchor="middle">${name}</text>
    </g>
  `;
}

// One query, three keys, three values: every step of it.

const THREE_KEYS = [0, 1, 2];
const PLACES = [0, 1, 2];

export function threeExample(data: NumbersData, events: NumbersEvents): Example {
  const { trace } = three(data.run, data.engine, data.knobs);
  const cells = THREE_KEYS.map((key) => trace.cell({ head: 0, query: 0, key }));
  const exps = cells[0]?.exps ?? new Float32Array();
  const weighted = trace.weightedValues(0, 0);
  const context = [...trace.stage('context')];
  const [query, keys, values] = [cellsOf(data, events, 'query3'), cellsOf(data, events, 'keys3'), cellsOf(data, events, 'values3')];
  const most = cells.reduce((best, { weight }, k) => (weight > (cells[best]?.weight ?? 0) ? k : best), 0);
  const written = (numbers: readonly number[]) => `[${numbers.map(short).join(', ')}]`;
  const [share, result, value] = [percent(cells[most]?.weight ?? NaN), written(context), written(data.knobs.values3.slice(3 * most, 3 * most + 3))];
  return {
    from: from('notes', msg('self-attention by hand, with vectors of three numbers; scores are divided by √3, and the third key wins. The numbers are ours and come out as the notes say.')),
    said: (cells[most]?.weight ?? 0) > 0.5
      ? msg(html`Key ${most + 1} takes <b>${share}</b>: the context <b>${result}</b> is mostly its value, ${value}.`)
      : msg(html`No key takes more than ${share}: the context <b>${result}</b> is a blend of all three values.`),
    figure: html`
      <div class="lab-scroll"><table class="lab-table lab-worked">
        <caption class="small-heading">${msg('The query')}: ${PLACES.map((c) => cell(query, c, `q ${c + 1}`))}</caption>
        <thead><tr>
          <th scope="col">${msg('Key')}</th><th scope="colgroup" colspan="3">${msg('its numbers')}</th><th scope="colgroup" colspan="3">${msg('value')}</th>
          <th scope="col">q·k</th><th scope="col">÷ √3</th><th scope="col">exp(s − max)</th><th scope="col">${msg('weight')}</th><th scope="colgroup" colspan="3">${msg('weight × value')}</th>
        </tr></thead>
        <tbody>
          ${cells.map((each, k) => html`
            <tr ?data-chosen=${k === most}>
              <th scope="row">${k + 1}</th>
              ${PLACES.map((c) => html`<td>${cell(keys, 3 * k + c, `${msg('key')} ${k + 1}, ${c + 1}`)}</td>`)}
              ${PLACES.map((c) => html`<td>${cell(values, 3 * k + c, `${msg('value')} ${k + 1}, ${c + 1}`)}</td>`)}
              <td data-score=${k}>${short(each.score)}</td><td data-scaled=${k}>${fixed(each.scaled_score, 3)}</td><td data-exp=${k}>${weight(exps[k] ?? NaN)}</td><td data-weight=${k}>${weight(each.weight)}</td>
              ${PLACES.map((c) => html`<td data-product=${`${k},${c}`}>${column(weighted[3 * k + c] ?? NaN)}</td>`)}
            </tr>
          `)}
          <tr class="lab-sum"><th scope="row">${msg('sum')}</th><td colspan="8"></td><td data-exp-sum>${fixed(cells[0]?.exp_sum ?? NaN, 4)}</td><td></td>${context.map((number, c) => html`<td data-context=${c}><b>${column(number)}</b></td>`)}</tr>
        </tbody>
      </table></div>
    `,
    tries: [
      { label: msg('Make all keys the same'), act: () => events.set({ keys3: [1, 1, 1, 1, 1, 1, 1, 1, 1] }) },
      { label: msg('Turn the query away from the third key'), act: () => events.set({ query3: [1, 2, -3] }) },
    ],
  };
}
