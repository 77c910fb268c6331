// A model of shapes.ts as an ONNX graph with a cache: ids (1, T) in, logits (1, V) of the last token and the longer cache out.
// Operators are those that onnxruntime's own exporters choose for a processor.
import type { Graph, Node, Parameter } from './onnx-model.ts';
import { CONTEXT, EPSILON, STEP, type Shape, floatsOf, gainOf, matrices, numbersOf, rotaryOf } from './shapes.ts';

export type Width = 'float32' | 'int8';

const MICROSOFT = { domain: 'com.microsoft' };

class Builder {
  readonly nodes: Node[] = [];
  readonly parameters: Parameter[] = [];
  readonly inputs: Record<string, number> = { ids: 2 };
  readonly outputs: Record<string, number> = { logits: 2 };
  #count = 0;

  constructor(readonly shape: Shape, readonly width: Width) {}

  node(op: string, inputs: readonly string[], rest: Partial<Node> = {}): string {
    const name = `${op}_${this.#count += 1}`;
    this.nodes.push({ op, inputs, outputs: [name], ...rest });
    return name;
  }

  constant(name: string, shape: readonly number[], numbers: Parameter['numbers']): string {
    if (!this.parameters.some((each) => each.name === name)) {
      this.parameters.push({ name, shape, numbers, isApart: numbers.byteLength > 1024 });
    }
    return name;
  }

  norm(name: string, x: string): string {
    const { width, isLlama } = this.shape;
    const gain = this.constant(`${name}.gain`, [width], gainOf(`${name}.gain`, width));
    const attributes = { epsilon: EPSILON };
    if (isLlama) return this.node('SimplifiedLayerNormalization', [x, gain], { attributes });
    return this.node('LayerNormalization', [x, gain, this.constant(`${name}.bias`, [width], floatsOf(`${name}.bias`, width))], { attributes });
  }

  /** x · W + b. Llama's matrices lie (out, in), as the embeddings do, and are turned here. */
  linear(name: string, x: string, [from, to]: readonly [number, number], isTurned = this.shape.isLlama): string {
    const lying = (this.width === 'int8' ? numbersOf : floatsOf)(name, from * to);
    const weight = this.constant(`${name}.product`, [from, to], isTurned ? turned(lying, to, from) : lying);
    const product = this.width === 'int8'
      ? this.node('DynamicQuantizeMatMul', [x, weight, this.constant('step', [], Float32Array.of(STEP))], MICROSOFT)
      : this.node('MatMul', [x, weight]);
    if (this.shape.isLlama || isTurned) return product;
    return this.node('Add', [product, this.constant(`${name}.bias`, [to], floatsOf(`${name}.bias`, to))]);
  }

  embedded(): string {
    const { vocabulary, width } = this.shape;
    const rows = (this.width === 'int8' ? numbersOf : floatsOf)('embeddings', vocabulary * width);
    const found = this.node('Gather', [this.constant('embeddings', [vocabulary, width], rows), 'ids']);
    return this.width === 'int8' ? this.node('DequantizeLinear', [found, this.constant('step', [], Float32Array.of(STEP))]) : found;
  }

  attention(i: number, [query = '', key = '', value = '']: readonly string[]): string {
    const { heads, keyHeads, isLlama } = this.shape;
    const name = (part: string) => `layers.${i}.${part}`;
    for (const each of ['past_key', 'past_value']) this.inputs[name(each)] = 4;
    for (const each of ['present_key', 'present_value']) this.outputs[name(each)] = 4;
    const { cosines, sines } = isLlama ? rotaryOf(this.shape) : { cosines: null, sines: null };
    const half = this.shape.width / heads / 2;
    const turns = cosines && sines ? [this.constant('cosines', [CONTEXT, half], cosines), this.constant('sines', [CONTEXT, half], sines)] : [];
    this.nodes.push({
      op: 'GroupQueryAttention', ...MICROSOFT,
      inputs: [query, key, value, name('past_key'), name('past_value'), 'last_place', 'length', ...turns],
      outputs: [name('context'), name('present_key'), name('present_value')],
      attributes: { num_heads: heads, kv_num_heads: keyHeads, do_rotary: Number(isLlama) },
    });
    return name('context');
  }

  block(i: number, x: string): string {
    const { width, isLlama } = this.shape;
    const sizes = matrices(this.shape);
    const linear = (part: string, from: string) => this.linear(`layers.${i}.${part}`, from, sizes[part] as [number, number]);
    const normed = this.norm(`layers.${i}.norm_1`, x);
    const inputs = isLlama ? [linear('query', normed), linear('key', normed), linear('value', normed)] : this.thirds(linear('packed', normed), width);
    const after = this.node('Add', [x, linear('out', this.attention(i, inputs))]);
    const read = this.norm(`layers.${i}.norm_2`, after);
    return this.node('Add', [after, linear('down', isLlama ? this.gated(linear('gate', read), linear('up', read)) : this.node('Gelu', [linear('up', read)], { attributes: { approximate: 'tanh' } }))]);
  }

  /** Queries, keys and values side by side are one product. */
  private thirds(packed: string, width: number): string[] {
    const names = ['query', 'key', 'value'].map((part) => `${packed}.${part}`);
    this.nodes.push({ op: 'Split', inputs: [packed, this.constant('thirds', [3], BigInt64Array.of(BigInt(width), BigInt(width), BigInt(width)))], outputs: names, attributes: { axis: 2 } });
    return names;
  }

  private gated(gate: string, up: string): string {
    return this.node('Mul', [this.node('Mul', [gate, this.node('Sigmoid', [gate])]), up]); // which it joins to one QuickGelu
  }
}

function turned<Numbers extends Float32Array | Int8Array>(numbers: Numbers, rows: number, columns: number): Numbers {
  const to = new (numbers.constructor as new (length: number) => Numbers)(numbers.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) to[column * rows + row] = numbers[row * columns + column] as number;
  }
  return to;
}

export function decoderGraph(shape: Shape, type: Width): Graph {
  const { layers, width, vocabulary, isLlama } = shape;
  const b = new Builder(shape, type);
  let x = b.embedded();
  if (!isLlama) {
    const table = b.constant('positions', [CONTEXT, width], floatsOf('positions', CONTEXT * width));
    x = b.node('Add', [x, b.node('Gather', [table, 'places'])]);
    b.inputs['places'] = 2;
  }
  b.inputs['last_place'] = 1;
  b.inputs['length'] = 0;
  for (let i = 0; i < layers; i += 1) x = b.block(i, x);
  const last = b.node('Gather', [x, b.constant('last', [], BigInt64Array.of(-1n))], { attributes: { axis: 1 } });
  const logits = b.linear('embeddings', b.norm('final_norm', last), [width, vocabulary], true);
  b.nodes.push({ op: 'Identity', inputs: [logits], outputs: ['logits'] });
  return { nodes: b.nodes, parameters: b.parameters, inputs: b.inputs, inputTypes: { ids: 'int64', places: 'int64', last_place: 'int32', length: 'int32' }, outputs: b.outputs };
}
