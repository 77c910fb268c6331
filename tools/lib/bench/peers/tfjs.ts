// TensorFlow.js on its WebAssembly backend (SIMD, one thread): matMul, softmax, matMul.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { type Case, headNumbers } from './cases.ts';
import type { Competitor } from './competitor.ts';

async function start(): Promise<void> {
  setWasmPaths(new URL('.', import.meta.url).href);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  if (!(await tf.setBackend('wasm'))) throw new Error('TensorFlow.js has no WebAssembly backend here.');
}

const causalMask = (n: number): tf.Tensor2D =>
  tf.tensor2d(Float32Array.from({ length: n * n }, (_, i) => (i % n > Math.floor(i / n) ? -Infinity : 0)), [n, n]);

export function tfjs(): Competitor {
  let current: Case;
  let numbers: ReturnType<typeof headNumbers>;
  let mask: tf.Tensor2D | undefined;
  let result: Float32Array;
  return {
    name: 'tfjs',
    async prepare(each) {
      if (each.kind !== 'attention') return false;
      await start();
      current = each;
      numbers = headNumbers(each);
      mask = each.causal ? causalMask(each.queries) : undefined;
      return true;
    },
    run() {
      const { heads, headDim, queries } = current;
      const shape: [number, number, number] = [heads, queries, headDim];
      result = tf.tidy(() => {
        const scores = tf.matMul(tf.tensor3d(numbers.query, shape), tf.tensor3d(numbers.key, shape), false, true);
        const scaled = tf.mul(scores, 1 / Math.sqrt(headDim));
        const weights = tf.softmax(mask ? tf.add(scaled, mask) : scaled);
        return tf.matMul(weights, tf.tensor3d(numbers.value, shape)).dataSync<'float32'>();
      });
    },
    output: () => result,
    free: () => mask?.dispose(),
  };
}
