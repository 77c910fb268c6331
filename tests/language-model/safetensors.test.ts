// Files of tensors, read without trust.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal, storeTensors, withHeader } from '../lib/model-files.ts';
import { Safetensors } from '../../web/src/parameters/language-model/safetensors.ts';

const bytes = (count: number) => new Uint8Array(count);
const entry = (dtype: unknown, shape: unknown, data_offsets: unknown) => JSON.stringify({ x: { dtype, shape, data_offsets } });

test('numbers of every type that can be read are what they stand for', async () => {
  const file = await Safetensors.open(new Blob([storeTensors({
    float: { shape: [2, 2], numbers: [1.5, -2, 1e-30, 3e38] },
    half: { type: 'F16', shape: [8], numbers: [0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x8000, 0x7c00, 0x3555] },
    brain: { type: 'BF16', shape: [3], numbers: [0x3f80, 0xc040, 0x0001] },
    double: { type: 'F64', shape: [4], numbers: [0.1, -2, 1e-30, 1 / 3] },
    'whole.weight': { type: 'I8', shape: [2, 3], numbers: [1, -127, 0, 2, 4, 8] },
    'whole.scale': { shape: [2], numbers: [0.1, 0.5] },
  }, { format: 'test', other: 'text' })]));
  assert.deepEqual([...await file.read('float', [2, 2])], [1.5, -2, Math.fround(1e-30), Math.fround(3e38)]);
  assert.deepEqual([...await file.read('half', [8])], [1, -2, 65504, 2 ** -24, 2 ** -14, -0, Infinity, 1365 / 4096]);
  assert.deepEqual([...await file.read('brain', [3])], [1, -3, 2 ** -133]);
  assert.deepEqual([...await file.read('double', [4])], [0.1, -2, 1e-30, 1 / 3].map(Math.fround));
  const scale = Math.fround(0.1);
  assert.deepEqual([...await file.read('whole.weight', [2, 3])], [scale, Math.fround(-127 * scale), 0, 1, 2, 4]);
  assert.deepEqual([...file.metadata], [['format', 'test'], ['other', 'text']]);
  assert.deepEqual(file.shape('whole.weight'), [2, 3]);
});

test('bytes that lie in a larger buffer are read where they lie', async () => {
  const file = storeTensors({ x: { shape: [2], numbers: [3, 4] } });
  const pool = Buffer.alloc(file.length + 3);
  pool.set(file, 3);
  assert.deepEqual([...await (await Safetensors.open(pool.subarray(3))).read('x', [2])], [3, 4]);
});

test('only the header and the tensor that is asked for are read', async () => {
  const read: number[][] = [];
  class Counted extends Blob {
    override slice(begin = 0, end = this.size) {
      read.push([begin, end]);
      return super.slice(begin, end);
    }
  }
  const file = new Counted([storeTensors({ a: { shape: [100], numbers: new Float32Array(100) }, b: { shape: [2], numbers: [3, 4] } })]);
  const stored = await Safetensors.open(file);
  assert.ok(read.every(([, end = 0]) => end <= file.size - 408));
  read.length = 0;
  assert.deepEqual([...await stored.read('b', [2])], [3, 4]);
  assert.deepEqual(read, [[file.size - 8, file.size]]);
});

const broken: [string, Uint8Array, RegExp][] = [
  ['empty', bytes(0), /0 bytes/],
  ['nine bytes', bytes(9), /9 bytes/],
  ['another kind of file', new TextEncoder().encode('%PDF-1.7 and more'), /not a safetensors file/],
  ['a web page', new TextEncoder().encode('<!doctype html><title>Not found</title>'), /a web page, not the model/],
  ['a header that is longer than the file', withHeader('{}').fill(200, 0, 1), /cut off/],
  ['a header of gigabytes', withHeader('{}').fill(127, 0, 4), /header would be longer/],
  ['a header of more than 32 bits', withHeader('{}').fill(1, 7, 8), /header would be longer/],
  ['no JSON', withHeader('{"x": }'), /not JSON/],
  ['no UTF-8', withHeader('{"xx":1}').fill(0xff, 10, 12), /not JSON/],
  ['a list', withHeader('[1, 2]'), /names no tensors/],
  ['null', withHeader('null'), /names no tensors/],
  ['an entry that is a number', withHeader('{"x": 5}'), /type, a shape and two offsets/],
  ['no shape', withHeader('{"x": {"dtype": "F32", "data_offsets": [0, 4]}}', bytes(4)), /type, a shape and two offsets/],
  ['a negative extent', withHeader(entry('F32', [-1], [0, 4]), bytes(4)), /type, a shape and two offsets/],
  ['half an extent', withHeader(entry('F32', [0.5], [0, 2]), bytes(4)), /type, a shape and two offsets/],
  ['an extent that is a text', withHeader(entry('F32', ['1'], [0, 4]), bytes(4)), /type, a shape and two offsets/],
  ['three offsets', withHeader(entry('F32', [1], [0, 4, 8]), bytes(8)), /type, a shape and two offsets/],
  ['offsets beyond the file', withHeader(entry('F32', [1], [4, 8]), bytes(4)), /holds 4 bytes/],
  ['offsets back to front', withHeader(entry('F32', [1], [4, 0]), bytes(4)), /byte 4 to 0/],
  ['a cut-off tensor', storeTensors({ x: { shape: [9], numbers: new Float32Array(9) } }).slice(0, -1), /cut off/],
  ['a shape that is not its bytes', withHeader(entry('F32', [3], [0, 8]), bytes(8)), /does not take 8 bytes/],
  ['a shape of more numbers than there are', withHeader(entry('F32', [2 ** 40, 2 ** 40], [0, 8]), bytes(8)), /does not take/],
  ['two tensors on the same bytes', withHeader(JSON.stringify({
    x: { dtype: 'F32', shape: [2], data_offsets: [0, 8] }, y: { dtype: 'F32', shape: [1], data_offsets: [4, 8] },
  }), bytes(8)), /same bytes/],
];
for (const [name, file, reason] of broken) {
  test(`a broken file is refused with a sentence: ${name}`, async () => {
    await assert.rejects(Safetensors.open(file), refusal('bad_file', reason));
    await assert.rejects(Safetensors.open(new Blob([file as Uint8Array<ArrayBuffer>])), refusal('bad_file', reason));
  });
}

test('a tensor that is missing, of another shape or of another type is refused with both sides said', async () => {
  const file = await Safetensors.open(storeTensors({
    x: { shape: [2, 3], numbers: new Float32Array(6) }, y: { type: 'I64', shape: [2], numbers: [1, 2] },
    'z.weight': { type: 'I8', shape: [2, 2], numbers: [1, 2, 3, 4] }, 'w.weight': { type: 'I8', shape: [2, 2], numbers: [1, 2, 3, 4] },
    'w.scale': { shape: [1], numbers: [1] },
  }));
  await assert.rejects(file.read('absent', [1]), refusal('bad_file', /no tensor “absent”/));
  await assert.rejects(file.read('x', [3, 2]), refusal('bad_file', /2 × 3 where 3 × 2/));
  await assert.rejects(file.read('x', [6]), refusal('bad_file', /2 × 3 where 6/));
  await assert.rejects(file.read('y', [2]), refusal('bad_file', /“I64”; F64, F32, F16, BF16, I8/));
  await assert.rejects(file.read('z.weight', [2, 2]), refusal('bad_file', /no tensor “z.scale”/));
  await assert.rejects(file.read('w.weight', [2, 2]), refusal('bad_file', /“w.scale” is 1 where 2/));
  assert.equal(file.numbers((name) => name !== 'x'), 2 + 4 + 4 + 1);
  assert.equal(file.bytes((name) => name !== 'x'), 4 * 2 + 4 + 4 + 4, 'matrices stay as narrow as they are');
});

test('int8 numbers that are their own scale, or whose scale is int8 again, are refused', async () => {
  const one = { type: 'I8', shape: [2], numbers: [1, 2] };
  const file = await Safetensors.open(storeTensors({ own: one, 'x.weight': one, 'x.scale': one, 'y.scale': one }));
  for (const name of ['own', 'x.weight', 'x.scale', 'y.scale']) await assert.rejects(file.read(name, [2]), refusal('bad_file', /is of I8, which is read times a scale: a tensor “[^”]*” of another type/));
});

test('names that objects have of their own are only names', async () => {
  const header = '{"__proto__": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "constructor": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}, "__metadata__": {"__proto__": "text", "toString": "text"}}';
  const file = await Safetensors.open(withHeader(header, new Uint8Array(Float32Array.of(5, 6).buffer)));
  assert.deepEqual(file.names, ['__proto__', 'constructor']);
  assert.deepEqual([...await file.read('__proto__', [1])], [5]);
  assert.equal(file.metadata.get('__proto__'), 'text');
  assert.equal(file.has('hasOwnProperty'), false);
  assert.equal(Object.hasOwn(Object.prototype, 'dtype'), false);
});

test('a name as long as a page is cut in the sentence', async () => {
  const file = await Safetensors.open(storeTensors({ ['x'.repeat(5000)]: { shape: [1], numbers: [1] } }));
  await assert.rejects(file.read('x'.repeat(5000), [2]), (error: Error) => error.message.length < 300);
});

test('a number that float32 cannot hold is refused as that', async () => {
  const file = await Safetensors.open(storeTensors({ x: { type: 'F64', shape: [2], numbers: [1, 1e39] } }));
  await assert.rejects(file.read('x', [2]), refusal('bad_file', /“x” holds 1e\+39, and numbers up to 3.4e38 can be read/));
});

test('the parts of a model are read as one file, and a tensor that two of them have is refused', async () => {
  const parts = [{ a: { shape: [1], numbers: [1] } }, { b: { shape: [2], numbers: [2, 3] } }].map((tensors) => storeTensors(tensors));
  const file = await Safetensors.open(parts);
  assert.deepEqual(file.names, ['a', 'b']);
  assert.deepEqual([...await file.read('a', [1]), ...await file.read('b', [2])], [1, 2, 3]);
  await assert.rejects(Safetensors.open([...parts, ...parts.slice(1)]), refusal('bad_file', /“b” is there twice/));
});
