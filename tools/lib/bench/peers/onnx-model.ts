// ONNX models of a few nodes, written in protobuf's wire format; the numbers are onnx.proto's fields.

type Bytes = readonly number[] | Uint8Array;

const join = (parts: readonly Bytes[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
const int = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)];
const block = (field: number, bytes: Bytes): Bytes => join([varint(field * 8 + 2), varint(bytes.length), bytes]);
const text = (field: number, value: string): Bytes => block(field, new TextEncoder().encode(value));

const TYPES = { float32: 1, int8: 3, int32: 6, int64: 7 } as const;
export type Type = keyof typeof TYPES;
const IS_EXTERNAL = 1;
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_STRING = 3;
const ATTRIBUTE_INTS = 7;

/** Whole numbers are ints, others floats. */
type Attribute = number | string | readonly number[];

export interface Node {
  op: string;
  domain?: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, Attribute>>;
}

export interface Parameter {
  name: string;
  shape: readonly number[];
  numbers: Float32Array | Int8Array | BigInt64Array;
  /** The numbers lie in a file of the tensor's name, which the session is given beside the model. */
  isApart?: boolean;
}

const float = (field: number, value: number): Bytes => join([varint(field * 8 + 5), new Uint8Array(Float32Array.of(value).buffer)]);

function attributeParts(value: Attribute): Bytes[] {
  if (typeof value === 'string') return [text(4, value), int(20, ATTRIBUTE_STRING)];
  if (typeof value !== 'number') return [...value.map((each) => int(8, each)), int(20, ATTRIBUTE_INTS)];
  return Number.isInteger(value) ? [int(3, value), int(20, ATTRIBUTE_INT)] : [float(2, value), int(20, ATTRIBUTE_FLOAT)];
}
const attribute = ([name, value]: [string, Attribute]): Bytes => block(5, join([text(1, name), ...attributeParts(value)]));

const node = ({ op, domain = '', inputs, outputs, attributes = {} }: Node): Bytes =>
  block(1, join([
    ...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name)), text(4, op), text(7, domain),
    ...Object.entries(attributes).map(attribute),
  ]));

const typeOf = (numbers: Parameter['numbers']): Type => (numbers instanceof Float32Array ? 'float32' : numbers instanceof Int8Array ? 'int8' : 'int64');
export const bytesOf = ({ numbers }: Parameter): Uint8Array => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

const entry = (key: string, value: string): Bytes => block(13, join([text(1, key), text(2, value)]));
const initializer = (parameter: Parameter): Bytes => {
  const { name, shape, numbers, isApart } = parameter;
  return block(5, join([
    ...shape.map((extent) => int(1, extent)), int(2, TYPES[typeOf(numbers)]), text(8, name),
    ...(isApart ? [entry('location', name), entry('offset', '0'), entry('length', String(numbers.byteLength)), int(14, IS_EXTERNAL)] : [block(9, bytesOf(parameter))]),
  ]));
};

/** A ValueInfo; an extent without a number is left open. */
const value = (field: number, name: string, rank: number, type: Type, extents: Graph['extents'] = {}): Bytes =>
  block(field, join([text(1, name), block(2, block(1, join([
    int(1, TYPES[type]), block(2, join((extents[name] ?? Array.from({ length: rank }, (_, i) => `${name}_${i}`)).map((extent) => block(1, typeof extent === 'number' ? int(1, extent) : text(2, extent))))),
  ])))]));

const opset = (domain: string, version: number): Bytes => block(8, join([text(1, domain), int(2, version)]));

export interface Graph {
  nodes: readonly Node[];
  /** Name → rank. */
  inputs: Readonly<Record<string, number>>;
  outputs: Readonly<Record<string, number>>;
  /** Of inputs that are not float32. */
  inputTypes?: Readonly<Record<string, Type>>;
  /** Of inputs whose readers want to know them. */
  extents?: Readonly<Record<string, readonly (number | string)[]>>;
  parameters?: readonly Parameter[];
}

export const onnxModel = ({ nodes, inputs, outputs, inputTypes = {}, extents, parameters = [] }: Graph): Uint8Array =>
  join([
    int(1, 10), // IR version of opset 23
    block(7, join([
      ...nodes.map(node), text(2, 'peers'), ...parameters.map(initializer),
      ...Object.entries(inputs).map(([name, rank]) => value(11, name, rank, inputTypes[name] ?? 'float32', extents)),
      ...Object.entries(outputs).map(([name, rank]) => value(12, name, rank, 'float32')),
    ])),
    opset('', 23),
    opset('com.microsoft', 1),
  ]);
