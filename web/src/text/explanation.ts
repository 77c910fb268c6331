// What each rule computes, in a sentence, and its inputs besides the operands.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Explanation } from '../engine/engine.ts';
import type { Focus, Place } from '../engine/places.ts';
import { side } from '../engine/stages.ts';
import { comma, count, plural, significant } from '../lib/format.ts';
import type { Picture } from '../state/result.ts';
import type { FormulaData } from './formulas.ts';
import { math } from './mathml.ts';
import { type Whose, word } from './word.ts';

/** A number and how it was computed. */
export interface Told {
  picture: Picture;
  about: FormulaData;
  focus: Focus;
  place: Place;
  heads: number;
  label: string;
  explanation: Explanation;
  placeOf(focus: Focus): Place;
}

type Words = (view: Told) => TemplateResult | string;

const b = (view: Told, whose: Whose, index: number) => html`<b>${word(view.picture, index, whose)}</b>`;

function wordOf(view: Told, place: Place = view.place): TemplateResult | string {
  const whose = side(view.focus.array);
  return whose === 'query' || whose === 'key' ? b(view, whose, place.row) : '';
}

const handedOn: Words = (v) => msg(html`${wordOf(v)}’s row meets a column of the value matrix: what it hands on.`);

const DOTS: Partial<Record<string, Words>> = {
  query: (v) => msg(html`${wordOf(v)}’s row meets a column of W<sub>Q</sub>: what it asks for.`),
  key: (v) => msg(html`${wordOf(v)}’s row meets a column of W<sub>K</sub>: what it answers to.`),
  value: (v) => (v.about.reads?.apart ? msg(html`${wordOf(v)}’s normed row, without its place, meets a column of W<sub>V</sub>: what it hands on.`) : handedOn(v)),
  value_down: (v) => msg(html`${wordOf(v)}’s row is squeezed through a column of W<sub>V↓</sub>.`),
  scores: (v) => msg(html`The query of ${b(v, 'query', v.place.row)} and the key of ${b(v, 'key', v.place.column)}, number by number, added up.`),
  context: (v) => msg(html`The shares of ${wordOf(v)}, times one column of the values: each word hands on as much as it is looked at.`),
  output: (v) => msg(html`The heads’ results for ${wordOf(v)} meet a column of W<sub>O</sub>: they are mixed.`),
};

const angleOfPlace = (amplitude = 1) => (amplitude === 1 ? msg('The sine or cosine of the angle that this place turns by.')
  : msg(str`The sine or cosine of the angle that this place turns by, times ${significant(amplitude, 5)}: so does YaRN sharpen attention over long texts.`));

function learnt(layer: number, array: string, reads: FormulaData['reads']): string {
  if (array === 'content') return layer === 0 ? msg('What layer 1 reads: the word’s own row, normed.') : msg(str`What layer ${layer + 1} reads: the row as the layers before left it, normed.`);
  if (array === 'cos' || array === 'sin') return angleOfPlace(reads?.amplitude);
  return array === 'value' ? msg('Made by W_V from the row without its place: this model gives places to queries and keys alone.') : msg('Learnt in training, the same for every text.');
}

const RULES: Record<Explanation['rule'], Words> = {
  draw: ({ focus }) => (focus.array === 'content' || focus.array === 'key_content'
    ? msg('Drawn at random for this word from the seed: the same word has the same numbers everywhere.')
    : msg('Drawn at random from the seed.')),
  given: ({ picture, focus, about }) => (picture.reading ? learnt(picture.reading.layer, focus.array, about.reads) : picture.source === 'designed' ? msg('Designed by hand: not drawn, and not learnt.') : msg('Yours: given, not drawn.')),
  edit: () => msg('Set by hand.'),
  zero: () => msg('Zero: there is nothing here.'),
  sinusoid: (v) => msg(str`A wave at place ${v.place.row + 1}: the sine or the cosine of the place, slower from column to column.`),
  angle: () => angleOfPlace(),
  slope: () => msg('This head’s slope: how much a score loses for each word of distance.'),
  copy: ({ focus }) => (focus.array === 'concat' ? msg('Taken over from its head: concat only puts the heads side by side.') : msg('Taken over as it is.')),
  add: () => msg('Two numbers added.'),
  dot: (v) => DOTS[v.focus.array]?.(v) ?? msg('A row and a column, number by number, added up.'),
  norm: (v) => msg(html`${DOTS[v.focus.array]?.(v)} Each head’s row is then normed: divided by its root mean square, times a learnt gain.`),
  rotate: (v) => (v.about.reads && v.place.column >= v.about.reads.turned
    ? msg(str`This model turns the first ${v.about.reads.turned} numbers of each head by their place; this one stays as it is.`)
    : msg(html`${wordOf(v)}’s numbers are turned in pairs, by an angle that grows with its place.`)),
  scale: () => msg('The score times one factor, the same for every cell.'),
  cap: () => msg('The score bent into a range by tanh: large ones are held back.'),
  mask: (v) => (v.explanation.result === -Infinity
    ? msg(html`${b(v, 'query', v.place.row)} may not look at ${b(v, 'key', v.place.column)}: −∞, so its share will be exactly 0.`)
    : msg(html`${b(v, 'query', v.place.row)} may look at ${b(v, 'key', v.place.column)}: kept.`)),
  softmax: (v) => msg(html`${b(v, 'query', v.place.row)} shares out its attention: exp of this score, over the sum of exps of all its scores.`),
  'arg-max': () => msg('At temperature 0 the query’s largest score takes all; equals share.'),
  drop: ({ explanation }) => (explanation.result === 0 ? msg('Dropped, as in training: set to 0.') : msg('Kept, and made larger for those that were dropped.')),
};

export function ruleWords(view: Told): TemplateResult | string {
  return RULES[view.explanation.rule](view);
}

const NAMES: Record<string, () => string> = {
  factor: () => msg('factor'), cap: () => msg('cap'), temperature: () => msg('temperature'), max: () => msg('the query’s largest score'),
  exp_sum: () => msg('sum of the query’s exps'), ties: () => msg('scores that share the top'), distance: () => msg('words apart'),
  rms: () => msg('root mean square of the head’s row'), gain: () => msg('gain'), position: () => msg('place, from 0'), pair: () => msg('wave'), width: () => 'd_model', head: () => msg('head'), heads: () => msg('heads'),
};

/** Everything that is in the number besides its operands; a dot product also as lengths and an angle. */
export function constantLines({ constants, terms, rule }: Explanation, say: (x: number) => string): TemplateResult {
  const { norm_left: a, norm_right: c, cosine } = constants;
  const lines = Object.entries(constants).filter(([name]) => Object.hasOwn(NAMES, name));
  return html`
    ${a !== undefined && c !== undefined && cosine !== undefined && rule === 'dot'
      ? html`<p class="norms" data-norms>${math('‖a‖ · ‖b‖ · cos θ')}: <span data-norm>${significant(a, 5)}</span> × <span data-norm>${significant(c, 5)}</span> × <span data-norm>${significant(cosine, 5)}</span><br>
          <span class="muted">${plural(terms.length, msg('two rows of 1 number'), msg(str`two rows of ${count(terms.length)} numbers`))}${comma()}${angleWords(cosine)}</span></p>`
      : nothing}
    ${lines.length > 0 ? html`<dl class="constants">${lines.map(([name, value]) => html`<div><dt>${NAMES[name]?.() ?? name}</dt><dd data-constant=${name}>${say(name === 'head' ? value + 1 : value)}</dd></div>`)}</dl>` : nothing}
  `;
}

function angleWords(cosine: number): string {
  if (cosine > 0.95) return msg('nearly in one direction');
  if (cosine < -0.95) return msg('nearly opposed');
  return Math.abs(cosine) < 0.05 ? msg('nearly at right angles') : cosine > 0 ? msg('more alike than opposed') : msg('more opposed than alike');
}
