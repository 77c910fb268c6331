// Places in words: "it → animal", "it, number 5", "row 3, column 5".
import { type TemplateResult, html, nothing } from 'lit';
import type { ArrayId } from '../../engine.ts';
import { symbol } from '../../formulas.ts';
import type { Picture } from '../../picture.ts';
import { type Place, side } from '../../walk-places.ts';
import { math } from '../math.ts';

type Whose = 'query' | 'key';

function textOf(picture: Picture, whose: Whose, index: number): { text: string; place: number | null } {
  const [tokens, repeated] = whose === 'query' ? [picture.tokens, picture.repeated] : [picture.keyTokens, picture.repeatedKeys];
  const text = tokens[index]?.text ?? '';
  return { text, place: repeated.has(text) ? index + 1 : null };
}

export function tokenWord(picture: Picture, whose: Whose, index: number): TemplateResult {
  const { text, place } = textOf(picture, whose, index);
  return html`<span class="word"><bdi>${text}</bdi>${place === null ? nothing : html`<sub class="place">${place}</sub>`}</span>`;
}

export function tokenText(picture: Picture, whose: Whose, index: number): string {
  const { text, place } = textOf(picture, whose, index);
  return `\u2068${text}\u2069${place === null ? '' : ` (word ${place})`}`;
}

const NAMED_COLUMNS: readonly ArrayId[] = ['content', 'position', 'embeddings', 'key_content', 'key_position', 'key_embeddings', 'output', 'residual', 'W_O', 'b_O', 'P'];
const NAMED_ROWS: readonly ArrayId[] = ['W_Q', 'W_K', 'W_V', 'W_V_down'];

/** Designed embeddings have a name for each dimension; all others have numbers only. */
function nameOf({ designed }: Picture, named: readonly ArrayId[], id: ArrayId, at: number): string {
  return named.includes(id) ? (designed?.dimensions[at]?.name ?? '') : '';
}

function numberText(picture: Picture, id: ArrayId, column: number): string {
  const name = nameOf(picture, NAMED_COLUMNS, id, column);
  return `number ${column + 1}${name ? ` (${name})` : ''}`;
}

function parameterText(picture: Picture, id: ArrayId, { row, column }: Place): string {
  const [from, to] = [nameOf(picture, NAMED_ROWS, id, row), nameOf(picture, NAMED_COLUMNS, id, column)];
  return `row ${row + 1}${from ? ` (${from})` : ''}, column ${column + 1}${to ? ` (${to})` : ''}`;
}

export function placeWords(picture: Picture, id: ArrayId, place: Place): TemplateResult {
  const { row, column } = place;
  switch (side(id)) {
    case 'pair':
      return html`${tokenWord(picture, 'query', row)}<span class="arrow" aria-hidden="true"> → </span><span class="unseen"> looks at </span>${tokenWord(picture, 'key', column)}`;
    case 'parameter':
      return html`${parameterText(picture, id, place)}`;
    default:
      return html`${tokenWord(picture, side(id) as Whose, row)}, <span class="nowrap">${numberText(picture, id, column)}</span>`;
  }
}

export function placeText(picture: Picture, id: ArrayId, place: Place): string {
  const { row, column } = place;
  switch (side(id)) {
    case 'pair': return `query ${tokenText(picture, 'query', row)}, key ${tokenText(picture, 'key', column)}`;
    case 'parameter': return parameterText(picture, id, place);
    default: return `${tokenText(picture, side(id) as Whose, row)}, ${numberText(picture, id, column)}`;
  }
}

/** "K[animal, 5]", as it stands in a sum. */
export function operandName(picture: Picture, id: ArrayId, { row, column }: Place): TemplateResult {
  const whose = side(id);
  const where = whose === 'pair' ? html`${tokenWord(picture, 'query', row)} → ${tokenWord(picture, 'key', column)}`
    : whose === 'parameter' ? html`${row + 1}, ${column + 1}`
    : html`${tokenWord(picture, whose, row)}, ${column + 1}`;
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
