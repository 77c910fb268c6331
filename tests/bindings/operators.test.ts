// The operators as a module: what they compute, refuse, keep and give back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWrong, readCases } from '../lib/cases.ts';
import { ofHalf } from '../lib/model-files.ts';
import { loadInNode, runAttention, runMultiHead } from '../lib/operators.ts';
import { AttentionError, type AttendOptions, type MatrixTensor, type Operators, type Tensor } from '../../web/src/engine/operators/operators.ts';

const operators = await loadInNode();

const coded = (code: string) => (error: unknown) =>
  error instanceof AttentionError && error.code === code && /[.]$/.test(error.message);

const numbers = (count: number, seed = 1) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * 1.7 + seed));

test("PyTorch's answers for attention come out of the module", () => {
  const cases = readCases('Attention');
  assert.ok(cases.length > 250, `${cases.length} cases`);
  for (const each of cases) {
    const expected = (each.outputs.get('Y') ?? each.outputs.get('Y_f64'))?.numbers as number[];
    assert.equal(firstWrong(runAttention(operators, each), expected, each), undefined);
  }
});

test("PyTorch's answers for whole layers come out of the module", () => {
  const cases = readCases('MultiheadAttention');
  assert.ok(cases.length >= 50, `${cases.length} cases`);
  for (const each of cases) {
    const expected = (each.outputs.get('Y') ?? each.outputs.get('Y_f64'))?.numbers;
    if (expected) assert.equal(firstWrong(runMultiHead(operators, each), expected, each), undefined);
  }
});

test('more scores than memory has addresses: none is held', () => {
  const n = 40_000;
  const value = operators.tensor([1, 1, n, 1], numbers(n));
  const context = operators.tensor([1, 1, n, 1]);
  const before = operators.heapBytes;
  operators.attend(value, value, value, { isCausal: true, windowLeft: 0 }, context);
  assert.deepEqual(context.read(), numbers(n));
  assert.ok(operators.heapBytes - before < 4 << 20);
  [value, context].forEach((each) => each.free());
});

test('a tensor is read into a new array, or into one that is given', () => {
  const tensor = operators.tensor([2, 3], numbers(6));
  const mine = new Float32Array(6);
  assert.equal(tensor.read(mine), mine);
  assert.deepEqual(mine, numbers(6));
  assert.notEqual(tensor.read(), tensor.read());
  assert.throws(() => tensor.read(new Float32Array(5)), coded('invalid_shape'));
  tensor.free();
});

test('a matrix in the width it came in, in rows or interleaved, gives the bits of its numbers as float32, and is refused where it does not fit', () => {
  const [rows, columns] = [21, 12];
  const halves = Uint16Array.from({ length: rows * columns }, (_, i) => (i * 977) % 0x7c00 | (i % 2) << 15);
  const scales = numbers(rows);
  const bytes = Int8Array.from({ length: rows * columns }, (_, i) => i * 37);
  const floats = numbers(rows * columns);
  const given = (['rows', 'interleaved'] as const).flatMap((order) => [
    { order, raw: floats, tensor: operators.matrixTensor([rows, columns], 'f32', floats, null, order), wide: floats },
    { order, raw: halves, tensor: operators.matrixTensor([rows, columns], 'f16', halves, null, order), wide: Float32Array.from(halves, ofHalf) },
    { order, raw: halves, tensor: operators.matrixTensor([rows, columns], 'bf16', halves, null, order), wide: new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer) },
    { order, raw: bytes, tensor: operators.matrixTensor([rows, columns], 'i8', bytes, scales, order), wide: Float32Array.from(bytes, (byte, i) => byte * (scales[Math.floor(i / columns)] as number)) },
  ]);
  for (const { order, raw, tensor, wide } of given) {
    assert.deepEqual([tensor.shape, tensor.read(), tensor.read(1, 2)], [[rows, columns], wide, wide.slice(columns, 3 * columns)]);
    const same = operators.tensor([rows, columns], wide);
    for (const [layout, from, to] of [['out_in', columns, rows], ['in_out', rows, columns]] as const) {
      const x = operators.tensor([7, from], numbers(7 * from));
      const [a, b] = [operators.tensor([7, to]), operators.tensor([7, to])];
      if (layout === 'in_out' && order === 'interleaved') {
        assert.throws(() => operators.linear(x, { weight: tensor, layout }, a), coded('invalid_shape'));
        continue;
      }
      operators.linear(x, { weight: tensor, layout }, a);
      operators.linear(x, { weight: same, layout }, b);
      assert.deepEqual(a.read(), b.read());
      [x, a, b].forEach((each) => each.free());
    }
    // Parts of it are written; 0 before that.
    const parts = operators.matrixTensor([rows, columns], tensor.type, null, tensor.type === 'i8' ? scales : null, order);
    assert.ok(parts.read().every((number) => number === 0));
    parts.write(raw.slice(0, 20)).write(raw.slice(20), 20);
    assert.deepEqual(parts.read(), wide);
    // As the (in, out) matrix of the same layer.
    const turned = raw.map((_, i) => raw[(i % rows) * columns + Math.floor(i / rows)] as number);
    if (order === 'interleaved' && tensor.type !== 'i8') {
      const same = operators.matrixTensor([rows, columns], tensor.type, null, null, order);
      same.write(turned.slice(0, 50), 0, 'in_out').write(turned.slice(50), 50, 'in_out');
      assert.deepEqual(same.read(), wide);
      same.free();
    } else {
      assert.throws(() => parts.write(turned, 0, 'in_out'), coded('invalid_shape'));
    }
    assert.throws(() => parts.write(raw, 1), coded('invalid_shape'));
    assert.throws(() => parts.write(raw, -1), coded('invalid_shape'));
    assert.throws(() => parts.write(raw.slice(1), 0.5), coded('invalid_shape'));
    assert.throws(() => parts.read(rows, 1), coded('invalid_shape'));
    assert.throws(() => parts.read(-1, 1), coded('invalid_shape'));
    assert.throws(() => operators.matrixTensor([rows, columns], tensor.type, tensor.type === 'i8' ? halves : bytes, null, order), coded('invalid_argument'));
    assert.throws(() => operators.matrixTensor([rows + 1, columns], tensor.type, raw, null, order), coded('invalid_argument'));
    assert.throws(() => operators.matrixTensor([rows, columns, 1], tensor.type, null, null, order), coded('invalid_shape'));
    for (const wrong of [0, 0.5, rows + 0.5]) assert.throws(() => operators.matrixTensor([wrong, columns], tensor.type, null, null, order), coded('invalid_shape'));
    if (tensor.type === 'f32') assert.throws(() => parts.write(new Int32Array(rows * columns) as unknown as Float32Array), coded('invalid_argument'));
    assert.throws(() => operators.linear(tensor as unknown as Tensor, { weight: tensor }, same), coded('invalid_argument'));
    parts.free();
    assert.throws(() => parts.read(), coded('freed'));
    [tensor, same].forEach((each) => each.free());
  }
  // Blocks, in one piece and in two.
  const blocks = Uint8Array.from({ length: 3 * 2 * 34 }, (_, i) => (i % 34 === 1 ? 0x2c : i * 41));
  const [inRows, interleaved] = (['rows', 'interleaved'] as const).map((order) => operators.matrixTensor([3, 64], 'q8_0', null, null, order).write(blocks.slice(0, 68)).write(blocks.slice(68), 64)) as [MatrixTensor, MatrixTensor];
  assert.deepEqual(interleaved.read(), inRows.read());
  assert.ok(inRows.read().some((number) => number !== 0));
  assert.throws(() => interleaved.write(blocks, 0, 'in_out'), coded('invalid_shape'));
  [inRows, interleaved].forEach((each) => each.free());
  assert.throws(() => operators.matrixTensor([2, 2], 'i8', null, [1]), coded('invalid_shape'));
  assert.throws(() => operators.matrixTensor([2, 2], 'f8' as 'f16'), coded('invalid_argument'));
  assert.throws(() => operators.matrixTensor([2, 2], 'f16', null, null, 'columns' as 'rows'), coded('invalid_argument'));
  const tensor = operators.tensor([4]);
  assert.deepEqual(tensor.writePart([1, 2], 2).read(), Float32Array.of(0, 0, 1, 2));
  assert.throws(() => tensor.writePart([1, 2], 3), coded('invalid_shape'));
  tensor.free();
});

/** Rows of one token at a time: (1, heads · width). */
function decode(module: Operators, options: AttendOptions): number[] {
  const cache = module.cache({ keyHeads: 2, capacity: 5, keyWidth: 3, valueWidth: 4 });
  const all: number[] = [];
  for (let token = 0; token < 5; token += 1) {
    cache.append(module.tensor([1, 6], numbers(6, token)), module.tensor([1, 8], numbers(8, token + 9)));
    const context = module.tensor([1, 4, 1, 4]);
    cache.attend(module.tensor([1, 4, 1, 3], numbers(12, token + 5)), { ...options, offset: token }, context);
    all.push(...context.read());
  }
  assert.equal(cache.length, 5);
  cache.free();
  return all;
}

test('a cache that is read token by token gives the bits of reading at once', () => {
  const rows = (width: number, seed: number) => Float32Array.from(
    Array.from({ length: 5 }, (_, token) => [...numbers(width, token + seed)]).flat());
  const cache = operators.cache({ keyHeads: 2, capacity: 5, keyWidth: 3, valueWidth: 4 });
  cache.append(operators.tensor([5, 6], rows(6, 0)), operators.tensor([5, 8], rows(8, 9)));
  const query = Array.from({ length: 5 }, (_, token) => numbers(12, token + 5));
  const byHead = Float32Array.from({ length: 60 }, (_, i) =>
    query[Math.floor(i / 3) % 5]?.[Math.floor(i / 15) * 3 + (i % 3)] ?? NaN);
  const context = operators.tensor([1, 4, 5, 4]);
  cache.attend(operators.tensor([1, 4, 5, 3], byHead), { isCausal: true }, context);
  const atOnce = context.read();
  const oneByOne = decode(operators, { isCausal: true });
  assert.deepEqual(oneByOne, Array.from({ length: 80 }, (_, i) => {
    const [token, head, column] = [Math.floor(i / 16), Math.floor(i / 4) % 4, i % 4];
    return atOnce[(head * 5 + token) * 4 + column];
  }));
  assert.deepEqual([...cache.keys().subarray(0, 3)], [...numbers(3, 0)]);
  cache.truncate(2);
  assert.equal(cache.length, 2);
  assert.equal(cache.values().length, 16);
});

test('linear is x·W + b in either layout', () => {
  const x = operators.tensor([2, 3], Float32Array.of(1, 2, 3, 4, 5, 6));
  const bias = operators.tensor([2], Float32Array.of(10, 20));
  const y = operators.tensor([2, 2]);
  operators.linear(x, { weight: operators.tensor([3, 2], Float32Array.of(1, 2, 3, 4, 5, 6)), bias }, y);
  assert.deepEqual([...y.read()], [32, 48, 59, 84]);
  operators.linear(x, { weight: operators.tensor([2, 3], Float32Array.of(1, 3, 5, 2, 4, 6)), bias, layout: 'out_in' }, y);
  assert.deepEqual([...y.read()], [32, 48, 59, 84]);
});

test('what is read is a copy, and outlives its tensor', () => {
  const tensor = operators.tensor([2, 2], Float32Array.of(1, 2, 3, 4));
  const before = tensor.read();
  tensor.write(Float32Array.of(5, 6, 7, 8));
  assert.deepEqual([...before], [1, 2, 3, 4]);
  assert.deepEqual(tensor.shape, [2, 2]);
  operators.tensor([4096, 4096]).free();  // memory grows and moves
  assert.deepEqual([...tensor.read()], [5, 6, 7, 8]);
  tensor.free();
  assert.throws(() => tensor.read());
});

test('a layer keeps its parameters after their free()', () => {
  const weight = operators.tensor([4, 4], Float32Array.from({ length: 16 }, (_, i) => Number(i % 5 === 0)));
  const linear = { weight };
  const layer = operators.multiHead({ heads: 2, query: linear, key: linear, value: linear, outProj: linear });
  weight.free();
  for (let i = 0; i < 20; i += 1) operators.tensor([4, 4], new Float32Array(16).fill(99));
  const y = operators.tensor([1, 4]);
  layer.run({ x: operators.tensor([1, 4], Float32Array.of(1, 2, 3, 4)) }, {}, y);
  assert.deepEqual([...y.read()], [1, 2, 3, 4]);
  layer.free();
});

test('norms of heads are RMSNorm of each head, before attention, and kept after their free()', () => {
  const [x, weight] = [operators.tensor([1, 3, 4], numbers(12)), operators.tensor([4, 4], numbers(16))];
  const [queryGain, keyGain] = [operators.tensor([2], Float32Array.of(2, -0.5)), operators.tensor([2], Float32Array.of(0.25, 3))];
  const layer = operators.multiHead({ heads: 2, query: { weight }, key: { weight }, value: { weight }, queryNorm: { gain: queryGain, epsilon: 0.5 }, keyNorm: { gain: keyGain } });
  for (const gain of [queryGain, keyGain]) gain.free();
  operators.tensor([2], new Float32Array(2).fill(99));
  const projected = operators.tensor([1, 3, 4]);
  operators.linear(x, { weight }, projected);
  const heads = (change: (x: number, squares: number, i: number) => number) => {
    const rows = projected.read(); // heads of 2 numbers, side by side
    const at = (t: number, h: number, i: number) => rows[t * 4 + h * 2 + i] ?? NaN;
    return operators.tensor([1, 2, 3, 2], Float32Array.from({ length: 12 }, (_, n) => {
      const [h, t, i] = [Math.floor(n / 6), Math.floor(n / 2) % 3, n % 2];
      return change(at(t, h, i), at(t, h, 0) ** 2 + at(t, h, 1) ** 2, i);
    }));
  };
  const query = heads((value, squares, i) => value / Math.sqrt(squares / 2 + 0.5) * [2, -0.5][i]!);
  const key = heads((value, squares, i) => value / Math.sqrt(squares / 2 + 1e-6) * [0.25, 3][i]!);
  const [expected, y] = [operators.tensor([1, 2, 3, 2]), operators.tensor([1, 3, 4])];
  operators.attend(query, key, heads((value) => value), {}, expected);
  layer.run({ x }, {}, y);
  const [found, wanted] = [y.read(), expected.read()];
  found.forEach((number, n) => assert.ok(Math.abs(number - (wanted[(Math.floor(n / 2) % 2) * 6 + Math.floor(n / 4) * 2 + n % 2] ?? NaN)) < 1e-5));
  layer.free();
  const wide = operators.multiHead({ heads: 2, query: { weight }, key: { weight }, value: { weight }, keyNorm: { gain: operators.tensor([3]) } });
  assert.throws(() => wide.run({ x }, {}, y), coded('invalid_shape'));
  wide.free();
});

test('a range of keys for each query says what causality says', () => {
  const q = operators.tensor([1, 2, 3, 4], numbers(24));
  const context = (options: AttendOptions) => {
    const out = operators.tensor([1, 2, 3, 4]);
    operators.attend(q, q, q, options, out);
    return out.read();
  };
  assert.deepEqual(context({ keyRanges: [0, 1, 0, 2, 0, 3] }), context({ isCausal: true }));
  assert.notDeepEqual(context({ keyRanges: [0, 1, 0, 3, 0, 3] }), context({ isCausal: true }));
});

test('what does not fit is refused with a sentence, and the module goes on', () => {
  const q = operators.tensor([1, 2, 3, 4], numbers(24));
  const run = (options: AttendOptions) => operators.attend(q, q, q, options, operators.tensor([1, 2, 3, 4]));
  assert.throws(() => operators.tensor([]), coded('invalid_shape'));
  assert.throws(() => operators.tensor([2, 1.5]), coded('invalid_shape'));
  assert.throws(() => operators.tensor([1e6, 1e6]), coded('invalid_shape'));
  assert.throws(() => q.write(new Float32Array(3)), coded('invalid_shape'));
  assert.throws(() => operators.attend(q, operators.tensor([1, 2, 3, 5]), q, {}, q), coded('invalid_shape'));
  assert.throws(() => run({ offset: 0.5 }), coded('invalid_option'));
  assert.throws(() => run({ dropout: 1 }), coded('invalid_option'));
  assert.throws(() => run({ dropoutSeed: -1 }), coded('invalid_option'));
  assert.throws(() => run({ scale: NaN }), coded('invalid_option'));
  assert.throws(() => run({ keyLengths: [4] }), coded('invalid_option'));
  assert.throws(() => run({ temperature: -1 }), coded('invalid_option'));
  assert.throws(() => run({ temperature: 1e-60 }), coded('invalid_option'));
  for (const keyRanges of [[0, 1], [0, 1, 0, 2, 0], [0, 1, 2, 1, 0, 3], [0, 1, 0, 2, 0, 4], [-1, 1, 0, 2, 0, 3]]) {
    assert.throws(() => run({ keyRanges }), coded('invalid_option'), `${keyRanges}`);
  }
  assert.throws(() => run({ allowed: operators.byteTensor([2, 1, 1, 3]) }), coded('invalid_shape'));
  assert.throws(() => run({ allowed: operators.byteTensor([3]), bias: operators.tensor([1]) }), coded('invalid_shape'));
  assert.throws(() => operators.cache({ keyHeads: 1, capacity: -1, keyWidth: 1 }), coded('invalid_shape'));
  const cache = operators.cache({ keyHeads: 1, capacity: 1, keyWidth: 2 });
  const row = operators.tensor([1, 2]);
  assert.throws(() => cache.append(row, operators.tensor([1, 3])), coded('invalid_shape'));
  cache.append(row, row);
  assert.throws(() => cache.append(row, row), AttentionError);
  const linear = { weight: operators.tensor([4, 4]) };
  assert.throws(() => operators.multiHead({ heads: 2.5, query: linear, key: linear, value: linear }), coded('invalid_shape'));
  assert.throws(() => operators.multiHead({ heads: 2, query: { ...linear, part: 3, parts: 3 }, key: linear, value: linear }), coded('invalid_shape'));
  assert.doesNotThrow(() => run({}));
});

/** Two heads of three rows of four numbers. */
function attended(options: AttendOptions, module = operators): Float32Array {
  const q = module.tensor([1, 2, 3, 4], numbers(24));
  const out = module.tensor([1, 2, 3, 4]);
  module.attend(q, q, q, options, out);
  return out.read();
}

test('null is as if left out, for every option and parameter', () => {
  const nothing = {
    scale: null, softcap: null, isCausal: null, offset: null, batchOffsets: null, windowLeft: null, windowRight: null, keyRanges: null,
    keyLengths: null, allowed: null, bias: null, alibiSlopes: null, temperature: null, dropout: null, dropoutSeed: null,
  };
  assert.deepEqual(attended(nothing), attended({}));
  assert.notDeepEqual(attended({ scale: 0 }), attended({}));
  assert.deepEqual(attended(null as never), attended({}));
  const weight = operators.tensor([4, 4], numbers(16));
  const x = operators.tensor([3, 4], numbers(12));
  const result = (run: (y: ReturnType<Operators['tensor']>) => void) => {
    const y = operators.tensor([3, 4]);
    run(y);
    return y.read();
  };
  const linear = { weight, bias: null, layout: null, part: null, parts: null };
  const layer = (more: object, each: object) => operators.multiHead({ heads: 2, query: { weight, ...each }, key: { weight, ...each }, value: { weight, ...each }, ...more });
  assert.deepEqual(result((y) => operators.linear(x, linear, y)), result((y) => operators.linear(x, { weight }, y)));
  assert.deepEqual(
    result((y) => layer({ keyHeads: null, valueDown: null, outProj: null, rotary: null }, linear).run({ x, keys: null, values: null, cache: null, positions: null, keyPositions: null }, nothing, y)),
    result((y) => layer({}, {}).run({ x }, {}, y)),
  );
  const gain = operators.tensor([4], numbers(4));
  assert.deepEqual(result((y) => operators.layerNorm(x, { gain, bias: null, epsilon: null }, y)), result((y) => operators.layerNorm(x, { gain }, y)));
  assert.deepEqual(result((y) => operators.gelu(x, y, null)), result((y) => operators.gelu(x, y)));
  assert.equal(operators.cache({ keyHeads: 1, capacity: 2, keyWidth: 2, valueWidth: null, batch: null }).length, 0);
});

test('a result in the memory of what it is made from is refused', () => {
  const [q, k, v] = [1, 2, 3].map((seed) => operators.tensor([1, 2, 3, 4], numbers(24, seed))) as [Tensor, Tensor, Tensor];
  const before = [q, k, v].map((each) => each.read());
  for (const to of [q, k, v]) assert.throws(() => operators.attend(q, k, v, {}, to), coded('invalid_shape'));
  const square = operators.tensor([1, 1, 4, 4], numbers(16));
  const out = operators.tensor([1, 1, 4, 4]);
  assert.throws(() => operators.attend(square, square, square, {}, out, { weights: square }), coded('invalid_shape'));
  assert.throws(() => operators.attend(square, square, square, {}, out, { weights: out }), coded('invalid_shape'));
  assert.throws(() => operators.attend(square, square, square, { bias: out }, out), coded('invalid_shape'));
  const x = operators.tensor([4, 4], numbers(16));
  const weight = operators.tensor([4, 4], numbers(16));
  const bias = operators.tensor([4], numbers(4));
  assert.throws(() => operators.linear(x, { weight }, x), coded('invalid_shape'));
  assert.throws(() => operators.linear(x, { weight }, weight), coded('invalid_shape'));
  const layer = operators.multiHead({ heads: 2, query: { weight }, key: { weight, bias }, value: { weight } });
  assert.throws(() => layer.run({ x }, {}, weight), coded('invalid_shape'));
  assert.doesNotThrow(() => layer.run({ x }, {}, x), 'where it may lie');
  assert.deepEqual([q, k, v].map((each) => each.read()), before);
});

test('integers of 64 bits are taken wherever numbers are', () => {
  const causal = attended({ keyLengths: [2], isCausal: true, batchOffsets: [-1], windowLeft: 1 });
  assert.deepEqual(attended({ keyLengths: BigInt64Array.of(2n), isCausal: true, batchOffsets: BigInt64Array.of(-1n), windowLeft: 1n as never }), causal);
  assert.deepEqual(attended({ keyLengths: [2n], isCausal: 1 as never, batchOffsets: [-1n], windowLeft: 1 }), causal);
  assert.deepEqual(attended({ keyRanges: BigUint64Array.of(0n, 1n, 0n, 2n, 0n, 3n) }), attended({ isCausal: true }));
  assert.throws(() => attended({ keyLengths: BigInt64Array.of(4n) }), coded('invalid_option'));
  assert.deepEqual(operators.tensor(BigInt64Array.of(2n, 2n), BigInt64Array.of(1n, 2n, 3n, 4n)).read(), Float32Array.of(1, 2, 3, 4));
});

test('key lengths move no offset: ONNX\'s rule for causality with them is said by offsets', () => {
  // One query, four keys, the first three of them held: pytorch's and ONNX's “nonpad” case.
  const key = operators.tensor([1, 1, 4, 4], numbers(16));
  const value = operators.tensor([1, 1, 4, 4], Float32Array.from({ length: 16 }, (_, i) => Number(i % 5 === 0)));
  const weights = (options: AttendOptions) => {
    const out = operators.tensor([1, 1, 1, 4]);
    operators.attend(operators.tensor([1, 1, 1, 4], new Float32Array(4)), key, value, { keyLengths: [3], isCausal: true, ...options }, out);
    return [...out.read()].map((x) => Math.round(x * 1000) / 1000);
  };
  assert.deepEqual(weights({}), [1, 0, 0, 0]);
  assert.deepEqual(weights({ batchOffsets: [3 - 1] }), [0.333, 0.333, 0.333, 0]);
});

test('what was freed, and what is of another type, is answered with a sentence', async () => {
  const good = () => operators.tensor([1, 2, 3, 4], numbers(24));
  const freed = good();
  freed.free();
  freed.free();
  const cache = operators.cache({ keyHeads: 2, capacity: 5, keyWidth: 4 });
  const weight = operators.tensor([4, 4], numbers(16));
  const layer = operators.multiHead({ heads: 2, query: { weight }, key: { weight }, value: { weight } });
  const [x, y] = [operators.tensor([3, 4]), operators.tensor([3, 4])];
  const freedLayer = operators.multiHead({ heads: 2, query: { weight }, key: { weight }, value: { weight } });
  const freedCache = operators.cache({ keyHeads: 2, capacity: 5, keyWidth: 4 });
  [freedLayer, freedCache].forEach((each) => each.free());
  const said = (code: string, run: () => unknown) => assert.throws(run, (error) => coded(code)(error) && !/Binding|deleted object|toWireType/.test((error as Error).message), String(run));
  for (const run of [
    () => freed.read(), () => freed.write(numbers(24)), () => freed.shape, () => operators.attend(freed, good(), good(), {}, good()),
    () => operators.attend(good(), good(), good(), {}, freed), () => operators.attend(good(), good(), good(), { bias: freed }, good()),
    () => operators.softmax(freed, good()), () => operators.linear(freed, { weight }, y), () => layer.run({ x: freed }, {}, y), () => freedLayer.run({ x }, {}, y),
    () => layer.run({ x, cache: freedCache }, {}, y), () => freedCache.append(x, x), () => freedCache.length, () => freedCache.keys(), () => freedCache.truncate(0),
    () => operators.statistics.moments(freed), () => operators.statistics.rowFacts(freed),
  ]) said('freed', run);
  const wrong = (value: unknown) => value as never;
  for (const run of [
    () => operators.attend(wrong(numbers(24)), good(), good(), {}, good()), () => operators.attend(good(), good(), good(), {}, wrong(undefined)), () => operators.attend(wrong(null), good(), good(), {}, good()),
    () => attended({ allowed: wrong(Uint8Array.of(1, 1, 1)) }), () => attended({ bias: operators.byteTensor([3]) as never }), () => attended({ scale: wrong('0.5') }),
    () => attended({ softcap: wrong({}) }), () => attended({ isCausal: wrong('no') }), () => attended({ keyLengths: wrong('3') }), () => attended({ keyLengths: wrong(3) }), () => attended({ keyLengths: wrong(['3']) }),
    () => attended(wrong(7)), () => operators.tensor(wrong('3')), () => operators.tensor(wrong(undefined)), () => good().write(wrong(undefined)), () => good().write(wrong('a')),
    () => operators.linear(x, wrong(undefined), y), () => operators.linear(x, { weight, layout: wrong('oi') }, y), () => operators.linear(x, { weight, part: wrong('0') }, y),
    () => layer.run(wrong(undefined), {}, y), () => layer.run({ x, cache: wrong({}) }, {}, y), () => layer.run({ x, positions: wrong(1) }, {}, y), () => operators.multiHead(wrong(undefined)),
    () => operators.multiHead({ heads: wrong('2'), query: { weight }, key: { weight }, value: { weight } }), () => operators.multiHead({ heads: 2, query: wrong(undefined), key: wrong(null), value: { weight: wrong(3) } }),
    () => operators.cache(wrong(undefined)), () => operators.cache({ keyHeads: wrong('1'), capacity: 1, keyWidth: 1 }), () => cache.truncate(wrong('1')), () => operators.layerNorm(x, wrong(undefined), y),
    () => operators.gelu(x, y, wrong('sigmoid')), () => operators.rotate(good(), wrong(undefined), good()), () => operators.attend(good(), good(), good(), {}, good(), { weights: wrong(numbers(18)) }),
    () => operators.decoder(wrong(undefined), 3), () => good().read(wrong('a')),
  ]) said('invalid_argument', run);
  const other = (await loadInNode()).tensor([1, 2, 3, 4]);
  said('invalid_argument', () => operators.attend(other, good(), good(), {}, good()));
});

test('ten thousand tensors made and freed leave the heap where it was', () => {
  const before = operators.heapBytes;
  for (let i = 0; i < 10_000; i += 1) operators.tensor([64, 1024]).free();  // 2.6 GB in all
  assert.equal(operators.heapBytes, before);
});

test('builds that cannot run here are refused with the reason', async () => {
  await assert.rejects(loadInNode({ threads: 2 }), coded('not_isolated'));
  await assert.rejects(loadInNode({ threads: 0 }), coded('invalid_option'));
  await assert.rejects(loadInNode({ threads: 2, relaxed: true }), coded('invalid_option'));
  await assert.rejects(loadInNode({ wasmBinary: Uint8Array.of(1, 2, 3) }), coded('core_unavailable'));
  assert.equal(operators.variant, 'simd128');
});
