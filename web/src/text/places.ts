// Places in words: "it → animal", "it, number 5", "row 3, column 5".
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { ArrayId } from '../engine/engine.ts';
import type { Place } from '../engine/places.ts';
import { side } from '../engine/stages.ts';
import { comma } from '../lib/format.ts';
import type { Picture } from '../state/result.ts';
import { symbol } from './formulas.ts';
import { math } from './mathml.ts';
import { type Whose, keyWord, word, wordText } from './word.ts';

const NAMED_COLUMNS: readonly ArrayId[] = ['content', 'position', 'embeddings', 'key_content', 'key_position', 'key_embeddings', 'output', 'residual', 'W_O', 'b_O', 'P'];
const NAMED_ROWS: readonly ArrayId[] = ['W_Q', 'W_K', 'W_V', 'W_V_down'];

/** Designed embeddings have a name for each dimension; all others have numbers only. */
function nameOf({ designed }: Picture, named: readonly ArrayId[], id: ArrayId, at: number): string {
  return named.includes(id) ? (designed?.dimensions[at]?.words ?? '') : '';
}

function numberText(picture: Picture, id: ArrayId, column: number): string {
  const name = nameOf(picture, NAMED_COLUMNS, id, column);
  return name ? msg(str`number ${column + 1} (${name})`) : msg(str`number ${column + 1}`);
}

function parameterText(picture: Picture, id: ArrayId, { row, column }: Place): string {
  const [from, to] = [nameOf(picture, NAMED_ROWS, id, row), nameOf(picture, NAMED_COLUMNS, id, column)];
  const [first, second] = [`${row + 1}${from ? ` (${from})` : ''}`, `${column + 1}${to ? ` (${to})` : ''}`];
  return msg(str`row ${first}, column ${second}`);
}

export function placeWords(picture: Picture, id: ArrayId, place: Place): TemplateResult {
  const { row, column } = place;
  switch (side(id)) {
    case 'pair':
      return html`${word(picture, row)}<span class="arrow" aria-hidden="true"> → </span><span class="unseen"> ${msg('looks at')} </span>${keyWord(picture, column)}`;
    case 'parameter':
      return html`${parameterText(picture, id, place)}`;
    default:
      return html`${word(picture, row, side(id) as Whose)}${comma()}<span class="nowrap">${numberText(picture, id, column)}</span>`;
  }
}

export function placeText(picture: Picture, id: ArrayId, place: Place): string {
  const { row, column } = place;
  switch (side(id)) {
    case 'pair': return msg(str`query ${wordText(picture, row)}, key ${wordText(picture, column, 'key')}`);
    case 'parameter': return parameterText(picture, id, place);
    default: return `${wordText(picture, row, side(id) as Whose)}${comma()}${numberText(picture, id, column)}`;
  }
}

/** "K[animal, 5]", as it stands in a sum. */
export function operandName(picture: Picture, id: ArrayId, { row, column }: Place): TemplateResult {
  const whose = side(id);
  const where = whose === 'pair' ? html`${word(picture, row)} → ${keyWord(picture, column)}`
    : whose === 'parameter' ? html`${row + 1}, ${column + 1}`
    : html`${word(picture, row, whose)}, ${column + 1}`;
  return html`${math(symbol(id))}<span class="where">${where}</span>`;
}

/** "[H × T × S] = [4 × 11 × 11]". */
export function shapeWords(axes: readonly string[], extents: readonly number[]): TemplateResult {
  const symbols = axes.map((axis, i) => html`${i > 0 ? ' × ' : ''}${axisWord(axis)}`);
  return html`<span class="shape">[${symbols}] = [${extents.join(' × ')}]</span>`;
}

function axisWord(axis: string): TemplateResult {
  const [base = axis, small] = axis.split('_');
  // d_k and d_v, but also H·d_v.
  return small === undefined ? html`${base}` : html`${base}<sub>${small}</sub>`;
}
