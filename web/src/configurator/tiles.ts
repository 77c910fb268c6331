// The kinds of figures, as small pictures to choose from.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { LABS, isLab } from '../labs/names.ts';
import { radioGroup } from '../views/radio-group.ts';
import { list } from './fields.ts';
import { FIGURE_WORDS, LAB_WORDS } from './words.ts';

const square = (x: number, y: number, size: number) => `M${x} ${y}h${size}v${size}h-${size}z`;
/** A lower triangle of n × n cells. */
function triangle(left: number, top: number, n: number, size: number): string {
  const cells = Array.from({ length: n }, (_, row) => Array.from({ length: row + 1 }, (_, column) => square(left + column * (size + 1), top + row * (size + 1), size)));
  return cells.flat().join('');
}

const filled = (d: string) => svg`<path d=${d} fill="currentColor"/>`;
const drawn = (d: string) => svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="1.5"/>`;
const WORDS = 'M6 26h10M20 26h14M38 26h12';

const PICTURES: Readonly<Record<string, SVGTemplateResult>> = {
  playground: svg`${drawn('M10 12c6-10 30-10 36 0M6 14h44')}${filled(triangle(6, 18, 4, 3))}${drawn('M30 20h20M30 25h20M30 30h12')}`,
  tokens: svg`${drawn('M6 16h10M20 16h14M38 16h12')}${filled('M6 20h10v3h-10zM20 20h14v1h-14zM38 20h12v5h-12z')}`,
  arcs: svg`${drawn(WORDS)}${drawn('M11 22c4-18 29-18 33 0M27 22c2-8 15-8 17 0')}`,
  heads: filled([8, 31].flatMap((x) => [3, 20].map((y) => triangle(x, y, 3, 4))).join('')),
  matrix: filled(triangle(14, 4, 5, 5)),
  cell: svg`${filled(square(6, 12, 12))}${drawn('M24 13h26M24 18h26M24 23h16')}`,
  pipeline: svg`${filled([5, 23, 41].map((x) => square(x, 13, 10)).join(''))}${drawn('M16 18h6M34 18h6')}`,
  lab: drawn('M6 30h44M8 30c12 0 12-22 20-22s8 22 20 22'),
};

export function tiles(view: string, choose: (view: string) => void): TemplateResult {
  const kind = isLab(view) ? 'lab' : view;
  const tile = (name: string, label: string) => html`
    <label class="tile">
      <input type="radio" ${radioGroup('choice-view')} value=${name} .checked=${live(name === kind)} @change=${() => choose(name === 'lab' ? LABS[0] : name)}>
      <span><svg viewBox="0 0 56 36" width="56" height="36" aria-hidden="true">${PICTURES[name]}</svg>${label}</span>
    </label>`;
  return html`
    <fieldset data-choice="view">
      <legend>${msg('Figure')}</legend>
      <div class="tiles">
        ${Object.entries(FIGURE_WORDS).map(([name, label]) => tile(name, label()))}
        ${tile('lab', msg('A lab'))}
      </div>
    </fieldset>
    ${isLab(view) ? list('lab', msg('Which lab'), [{ label: '', options: LABS.map((name) => [name, LAB_WORDS[name]()] as const) }], view, choose) : ''}`;
}
