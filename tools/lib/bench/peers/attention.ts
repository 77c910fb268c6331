// This project's operators, in each of their builds. Results come into an array that is kept.
import { type KeyValueCache, type LoadOptions, type Operators, type Tensor, loadOperators } from '../../../../web/src/engine/operators/operators.ts';
import { type Case, type Competitor, type HeadNumbers, dModel, headNumbers, layerNumbers } from './competitors.ts';

interface Work {
  run(): Float32Array;
  free(): void;
}

function attention(operators: Operators, { heads, headDim, queries, causal }: Case, numbers: HeadNumbers): Work {
  const shape = [1, heads, queries, headDim];
  const query = operators.tensor(shape);
  const key = operators.tensor(shape);
  const value = operators.tensor(shape);
  const context = operators.tensor(shape);
  const result = new Float32Array(heads * queries * headDim);
  return {
    run() {
      query.write(numbers.query);
      key.write(numbers.key);
      value.write(numbers.value);
      operators.attend(query, key, value, { isCausal: causal }, context);
      return context.read(result);
    },
    free: () => [query, key, value, context].forEach((tensor) => tensor.free()),
  };
}

function filled(operators: Operators, cache: KeyValueCache, { heads, headDim, keys }: Case, numbers: HeadNumbers): void {
  const row = (past: Float32Array, token: number): Tensor => operators.tensor([1, heads * headDim],
    Float32Array.from({ length: heads * headDim }, (_, i) =>
      past[(Math.floor(i / headDim) * keys + token) * headDim + (i % headDim)] as number));
  for (let token = 0; token < keys; token += 1) {
    const [key, value] = [row(numbers.pastKey, token), row(numbers.pastValue, token)];
    cache.append(key, value);
    key.free();
    value.free();
  }
}

/** The cache stays where it is: a token's own rows go in, its context comes out. */
function decode(operators: Operators, each: Case, numbers: HeadNumbers): Work {
  const { heads, headDim, keys } = each;
  const cache = operators.cache({ keyHeads: heads, capacity: keys + 1, keyWidth: headDim });
  filled(operators, cache, each, numbers);
  const query = operators.tensor([1, heads, 1, headDim]);
  const context = operators.tensor([1, heads, 1, headDim]);
  const key = operators.tensor([1, heads * headDim]);
  const value = operators.tensor([1, heads * headDim]);
  const result = new Float32Array(heads * headDim);
  return {
    run() {
      cache.truncate(keys); // so that every run is the same token's
      query.write(numbers.query);
      cache.append(key.write(numbers.key), value.write(numbers.value));
      cache.attend(query, {}, context);
      return context.read(result);
    },
    free: () => [cache, query, context, key, value].forEach((each) => each.free()),
  };
}

function layer(operators: Operators, each: Case): Work {
  const D = dModel(each);
  const numbers = layerNumbers(each);
  const [inProj, inBias] = [operators.tensor([D, 3 * D], numbers.inProj), operators.tensor([3 * D], numbers.inBias)];
  const [outProj, outBias] = [operators.tensor([D, D], numbers.outProj), operators.tensor([D], numbers.outBias)];
  const part = (part: number) => ({ weight: inProj, bias: inBias, part, parts: 3 });
  const multiHead = operators.multiHead({
    heads: each.heads, query: part(0), key: part(1), value: part(2), outProj: { weight: outProj, bias: outBias },
  });
  const x = operators.tensor([each.queries, D]);
  const y = operators.tensor([each.queries, D]);
  const result = new Float32Array(each.queries * D);
  return {
    run() {
      multiHead.run({ x: x.write(numbers.x) }, { isCausal: each.causal }, y);
      return y.read(result);
    },
    free: () => [multiHead, inProj, inBias, outProj, outBias, x, y].forEach((each) => each.free()),
  };
}

const start = (operators: Operators, each: Case): Work => {
  if (each.kind === 'layer') return layer(operators, each);
  return (each.kind === 'decode' ? decode : attention)(operators, each, headNumbers(each));
};

export function ours(name: string, options: LoadOptions): Competitor {
  let operators: Operators | undefined;
  let work: Work;
  let result: Float32Array;
  return {
    name,
    async prepare(each) {
      operators ??= await loadOperators(options);
      work = start(operators, each);
      return true;
    },
    run() {
      result = work.run();
    },
    output: () => result,
    free: () => work.free(),
    heapBytes: () => operators?.heapBytes ?? 0,
  };
}
