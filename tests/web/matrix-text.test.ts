// What other programs print or copy of a matrix is read as it is meant, or refused with the true reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Matrix, parseMatrix } from '../../web/src/parameters/matrix-text.ts';
import { isNpy, readNpy } from '../../web/src/parameters/pasted.ts';

const TWO = [[0.1, 0.2], [0.3, 0.4]];

/** As programs print them. */
const READ: readonly (readonly [name: string, text: string, numbers: unknown])[] = [
  ['NumPy, printed', '[[0.1 0.2]\n [0.3 0.4]]\n', TWO],
  ['NumPy, repr', 'array([[0.1, 0.2],\n       [0.3, 0.4]], dtype=float32)\n', TWO],
  ['NumPy, with dots behind whole numbers', '[[ 1.  2.]\n [-3.  4.]]', [[1, 2], [-3, 4]]],
  ['NumPy, a vector of several lines', '[0. 1. 2. 3.\n 4. 5.]', [0, 1, 2, 3, 4, 5]],
  ['NumPy, powers of ten', '[[1.00e-05 2.50e+02]]', [[1e-5, 250]]],
  ['NumPy, heads', 'array([[[1., 2.]],\n\n       [[3., 4.]]])', [[[1, 2]], [[3, 4]]]],
  ['NumPy, assigned', 'W = np.array([[0.1, 0.2], [0.3, 0.4]], dtype=np.float32)', TWO],
  ['NumPy, a matrix', 'matrix([[0.1, 0.2],\n        [0.3, 0.4]])', TWO],
  ['PyTorch', 'tensor([[0.1000, 0.2000],\n        [0.3000, 0.4000]])', TWO],
  ['PyTorch, with all that it says', "tensor([[0.1000, 0.2000],\n        [0.3000, 0.4000]], device='cuda:0', dtype=torch.float64,\n       grad_fn=<AddmmBackward0>)", TWO],
  ['PyTorch, a parameter', 'Parameter containing:\ntensor([[0.1000, 0.2000],\n        [0.3000, 0.4000]], requires_grad=True)', TWO],
  ['JAX', 'Array([[0.1, 0.2],\n       [0.3, 0.4]], dtype=float32)', TWO],
  ['TensorFlow', '<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[0.1, 0.2],\n       [0.3, 0.4]], dtype=float32)>', TWO],
  ['Python, tuples', '[(0.1, 0.2), (0.3, 0.4)]', TWO],
  ['JSON with a comma too many', '[[0.1, 0.2],\n [0.3, 0.4],\n]\n', TWO],
  ['Mathematica', '{{0.1, 0.2}, {0.3, 0.4}}', TWO],
  ['pandas, printed', '     0    1\n0  0.1  0.2\n1  0.3  0.4\n', TWO],
  ['pandas, with names', '       a    b\nx    0.1  0.2\ny    0.3  0.4\n', TWO],
  ['pandas, with its size', '     a    b\n0  0.1  0.2\n1  0.3  0.4\n\n[2 rows x 2 columns]', TWO],
  ['pandas, in two blocks', '     0    1  \\\n0  0.1  0.2\n1  0.4  0.5\n\n     2\n0  0.3\n1  0.6\n', [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]],
  ['pandas, to_csv', ',0,1\n0,0.1,0.2\n1,0.3,0.4\n', TWO],
  ['CSV with names above', 'first,second\n0.1,0.2\n0.3,0.4', TWO],
  ['CSV with names beside', 'the,0.1,0.2\ncat,0.3,0.4', TWO],
  ['CSV in quotation marks', '"0.1","0.2"\n"0.3","0.4"', TWO],
  ['this page’s own CSV', 'row,token,1,2\r\n1,the,0.1,0.2\r\n2,cat,0.3,0.4\r\n', TWO],
  ['R', '     [,1] [,2]\n[1,]  0.1  0.2\n[2,]  0.3  0.4\n', TWO],
  ['R, in two blocks', '     [,1] [,2]\n[1,]  0.1  0.2\n[2,]  0.4  0.5\n     [,3]\n[1,]  0.3\n[2,]  0.6', [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]],
  ['R, a vector', ' [1] 0.1 0.2 0.3\n [4] 0.4', [0.1, 0.2, 0.3, 0.4]],
  ['R, a data frame', '   V1  V2\n1 0.1 0.2\n2 0.3 0.4', TWO],
  ['MATLAB', '\nA =\n\n    0.1000    0.2000\n    0.3000    0.4000\n\n', TWO],
  ['MATLAB, with a factor', 'A =\n\n   1.0e+03 *\n\n    0.1000    2.0000\n    0.3000    0.0004\n', [[100, 2000], [300, 0.4]]],
  ['MATLAB, in two blocks', 'A =\n\n  Columns 1 through 2\n\n    0.1000    0.2000\n    0.4000    0.5000\n\n  Column 3\n\n    0.3000\n    0.6000\n', [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]],
  ['MATLAB, as it is typed', 'A = [0.1 0.2; 0.3 0.4];', TWO],
  ['MATLAB, with commas', '[0.1, 0.2;\n 0.3, 0.4]', TWO],
  ['Julia', '2×2 Matrix{Float64}:\n 0.1  0.2\n 0.3  0.4', TWO],
  ['a spreadsheet', '0.1\t0.2\r\n0.3\t0.4\r\n', TWO],
  ['a spreadsheet with decimal commas', '0,1\t0,2\n0,3\t4', [[0.1, 0.2], [0.3, 4]]],
  ['a spreadsheet with names', '\tq1\tq2\nthe\t0.1\t0.2\ncat\t0.3\t0.4', TWO],
  ['semicolons and decimal commas', '0,1;0,2\n0,3;0,4', TWO],
  ['semicolons, one decimal comma', '1;2,5', [[1, 2.5]]],
  ['quoted decimal commas', '"0,1";"0,2"\n"0,3";"0,4"', TWO],
  ['spaces and decimal commas', '0,1 0,2\n0,3 0,4', TWO],
  ['one column that only decimal commas make', '0,05\n0,3\n1', [[0.05], [0.3], [1]]],
  ['minus signs of print', '−0.1 −2e−3\n1e−5,2'.replace('1e−5,2', '1e−5 2'), [[-0.1, -2e-3], [1e-5, 2]]],
  ['a minus sign in the power', '1e−5,2\n', [[1e-5, 2]]],
  ['spaces of print, and a byte order mark', '\ufeff0.1\u00a00.2\n0.3\u202f0.4', TWO],
];

const nested = ({ extents, values }: Matrix): unknown => {
  const part = (axis: number, at: number): unknown => {
    if (axis === extents.length) return Number((values[at] as number).toPrecision(6));
    const size = extents.slice(axis + 1).reduce((a, b) => a * b, 1);
    return Array.from({ length: extents[axis] as number }, (_, i) => part(axis + 1, at + i * size));
  };
  return part(0, 0);
};

for (const [name, text, numbers] of READ) {
  test(`is read: ${name}`, () => {
    const found = parseMatrix(text);
    assert.ok('values' in found, 'message' in found ? `${found.line}:${found.column} ${found.message}` : '');
    assert.deepEqual(nested(found), numbers);
  });
}

const REFUSED: readonly (readonly [name: string, text: string, place: string, reason: RegExp])[] = [
  ['NumPy’s ellipsis', '[[0.1 0.2 ... 0.3 0.4]]', '1:11', /Dots stand here for numbers that were not printed.*threshold/],
  ['NumPy’s ellipsis between rows', 'array([[0., 1.],\n       ...,\n       [2., 3.]])', '2:8', /Dots stand here/],
  ['PyTorch’s', 'tensor([[0.1000,  ..., 0.2000]])', '1:19', /torch\.set_printoptions/],
  ['pandas’', '     0  ...    9\n0  0.1  ...  0.2\n1  0.3  ...  0.4', '1:9', /Dots stand here/],
  ['Julia’s', ' 0.1  …  0.2\n 0.3  …  0.4', '1:7', /Dots stand here/],
  ['numbers that are none', '[[0.1 nan]\n [0.2 0.3]]', '1:7', /“nan” is not finite/],
  ['infinities', 'tensor([[0.1, -inf]])', '1:15', /“-inf” is not finite/],
  ['R’s own call', 'structure(c(0.1, 0.3, 0.2, 0.4), dim = c(2L, 2L))', '1:1', /R writes columns first/],
  ['R’s matrix()', 'matrix(c(0.1, 0.3), nrow = 2)', '1:1', /R writes columns first/],
  ['thousands or decimals', '1,234\t5,678\n2,345\t3,456', '1:1', /decimals, or one with thousands/],
  ['points and commas', '0.5;2,5', '1:5', /“2,5” is not a number here. Write a decimal point/],
  ['a percentage', '10%\t20%\n30%\t1', '1:1', /“10%” is not a number/],
  ['a word among numbers', '0.1,0.2\n0.3,x', '2:5', /“x” is not a number/],
  ['a word above one number', 'x,2\n3,4', '1:1', /“x” is not a number/],
  ['complex numbers', '[1+2j, 3]', '1:2', /“1\+2j” is not a number/],
  ['two arrays', 'array([1, 2])\narray([3, 4])', '2:1', /more after the end/],
  ['rows of unlike length', '[[1 2]\n [3]]', '2:4', /1 entries where those before have 2/],
];
for (const [name, text, place, reason] of REFUSED) {
  test(`is refused with its reason: ${name}`, () => {
    const found = parseMatrix(text);
    assert.ok('message' in found, JSON.stringify('values' in found && nested(found)));
    assert.match(found.message, reason);
    assert.equal(`${found.line}:${found.column}`, place);
  });
}

test('one column of decimal commas may be two columns of whole numbers: both readings are given', () => {
  const found = parseMatrix('0,1\n0,3\n');
  assert.ok('values' in found && found.other);
  assert.deepEqual([nested(found), nested(found.other)], [[[0, 1], [0, 3]], [[0.1], [0.3]]]);
});

test('what was left out is told', () => {
  for (const [text, named] of [['a,b\n1,2', true], ['the,1\ncat,2', true], ['1,2\n3,4', false], ['[[1,2]]', false]] as const) {
    const found = parseMatrix(text);
    assert.ok('values' in found);
    assert.equal(found.named === true, named, text);
  }
});

// NumPy's files.

function npy(descr: string, shape: readonly number[], body: ArrayBufferView, { fortran = false, version = 1 } = {}): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }\n`;
  const start = version === 1 ? [header.length & 255, header.length >> 8] : [header.length & 255, header.length >> 8, 0, 0];
  return Uint8Array.from([0x93, ...Buffer.from('NUMPY'), version, 0, ...start, ...Buffer.from(header), ...new Uint8Array(body.buffer)]);
}

test('.npy files of every type that is read, in either order', () => {
  const cases: readonly (readonly [Uint8Array, unknown])[] = [
    [npy('<f4', [2, 2], Float32Array.of(0.1, 0.2, 0.3, 0.4)), TWO], [npy('<f8', [2, 2], Float64Array.of(0.1, 0.2, 0.3, 0.4), { version: 2 }), TWO],
    [npy('<f8', [2, 2], Float64Array.of(0.1, 0.3, 0.2, 0.4), { fortran: true }), TWO], [npy('<f2', [2], Uint16Array.of(0x3c00, 0xc000)), [1, -2]],
    [npy('<i8', [2], BigInt64Array.of(1n, -2n)), [1, -2]], [npy('|b1', [2], Uint8Array.of(1, 0)), [1, 0]], [npy('>i2', [2], Uint8Array.of(0, 1, 255, 254)), [1, -2]],
    [npy('<f4', [2, 1, 2], Float32Array.of(1, 2, 3, 4)), [[[1, 2]], [[3, 4]]]], [npy('<f4', [2, 1, 2], Float32Array.of(1, 3, 2, 4), { fortran: true }), [[[1, 2]], [[3, 4]]]],
  ];
  for (const [bytes, numbers] of cases) {
    assert.ok(isNpy(bytes));
    assert.deepEqual(nested(readNpy(bytes)), numbers);
  }
});

test('a .npy file that cannot be read is refused with its reason, cut off anywhere', () => {
  const refused = (bytes: Uint8Array, reason: RegExp) => assert.throws(() => readNpy(bytes), { message: reason });
  refused(npy('|O', [2], new Uint8Array(2)), /holds '\|O'/);
  refused(npy('<c16', [1], new Uint8Array(16)), /holds '<c16'/);
  refused(npy('<f4', [1, 1, 1, 1], new Float32Array(1)), /shape \(1, 1, 1, 1\)/);
  refused(npy('<f4', [2 ** 40], new Float32Array(1)), /no matrix has more/);
  refused(npy('<f4', [3], new Float32Array(2)), /cut off/);
  refused(npy('<f4', [2], Float32Array.of(1, NaN)), /Number 2 .* is NaN/);
  const whole = npy('<f4', [2], Float32Array.of(1, 2));
  for (let length = 6; length < whole.length; length += 1) assert.throws(() => readNpy(whole.slice(0, length)), Error);
});
