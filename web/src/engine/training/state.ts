// All of a model at its step: what bindings/training.cpp says of a trace, by name.
import type { ModuleRun, TrainingModule } from './module.ts';
import type { DisplayedText, LayerState, ModelState, ParameterState, RunDescription, StageState } from './types.ts';

export function stateOf(module: TrainingModule, run: ModuleRun, { shape, rule }: RunDescription, text: DisplayedText): ModelState {
  const { report, numbers } = run.trace();
  const [T, D, H] = [text.tokens.length, shape.d_model, shape.heads];
  let at = 0;
  const take = (count: number) => numbers.slice(at, (at += count));
  const stage = (...extents: number[]): StageState => {
    const count = extents.reduce((all, extent) => all * extent, 1);
    return { shape: extents, values: take(count), gradients: take(count) };
  };
  const heads = (width: number): StageState => {
    const { values, gradients } = stage(T, H * width);
    return { shape: [H, T, width], values: splitHeads(values, T, H, width), gradients: splitHeads(gradients, T, H, width) };
  };
  const layer = (): LayerState => ({
    x: stage(T, D), normed: stage(T, D), query: heads(shape.d_k), key: heads(shape.d_k), value: heads(D / H),
    scores: stage(H, T, T), weights: stage(H, T, T), context: heads(D / H), output: stage(T, D),
  });
  const layers = Array.from({ length: shape.layers }, layer);
  const [residual, normed, logits] = [stage(T, D), stage(T, D), stage(T, shape.slots * shape.vocabulary)];
  return {
    step: run.steps, hash: run.hash(), factor: rule.scales ? 1 / Math.sqrt(shape.d_k) : 1, loss: report.loss, text,
    parameters: parametersOf(run), layers, residual, normed, logits, probabilities: module.softmax(logits.values, shape.vocabulary),
  };
}

function parametersOf(run: ModuleRun): ParameterState[] {
  const [weights, gradients] = [run.numbers(false), run.numbers(true)];
  let at = 0;
  return run.arrays().map(([name, rows, columns]) => {
    const [from, to] = [at, (at += rows * columns)];
    return { name, rows, columns, weights: weights.slice(from, to), gradients: gradients.slice(from, to) };
  });
}

/** [T, H · width] to [H, T, width]. */
function splitHeads(rows: Float32Array, T: number, H: number, width: number): Float32Array {
  const out = new Float32Array(rows.length);
  for (let h = 0; h < H; h += 1) {
    for (let t = 0; t < T; t += 1) out.set(rows.subarray((t * H + h) * width, (t * H + h + 1) * width), (h * T + t) * width);
  }
  return out;
}
