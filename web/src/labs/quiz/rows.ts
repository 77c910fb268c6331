// Questions about one row of the reader's own matrix.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Settings } from '../../engine/engine.ts';
import { fixed, percent } from '../../lib/format.ts';
import { short, weight } from '../../text/numbers.ts';
import { ownWord } from '../../text/word.ts';
import { type Draw, type Kind, NEAR, anyWord, distance, isNumber, largestOf, line, lines, named, openIn, rowOf, thisRow, whole, wordLabel } from './kinds.ts';

const run = 'row';

/** Softmax keeps the order of the scores that the mask leaves. */
export const largest: Kind = {
  name: 'largest', least: 1,
  ask: (draw) => msg(html`These are the scaled scores of row ${named(draw, draw.row)} in head ${draw.head + 1}, before the causal mask. Which word gets the largest weight?`),
  options: anyWord, label: wordLabel,
  shown(draw, { run: ask }) {
    const scores = rowOf(ask(run, draw.words, DEFAULTS), 'scaled_scores', draw);
    return { title: msg('Scaled scores'), rows: [draw.words[draw.row] ?? ''], columns: draw.words, kind: 'signed', value: (_, key) => scores[key] ?? NaN, picks: 'column' };
  },
  reveal: thisRow,
  mark(draw, { run: ask }) {
    const trace = ask(run, draw.words, DEFAULTS);
    const [weights, scores] = [rowOf(trace, 'weights', draw), rowOf(trace, 'scaled_scores', draw)];
    const most = largestOf(weights);
    const best = weights.indexOf(most);
    const beyond = scores.indexOf(largestOf(scores));
    return {
      isRight: (answer) => (weights[Number(answer)] ?? 0) >= most * (1 - NEAR),
      why: beyond > draw.row
        ? msg(html`Softmax keeps the order of the scores that the mask leaves: ${named(draw, best)} has ${fixed(scores[best] ?? NaN, 2)} and takes ${percent(most)}. ${named(draw, beyond)} has more, ${fixed(scores[beyond] ?? NaN, 2)}, but comes later and is masked.`)
        : msg(html`Softmax keeps the order of the scores: ${named(draw, best)} has the largest that row ${draw.row + 1} may see, ${fixed(scores[best] ?? NaN, 2)}, and takes ${percent(most)}.`),
    };
  },
};

const other = (word: string | undefined): string => (word === 'wide' ? 'tired' : 'wide');

const changed = ({ pick }: Draw): Settings => ({ ...DEFAULTS, mask: pick(2, 2) === 0 ? 'causal' : 'none' });

export const exchange: Kind = {
  name: 'exchange', least: 1,
  ask(draw) {
    const at = draw.pick(1, draw.words.length);
    const [word, by, row] = [named(draw, at), html`<b>${ownWord(other(draw.words[at]))}</b>`, named(draw, draw.row)];
    return draw.pick(2, 2) === 0
      ? msg(html`Change ${word} to ${by}. With the causal mask on, what happens to the output of row ${row}?`)
      : msg(html`Change ${word} to ${by}. Without any mask, what happens to the output of row ${row}?`);
  },
  options: () => ['stays', 'moves'],
  label: (option) => (option === 'stays' ? msg('It stays as it is, to the last bit') : msg('It changes')),
  reveal(draw, { run: ask }) {
    const at = draw.pick(1, draw.words.length);
    const before = line(msg('before'), ask(run, draw.words, changed(draw)), draw);
    return lines(draw.words, [before, line(msg('after'), ask(run, draw.words.with(at, other(draw.words[at])), changed(draw)), draw)], { column: at });
  },
  mark(draw, asked) {
    const at = draw.pick(1, draw.words.length);
    const settings = changed(draw);
    const outputs = [draw.words, draw.words.with(at, other(draw.words[at]))].map((words) => {
      const trace = asked.run(run, words, settings);
      return trace.stage('output').slice(draw.row * trace.shape.D, (draw.row + 1) * trace.shape.D);
    });
    const moved = distance(asked, outputs[0] as Float32Array, outputs[1] as Float32Array);
    return {
      isRight: (answer) => answer === (moved === 0 ? 'stays' : 'moves'),
      why: moved === 0
        ? msg(html`The difference is exactly 0: word ${at + 1} comes after row ${draw.row + 1}, and the mask lets no row see what comes later.`)
        : msg(html`Row ${draw.row + 1} may see word ${at + 1}, so its output moves, here by ${short(moved)}.`),
    };
  },
};

export const single: Kind = {
  name: 'single', least: 1,
  ask: () => msg('These are scores before the causal mask. Which row will have a single cell left?'),
  options: anyWord, label: wordLabel,
  shown(draw, { run: ask }) {
    const trace = ask(run, draw.words, DEFAULTS);
    const scores = trace.head('scaled_scores', draw.head);
    return { title: msg('Scaled scores'), rows: draw.words, columns: draw.words, kind: 'signed', value: (row, key) => scores[row * trace.shape.S + key] ?? NaN, picks: 'row' };
  },
  reveal: (draw, { run: ask }) => whole(ask(run, draw.words, DEFAULTS), draw.head, { row: 0 }),
  mark(draw, { run: ask }) {
    const trace = ask(run, draw.words, DEFAULTS);
    const open = draw.words.map((_, row) => openIn(rowOf(trace, 'masked_scores', { head: draw.head, row })));
    return {
      isRight: (answer) => open[Number(answer)] === 1,
      why: msg(html`Row 1, ${named(draw, 0)}, may see only itself, and gives itself all: its weight is ${weight(rowOf(trace, 'weights', { head: draw.head, row: 0 })[0] ?? NaN)}. Row ${draw.words.length} has ${open.at(-1)} left.`),
    };
  },
};

export const sum: Kind = {
  name: 'sum', least: 1,
  ask: (draw) => msg(html`What do the weights of row ${named(draw, draw.row)} in head ${draw.head + 1} sum to?`),
  reveal: thisRow,
  mark(draw, { engine, run: ask }) {
    const weights = rowOf(ask(run, draw.words, DEFAULTS), 'weights', draw);
    const total = engine.compare(weights, new Float32Array(weights.length).fill(1)).dot;
    const seen = [...weights.slice(0, draw.row + 1)].slice(0, 4).map((w) => fixed(w, 3)).join(' + ');
    return {
      isRight: isNumber(total, 0.005), number: short(Number(total.toFixed(6))),
      why: draw.row >= 4 ? msg(str`${seen} + … = 1: softmax divides each exponential by the sum of its row.`) : msg(str`${seen} = 1: softmax divides each exponential by the sum of its row.`),
    };
  },
};

export const mixture: Kind = {
  name: 'mixture', least: 1,
  ask: (draw) => msg(html`With the causal mask, of how many words’ values is the context of row ${named(draw, draw.row)} a weighted sum?`),
  reveal: thisRow,
  mark(draw, { run: ask }) {
    const trace = ask(run, draw.words, DEFAULTS);
    const open = openIn(rowOf(trace, 'masked_scores', draw));
    return {
      isRight: isNumber(open), number: String(open),
      why: msg(str`Row ${draw.row + 1} may see words 1 to ${draw.row + 1}, itself among them. The last row alone sees all ${draw.words.length}: what the next word depends on must be in it.`),
    };
  },
};

function hiddenCell({ words, pick }: Draw): { row: number; key: number } {
  const row = pick(3, words.length - 1);
  return { row, key: row + 1 + pick(4, words.length - 1 - row) };
}

export const hiddenWeight: Kind = {
  name: 'hidden-weight', least: 2,
  ask(draw) {
    const { row, key } = hiddenCell(draw);
    return msg(html`Row ${named(draw, row)} must not see ${named(draw, key)}, so that score is set to −∞. What is its weight after softmax?`);
  },
  reveal(draw, asked) {
    const { row, key } = hiddenCell(draw);
    return thisRow(draw, asked, row, { column: key });
  },
  mark(draw, { run: ask }) {
    const { row, key } = hiddenCell(draw);
    const found = rowOf(ask(run, draw.words, DEFAULTS), 'weights', { head: draw.head, row })[key] ?? NaN;
    return { isRight: isNumber(found), number: short(found), why: msg('exp(−∞) is exactly 0: masking sets scores to −∞, and the weights become 0 by themselves.') };
  },
};
