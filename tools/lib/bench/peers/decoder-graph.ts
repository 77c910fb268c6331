// The shipped model as an ONNX graph, from the same file: ids [1, T] in, logits [1, V] of the last one out.
import type { Configuration } from '../../../../web/src/parameters/language-model/configuration.ts';
import type { Safetensors } from '../../../../web/src/parameters/language-model/safetensors.ts';
import type { Graph, Node, Parameter } from './onnx-model.ts';
import { type Operator, attentionOfRows } from './onnxruntime.ts';

/** Nodes and parameters, as they come; each call says the name of what it makes. */
class Builder {
  readonly nodes: Node[] = [];
  readonly parameters: Parameter[] = [];
  #count = 0;

  constructor(readonly file: Safetensors) {}

  node(op: string, inputs: readonly string[], rest: Partial<Node> = {}): string {
    const name = `${op}_${this.#count += 1}`;
    this.nodes.push({ op, inputs, outputs: [name], ...rest });
    return name;
  }

  constant(name: string, shape: readonly number[], numbers: Float32Array | BigInt64Array): string {
    this.parameters.push({ name, shape, numbers });
    return name;
  }

  async norm(name: string, x: string, D: number, epsilon: number): Promise<string> {
    const part = async (which: string) => this.constant(`${name}.${which}`, [D], await this.file.read(`${name}.${which}`, [D]));
    return this.node('LayerNormalization', [x, await part('gain'), await part('bias')], { attributes: { epsilon } });
  }

  /** x · Wᵀ + b, W lying (out, in) in the file and (in, out) in the graph. */
  async linear(name: string, x: string, from: number, to: number): Promise<string> {
    const weight = this.constant(name, [from, to], transposed(await this.file.read(`${name}.weight`, [to, from]), to, from));
    const product = this.node('MatMul', [x, weight]);
    if (!this.file.has(`${name}.bias`)) return product;
    return this.node('Add', [product, this.constant(`${name}.bias`, [to], await this.file.read(`${name}.bias`, [to]))]);
  }
}

function transposed(numbers: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(numbers, (_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)] as number);
}

/** cos and sin of position · base^(−2i / width), [T, width / 2] each. */
function turns(b: Builder, { d_model, heads, rotary_base }: Configuration, T: number): [string, string] {
  const half = d_model / heads / 2;
  const table = (of: (angle: number) => number) => Float32Array.from({ length: T * half }, (_, i) => of(Math.floor(i / half) * rotary_base ** (-(i % half) / half)));
  return [b.constant('cosines', [T, half], table(Math.cos)), b.constant('sines', [T, half], table(Math.sin))];
}

export async function decoderGraph(file: Safetensors, configuration: Configuration, operator: Operator, T: number): Promise<Graph> {
  const { layers, heads, d_model: D, d_mlp, context, vocabulary: V, positions, rotary_interleaved, activation, norm_epsilon } = configuration;
  const b = new Builder(file);
  const E = await file.read('embeddings.weight', [V, D]);
  let x = b.node('Gather', [b.constant('embeddings', [V, D], E), 'ids']);
  const table = positions === 'rope' ? null : b.constant('positions', [1, T, D], (await file.read('positions.weight', [context, D])).slice(0, T * D));
  if (positions === 'learned' && table) x = b.node('Add', [x, table]);
  const places = b.constant('places', [1, T], BigInt64Array.from({ length: T }, (_, t) => BigInt(t)));
  const [cosines, sines] = turns(b, configuration, T);
  const turn = (rows: string) => (positions === 'rope'
    ? b.node('RotaryEmbedding', [rows, places, cosines, sines], { domain: 'com.microsoft', attributes: { interleaved: Number(rotary_interleaved) } })
    : rows);
  for (let i = 0; i < layers; i += 1) {
    const name = (part: string) => `layers.${i}.${part}`;
    const normed = await b.norm(name('norm_1'), x, D, norm_epsilon);
    const placed = positions === 'query_key' && table ? b.node('Add', [normed, table]) : normed;
    const inputs = [turn(await b.linear(name('query'), placed, D, D)), turn(await b.linear(name('key'), placed, D, D)), await b.linear(name('value'), normed, D, D)];
    b.nodes.push(attentionOfRows(operator, inputs, name('context'), { causal: true, heads }));
    x = b.node('Add', [x, await b.linear(name('out_proj'), name('context'), D, D)]);
    const hidden = await b.linear(name('up'), await b.norm(name('norm_2'), x, D, norm_epsilon), D, d_mlp);
    const bent = b.node('Gelu', [hidden], { attributes: { approximate: activation === 'gelu_tanh' ? 'tanh' : 'none' } });
    x = b.node('Add', [x, await b.linear(name('down'), bent, d_mlp, D)]);
  }
  const last = b.node('Gather', [x, b.constant('last', [], BigInt64Array.of(BigInt(T - 1)))], { attributes: { axis: 1 } });
  const normed = await b.norm('final_norm', last, D, norm_epsilon);
  b.nodes.push({ op: 'MatMul', inputs: [normed, b.constant('output', [D, V], transposed(E, V, D))], outputs: ['logits'] });
  return { nodes: b.nodes, parameters: b.parameters, inputs: { ids: 2 }, inputType: 'int64', outputs: { logits: 2 } };
}
