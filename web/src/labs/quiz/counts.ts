// Questions with a number for an answer: cells, parameters, widths.
import { msg, str } from '@lit/localize';
import { DEFAULTS } from '../../engine/defaults.ts';
import { count } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { type Draw, type Kind, blocks, isNumber, queryByHeads, whole } from './kinds.ts';

const run = 'count';
const WIDTHS = [16, 32, 64, 128];
const HEADS = [2, 4, 8, 16];

/** d_model and heads, of those that the seed may draw. */
const sizes = ({ pick }: Draw) => ({ d_model: WIDTHS[pick(5, WIDTHS.length)] ?? 64, num_heads: HEADS[pick(6, HEADS.length)] ?? 4 });

export const hidden: Kind = {
  name: 'hidden', least: 1,
  ask: ({ words }) => msg(str`How many of the ${count(words.length ** 2)} cells does the causal mask hide for your ${words.length} words?`),
  reveal: (draw, { run: ask }) => whole(ask(run, draw.words, DEFAULTS), draw.head),
  mark({ words }, { run: ask }) {
    const cells = ask(run, words, DEFAULTS).head('masked_scores', 0).reduce((sum, score) => sum + (score === -Infinity ? 1 : 0), 0);
    return { isRight: isNumber(cells), number: count(cells), why: msg(str`Row 1 hides ${words.length - 1}, the last one 0: n·(n − 1) ÷ 2 = ${words.length} · ${words.length - 1} ÷ 2.`) };
  },
};

export const allCells: Kind = {
  name: 'all-cells', least: 1,
  ask: (draw) => msg(str`With n = ${draw.words.length} words and ${sizes(draw).num_heads} heads, how many cells do all weight matrices have together, masked ones included?`),
  reveal: (draw, { run: ask }) => whole(ask(run, draw.words, { ...DEFAULTS, num_heads: sizes(draw).num_heads }), 0),
  mark(draw, { run: ask }) {
    const { num_heads } = sizes(draw);
    const cells = ask(run, draw.words, { ...DEFAULTS, num_heads }).stage('weights').length;
    return { isRight: isNumber(cells), number: count(cells), why: msg(str`Each head has a matrix of its own: heads · n² = ${num_heads} · ${draw.words.length}².`) };
  },
};

export const doubled: Kind = {
  name: 'doubled', least: 1,
  ask: ({ words }) => msg(str`If your sentence were twice as long, ${2 * words.length} words instead of ${words.length}, how many times more cells would a head have?`),
  reveal: (draw, { run: ask }) => whole(ask(run, [...draw.words, ...draw.words], DEFAULTS), draw.head),
  mark({ words }, { run: ask }) {
    const cells = (tokens: readonly string[]) => ask(run, tokens, DEFAULTS).head('weights', 0).length;
    const [once, twice] = [cells(words), cells([...words, ...words])];
    return { isRight: isNumber(twice / once), number: short(twice / once), why: msg(str`${count(once)} cells become ${count(twice)}: time and memory of full attention grow with n².`) };
  },
};

export const queryNumbers: Kind = {
  name: 'query-numbers', least: 1,
  ask: (draw) => msg(str`A layer has d_model = ${sizes(draw).d_model} in heads that share this width. How many numbers are in W_Q of all heads together?`),
  reveal: (draw, asked) => blocks(draw, asked, sizes(draw)),
  mark(draw, { run: ask }) {
    const { d_model, num_heads } = sizes(draw);
    const found = ask(run, draw.words.slice(0, 1), { ...DEFAULTS, d_model, num_heads }).parameter('W_Q').length;
    return { isRight: isNumber(found), number: count(found), why: msg(str`d_model · d_model = ${d_model} · ${d_model}, in any number of heads and for any number of words.`) };
  },
};

export const headWidth: Kind = {
  name: 'head-width', least: 1,
  ask(draw) {
    const { d_model, num_heads } = sizes(draw);
    return msg(str`A layer has d_model = ${d_model} in ${num_heads} heads. How wide is one head’s query, d_k?`);
  },
  reveal: (draw, asked) => queryByHeads(draw, asked, sizes(draw)),
  mark(draw, { run: ask }) {
    const { d_model, num_heads } = sizes(draw);
    const { d_k } = ask(run, draw.words.slice(0, 1), { ...DEFAULTS, d_model, num_heads }).shape;
    return { isRight: isNumber(d_k), number: String(d_k), why: msg(str`Heads cut d_model into equal parts: ${d_model} ÷ ${num_heads} = ${d_k}.`) };
  },
};

export const divisor: Kind = {
  name: 'divisor', least: 1,
  ask(draw) {
    const { d_model, num_heads } = sizes(draw);
    return msg(str`A layer has d_model = ${d_model} in ${num_heads} heads. By what number are its scores divided? Two digits after the point are enough.`);
  },
  reveal: (draw, asked) => queryByHeads(draw, asked, sizes(draw)),
  mark(draw, { run: ask }) {
    const { d_model, num_heads } = sizes(draw);
    const { shape: { d_k }, factor } = ask(run, draw.words.slice(0, 1), { ...DEFAULTS, d_model, num_heads });
    return {
      isRight: isNumber(1 / factor, 0.0051), number: short(1 / factor),
      why: msg(str`√d_k, by the width of one head: √(${d_model} ÷ ${num_heads}) = √${d_k} = ${short(1 / factor)}. A dot product of d_k random numbers has a standard deviation of √d_k.`),
    };
  },
};
