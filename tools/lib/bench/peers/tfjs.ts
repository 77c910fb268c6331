// TensorFlow.js on its WebAssembly backend (SIMD, one thread): matMul, softmax, matMul. Below it, a model that learns.
// @ts-ignore: installed for these benchmarks alone
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
// @ts-ignore: installed for these benchmarks alone
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import { type Case, type Competitor, headNumbers } from './competitors.ts';

export async function startTfjs(): Promise<void> {
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
      await startTfjs();
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

// The trainer's model in TensorFlow.js's own operations: pre-norm blocks, cross-entropy, and AdamW on its gradients.

export interface Model {
  vocabulary: number;
  d_model: number;
  heads: number;
  layers: number;
  hidden: number;
  /** Texts, and tokens of each. */
  texts: number;
  length: number;
  /** Name → rows, columns and numbers. */
  weights: [name: string, rows: number, columns: number, numbers: Float32Array][];
  rule: { rate: number; decay: number; clip: number; warmUp: number };
}

/** Texts side by side: -1 where nothing is asked. */
export interface Batch {
  tokens: Int32Array;
  targets: Int32Array;
}

const [BETA_1, BETA_2, EPSILON, NORM_EPSILON] = [0.9, 0.98, 1e-8, 1e-5];
const isMatrix = (name: string) => /\.(query|key|value|out_proj|up|down)$|^output$/.test(name);

export class TfjsTrainer {
  readonly #model: Model;
  readonly #weights = new Map<string, tf.Variable>();
  readonly #moments = new Map<string, [tf.Variable, tf.Variable]>();
  readonly #mask: tf.Tensor2D;
  #steps = 0;

  constructor(model: Model) {
    this.#model = model;
    for (const [name, rows, columns, numbers] of model.weights) {
      const zeros = () => tf.variable(tf.zeros([rows, columns]), false);
      this.#weights.set(name, tf.variable(tf.tensor2d(numbers, [rows, columns])));
      this.#moments.set(name, [zeros(), zeros()]);
    }
    const n = model.length;
    this.#mask = tf.tensor2d(Float32Array.from({ length: n * n }, (_, i) => (i % n > Math.floor(i / n) ? -1e9 : 0)), [n, n]);
  }

  #weight(name: string): tf.Tensor2D {
    return this.#weights.get(name) as unknown as tf.Tensor2D;
  }

  #norm(x: tf.Tensor2D, name: string): tf.Tensor2D {
    const centred = tf.sub(x, tf.mean(x, 1, true));
    const variance = tf.mean(tf.square(centred), 1, true);
    const normed = tf.mul(centred, tf.rsqrt(tf.add(variance, NORM_EPSILON)));
    return tf.add(tf.mul(normed, this.#weight(`${name}.gain`)), this.#weight(`${name}.bias`));
  }

  #attend(x: tf.Tensor2D, block: string): tf.Tensor2D {
    const { texts, length, heads, d_model } = this.#model;
    const width = d_model / heads;
    const split = (name: string) => tf.transpose(tf.reshape(tf.matMul(x, this.#weight(`${block}.${name}`)), [texts, length, heads, width]), [0, 2, 1, 3]);
    const scores = tf.mul(tf.matMul(split('query'), split('key'), false, true), 1 / Math.sqrt(width));
    const context = tf.matMul(tf.softmax(tf.add(scores, this.#mask)), split('value'));
    return tf.matMul(tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [texts * length, d_model]), this.#weight(`${block}.out_proj`));
  }

  #mlp(x: tf.Tensor2D, block: string): tf.Tensor2D {
    const up = tf.matMul(x, this.#weight(`${block}.up`));
    const inner = tf.mul(tf.add(up, tf.mul(tf.mul(tf.square(up), up), 0.044715)), Math.sqrt(2 / Math.PI));
    return tf.matMul(tf.mul(tf.mul(up, 0.5), tf.add(tf.tanh(inner), 1)), this.#weight(`${block}.down`));
  }

  #loss({ tokens, targets }: Batch): tf.Scalar {
    const { vocabulary, texts, layers, hidden } = this.#model;
    const oneHot = (ids: Int32Array) => tf.cast(tf.oneHot(tf.tensor1d(ids, 'int32'), vocabulary), 'float32') as tf.Tensor2D;
    let x = tf.add(tf.matMul(oneHot(tokens), this.#weight('embeddings')), tf.tile(this.#weight('positions'), [texts, 1])) as tf.Tensor2D;
    for (let layer = 0; layer < layers; layer += 1) {
      const block = `block_${layer}`;
      x = tf.add(x, this.#attend(this.#norm(x, `${block}.norm_1`), block));
      if (hidden > 0) x = tf.add(x, this.#mlp(this.#norm(x, `${block}.norm_2`), block));
    }
    const logits = tf.matMul(this.#norm(x, 'final_norm'), this.#weight('output'));
    const asked = targets.filter((target) => target >= 0).length;
    return tf.neg(tf.div(tf.sum(tf.mul(tf.logSoftmax(logits), oneHot(targets))), asked)) as tf.Scalar;
  }

  /** The loss before the step, and the norm of its gradient. */
  step(batch: Batch): { loss: number; gradientNorm: number } {
    const { rate, decay, clip, warmUp } = this.#model.rule;
    return tf.tidy(() => {
      const { value, grads } = tf.variableGrads(() => this.#loss(batch), [...this.#weights.values()]);
      const gradients = [...this.#weights].map(([name, weight]) => ({ name, weight, gradient: grads[weight.name] as tf.Tensor }));
      const gradientNorm = Math.sqrt(tf.addN(gradients.map(({ gradient }) => tf.sum(tf.square(gradient)))).dataSync()[0] as number);
      this.#steps += 1;
      const factor = gradientNorm > clip ? clip / gradientNorm : 1;
      const pace = (rate * Math.min(1, this.#steps / warmUp)) / (1 - BETA_1 ** this.#steps);
      for (const { name, weight, gradient } of gradients) {
        const [first, second] = this.#moments.get(name) as [tf.Variable, tf.Variable];
        const g = tf.mul(gradient, factor);
        first.assign(tf.add(tf.mul(first, BETA_1), tf.mul(g, 1 - BETA_1)));
        second.assign(tf.add(tf.mul(second, BETA_2), tf.mul(tf.square(g), 1 - BETA_2)));
        const direction = tf.div(first, tf.add(tf.sqrt(tf.div(second, 1 - BETA_2 ** this.#steps)), EPSILON));
        const kept = isMatrix(name) ? tf.mul(weight, 1 - rate * Math.min(1, this.#steps / warmUp) * decay) : weight;
        weight.assign(tf.sub(kept, tf.mul(direction, pace)));
      }
      return { loss: value.dataSync()[0] as number, gradientNorm };
    });
  }

  dispose(): void {
    for (const weight of this.#weights.values()) weight.dispose();
    for (const pair of this.#moments.values()) for (const moment of pair) moment.dispose();
    this.#mask.dispose();
  }
}
