// One stage: its matrix, its formula in symbols and with live numbers, its shape, its range and one cell in full.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Explanation, ParameterId, StageId } from '../../engine/engine.ts';
import { comma, count, fixed, plural, significant } from '../../lib/format.ts';
import { exact } from '../../text/numbers.ts';
import { type Picture, lineOf } from '../../state/result.ts';
import { JOINTS, SCORES } from '../../state/stage-groups.ts';
import type { Mode } from '../../state/state.ts';
import { type FormulaData, formula, liveShort, symbol } from '../../text/formulas.ts';
import { math } from '../../text/mathml.ts';
import { placeWords, shapeWords } from '../../text/places.ts';
import { headOf, keyWord, word } from '../../text/word.ts';
import type { Card, Matrix } from './matrices.ts';
import { stageFrame } from './matrix-view.ts';

export interface CardView {
  card: Card;
  picture: Picture;
  about: FormulaData;
  open: boolean;
  /** What the stage does; shown while it is folded. */
  line: string;
  /** Of the place shown; null while the card is out of view. */
  explanation: Explanation | null;
  focused: boolean;
  hue: string | null;
  parameters: readonly { id: ParameterId; extents: readonly number[]; matrix: Matrix | null; open: boolean }[];
  /** Of the selected row; only weights have them, null while they are out of view. */
  measures: { entropy: number; largest: number; largestKey: number } | null | undefined;
  mode: Mode;
  /** Shown as small multiples; null while they are not wanted, undefined where there is one head. */
  allHeads: boolean | undefined;
}

export interface CardEvents {
  toggle(id: StageId, open: boolean): void;
  toggleParameter(id: ParameterId, open: boolean): void;
  toggleHeads(id: StageId): void;
}

/** Their numbers are drawn, given or tabled: there is no arithmetic to show. */
const SILENT: readonly StageId[] = ['content', 'position', 'key_content', 'key_position', 'concat'];

/** A card's name; while it is folded, also its shape and what it does. */
export function heading(number: number, label: string, folded: { shape: unknown; line: string } | null): TemplateResult {
  return html`<summary><span class="stage-name"><span class="stage-number">${number}</span> <b title=${label}>${label}</b></span>${folded ? html` <span class="stage-line">${folded.line}</span> ${folded.shape}` : nothing}</summary>`;
}

/** In as many digits as the page has elsewhere; all of them are told by the explanation, and to the mouse. */
const short = (x: number): TemplateResult => html`<span title=${exact(x)}>${significant(x)}</span>`;

export function card(view: CardView, width: number, isAlone: boolean, events: CardEvents): TemplateResult {
  const { card: { id, number, label, axes, extents, matrix }, picture, about, open, line, explanation, focused, hue, allHeads, mode } = view;
  const joint = JOINTS[id];
  return html`
    <details class=${`stage${focused ? ' focused' : ''}${open && isAlone ? ' alone' : ''}`} data-stage-card=${id} ?open=${open} .style=${`--card: ${width}px`}
      @toggle=${(event: Event) => events.toggle(id, (event.target as HTMLDetailsElement).open)}>
      ${heading(number, label, open ? null : { shape: shapeWords(axes, extents), line })}
      ${open
        ? html`
            <div class="stage-body">
              <div class="stage-picture">
                ${joint ? html`<span class="joint" aria-hidden="true">${joint}</span>` : nothing}
                ${matrix.note ? html`<p class="stage-note">${matrix.note}</p>` : stageFrame(id)}
                ${allHeads ? html`<div class="multiples" data-multiples=${id} role="group" aria-label=${msg(str`${label} of every head`)}></div>` : nothing}
              </div>
              <div class="stage-words">
                <p class="stage-formula">${math(formula(id, about))}</p>
                ${SILENT.includes(id) ? nothing : html`<p class="stage-live">${explanation ? live(explanation) : nothing}</p>`}
                <p>${shapeWords(axes, extents)}${headWords(matrix, hue, picture)}</p>
                ${matrix.note ? nothing : html`
                  <p>${rangeWords(matrix, picture.hidden > 0, mode)}</p>
                  <p class="stage-value">${placeWords(picture, id, matrix.place)} <b class=${focused ? 'accent' : ''} data-value=${id}>${short(matrix.value)}</b></p>
                `}
                ${view.measures === undefined ? nothing : html`<p class="row-measures">${view.measures ? rowMeasures(view.measures, picture, matrix) : nothing}</p>`}
                ${allHeads === undefined ? nothing : html`<button type="button" class="plain" aria-expanded=${allHeads ? 'true' : 'false'} @click=${() => events.toggleHeads(id)}>${allHeads ? msg('one head') : msg(str`all ${matrix.heads} heads`)}</button>`}
                ${view.parameters.map((parameter) => parameterDetails(parameter, picture, events))}
              </div>
            </div>
          `
        : nothing}
    </details>
  `;
}

/** In pieces, since a formula does not break into lines by itself. */
function live(explanation: Explanation): TemplateResult[] {
  return liveShort(explanation).split(/ (?=[÷−] )|(?<=\)) (?=[+(])/).map((piece) => html`${piece.startsWith('(') ? nothing : ' '}${math(piece)}`);
}

function headWords({ heads, head }: Matrix, hue: string | null, picture: Picture): TemplateResult | typeof nothing {
  if (heads <= 1) return nothing;
  const mark = hue === null ? nothing : html`<span class="hue" .style=${`background: ${hue}`}></span>`;
  return html`${comma()}<span class="nowrap">${mark}${msg(str`head ${headOf(picture, head)}`)}</span>`;
}

/** The entropy of a row's weights, from the engine. */
function rowMeasures({ entropy, largest, largestKey }: NonNullable<CardView['measures']>, picture: Picture, { place }: Matrix): TemplateResult {
  const [own, isRow] = [word(picture, place.row), lineOf(picture) === 'row'];
  if (largestKey < 0) return isRow ? msg(html`row ${own} sees nothing`) : msg(html`column ${own} sees nothing`);
  const spread = msg(html`entropy <b data-entropy>${short(entropy)}</b> bits, largest <b data-largest>${short(largest)}</b> to ${keyWord(picture, largestKey)}`);
  return isRow ? msg(html`row ${own}: ${spread}`) : msg(html`column ${own}: ${spread}`);
}

function rangeWords({ id, kind, range, masked, outside }: Matrix, hidden: boolean, mode: Mode = 'now'): string {
  if (mode === 'difference') {
    const hatched = masked?.some((x) => !Number.isFinite(x));
    if (range === 0) return hatched ? msg('now − pinned: hatched was or is −∞; no other number has changed') : msg('now − pinned: no number has changed');
    const most = significant(range, 3);
    return hatched ? msg(str`now − pinned: hatched was or is −∞; range ±${most}`) : msg(str`now − pinned: range ±${most}`);
  }
  if (kind === 'weights') return hidden ? msg('range 0 … 1; hatched is masked') : msg('range 0 … 1');
  if (range === 0) return msg('every number is 0');
  if (outside !== undefined) return keptWords(significant(range, 3), outside);
  const most = fixed(range, range >= 100 ? 1 : 2);
  const words = SCORES.includes(id as StageId) && id !== 'scores' ? msg(str`range ±${most}, as scores`) : msg(str`range ±${most}`);
  return masked && hidden ? msg(str`${words}; hatched is −∞`) : words;
}

const keptWords = (most: string, outside: number): string => (outside === 0 ? msg(str`range ±${most}, kept`)
  : plural(outside, msg(str`range ±${most}, kept; 1 number lies outside`), msg(str`range ±${most}, kept; ${count(outside)} numbers lie outside`)));

function parameterDetails(
  { id, extents, matrix, open }: CardView['parameters'][number], picture: Picture, events: CardEvents,
): TemplateResult {
  return html`
    <details class="parameter" data-parameter=${id} ?open=${open}
      @toggle=${(event: Event) => { event.stopPropagation(); events.toggleParameter(id, (event.target as HTMLDetailsElement).open); }}>
      <summary>${math(symbol(id))} <span class="shape">[${extents.join(' × ')}]</span></summary>
      ${open && matrix
        ? html`${stageFrame(id)}<p>${rangeWords(matrix, false)}</p><p class="stage-value">${placeWords(picture, id, matrix.place)} <b data-value=${id}>${short(matrix.value)}</b></p>`
        : nothing}
    </details>
  `;
}
