// The chosen cell of a map, written out: forwards to its weight, and backwards from the loss to queries and keys.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Change, LayerState, ModelState, StageState } from '../../engine/training/types.ts';
import { count, fixed, percent, significant } from '../../lib/format.ts';
import { MOST_LEARNT } from '../../parameters/trained-here.ts';
import { math } from '../../text/mathml.ts';
import { headPlace, withSubs } from '../../text/word.ts';
import type { Place } from '../../ui/kit/grid.ts';
import { drill } from './drill.ts';
import type { StageWalkData } from './stage-walk.ts';

/** What the reader changed in the midst, of all models that are shown. */
export interface RuleData {
  changes: readonly Change[];
  change(rule: Change['rule']): void;
  putBack(): void;
}

/** As a change is said, and the button that makes it. */
const ruleWords = ({ isCausal, scales }: Change['rule']): string => (isCausal === undefined
  ? (scales ? msg('From this step on with ÷ √d') : msg('From this step on without ÷ √d'))
  : (isCausal ? msg('From this step on with the mask') : msg('From this step on without the mask')));

export interface WalkData extends StageWalkData {
  rules: RuleData;
  name: string;
  save: (() => void) | null;
  /** Where the page shows it as parameters; null where it cannot. */
  address: string | null;
  /** What it learnt is longer than a link holds. */
  isTooLong: boolean;
  /** Link and file hold a text that was learnt. */
  holdsText: boolean;
  /** What else was measured; empty where nothing was. */
  aside: string;
}

/** Row `row` of a head, [heads, rows, width]. */
function rowOf(numbers: Float32Array, { shape }: StageState, head: number, row: number): Float32Array {
  const [, rows = 0, width = 0] = shape;
  return numbers.subarray((head * rows + row) * width, (head * rows + row + 1) * width);
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0);
const norm = (numbers: Float32Array): number => Math.hypot(...numbers);

/** What the cell's arithmetic takes, as the engine has it. */
export interface CellNumbers {
  score: number;
  scaled: number;
  weight: number;
  weightGradient: number;
  /** Σ P dP of the row. */
  mean: number;
  scoreGradient: number;
  /** 1 − Σp² of the row. */
  slope: number;
  query: Float32Array;
  key: Float32Array;
  value: Float32Array;
  contextGradient: Float32Array;
}

export function cellNumbers(layer: LayerState, head: number, { row, column }: Place): CellNumbers {
  const { query, key, value, scores, weights, context } = layer;
  const p = rowOf(weights.values, weights, head, row);
  const dp = rowOf(weights.gradients, weights, head, row);
  const [q, k] = [rowOf(query.values, query, head, row), rowOf(key.values, key, head, column)];
  return {
    score: dot(q, k), scaled: rowOf(scores.values, scores, head, row)[column] ?? NaN, weight: p[column] ?? NaN,
    weightGradient: dp[column] ?? NaN, mean: dot(p, dp), scoreGradient: rowOf(scores.gradients, scores, head, row)[column] ?? NaN, slope: 1 - dot(p, p),
    query: q, key: k, value: rowOf(value.values, value, head, column), contextGradient: rowOf(context.gradients, context, head, row),
  };
}

export function walk(data: WalkData): TemplateResult {
  const { state, layer, head, place, tokens, name, run } = data;
  const own = state.layers[layer];
  if (!own) return html``;
  const [from, to] = [tokens[place.row] ?? '', tokens[place.column] ?? ''];
  const which = msg(str`head ${headPlace(head, layer, run.shape.layers)}`);
  return html`
    <details class="lab-more training-walk" data-step=${state.step}>
      <summary>${msg('The numbers of the chosen cell, forwards and backwards')}</summary>
      <p>${msg(html`${name}, step <b>${count(state.step)}</b>, ${which}: row ${place.row + 1}, <bdi>${from}</bdi>, looks at key ${place.column + 1}, <bdi>${to}</bdi>. Pick another cell in a map above.`)}</p>
      ${data.aside ? html`<p>${withSubs(data.aside)}</p>` : nothing}
      ${run.rule.isCausal && place.column > place.row ? html`<p>${msg('This key comes later, so it is hidden: its weight is exactly 0, and so is its gradient.')}</p>` : steps(cellNumbers(own, head, place), state, place)}
      ${matrices(state, layer)}
      <details class="training-drill"><summary>${msg('Every stage, from the loss back to the embeddings')}</summary>${drill(data)}</details>
      <p class="training-note">${msg(html`Gradients are those of the shown text’s own loss, <b>${fixed(state.loss, 4)}</b>: how much it would grow if that number grew. All weights together at this step have the hash <code>${state.hash}</code>: the same on every machine.`)}</p>
      ${ruled(data)}
      <p class="training-takes">
        ${data.address ? html`<a data-take="playground" href=${data.address}>${msg('Open this model in the playground')}</a>` : nothing}
        ${data.isTooLong ? html`<span data-too-long>${msg(str`A link holds a text of ${count(MOST_LEARNT)} characters at most, and what this model learnt is longer. Save the model, and open its file in the playground instead.`)}</span>` : nothing}
        ${data.save ? html`<button type="button" class="training-button" data-take="safetensors" @click=${data.save}>${msg('Save this model as safetensors')}</button>` : nothing}
        ${data.holdsText ? html`<span class="training-note">${msg('Its link and its file hold the text that it learnt.')}</span>` : nothing}
      </p>
    </details>
  `;
}

/** The rule of the steps to come, of all models that are shown. */
function ruled({ rules: { changes, change, putBack }, run: { rule } }: WalkData): TemplateResult {
  const toggle = (id: string, wanted: Change['rule']) => html`<button type="button" class="training-button" data-rule=${id} @click=${() => change(wanted)}>${ruleWords(wanted)}</button>`;
  return html`
    <p class="training-takes" data-sets>${toggle('mask', { isCausal: !rule.isCausal })} ${toggle('scale', { scales: !rule.scales })}
      ${changes.length > 0 ? html`<button type="button" class="training-button" data-rule="back" @click=${putBack}>${msg('Train by the lesson’s own rules again')}</button>` : nothing}</p>
    ${changes.length > 0 ? html`<ul class="training-note" data-changes>${changes.map((each) => html`<li>${count(each.at)}: ${ruleWords(each.rule)}</li>`)}</ul>` : nothing}
  `;
}

const n = (value: number): string => significant(value);

function steps(cell: CellNumbers, { factor }: ModelState, { row, column }: Place): TemplateResult {
  const { score, scaled, weight, weightGradient, mean, scoreGradient, slope } = cell;
  const line = (name: string, formula: string, id: string, numbers: string) => html`<tr data-number=${id}><th scope="row">${name}</th><td>${math(formula)}</td><td>${numbers}</td></tr>`;
  const [i, j] = [row + 1, column + 1];
  return html`
    <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('The arithmetic of the chosen cell')}>
      <table class="lab-table training-steps">
        <thead><tr><th scope="col" colspan="3">${msg('Forwards')}</th></tr></thead>
        <tbody>
          ${line(msg('query · key'), `q_${i} · k_${j}`, 'product', `${products(cell.query, cell.key)} = ${n(score)}`)}
          ${line(msg('score'), 's', 'score', factor === 1 ? msg(str`not divided: ${n(scaled)}`) : `${n(score)} × ${n(factor)} = ${n(scaled)}`)}
          ${line(msg('weight'), 'p = softmax ( s )', 'weight', `${n(weight)} = ${percent(weight)}`)}
        </tbody>
        <thead><tr><th scope="col" colspan="3">${msg('Backwards')}</th></tr></thead>
        <tbody>
          ${line(msg('gradient of the weight'), 'dp = dc · v', 'weight-gradient', `${products(cell.contextGradient, cell.value)} = ${n(weightGradient)}`)}
          ${line(msg('its mean in the row'), 'Σ p · dp', 'mean', n(mean))}
          ${line(msg('gradient of the score'), 'ds = p · ( dp − Σ p · dp )', 'score-gradient', `${n(weight)} × (${n(weightGradient)} − ${bracketed(mean)}) = ${n(scoreGradient)}`)}
          ${line(msg('softmax’s own slope here'), '1 − Σ p^2', 'slope', n(slope))}
        </tbody>
      </table>
    </div>
  `;
}

const bracketed = (value: number): string => (value < 0 ? `(${n(value)})` : n(value));

/** The first products of a sum. */
function products(a: Float32Array, b: Float32Array): string {
  const shown = Math.min(2, a.length);
  return `${Array.from({ length: shown }, (_, i) => `${bracketed(a[i] ?? 0)} × ${bracketed(b[i] ?? 0)}`).join(' + ')}${a.length > shown ? ' + …' : ''}`;
}

/** How large the gradient of each matrix of the block is. */
function matrices({ parameters }: ModelState, layer: number): TemplateResult {
  const of = (name: string) => parameters.find((each) => each.name === `block_${layer}.${name}`);
  const names = [['query', 'W_Q'], ['key', 'W_K'], ['value', 'W_V'], ['out_proj', 'W_O']] as const;
  return html`
    <table class="lab-table training-matrices">
      <thead><tr><th scope="col">${msg('Matrix of this layer')}</th><th scope="col">${msg('size of its gradient')}</th><th scope="col">${msg('size of the matrix')}</th></tr></thead>
      <tbody>${names.map(([name, sign]) => {
        const matrix = of(name);
        return matrix ? html`<tr data-matrix=${name}><th scope="row">${withSubs(sign)}</th><td>${n(norm(matrix.gradients))}</td><td>${n(norm(matrix.weights))}</td></tr>` : nothing;
      })}</tbody>
    </table>
  `;
}
