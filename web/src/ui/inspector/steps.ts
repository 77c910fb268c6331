// The steps from a score to its weight, each with the engine's numbers: scale, cap, mask, softmax, dropout.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { CellArithmetic, StageId } from '../../engine/engine.ts';
import { maskOf } from '../../engine/masks.ts';
import type { Selection } from '../../engine/types.ts';
import { significant } from '../../lib/format.ts';
import { short, weight } from '../../text/numbers.ts';
import { type Picture, isByHand, isCross, lineOf } from '../../state/result.ts';
import { keyWord } from '../../text/word.ts';

interface StepData {
  picture: Picture;
  selection: Selection;
  cell: CellArithmetic;
}

export function line(name: unknown, work: unknown, result: string, stage: string, accent = false): TemplateResult {
  return html`
    <div class="step">
      <span class="step-name">${name}</span>
      <span class="step-work">${work}</span>
      <span class=${accent ? 'step-result accent' : 'step-result'} data-stage=${stage}>${result}</span>
    </div>
  `;
}

export function steps(data: StepData): TemplateResult {
  const { settings } = data.picture.trace;
  return html`
    ${scaled(data)}
    ${settings.softcap > 0 ? capped(data) : nothing}
    ${mask(data)}
    ${softmax(data)}
    ${settings.dropout > 0 ? dropped(data) : nothing}
  `;
}

/** One number of a stage [H, T, S]. */
function at(picture: Picture, stage: StageId, { head, query, key }: Selection): number {
  return picture.trace.head(stage, head)[query * picture.trace.shape.S + key] ?? 0;
}

const inBrackets = (x: number) => (x < 0 ? `(${significant(x)})` : significant(x));

function scaled({ cell, picture }: StepData): TemplateResult {
  const { settings, shape } = picture.trace;
  const from = significant(cell.score);
  const times = html`${from} × ${short(cell.factor)}`;
  const work =
    settings.scale === 'none' ? msg('not scaled')
    : settings.scale === 'sqrt-dk' ? html`${from} ÷ √${shape.d_k} = ${times}`
    : times;
  return line(msg('Scale'), work, significant(cell.scaled_score), 'scaled_scores');
}

function capped({ cell, picture, selection }: StepData): TemplateResult {
  const cap = short(picture.trace.settings.softcap);
  return line(msg('Cap'), html`${cap} × tanh(${significant(cell.scaled_score)} ÷ ${cap})`, significant(at(picture, 'capped_scores', selection)), 'capped_scores');
}

function mask(data: StepData): TemplateResult {
  const { cell, picture } = data;
  const bias = cell.allowed && picture.trace.settings.positions === 'alibi' ? distance(data) : null;
  return line(msg('Mask'), bias ?? kept(data), significant(cell.masked_score), 'masked_scores');
}

const PLUS_0 = '+\u00a00';

function kept({ cell, picture, selection: { query, key } }: StepData): TemplateResult {
  const answers = html`<b>${keyWord(picture, key)}</b>`;
  const { cells } = maskOf(picture.trace.settings.mask);
  if (isByHand(picture, query, key)) return cell.allowed ? msg(html`shown by hand: kept, ${PLUS_0}`) : msg(html`masked by hand: −∞`);
  if (!cells) return msg(html`no mask: kept, ${PLUS_0}`);
  if (!cell.allowed) return msg(html`${answers} ${cells.hidden()}: −∞`);
  if (query === key && !isCross(picture)) return msg(html`${answers} itself: kept, ${PLUS_0}`);
  return msg(html`${answers} ${cells.seen(isCross(picture))}: kept, ${PLUS_0}`);
}

/** ALiBi: each head takes its slope off for each word of distance, to either side. */
function distance({ cell, picture, selection: { head, query, key } }: StepData): TemplateResult {
  const before = picture.trace.settings.softcap > 0 ? at(picture, 'capped_scores', { head, query, key }) : cell.scaled_score;
  const slope = picture.trace.parameter('slopes')[head] ?? 0;
  return msg(html`kept; distance ${Math.abs(query - key)}: ${significant(before)} − ${Math.abs(query - key)} × ${short(slope)}`);
}

function ofLine(isRow: boolean, isLargest: boolean): string {
  if (isLargest) return isRow ? msg('the largest of its row') : msg('the largest of its column');
  return isRow ? msg('not the largest of its row') : msg('not the largest of its column');
}

function softmax({ cell, picture, selection }: StepData): TemplateResult {
  const { temperature } = picture.trace.settings;
  const isRow = lineOf(picture) === 'row';
  const power = cell.exps[selection.key] ?? 0;
  const quotient = html`<span data-stage="exp">${significant(power)}</span> ÷ <span data-stage="exp_sum">${significant(cell.exp_sum, 5)}</span>`;
  const work =
    cell.row_max === -Infinity ? (isRow ? msg('nothing to share out: the whole row is masked') : msg('nothing to share out: the whole column is masked'))
    : temperature === 0 ? html`${ofLine(isRow, power > 0)}<br>= ${quotient}`
    : html`exp(${significant(cell.masked_score)}${temperature === 1 ? nothing : html` ÷ ${short(temperature)}`} − ${inBrackets(cell.row_max)}) ÷ Σ<br>= ${quotient}`;
  return line('Softmax', work, weight(cell.weight), 'weights', true);
}

function dropped({ cell, picture, selection }: StepData): TemplateResult {
  const result = at(picture, 'dropped_weights', selection);
  const factor = short(1 / (1 - picture.trace.settings.dropout));
  const work = cell.weight === 0 ? msg('nothing to drop') : result === 0 ? msg('dropped in this draw: × 0') : msg(str`kept in this draw: × ${factor}`);
  return line(msg('Dropout'), work, weight(result), 'dropped_weights');
}
