// A trained model's stages, forwards and back from the loss: each is what plain loops make of the stage before it, and each
// number is what its written terms come to.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type LessonId, type ModelState, type RunDescription, type Traceable, openTraced, openTraining } from '../../web/src/engine/training/open.ts';
import { type Cell, type Spot, type Sum, type Walked, Stages, nameOf } from '../../web/src/labs/training/stages.ts';
import { built } from '../lib/built.ts';
import { openShipped } from '../lib/shipped-model.ts';

const wasm = await readFile(built('wasm/bindings/attention_training.wasm'));

async function opened(lesson: LessonId, run: string, step: number, text?: string): Promise<{ run: RunDescription; state: ModelState }> {
  const training = await openTraining({ lesson, runs: [run], seed: 3, ...(text !== undefined && { text }) }, { wasm });
  try {
    await training.advance(step);
    return { run: training.runs[0] as RunDescription, state: await training.state(0) };
  } finally {
    training.free();
  }
}

// The same in plain loops over plain lists: a matrix is its rows.

type Rows = number[][];
const rowsOf = (numbers: ArrayLike<number>, columns: number): Rows => Array.from({ length: numbers.length / columns }, (_, row) => Array.from({ length: columns }, (__, column) => numbers[row * columns + column] ?? NaN));
const turned = (a: Rows): Rows => (a[0] ?? []).map((_, column) => a.map((row) => row[column] ?? NaN));
const product = (a: Rows, b: Rows): Rows => a.map((row) => (b[0] ?? []).map((_, column) => { let sum = 0; for (let k = 0; k < row.length; k += 1) sum += (row[k] ?? NaN) * (b[k]?.[column] ?? NaN); return sum; }));
const each = (a: Rows, act: (value: number, row: number, column: number) => number): Rows => a.map((numbers, row) => numbers.map((value, column) => act(value, row, column)));
const plus = (...all: Rows[]): Rows => each(all[0] as Rows, (_, row, column) => all.reduce((sum, a) => sum + (a[row]?.[column] ?? NaN), 0));
const beside = (parts: Rows[]): Rows => (parts[0] as Rows).map((_, row) => parts.flatMap((part) => part[row] as number[]));
const columns = (a: Rows, from: number, to: number): Rows => a.map((row) => row.slice(from, to));
const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const softmax = (row: readonly number[]): number[] => { const most = Math.max(...row); const exps = row.map((x) => Math.exp(x - most)); const all = exps.reduce((sum, x) => sum + x, 0); return exps.map((x) => x / all); };

/** What every stage should be, by its name, layer and head: from the arrays of the state alone. */
function expected(state: ModelState, run: RunDescription, head: number): (spot: Spot) => Rows {
  const { shape: { d_model: D, d_k, heads: H, vocabulary, slots, positions, context }, rule } = run;
  const { text: { tokens, second, targets } } = state;
  const T = tokens.length;
  const dv = D / H;
  const parameter = (name: string, isGradient = false): Rows => { const found = state.parameters.find((each) => each.name === name); assert.ok(found, name); return rowsOf(isGradient ? found.gradients : found.weights, found.columns); };
  const asked = targets.filter((target) => target >= 0).length;
  const isHidden = (row: number, key: number) => rule.isCausal && key > row;
  const norm = (x: Rows, g: number[], b: number[]): Rows => x.map((row) => { const m = meanOf(row); const s = Math.sqrt(meanOf(row.map((v) => (v - m) ** 2)) + 1e-5); return row.map((v, i) => ((v - m) / s) * (g[i] ?? NaN) + (b[i] ?? NaN)); });
  const hat = (x: Rows): Rows => norm(x, Array<number>(D).fill(1), Array<number>(D).fill(0));
  const normBack = (x: Rows, dy: Rows, g: number[]): Rows => x.map((row, t) => {
    const m = meanOf(row); const s = Math.sqrt(meanOf(row.map((v) => (v - m) ** 2)) + 1e-5); const h = row.map((v) => (v - m) / s);
    const by = (dy[t] as number[]).map((v, i) => v * (g[i] ?? NaN)); const a = meanOf(by); const c = meanOf(by.map((v, i) => v * (h[i] ?? NaN)));
    return by.map((v, i) => (v - a - (h[i] ?? NaN) * c) / s);
  });
  const heading = (stage: { values: Float32Array; gradients: Float32Array }, width: number, h: number, isGradient = false) => rowsOf(isGradient ? stage.gradients : stage.values, width).slice(h * T, (h + 1) * T);
  return ({ symbol, isGradient, layer }) => {
    const l = state.layers[layer] as ModelState['layers'][number];
    const stream = { X: rowsOf(l.x.values, D), N: rowsOf(l.normed.values, D), dN: rowsOf(l.normed.gradients, D), dY: rowsOf(l.output.gradients, D), dX: rowsOf(l.x.gradients, D) };
    const end = { X_L: rowsOf(state.residual.values, D), F: rowsOf(state.normed.values, D), dF: rowsOf(state.normed.gradients, D), dX_L: rowsOf(state.residual.gradients, D), Z: rowsOf(state.logits.values, slots * vocabulary), dZ: rowsOf(state.logits.gradients, slots * vocabulary) };
    const w = (name: string) => parameter(`block_${layer}.${name}`);
    const place = positions === 'none' ? [] : parameter('positions');
    const placed = (at: number): Rows => { const n = rowsOf(state.layers[at]?.normed.values ?? [], D); return positions === 'queries_keys' ? each(n, (v, t, c) => Math.fround(v + (place[t]?.[c] ?? NaN))) : n; };
    const of = (h: number) => ({
      Q: heading(l.query, d_k, h), K: heading(l.key, d_k, h), V: heading(l.value, dv, h), U: heading(l.products, T, h), S: heading(l.scores, T, h), P: heading(l.weights, T, h), O: heading(l.context, dv, h),
      dQ: heading(l.query, d_k, h, true), dK: heading(l.key, d_k, h, true), dV: heading(l.value, dv, h, true), dU: heading(l.products, T, h, true), dS: heading(l.scores, T, h, true), dP: heading(l.weights, T, h, true), dO: heading(l.context, dv, h, true),
      W_Q: columns(w('query'), h * d_k, (h + 1) * d_k), W_K: columns(w('key'), h * d_k, (h + 1) * d_k), W_V: columns(w('value'), h * dv, (h + 1) * dv), W_O: w('out_proj').slice(h * dv, (h + 1) * dv),
    });
    const m = of(head);
    const every = Array.from({ length: H }, (_, h) => of(h));
    const seen = (a: Rows, hidden: number): Rows => each(a, (v, t, k) => (isHidden(t, k) ? hidden : v));
    const overText = (a: Rows): Rows => [turned(a).map((column) => column.reduce((sum, v) => sum + v, 0))];
    const behind = (at: number): Rows => plus(rowsOf(state.layers[at]?.x.values ?? [], D), rowsOf(state.layers[at]?.output.values ?? [], D));
    const probabilities = end.Z.map((row) => Array.from({ length: slots }, (_, slot) => softmax(row.slice(slot * vocabulary, (slot + 1) * vocabulary))).flat());
    const intoPlaces = (at: number): Rows => { const own = state.layers[at] as typeof l; return Array.from({ length: H }, (_, h) => plus(product(heading(own.query, d_k, h, true), turned(columns(parameter(`block_${at}.query`), h * d_k, (h + 1) * d_k))), product(heading(own.key, d_k, h, true), turned(columns(parameter(`block_${at}.key`), h * d_k, (h + 1) * d_k))))).reduce((a, b) => plus(a, b)); };
    const spread = (a: Rows): Rows => Array.from({ length: context }, (_, t) => a[t] ?? Array<number>(D).fill(0));
    const stages: Record<string, () => Rows> = {
      E: () => parameter('embeddings'), E_pos: () => parameter('positions'), g: () => w('norm_1.gain'), b: () => w('norm_1.bias'), g_F: () => parameter('final_norm.gain'), b_F: () => parameter('final_norm.bias'), W_U: () => parameter('output'),
      W_Q: () => m.W_Q, W_K: () => m.W_K, W_V: () => m.W_V, W_O: () => m.W_O,
      X: () => (layer > 0 ? behind(layer - 1) : Array.from(tokens, (id, t) => Array.from({ length: D }, (_, c) => { const e = parameter('embeddings'); return (e[id]?.[c] ?? NaN) + ((second[t] ?? -1) >= 0 ? (e[second[t] ?? 0]?.[c] ?? NaN) : 0) + (positions === 'added' ? (place[t]?.[c] ?? NaN) : 0); }))),
      N: () => norm(stream.X, w('norm_1.gain')[0] as number[], w('norm_1.bias')[0] as number[]),
      'N′': () => placed(layer),
      Q: () => product(placed(layer), m.W_Q), K: () => product(placed(layer), m.W_K), V: () => product(stream.N, m.W_V),
      U: () => seen(product(m.Q, turned(m.K)), -Infinity), S: () => seen(each(m.U, (v) => v * (rule.scales ? 1 / Math.sqrt(d_k) : 1)), -Infinity), P: () => m.S.map(softmax), O: () => product(m.P, m.V),
      Y: () => product(beside(every.map(({ O }) => O)), w('out_proj')), X_L: () => behind(state.layers.length - 1), F: () => norm(end.X_L, parameter('final_norm.gain')[0] as number[], parameter('final_norm.bias')[0] as number[]),
      Z: () => product(end.F, parameter('output')), p: () => probabilities,
      L: () => Array.from({ length: T }, (_, t) => Array.from({ length: slots }, (__, slot) => { const target = targets[t * slots + slot] ?? -1; return target < 0 ? -Infinity : -Math.log(probabilities[t]?.[slot * vocabulary + target] ?? NaN); })),
      dZ: () => each(probabilities, (v, t, c) => { const slot = Math.floor(c / vocabulary); const target = targets[t * slots + slot] ?? -1; return target < 0 ? 0 : (v - Number(target === c % vocabulary)) / asked; }),
      dW_U: () => product(turned(end.F), end.dZ), dF: () => product(end.dZ, turned(parameter('output'))),
      dg_F: () => overText(each(end.dF, (v, t, c) => v * (hat(end.X_L)[t]?.[c] ?? NaN))), db_F: () => overText(end.dF),
      dX_L: () => normBack(end.X_L, end.dF, parameter('final_norm.gain')[0] as number[]),
      dY: () => (layer === state.layers.length - 1 ? end.dX_L : rowsOf(state.layers[layer + 1]?.x.gradients ?? [], D)),
      dW_O: () => product(turned(m.O), stream.dY), dO: () => product(stream.dY, turned(m.W_O)), dV: () => product(turned(m.P), m.dO),
      dP: () => seen(product(m.dO, turned(m.V)), 0),
      dS: () => m.P.map((row, t) => { const mean = row.reduce((sum, p, k) => sum + p * (m.dP[t]?.[k] ?? NaN), 0); return row.map((p, k) => p * ((m.dP[t]?.[k] ?? NaN) - mean)); }),
      dU: () => each(m.dS, (v) => v * (rule.scales ? 1 / Math.sqrt(d_k) : 1)), dQ: () => product(m.dU, m.K), dK: () => product(turned(m.dU), m.Q),
      dW_Q: () => product(turned(placed(layer)), m.dQ), dW_K: () => product(turned(placed(layer)), m.dK), dW_V: () => product(turned(stream.N), m.dV),
      dN: () => every.map(({ dQ, dK, dV, W_Q, W_K, W_V }) => plus(product(dQ, turned(W_Q)), product(dK, turned(W_K)), product(dV, turned(W_V)))).reduce((a, b) => plus(a, b)),
      dg: () => overText(each(stream.dN, (v, t, c) => v * (hat(stream.X)[t]?.[c] ?? NaN))), db: () => overText(stream.dN),
      dX: () => plus(stream.dY, normBack(stream.X, stream.dN, w('norm_1.gain')[0] as number[])),
      dE: () => { const made = each(parameter('embeddings'), () => 0); const dX = rowsOf(state.layers[0]?.x.gradients ?? [], D); dX.forEach((row, t) => { for (const id of [tokens[t] ?? -1, second[t] ?? -1]) row.forEach((v, c) => { const own = made[id]; if (own) own[c] = (own[c] ?? NaN) + v; }); }); return made; },
      dE_pos: () => spread(positions === 'added' ? rowsOf(state.layers[0]?.x.gradients ?? [], D) : state.layers.map((_, at) => intoPlaces(at)).reduce((a, b) => plus(a, b))),
    };
    const name = nameOf({ symbol, isGradient });
    const made = stages[name];
    assert.ok(made, name);
    return made();
  };
}

const magnitude = (line: readonly (string | Cell | Sum)[]): number => line.reduce((size, part) => size + (typeof part === 'string' ? 0 : 'terms' in part ? part.terms.reduce((all, { value }) => all + Math.abs(value), 0) : Math.abs(part.value)), 0);

const MODELS: readonly (readonly [LessonId, string, number, number])[] = [
  ['look_back', 'two_layers', 40, 1], ['mask', 'dice_unmasked', 30, 0], ['scale', 'width_256_undivided', 0, 0], ['scale', 'width_16_divided', 25, 0],
  ['heads', 'four_heads', 60, 2], ['words', 'own_paragraph', 20, 3], ['positions', 'without_positions', 10, 0], ['stands_for', 'seen_whole', 15, 1],
];

for (const [lesson, name, at, head] of MODELS) {
  test(`${lesson}, ${name}, step ${at}: each stage is what the stages before it make, in plain loops; its terms come to its number`, async () => {
    const { run, state } = await opened(lesson, name, at, lesson === 'words' ? 'a dog sees the moon and the moon sees a dog and nothing else is there to see' : undefined);
    const stages = new Stages(state, run);
    const wanted = expected(state, run, head);
    const spots = [...stages.forwards(head), ...stages.backwards(head)];
    assert.equal(new Set(spots.map((spot) => `${nameOf(spot)} ${spot.layer}`)).size, spots.length - 1, 'the loss alone is there twice');
    for (const walk of [stages.forwards, stages.backwards]) {
      const sizes = new Map(Array.from({ length: run.shape.heads }, (_, h) => walk.call(stages, h)).flat().filter(({ symbol }) => /^(E|E_pos|W_.|[gb](_F)?)$/.test(symbol)).map((spot) => { const { rows, columns } = stages.matrix(spot); return [JSON.stringify(spot), rows * columns]; }));
      assert.equal([...sizes.values()].reduce((all, size) => all + size, 0), run.parameters, 'every parameter is on the way');
    }
    let isMoving = false;
    for (const spot of spots) {
      const [got, own] = [stages.matrix(spot), wanted(spot)];
      const where = `${nameOf(spot)}, layer ${spot.layer + 1}`;
      assert.deepEqual([got.rows, got.columns], [own.length, own[0]?.length], where);
      const most = Math.max(...own.flat().map((value) => (Number.isFinite(value) ? Math.abs(value) : 0)));
      let n = 0;
      own.forEach((row, r) => row.forEach((value, c) => {
        const number = got.at(r, c);
        assert.ok(number === value || Math.abs(number - value) <= 3e-5 * (most + Math.abs(value)), `${where} at ${r}, ${c}: ${number}, not ${value}`);
        // Some of a large stage.
        if ((n += 1) % Math.ceil((own.length * row.length) / 60) !== 0) return;
        const { value: comes, line, note, within = [] } = stages.write(spot, { row: r, column: c });
        assert.ok(comes === number || Math.abs(comes - number) <= 3e-6 * (Math.abs(number) + magnitude(line)) + 1e-9, `${where} at ${r}, ${c}: its line comes to ${comes}, not ${number} (${note})`);
        for (const sum of [...line, ...within]) {
          if (typeof sum === 'string' || !('terms' in sum) || sum.terms.length === 0) continue;
          const terms = sum.terms.reduce((total, { value }) => total + value, 0);
          const all = { sum: terms, mean: terms / sum.terms.length, root: Math.sqrt(terms / sum.terms.length + 1e-5) }[sum.of];
          assert.ok(Math.abs(all - sum.value) < 1e-9 * (1 + Math.abs(all)), `${where}: ${sum.name}`);
          for (const { cells, value } of sum.terms) for (const { value: part, spot: of, row, column } of cells) {
            if (!of) continue;
            const there = stages.matrix(of);
            assert.ok(row < there.rows && column < there.columns && there.at(row, column) === part, `${where} leads to ${nameOf(of)} at ${row}, ${column}`);
            assert.ok(Number.isFinite(value));
          }
        }
      }));
      isMoving ||= spot.isGradient && spot.symbol === 'W_Q' && most > 0;
    }
    assert.ok(isMoving, 'no gradient');
  });
}

test('gradients of the parameters are what the loss does when one number is moved a little', async () => {
  const { run, state } = await opened('mask', 'dice_unmasked', 30);
  const { shape: { d_k }, rule: { scales } } = run;
  const { text: { tokens, targets } } = state;
  const weights = new Map(state.parameters.map(({ name, weights, columns }) => [name, rowsOf(weights, columns)]));
  const of = (name: string) => weights.get(name) as Rows;
  const norm = (x: Rows, name: string): Rows => x.map((row) => { const m = meanOf(row); const s = Math.sqrt(meanOf(row.map((v) => (v - m) ** 2)) + 1e-5); return row.map((v, i) => ((v - m) / s) * (of(`${name}.gain`)[0]?.[i] ?? NaN) + (of(`${name}.bias`)[0]?.[i] ?? NaN)); });
  const loss = (): number => {
    const x = Array.from(tokens, (id) => of('embeddings')[id] as number[]);
    const n = norm(x, 'block_0.norm_1');
    const placed = each(n, (v, t, c) => v + (of('positions')[t]?.[c] ?? NaN));
    const s = each(product(product(placed, of('block_0.query')), turned(product(placed, of('block_0.key')))), (v) => v / (scales ? Math.sqrt(d_k) : 1));
    const y = product(product(s.map(softmax), product(n, of('block_0.value'))), of('block_0.out_proj'));
    const z = product(norm(plus(x, y), 'final_norm'), of('output'));
    return meanOf([...targets].flatMap((target, t) => (target < 0 ? [] : [-Math.log(softmax(z[t] as number[])[target] ?? NaN)])));
  };
  assert.ok(Math.abs(loss() - state.loss) < 1e-5);
  const stages = new Stages(state, run);
  const NAMED = { E: 'embeddings', E_pos: 'positions', g: 'block_0.norm_1.gain', b: 'block_0.norm_1.bias', W_Q: 'block_0.query', W_K: 'block_0.key', W_V: 'block_0.value', W_O: 'block_0.out_proj', g_F: 'final_norm.gain', b_F: 'final_norm.bias', W_U: 'output' } as const;
  for (const [symbol, name] of Object.entries(NAMED) as [keyof typeof NAMED, string][]) {
    const rows = of(name);
    const gradient = stages.matrix({ symbol, isGradient: true, layer: 0, head: 0 });
    for (const [row, column] of [[0, 0], [rows.length - 1, 3], [Math.floor(rows.length / 2), (rows[0]?.length ?? 0) - 1]] as const) {
      const numbers = rows[row] as number[];
      const before = numbers[column] as number;
      const at = (moved: number) => { numbers[column] = moved; const own = loss(); numbers[column] = before; return own; };
      const slope = (at(before + 1e-4) - at(before - 1e-4)) / 2e-4;
      assert.ok(Math.abs(slope - gradient.at(row, column)) < 1e-5 + 1e-3 * Math.abs(slope), `d${symbol} at ${row}, ${column}: ${gradient.at(row, column)}, but the loss moves by ${slope}`);
    }
  }
});

test('a sentence that is shown with its answer has a loss and gradients; without it, none', async () => {
  const training = await openTraining({ lesson: 'stands_for', runs: ['seen_whole', 'one_layer'] }, { wasm });
  await training.advance(5);
  await training.show('the animal didn\'t cross the street because it was too tired .');
  const without = await training.state(1);
  assert.ok(without.loss === 0 && without.parameters.every(({ gradients }) => gradients.every((number) => number === 0)));
  await training.answer([{ place: 7, words: ['animal'] }]);
  for (const run of [0, 1]) {
    const state = await training.state(run);
    const words = training.runs[run]?.words ?? [];
    assert.deepEqual([...state.text.targets].map((id) => words[id]), Array.from({ length: 12 }, (_, place) => (place === 7 ? 'animal' : undefined)));
    assert.deepEqual(training.displayed(run).targets, state.text.targets);
    const p = state.probabilities[7 * words.length + words.indexOf('animal')] ?? NaN;
    assert.ok(Math.abs(state.loss + Math.log(p)) < 1e-5 && state.parameters.some(({ gradients }) => gradients.some((number) => number !== 0)));
  }
  await assert.rejects(training.answer([{ place: 7, words: ['zebra'] }]), /zebra/);
  await assert.rejects(training.answer([{ place: 12, words: ['animal'] }]));
  assert.equal(training.displayed(0).targets.length, 12);
  training.free();
});

// The everyday model, on a sentence that a reader types.

type Doubles = Float64Array;
/** y = x·W, W [from, to]. */
const times = (x: Doubles, W: Doubles, from: number, to: number): Doubles => {
  const y = new Float64Array((x.length / from) * to);
  for (let t = 0; t * from < x.length; t += 1) for (let i = 0; i < from; i += 1) { const v = x[t * from + i] ?? NaN; for (let o = 0; o < to; o += 1) y[t * to + o] = (y[t * to + o] ?? NaN) + v * (W[i * to + o] ?? NaN); }
  return y;
};

/** The mean of −ln p of each next token, in double. @param nudge is added to one score of one head before its softmax */
function lossOf(given: Traceable, weights: ReadonlyMap<string, Doubles>, tokens: readonly number[], nudge?: { layer: number; head: number; row: number; key: number; by: number }): number {
  const { d_model: D, heads: H, d_k, layers, hidden, vocabulary } = given.shape;
  const of = (name: string) => weights.get(name) as Doubles;
  const T = tokens.length;
  const norm = (x: Doubles, name: string): Doubles => x.map((_, i) => {
    const row = x.subarray(i - (i % D), i - (i % D) + D);
    if (i % D === 0) { const mean = row.reduce((sum, v) => sum + v, 0) / D; statistics = [mean, Math.sqrt(row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / D + 1e-5)]; }
    return (((x[i] ?? NaN) - statistics[0]) / statistics[1]) * (of(`${name}.gain`)[i % D] ?? NaN) + (of(`${name}.bias`)[i % D] ?? NaN);
  });
  let statistics: [number, number] = [NaN, NaN];
  let x = Float64Array.from({ length: T * D }, (_, i) => of('embeddings')[(tokens[Math.floor(i / D)] ?? 0) * D + (i % D)] ?? NaN);
  for (let layer = 0; layer < layers; layer += 1) {
    const block = `block_${layer}`;
    const n = norm(x, `${block}.norm_1`);
    const placed = n.map((v, i) => v + (of('positions')[i] ?? NaN));
    const [q, k, v] = [times(placed, of(`${block}.query`), D, H * d_k), times(placed, of(`${block}.key`), D, H * d_k), times(n, of(`${block}.value`), D, D)];
    const context = new Float64Array(T * D);
    for (let head = 0; head < H; head += 1) for (let row = 0; row < T; row += 1) {
      const scores = Array.from({ length: row + 1 }, (_, key) => { let sum = 0; for (let c = 0; c < d_k; c += 1) sum += (q[row * D + head * d_k + c] ?? NaN) * (k[key * D + head * d_k + c] ?? NaN); return sum / Math.sqrt(d_k) + (nudge && nudge.layer === layer && nudge.head === head && nudge.row === row && nudge.key === key ? nudge.by : 0); });
      softmax(scores).forEach((p, key) => { for (let c = 0; c < d_k; c += 1) { const at = row * D + head * d_k + c; context[at] = (context[at] ?? NaN) + p * (v[key * D + head * d_k + c] ?? NaN); } });
    }
    const y = times(context, of(`${block}.out_proj`), D, D);
    const middle = x.map((value, i) => value + (y[i] ?? NaN));
    const up = times(norm(middle, `${block}.norm_2`), of(`${block}.up`), D, hidden).map((a) => (a / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (a + 0.044715 * a ** 3))));
    const m = times(up, of(`${block}.down`), hidden, D);
    x = middle.map((value, i) => value + (m[i] ?? NaN));
  }
  const f = norm(x, 'final_norm');
  return meanOf(tokens.slice(1).map((next, t) => {
    const logits = Array.from({ length: vocabulary }, (_, id) => { let sum = 0; for (let c = 0; c < D; c += 1) sum += (f[t * D + c] ?? NaN) * (of('embeddings')[id * D + c] ?? NaN); return sum; });
    return -Math.log(softmax(logits)[next] ?? NaN);
  }));
}

async function everyday(use: (given: Traceable, state: ModelState, run: Walked) => void): Promise<void> {
  const model = await openShipped();
  const given = model.traceable as Traceable;
  const traced = await openTraced(given, { wasm });
  try {
    const ids = model.tokenize('the old dog ran to the house because it was').map(({ id }) => id);
    const state = await traced.state(ids);
    // It is the model that the page reads with.
    const own = model.run(ids);
    const apart = (a: Float32Array, b: Float32Array) => a.reduce((most, v, i) => Math.max(most, Math.abs(v - (b[i] ?? NaN))), 0);
    state.layers.forEach(({ weights }, layer) => { for (let head = 0; head < 4; head += 1) assert.ok(apart(own.weights(layer, head), weights.values.subarray(head * ids.length ** 2, (head + 1) * ids.length ** 2)) < 2e-5); });
    assert.ok(Math.abs(state.loss - meanOf(own.outlooks(1).flatMap(({ ofNext }) => (ofNext === null ? [] : [-Math.log(ofNext)])))) < 1e-4);
    use(given, state, { shape: given.shape, rule: given.rule, words: Array.from({ length: given.shape.vocabulary }, (_, id) => model.word(id).word) });
  } finally {
    traced.free();
    model.free();
  }
}

test('gradients of the everyday model on a typed sentence are what its loss does, in double, when one number is moved', () => everyday((given, state) => {
  const { d_model: D, vocabulary, hidden, layers, d_k } = given.shape;
  const weights = new Map(state.parameters.map(({ name, weights }) => [name, Float64Array.from(weights)]));
  const tokens = [...state.text.tokens];
  const T = tokens.length;
  const loss = (nudge?: Parameters<typeof lossOf>[3]) => lossOf(given, weights, tokens, nudge);
  // No number goes through more sums than these, from the loss back: each addition rounds by 2^-24 of what is added up.
  const rounding = (vocabulary + layers * (6 * D + 2 * hidden + 2 * T)) * 2 ** -24;
  assert.ok(Math.abs(loss() - state.loss) < rounding * state.loss, `${state.loss}, not ${loss()}`);
  assert.ok(state.loss > 1 && state.loss < 8);
  const H = 1e-4;
  const near = (got: number, slope: number, largest: number, words: string) => assert.ok(Math.abs(slope - got) <= rounding * largest + 1e-8, `${words}: ${got}, but the loss moves by ${slope}`);
  const most = (numbers: Float32Array) => numbers.reduce((all, v) => Math.max(all, Math.abs(v)), 0);
  for (const name of ['block_0.query', 'block_2.query', 'block_1.key', 'block_3.value', 'block_2.up', 'block_1.down', 'block_2.norm_2.gain', 'embeddings', 'positions']) {
    const { gradients, columns } = state.parameters.find((each) => each.name === name) as ModelState['parameters'][number];
    const numbers = weights.get(name) as Float64Array;
    const largest = most(gradients);
    assert.ok(largest > 1e-4, name);
    for (const at of [gradients.findIndex((v) => Math.abs(v) === largest), 0, name === 'embeddings' ? (tokens[3] ?? 0) * columns + 5 : Math.min(3 * columns + 7, gradients.length - 1)]) {
      const before = numbers[at] as number;
      const moved = (by: number) => { numbers[at] = before + by; const own = loss(); numbers[at] = before; return own; };
      near(gradients[at] ?? NaN, (moved(H) - moved(-H)) / (2 * H), largest, `d ${name} [${at}]`);
    }
  }
  for (const [layer, head] of [[0, 1], [2, 3]] as const) {
    const { gradients } = (state.layers[layer] as ModelState['layers'][number]).scores;
    const own = gradients.subarray(head * T * T, (head + 1) * T * T);
    const largest = most(own);
    for (const [row, key] of [[9, 0], [9, 4], [7, 7], [5, 2], [2, 1]] as const) {
      const moved = (by: number) => loss({ layer, head, row, key, by });
      near(own[row * T + key] ?? NaN, (moved(H) - moved(-H)) / (2 * H), largest, `dS of layer ${layer}, head ${head}, [${row}, ${key}]`);
    }
  }
  assert.equal(d_k, 32);
}));

test('each number of the everyday model’s walk is what its written terms come to, and each term leads to its place', () => everyday((given, state, run) => {
  const stages = new Stages(state, run);
  const [forwards, backwards] = [stages.forwards(1), stages.backwards(1)];
  const inBlock = ['X′', 'N_2', 'W_1', 'A', 'G', 'W_2', 'M'];
  for (const spots of [forwards, backwards]) assert.deepEqual(inBlock.filter((symbol) => spots.some((spot) => spot.symbol === symbol && spot.layer === 3)), inBlock);
  for (const spot of [...forwards, ...backwards]) {
    const { rows, columns, at } = stages.matrix(spot);
    assert.ok(rows > 0 && columns > 0, nameOf(spot));
    for (const [row, column] of [[0, 0], [rows - 1, columns - 1], [Math.floor(rows / 2), Math.min(7, columns - 1)], ...(spot.symbol === 'E' ? [[state.text.tokens[2] ?? 0, 9] as const] : [])] as const) {
      const { line, value, within = [], note } = stages.write(spot, { row, column });
      if (note || line.length === 0) continue;
      const size = magnitude(line) + magnitude(within) + Math.abs(value);
      const where = `${nameOf(spot)} of layer ${spot.layer} at ${row}, ${column}`;
      // A number is written by numbers that were rounded themselves: sums of so many terms, of this size.
      const terms = [...line, ...within].reduce((count, part) => count + (typeof part !== 'string' && 'terms' in part ? part.terms.length : 1), 0);
      assert.ok(Math.abs(value - at(row, column)) <= (terms + 64) * 2 ** -23 * size, `${where}: ${at(row, column)}, but it is written as ${value}`);
      for (const part of [...line, ...within].flatMap((each) => (typeof each === 'string' ? [] : 'terms' in each ? each.terms.flatMap(({ cells }) => cells) : [each]))) {
        if (!part.spot) continue;
        assert.equal(stages.matrix(part.spot).at(part.row, part.column), part.value, `${where} leads to ${nameOf(part.spot)}`);
      }
    }
  }
  assert.ok(given.shape.tied);
}));
