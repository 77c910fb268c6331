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

export function placeWords(picture: Picture, id: ArrayId, { row, column }: Place): TemplateResult {
  switch (side(id)) {
    case 'pair':
      return html`${tokenWord(picture, 'query', row)}<span class="arrow" aria-hidden="true"> → </span><span class="unseen"> looks at </span>${tokenWord(picture, 'key', column)}`;
    case 'parameter':
      return html`row ${row + 1}, column ${column + 1}`;
    default:
      return html`${tokenWord(picture, side(id) as Whose, row)}, <span class="nowrap">number ${column + 1}</span>`;
  }
}

export function placeText(picture: Picture, id: ArrayId, { row, column }: Place): string {
  switch (side(id)) {
    case 'pair': return `query ${tokenText(picture, 'query', row)}, key ${tokenText(picture, 'key', column)}`;
    case 'parameter': return `row ${row + 1}, column ${column + 1}`;
    default: return `${tokenText(picture, side(id) as Whose, row)}, number ${column + 1}`;
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
