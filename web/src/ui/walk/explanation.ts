// The arithmetic of one number: its operands, each of which can be opened, back to the embedding; and a field to set it by hand.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { ArrayId, Explanation, Operand } from '../../engine/engine.ts';
import type { Focus } from '../../engine/places.ts';
import { isStage, side } from '../../engine/stages.ts';
import { comma, count, plural } from '../../lib/format.ts';
import type { Both } from '../../state/comparison.ts';
import { type Told, constantLines, ruleWords } from '../../text/explanation.ts';
import { formula, live, symbol } from '../../text/formulas.ts';
import { math } from '../../text/mathml.ts';
import { operandName, placeText, placeWords } from '../../text/places.ts';
import { nameIn } from '../../text/stages.ts';
import { headOf } from '../../text/word.ts';
import { nudge } from '../kit/nudge.ts';

export interface ExplanationView extends Told {
  /** Numbers gone through to come here, the first one first. */
  trail: readonly Focus[];
  termsOpen: boolean;
  /** The same number in the state that was kept; null without one, or where it has no such place. */
  pinned: Both | null;
  edit: EditView | null;
  /** All digits of a number, once it is asked for. */
  say(x: number): string;
  /** On a narrow screen the sheet can be made small. */
  folded: boolean;
}

export interface ExplanationEvents {
  follow(array: ArrayId, index: number): void;
  back(to: number): void;
  down(): void;
  /** To the walk through another layer of a model, from 1. */
  layer(layer: number): void;
  terms(open: boolean): void;
  fold(): void;
  edit(value: string): void;
  unedit(): void;
  /** To a number beside this one. */
  nudge(rows: number, columns: number): void;
}

/** Up to this many terms are written out without opening the table. */
const WRITTEN = 4;

export function explanation(view: ExplanationView, events: ExplanationEvents): TemplateResult {
  const { picture, focus: { array }, place, explanation: e, heads, label, pinned, folded, say } = view;
  const head = heads > 1 && isStage(array) ? html`${comma()}${msg(str`head ${headOf(picture, place.head)}`)}` : nothing;
  return html`
    <div class="explained-top">
      <h3 class="small-heading">${msg('This number')}</h3>
      <button type="button" class="plain fold" aria-expanded=${folded ? 'false' : 'true'} @click=${events.fold}>${folded ? msg('show how') : msg('fold')}</button>
    </div>
    ${trail(view, events)}
    <p class="explained-name"><b>${label}</b> <span class="muted">${math(symbol(array))}${head}</span></p>
    <p class="explained-title"><span class="pair">${placeWords(picture, array, place)}</span> <span class="value accent" data-explained>${say(e.result)}</span></p>
    ${nudge(events.nudge)}
    <div class="explained-body" ?hidden=${folded}>
      ${pinned ? html`<p class="pinned-line">${msg(html`pinned <b data-pinned>${say(pinned.pinned)}</b>, now − pinned <b data-difference>${say(pinned.difference)}</b>`)}</p>` : nothing}
      <p>${ruleWords(view)}</p>
      ${isStage(array) ? html`<p class="explained-formula">${math(formula(array, view.about))}<span class="live">${live(e).map((part) => html`${math(part)} `)}</span></p>` : nothing}
      ${sum(view, events)}
      ${constantLines(e, say)}
      ${array === 'content' ? stream(view, events) : nothing}
      ${e.terms.length > 0 && array !== 'embeddings' && !isSource(array)
        ? html`<p><button type="button" class="plain" data-down @click=${events.down}>${msg('Follow it back to the embedding')}</button></p>`
        : nothing}
      ${view.edit ? editField(view.edit, events) : nothing}
    </div>
  `;
}

/** The row of a model's layer before it was normed, back through the layers to the embedding. */
function stream({ picture: { reading }, place: { row, column }, say }: ExplanationView, events: ExplanationEvents): TemplateResult | typeof nothing {
  if (!reading) return nothing;
  const { run, layer } = reading;
  const width = run.embeddings.length / run.tokens.length;
  const before = Array.from({ length: layer + 1 }, (_, i) => layer - 1 - i);
  return html`
    <p class="muted">${msg('This number before the norm, back to the embedding:')}</p>
    <dl class="constants" data-stream>${before.map((at) => html`
      <div><dt>${at < 0 ? msg('in the embedding') : html`<button type="button" class="plain" data-to-layer=${at + 1} @click=${() => events.layer(at + 1)}>${msg(str`after layer ${at + 1}`)}</button>`}</dt>
        <dd data-before=${at + 1}>${say(run.residual(at)[row * width + column] ?? NaN)}</dd></div>`)}</dl>
  `;
}

function isSource(array: ArrayId): boolean {
  return !isStage(array) || array === 'content' || array === 'key_content' || array === 'position' || array === 'key_position' || array === 'key_embeddings';
}

function trail({ trail: steps, picture, placeOf }: ExplanationView, events: ExplanationEvents): TemplateResult | typeof nothing {
  if (steps.length === 0) return nothing;
  return html`
    <nav class="trail" aria-label=${msg('The way here')}>
      ${steps.map((step, i) => html`<button type="button" class="plain" aria-label=${msg(str`Back to ${nameIn(picture, step.array)}, ${placeText(picture, step.array, placeOf(step))}`)}
        @click=${() => events.back(i)}>${math(symbol(step.array))}</button><span aria-hidden="true"> › </span>`)}<span aria-hidden="true">${msg('here')}</span>
    </nav>
  `;
}

export function operand(view: ExplanationView, { array, index, value }: Operand, events: ExplanationEvents, look: 'left' | 'right', named = true): TemplateResult {
  const place = view.placeOf({ array, index });
  return html`
    <button type="button" class=${`operand ${look}`} data-operand=${`${array} ${index}`} title=${msg(str`${nameIn(view.picture, array)}: ${placeText(view.picture, array, place)}`)}
      @click=${() => events.follow(array, index)}>${named ? html`<span class="operand-name">${operandName(view.picture, array, place)}</span> ` : nothing}${view.say(value)}</button>
  `;
}

function sum(view: ExplanationView, events: ExplanationEvents): TemplateResult | typeof nothing {
  const { explanation: { terms, bias, rule } } = view;
  if (terms.length === 0) return nothing;
  const dot = terms.some(({ right }) => right !== undefined);
  const line = (i: number) => {
    const term = terms[i];
    if (!term) return nothing;
    const { left, right } = term;
    if (rule === 'mask' && i === 1) return html`<li>− ${operand(view, left, events, 'left')} × ${view.explanation.constants['distance']}</li>`;
    // A rotation takes one of its two products off.
    const sign = rule === 'rotate' && right && Math.sign(term.product) !== Math.sign(left.value * right.value) ? '− ' : i > 0 && (dot || rule === 'add') ? '+ ' : '';
    return html`<li>${sign}${operand(view, left, events, 'left')}${right ? html` × ${operand(view, right, events, 'right')}` : nothing}</li>`;
  };
  const all = terms.length <= WRITTEN;
  // The first, the last, and of a softmax's row the one whose share this is.
  const own = view.explanation.constants['self'] ?? 1;
  const written = all ? terms.map((_, i) => i) : [...new Set([0, own, terms.length - 1])].sort((a, b) => a - b);
  return html`
    <p class="muted">${madeOf(terms.length, rule === 'softmax' || rule === 'arg-max' ? 'scores' : dot ? 'products' : 'numbers')}</p>
    <ul class="operands">
      ${written.map((i, at) => html`${at > 0 && i > (written[at - 1] ?? 0) + 1 ? html`<li class="muted">…</li>` : nothing}${line(i)}`)}
      ${bias ? html`<li>+ ${operand(view, bias, events, 'right')}</li>` : nothing}
    </ul>
    ${all ? nothing : every(view, events, dot)}
  `;
}

const MADE_OF: Record<'scores' | 'products' | 'numbers', (n: number) => string> = {
  scores: (n) => plural(n, msg('Made of its query’s 1 score:'), msg(str`Made of its query’s ${count(n)} scores:`)),
  products: (n) => plural(n, msg('Made of 1 product:'), msg(str`Made of ${count(n)} products:`)),
  numbers: (n) => plural(n, msg('Made of 1 number:'), msg(str`Made of ${count(n)} numbers:`)),
};
const madeOf = (terms: number, what: keyof typeof MADE_OF): string => MADE_OF[what](terms);

/** Exps are added in several lanes at once: they have no running sum, and their sum stands below. */
function every(view: ExplanationView, events: ExplanationEvents, dot: boolean): TemplateResult {
  const { explanation: { terms, bias, rule }, termsOpen, say } = view;
  const exps = rule === 'softmax';
  const row = ({ left, right, product, partial_sum }: Explanation['terms'][number], i: number) => html`
    <tr><th scope="row">${i + 1}</th><td>${operand(view, left, events, 'left', false)}</td>
      ${right ? html`<td>${operand(view, right, events, 'right', false)}</td>` : nothing}
      ${dot || exps ? html`<td>${say(product)}</td>` : nothing}${dot ? html`<td>${say(partial_sum)}</td>` : nothing}</tr>
  `;
  return html`
    <details class="terms explained-terms" ?open=${termsOpen} @toggle=${(event: Event) => events.terms((event.target as HTMLDetailsElement).open)}>
      <summary>${msg('All its terms, one by one')}</summary>
      ${termsOpen
        ? html`
            <div class="terms-scroll" tabindex="0" role="region" aria-label=${msg('Every term')}>
              <table>
                <thead><tr><th scope="col">i</th><th scope="col">${side(terms[0]?.left.array ?? 'tokens') === 'pair' ? msg('score') : msg('first')}</th>
                  ${dot ? html`<th scope="col">${msg('second')}</th>` : nothing}${dot ? html`<th scope="col">${msg('product')}</th>` : exps ? html`<th scope="col">exp</th>` : nothing}
                  ${dot ? html`<th scope="col">${msg('running sum')}</th>` : nothing}</tr></thead>
                <tbody>${terms.map(row)}</tbody>
                ${bias ? html`<tfoot><tr><th scope="row">+</th><td>${say(bias.value)}</td><td></td><td></td><td>${say(Math.fround((terms.at(-1)?.partial_sum ?? 0) + bias.value))}</td></tr></tfoot>` : nothing}
              </table>
            </div>
          `
        : nothing}
    </details>
  `;
}

// A field to set this number by hand, where a number is a parameter or part of a word's embedding.

export interface EditView {
  value: string;
  /** Set by hand already: it can be put back. */
  edited: boolean;
  /** The error in the typed text. */
  problem: string;
  /** Whether the number belongs to a word, anywhere in the text, or to a parameter. */
  isWord: boolean;
}

export interface EditEvents {
  edit(value: string): void;
  unedit(): void;
}

export function editField({ value, edited, problem, isWord }: EditView, events: EditEvents): TemplateResult {
  return html`
    <form class="edit-number" @submit=${(event: Event) => {
      event.preventDefault();
      events.edit((event.target as HTMLFormElement).querySelector('input')?.value ?? '');
    }}>
      <label>${msg('Set this number by hand')} <input class="field" name="number" inputmode="decimal" autocomplete="off" .value=${value} aria-describedby="edit-problem"></label>
      <button type="submit" class="plain">${msg('set')}</button>
      ${edited ? html`<button type="button" class="plain" data-put-back @click=${events.unedit}>${msg('put back')}</button>` : nothing}
      ${isWord ? html`<span class="muted">${msg('Changes this word wherever it stands.')}</span>` : nothing}
      <span id="edit-problem" class="problem" role="alert">${problem}</span>
    </form>
  `;
}
