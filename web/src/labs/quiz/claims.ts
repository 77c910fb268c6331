// Questions of what happens when something is changed, and of what is often said.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Trace } from '../../engine/engine.ts';
import { fixed, percent } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { ownWord } from '../../text/word.ts';
import { type Asked, type Draw, type Kind, NEAR, beforeAndAfter, distance, largestOf, line, lines, named, openIn, rowOf, whole } from './kinds.ts';

const run = 'claim';

export const scale: Kind = {
  name: 'scale', least: 1,
  ask: (draw) => msg(html`The scale is doubled, so every score is twice as large before softmax. What happens to the largest weight of row ${named(draw, draw.row)}, head ${draw.head + 1}?`),
  options: () => ['grows', 'shrinks', 'same'],
  label: (option) => (option === 'grows' ? msg('It grows') : option === 'shrinks' ? msg('It shrinks') : msg('It stays the same')),
  reveal(draw, asked) {
    const { factor } = asked.run(run, draw.words, DEFAULTS);
    return beforeAndAfter(draw, asked, [msg('once'), DEFAULTS], [msg('doubled'), { ...DEFAULTS, scale: 'factor', scale_factor: 2 * factor }]);
  },
  mark(draw, { run: ask }) {
    const once = ask(run, draw.words, DEFAULTS);
    const [open, factor, before] = [openIn(rowOf(once, 'masked_scores', draw)), once.factor, largestOf(rowOf(once, 'weights', draw))];
    const after = largestOf(rowOf(ask(run, draw.words, { ...DEFAULTS, scale: 'factor', scale_factor: 2 * factor }), 'weights', draw));
    const change = after - before;
    // One word has all in any case; a share near 1 has no room left that float32 could show.
    const right = Math.abs(change) > NEAR ? [change > 0 ? 'grows' : 'shrinks'] : open === 1 ? ['same'] : ['grows', 'same'];
    return {
      isRight: (answer) => right.includes(answer),
      why: open === 1
        ? msg('This row sees a single word, which has the weight 1 at any scale.')
        : msg(str`It goes from ${fixed(before, 4)} to ${fixed(after, 4)}: larger scores make softmax more certain. Dividing by √d_k does the opposite.`),
    };
  },
};

export const cold: Kind = {
  name: 'cold', least: 1,
  ask: (draw) => msg(html`The temperature goes to 0. What becomes of row ${named(draw, draw.row)} in head ${draw.head + 1}?`),
  options: () => ['one', 'equal', 'nothing'],
  label: (option) => (option === 'one' ? msg('The largest score takes all (equal ones share it)') : option === 'equal' ? msg('All words that it may see get the same weight') : msg('All weights become 0')),
  reveal: (draw, asked) => beforeAndAfter(draw, asked, ['τ = 1', DEFAULTS], ['τ = 0', { ...DEFAULTS, temperature: 0 }]),
  mark(draw, { run: ask }) {
    const warm = ask(run, draw.words, DEFAULTS);
    const open = openIn(rowOf(warm, 'masked_scores', draw));
    const before = largestOf(rowOf(warm, 'weights', draw));
    const weights = rowOf(ask(run, draw.words, { ...DEFAULTS, temperature: 0 }), 'weights', draw);
    const most = largestOf(weights);
    const shared = weights.reduce((sum, w) => sum + (w > 0 ? 1 : 0), 0);
    const best = weights.indexOf(most);
    return {
      isRight: (answer) => answer === 'one' || (answer === 'equal' && shared === open),
      why: msg(html`${named(draw, best)} goes from ${percent(before)} to ${percent(most)}: a hard lookup. At high temperatures the shares become equal instead, here 1 ÷ ${open}.`),
    };
  },
};

const WAYS = [{ mask: 'none', positions: 'none' }, { mask: 'causal', positions: 'none' }, { mask: 'none', positions: 'sinusoidal' }] as const;
const wayOf = ({ pick }: Draw) => WAYS[pick(7, WAYS.length)] ?? WAYS[0];

/** Rounding of sums in another order. */
const ROUNDING = 1e-4;

export const shuffle: Kind = {
  name: 'shuffle', least: 1,
  ask(draw) {
    const row = named(draw, draw.row);
    switch (wayOf(draw)) {
      case WAYS[1]: return msg(html`Your words are put in reverse order, with the causal mask and without positions. What happens to the output of ${row}, wherever it stands now?`);
      case WAYS[2]: return msg(html`Your words are put in reverse order, without a mask and with positions. What happens to the output of ${row}, wherever it stands now?`);
      default: return msg(html`Your words are put in reverse order, without a mask and without positions. What happens to the output of ${row}, wherever it stands now?`);
    }
  },
  options: () => ['same', 'moves'],
  label: (option) => (option === 'same' ? msg('It stays the same, to rounding') : msg('It changes')),
  reveal(draw, asked) {
    const { words, head, row } = draw;
    const settings = { ...DEFAULTS, ...wayOf(draw) };
    const before = line(msg('before'), asked.run(run, words, settings), { head, row });
    const after = line(msg('after'), asked.run(run, words.toReversed(), settings), { head, row: words.length - 1 - row });
    return lines(words, [before, { ...after, weights: after.weights.toReversed() }]);
  },
  mark(draw, asked) {
    const settings = { ...DEFAULTS, ...wayOf(draw) };
    const output = (words: readonly string[], row: number) => {
      const trace = asked.run(run, words, settings);
      return trace.stage('output').slice(row * trace.shape.D, (row + 1) * trace.shape.D);
    };
    const a = output(draw.words, draw.row);
    const b = output(draw.words.toReversed(), draw.words.length - 1 - draw.row);
    const [moved, length] = [distance(asked, a, b), asked.engine.compare(a, a).norm_a];
    const same = moved <= ROUNDING * length;
    return {
      isRight: (answer) => answer === (same ? 'same' : 'moves'),
      why: same
        ? msg(str`It moves by ${short(moved)}, of a length of ${short(length)}. Attention without positions and mask has no order: outputs go where their words go.`)
        : msg(str`It moves by ${short(moved)}, of a length of ${short(length)}. Positions and the causal mask are what tells attention the order.`),
    };
  },
};

export const itself: Kind = {
  name: 'itself', least: 1,
  ask: (draw) => msg(str`W_K is made the same as W_Q, and the mask is off. Does every word of yours now attend most to itself, in head ${draw.head + 1}?`),
  options: () => ['all', 'not-all'],
  label: (option) => (option === 'all' ? msg('Yes, every one') : msg('No, not every one')),
  reveal: (draw, { run: ask }) => whole(ask(run, draw.words, { ...DEFAULTS, tie: 'qk', mask: 'none' }), draw.head),
  mark(draw, { run: ask }) {
    const trace = ask(run, draw.words, { ...DEFAULTS, tie: 'qk', mask: 'none' });
    const { S } = trace.shape;
    const most = draw.words.map((_, row) => {
      const weights = rowOf(trace, 'weights', { head: draw.head, row });
      const top = largestOf(weights);
      return { top: weights.indexOf(top), own: (weights[row] ?? 0) >= top * (1 - NEAR) };
    });
    const away = most.findIndex(({ own }) => !own);
    const own = most.filter((each) => each.own).length;
    const scores = trace.head('scores', draw.head);
    return {
      isRight: (answer) => answer === (away < 0 ? 'all' : 'not-all'),
      why: away < 0
        ? msg(str`Here ${own} of ${draw.words.length} do. It need not be so: a longer key that points nearly the same way would win.`)
        : msg(html`${own} of ${draw.words.length} do. ${named(draw, away)} looks most at ${named(draw, most[away]?.top ?? 0)}: their product, ${short(scores[away * S + (most[away]?.top ?? 0)] ?? NaN)}, is larger than its own, ${short(scores[away * S + away] ?? NaN)}. Only among keys of one length is a word always nearest to itself.`),
    };
  },
};

const other = (word: string | undefined): string => (word === 'wide' ? 'tired' : 'wide');

export const dynamic: Kind = {
  name: 'dynamic', least: 1,
  ask(draw) {
    const at = draw.pick(1, draw.words.length);
    return msg(html`Change ${named(draw, at)} to <b>${ownWord(other(draw.words[at]))}</b>, without a mask. Which of these change?`);
  },
  options: () => ['weights', 'matrices', 'both', 'neither'],
  label: (option) => ({ weights: msg('The attention weights, not W_Q and W_K'), matrices: msg('W_Q and W_K, not the attention weights'), both: msg('Both'), neither: msg('Neither') })[option],
  reveal(draw, { run: ask }) {
    const at = draw.pick(1, draw.words.length);
    const settings = { ...DEFAULTS, mask: 'none' } as const;
    const before = line(msg('before'), ask(run, draw.words, settings), draw);
    return lines(draw.words, [before, line(msg('after'), ask(run, draw.words.with(at, other(draw.words[at])), settings), draw)], { column: at });
  },
  mark(draw, asked) {
    const at = draw.pick(1, draw.words.length);
    const both = [draw.words, draw.words.with(at, other(draw.words[at]))].map((words) => {
      const trace = asked.run(run, words, { ...DEFAULTS, mask: 'none' });
      return { weights: trace.stage('weights'), matrices: [trace.parameter('W_Q'), trace.parameter('W_K')] };
    });
    const [a, b] = both as [(typeof both)[0], (typeof both)[0]];
    const weights = distance(asked, a.weights, b.weights);
    const matrices = Math.max(...a.matrices.map((matrix, i) => distance(asked, matrix, b.matrices[i] ?? matrix)));
    const right = weights > 0 ? (matrices > 0 ? 'both' : 'weights') : matrices > 0 ? 'matrices' : 'neither';
    return {
      isRight: (answer) => answer === right,
      why: draw.words.length === 1
        ? msg('A single word gives itself the weight 1, whatever it is, and the matrices are fixed.')
        : msg(str`The weights move by ${short(weights)} in all, the matrices by ${short(matrices)}: what is learnt stays, and what mixes the words is made afresh from each sentence. A feed-forward layer has only the first kind.`),
    };
  },
};

const DIRECTIONS = [[2, 1], [1, 3], [-1, 2], [3, -1]] as const;

/** A query, and keys that are aligned with it, at right angles to it, and opposed: in an order that is drawn. */
function threeKeys({ pick }: Draw): { query: number[]; keys: number[][] } {
  const [x, y] = DIRECTIONS[pick(8, DIRECTIONS.length)] ?? DIRECTIONS[0];
  const keys = [[x, y], [-y, x], [-x, -y]];
  const turn = pick(9, 3);
  return { query: [x, y], keys: keys.map((_, i) => keys[(i + turn) % 3] ?? []) };
}

const vector = (numbers: readonly number[]): string => `[${numbers.map(short).join(', ')}]`;

function against(draw: Draw, { run: ask }: Asked): Trace {
  const { query, keys } = threeKeys(draw);
  return ask(run, ['q'], { ...DEFAULTS, d_model: 2, num_heads: 1, mask: 'none' }, {
    keyTokens: ['a', 'b', 'c'], given: { query: Float32Array.from(query), key: Float32Array.from(keys.flat()) },
  });
}

export const direction: Kind = {
  name: 'direction', least: 1,
  ask(draw) {
    const { query, keys } = threeKeys(draw);
    return msg(html`A query <b>${vector(query)}</b> meets the keys <b>${vector(keys[0] ?? [])}</b>, <b>${vector(keys[1] ?? [])}</b> and <b>${vector(keys[2] ?? [])}</b>. Which key gets the largest weight?`);
  },
  options: () => ['0', '1', '2'],
  label: (option, draw) => vector(threeKeys(draw).keys[Number(option)] ?? []),
  reveal(draw, asked) {
    const { query, keys } = threeKeys(draw);
    return lines(keys.map(vector), [line(vector(query), against(draw, asked), { head: 0, row: 0 })]);
  },
  mark(draw, asked) {
    const trace = against(draw, asked);
    const [scores, weights] = [trace.stage('scores'), trace.stage('weights')];
    const most = largestOf(weights);
    return {
      isRight: (answer) => (weights[Number(answer)] ?? 0) >= most * (1 - NEAR),
      why: msg(str`The products are ${[...scores].map(short).join(', ')}: positive where both point the same way, 0 at right angles, negative where they are opposed. After softmax the largest takes ${percent(most)}.`),
    };
  },
};
