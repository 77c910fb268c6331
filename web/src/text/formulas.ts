// Every stage's formula, once as symbols and once with the numbers of one cell, in a notation that becomes MathML:
// parts stand apart by spaces; a_b is a subscript, a^b a superscript, a_b^c both, √a a root, “words” stay words.
import { msg } from '@lit/localize';
import type { ArrayId, Explanation, Settings, Shape } from '../engine/engine.ts';
import { significant } from '../lib/format.ts';
import { short } from './numbers.ts';
import type { Reads } from './stages.ts';

export interface FormulaData {
  settings: Settings;
  shape: Shape;
  /** Whether keys and values come from a second sentence. */
  cross: boolean;
  /** Of a language model's layer; left out where parameters are of one layer. */
  reads?: Reads | null;
}

type Formula = string | ((data: FormulaData) => string);

const biased = (product: string, bias: string) => ({ settings }: FormulaData) => (settings.biases ? `${product} + ${bias}` : product);

const SYMBOLS: Partial<Record<ArrayId, string>> = {
  content: 'E', position: 'P', embeddings: 'X', key_content: 'E_k', key_position: 'P_k', key_embeddings: 'X_k',
  query: 'Q', rotated_query: 'Q′', key: 'K', rotated_key: 'K′', value_down: 'Z', value: 'V',
  scores: 'S', scaled_scores: 'S′', capped_scores: 'S″', masked_scores: 'M', weights: 'A', dropped_weights: 'A′',
  context: 'C', concat: 'C_all', output: 'Y', residual: 'R',
  W_V_down: 'W_V↓', W_V_up: 'W_V↑', slopes: 'm',
};

/** Its symbol in other formulas. */
export function symbol(id: ArrayId): string {
  return SYMBOLS[id] ?? id;
}

const looked = ({ cross }: FormulaData) => (cross ? 'X_k' : 'X');
const attending = ({ settings }: FormulaData) => (settings.dropout > 0 ? 'A′' : 'A');
const beforeMask = ({ settings }: FormulaData) => (settings.softcap > 0 ? 'S″' : 'S′');
const rope = ({ settings }: FormulaData) => settings.positions === 'rope';

const place = ({ settings }: FormulaData) => (settings.positions === 'sinusoidal' || settings.positions === 'learned' ? `P [ “${msg('place', { id: 'place-in-text', desc: 'in a formula: P [ place ]' })}” ]` : '0');

const wordRow = () => `“${msg('embedding')}” [ “${msg('word')}” ]`;
const norm = (row: string) => `“${msg('norm', { desc: 'in a formula: layer norm of a row' })}” ( ${row} )`;
/** A model's layer reads normed rows: of the residual stream as the layer before left it, R_1, or of the embedding. */
function contentRow({ reads }: FormulaData): string {
  if (!reads) return wordRow();
  const place = reads.placed ? ` + “${msg('embedding')}” [ “${msg('place', { id: 'place-in-text', desc: 'in a formula: P [ place ]' })}” ]` : '';
  if (reads.post && reads.layer > 0) return `R_${reads.layer}`; // normed where it was added
  return norm(reads.layer === 0 ? `${wordRow()}${place}` : `R_${reads.layer}`);
}
/** Of each head by itself, where a model norms queries and keys. */
const normed = ({ reads }: FormulaData, made: string) => (reads?.normed ? norm(made) : made);
/** The input of the value projection. */
const handed = (data: FormulaData) => (data.reads?.apart ? 'E' : looked(data));
const turn = () => msg('turn', { desc: 'in a formula: turns pairs of numbers by an angle' });
const or = () => msg('or', { desc: 'in a formula: this, or −∞' });

const FORMULAS: Partial<Record<ArrayId, Formula>> = {
  content: contentRow,
  position: place,
  embeddings: 'E + P',
  key_content: wordRow,
  key_position: place,
  key_embeddings: 'E_k + P_k',
  query: (data) => normed(data, biased('X W_Q', 'b_Q')(data)),
  rotated_query: () => `“${turn()}” ( Q )`,
  key: (data) => normed(data, biased(`${looked(data)} W_K`, 'b_K')(data)),
  rotated_key: () => `“${turn()}” ( K )`,
  value_down: (data) => `${looked(data)} W_V↓`,
  value: (data) => biased(data.settings.value_rank > 0 ? 'Z W_V↑' : `${handed(data)} W_V`, 'b_V')(data),
  scores: (data) => (rope(data) ? 'Q′ K′^T' : 'Q K^T'),
  scaled_scores: ({ settings, shape }) => (settings.scale === 'sqrt-dk' ? `S ÷ √${shape.d_k}` : settings.scale === 'none' ? 'S' : `S × ${short(settings.scale_factor)}`),
  capped_scores: ({ settings }) => `${short(settings.softcap)} “tanh” ( S′ ÷ ${short(settings.softcap)} )`,
  masked_scores: (data) => `${beforeMask(data)}${data.settings.positions === 'alibi' ? ' − m | i − j |' : ''} “ ${or()} ” −∞`,
  weights: ({ settings }) => (settings.temperature === 1 ? '“softmax” ( M )' : settings.temperature === 0 ? '“arg max” ( M )' : `“softmax” ( M ÷ ${short(settings.temperature)} )`),
  dropped_weights: ({ settings }) => `A “${msg('kept')}” ÷ ${short(1 - settings.dropout)}`,
  context: (data) => `${attending(data)} V`,
  concat: ({ shape }) => (shape.H === 1 ? '[ C_1 ]' : shape.H === 2 ? '[ C_1 C_2 ]' : `[ C_1 C_2 … C_${shape.H} ]`),
  output: (data) => (data.settings.out_proj ? biased('C_all W_O', 'b_O')(data) : 'C_all'),
  residual: 'X + Y',
};

/** “S′ = S ÷ √d_k”. */
export function formula(id: ArrayId, data: FormulaData): string {
  const right = FORMULAS[id];
  return right === undefined ? symbol(id) : `${symbol(id)} = ${typeof right === 'string' ? right : right(data)}`;
}

const number = (x: number, digits = 4): string => significant(x, digits);
const bracket = (x: number): string => (x < 0 ? `( ${number(x)} )` : number(x));

/** The right-hand side with this cell's numbers, and its value: “= −8.504 × 0.25”, “= −2.126”. */
export function live(explanation: Explanation): string[] {
  const work = WORK[explanation.rule]?.(explanation) ?? '';
  const result = `= ${number(explanation.result)}`;
  return work === '' ? [result] : [`= ${work}`, result];
}

/** The same where there is little room: without the result, and of a sum the first product. */
export function liveShort(explanation: Explanation): string {
  const { rule, terms } = explanation;
  if ((rule === 'dot' || rule === 'norm') && terms.length > 1) return `= ${product(explanation, 0, 3)} + …`;
  const work = WORK[rule]?.(explanation) ?? '';
  return work === '' ? '' : `= ${work}`;
}

const named = ({ constants }: Explanation, name: string): number => constants[name] ?? NaN;
/** The operand that stands for the cell itself: of a softmax, one of its row. */
const own = (e: Explanation): number => e.terms[e.constants['self'] ?? 0]?.left.value ?? NaN;
const list = (values: readonly number[]): string => values.map((value, i) => (i === 0 ? number(value) : `+ ${bracket(value)}`)).join(' ');

const product = ({ terms }: Explanation, i: number, digits = 4): string =>
  `( ${number(terms[i]?.left.value ?? NaN, digits)} ) ( ${number(terms[i]?.right?.value ?? NaN, digits)} )`;

function products(e: Explanation): string {
  const last = e.terms.length - 1;
  const shown = last < 3 ? e.terms.map((_, i) => product(e, i)) : [product(e, 0), '…', product(e, last)];
  return shown.join(' + ') + (e.bias ? ` + ${bracket(e.bias.value)}` : '');
}

const WORK: Partial<Record<Explanation['rule'], (explanation: Explanation) => string>> = {
  add: ({ terms }) => list(terms.map(({ left }) => left.value)),
  dot: products,
  norm: (e) => `( ${products(e)} ) ÷ ${number(named(e, 'rms'))} × ${bracket(named(e, 'gain'))}`,
  rotate: (e) => list(e.terms.map((term) => term.product)),
  scale: (e) => `${number(own(e))} × ${bracket(named(e, 'factor'))}`,
  cap: (e) => `${number(named(e, 'cap'))} “tanh” ( ${number(own(e))} ÷ ${number(named(e, 'cap'))} )`,
  mask: (e) => (e.constants['allowed'] === 0 || e.terms.length < 2 ? '' : `${number(own(e))} − ${number(e.terms[1]?.left.value ?? NaN)} × ${named(e, 'distance')}`),
  softmax: (e) => {
    const heat = named(e, 'temperature');
    const score = heat === 1 ? number(own(e)) : `${number(own(e))} ÷ ${number(heat)}`;
    return `“exp” ( ${score} − ${bracket(named(e, 'max'))} ) ÷ ${number(named(e, 'exp_sum'))}`;
  },
  drop: (e) => (e.constants['kept'] === 0 ? '' : `${number(own(e))} × ${number(named(e, 'factor'))}`),
};
