// Every stage of a model on the shown text, forwards and back from the loss: its numbers, and how each of them came about.
// A stage is called by its symbol, a gradient by the same behind a d. One rule a stage; most are products of matrices, and
// there the rule is the formula.
import type { LayerState, MlpState, ModelState, RunDescription, TrainingRule } from '../../engine/training/types.ts';
import type { Place } from '../../ui/kit/grid.ts';

// What stages there are, and where their numbers lie.

/** What rows or columns are: words of the text as they ask and are asked, places of a text, words that are known, answers, their slots. */
export type Axis = 'query' | 'key' | 'place' | 'word' | 'answer' | 'slot' | 'width' | 'one';

/** How the heads share an array: matrices of their own, or columns or rows of one. */
type Split = 'own' | 'columns' | 'rows';

interface Source {
  axes: readonly [down: Axis, across: Axis];
  split?: Split;
  /** In a block. */
  stage?: Exclude<keyof LayerState, 'mlp'>;
  mlp?: keyof MlpState;
  whole?: 'residual' | 'normed' | 'logits';
  /** A block's parameters have its name before theirs. */
  parameter?: string;
}

const SOURCES = {
  E: { parameter: 'embeddings', axes: ['word', 'width'] },
  E_pos: { parameter: 'positions', axes: ['place', 'width'] },
  X: { stage: 'x', axes: ['query', 'width'] },
  g: { parameter: 'block.norm_1.gain', axes: ['one', 'width'] },
  b: { parameter: 'block.norm_1.bias', axes: ['one', 'width'] },
  N: { stage: 'normed', axes: ['query', 'width'] },
  'N′': { axes: ['query', 'width'], stage: 'normed' },
  W_Q: { parameter: 'block.query', axes: ['width', 'width'], split: 'columns' },
  W_K: { parameter: 'block.key', axes: ['width', 'width'], split: 'columns' },
  W_V: { parameter: 'block.value', axes: ['width', 'width'], split: 'columns' },
  Q: { stage: 'query', axes: ['query', 'width'], split: 'own' },
  K: { stage: 'key', axes: ['key', 'width'], split: 'own' },
  V: { stage: 'value', axes: ['key', 'width'], split: 'own' },
  U: { stage: 'products', axes: ['query', 'key'], split: 'own' },
  S: { stage: 'scores', axes: ['query', 'key'], split: 'own' },
  P: { stage: 'weights', axes: ['query', 'key'], split: 'own' },
  O: { stage: 'context', axes: ['query', 'width'], split: 'own' },
  W_O: { parameter: 'block.out_proj', axes: ['width', 'width'], split: 'rows' },
  Y: { stage: 'output', axes: ['query', 'width'] },
  'X′': { mlp: 'between', axes: ['query', 'width'] },
  g_2: { parameter: 'block.norm_2.gain', axes: ['one', 'width'] },
  b_2: { parameter: 'block.norm_2.bias', axes: ['one', 'width'] },
  N_2: { mlp: 'normed', axes: ['query', 'width'] },
  W_1: { parameter: 'block.up', axes: ['width', 'width'] },
  A: { mlp: 'up', axes: ['query', 'width'] },
  G: { mlp: 'hidden', axes: ['query', 'width'] },
  W_2: { parameter: 'block.down', axes: ['width', 'width'] },
  M: { mlp: 'output', axes: ['query', 'width'] },
  X_L: { whole: 'residual', axes: ['query', 'width'] },
  g_F: { parameter: 'final_norm.gain', axes: ['one', 'width'] },
  b_F: { parameter: 'final_norm.bias', axes: ['one', 'width'] },
  F: { whole: 'normed', axes: ['query', 'width'] },
  W_U: { parameter: 'output', axes: ['width', 'answer'] },
  Z: { whole: 'logits', axes: ['query', 'answer'] },
  p: { axes: ['query', 'answer'] },
  L: { axes: ['query', 'slot'] },
} as const satisfies Record<string, Source>;

export type StageSymbol = keyof typeof SOURCES;

export interface Spot {
  symbol: StageSymbol;
  isGradient: boolean;
  /** From 0; 0 where the stage is of no layer, and of no head. */
  layer: number;
  head: number;
}

export const nameOf = ({ symbol, isGradient }: Pick<Spot, 'symbol' | 'isGradient'>): string => (isGradient ? `d${symbol}` : symbol);
export const axesOf = ({ symbol }: Spot): readonly [Axis, Axis] => SOURCES[symbol].axes;
const sourceOf = (symbol: StageSymbol): Source => SOURCES[symbol];
export const isOfLayer = (symbol: StageSymbol): boolean => { const { stage, mlp, parameter } = sourceOf(symbol); return stage !== undefined || mlp !== undefined || parameter?.startsWith('block.') === true; };
export const isOfHead = (symbol: StageSymbol): boolean => sourceOf(symbol).split !== undefined;

/** A number and where it is looked up; spot null where it is a step of the arithmetic alone. */
export interface Cell extends Place { value: number; spot: Spot | null }

/** Numbers that can be looked up, in any shape that a product needs. */
export class Matrix {
  constructor(readonly rows: number, readonly columns: number, readonly at: (row: number, column: number) => number, readonly cell: (row: number, column: number) => Cell) {}

  get turned(): Matrix {
    return new Matrix(this.columns, this.rows, (row, column) => this.at(column, row), (row, column) => this.cell(column, row));
  }
}

// How a number is written out.

/** LayerNorm's own. */
export const EPSILON = 1e-5;

export interface Term { cells: readonly Cell[]; value: number }

/** `name` is notation. A root is that of the mean and ε. */
export interface Sum { name: string; of: 'sum' | 'mean' | 'root'; terms: readonly Term[]; value: number }

/** Why a number is what it is without arithmetic. */
export type Note = 'hidden' | 'unasked' | 'absent';

export interface Written {
  formula: string;
  /** Notation, numbers and sums, as they stand on the line. */
  line: readonly (string | Cell | Sum)[];
  /** What the line comes to, in double. */
  value: number;
  /** Sums that numbers of the line are made of, besides those on it. */
  within?: readonly Sum[];
  note?: Note;
}

const total = (terms: readonly Term[]): number => terms.reduce((sum, { value }) => sum + value, 0);
const term = (...cells: Cell[]): Term => ({ cells, value: cells.reduce((product, { value }) => product * value, 1) });
const sum = (name: string, terms: readonly Term[]): Sum => ({ name, of: 'sum', terms, value: total(terms) });
const mean = (name: string, terms: readonly Term[]): Sum => ({ name, of: 'mean', terms, value: total(terms) / terms.length });
const root = (name: string, terms: readonly Term[]): Sum => ({ name, of: 'root', terms, value: Math.sqrt(mean(name, terms).value + EPSILON) });
const step = (value: number): Cell => ({ value, spot: null, row: 0, column: 0 });
const counted = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

// The rules that are products of matrices. Where a factor has heads, or a layer, and the stage has none, they are added up.

const PRODUCTS: Readonly<Record<string, string>> = {
  Q: 'N′ W_Q', K: 'N′ W_K', V: 'N W_V', U: 'Q K^T', O: 'P V', Y: 'O W_O', Z: 'F W_U',
  dW_U: 'F^T dZ', dF: 'dZ W_U^T',
  dW_O: 'O^T dY', dO: 'dY W_O^T',
  dV: 'P^T dO', dP: 'dO V^T',
  dQ: 'dU K', dK: 'dU^T Q',
  dW_Q: 'N′^T dQ', dW_K: 'N′^T dK', dW_V: 'N^T dV',
  dN: 'dQ W_Q^T + dK W_K^T + dV W_V^T',
  dE_pos: 'dQ W_Q^T + dK W_K^T',
  A: 'N_2 W_1', M: 'G W_2', dW_2: 'G^T dM', dG: 'dM W_2^T', dW_1: 'N_2^T dA', dN_2: 'dA W_1^T',
};

/** Where the embeddings, transposed, are the matrix of the answers. */
const TIED: Readonly<Record<string, string>> = { Z: 'F E^T', dF: 'dZ E' };

/** What each norm reads, and what it makes of it with which gain. */
const NORMS = { X: ['N', 'g'], 'X′': ['N_2', 'g_2'], X_L: ['F', 'g_F'] } as const;
type Normed = keyof typeof NORMS;

// GELU by tanh, as the core has it.
const [GELU, CUBE] = [Math.sqrt(2 / Math.PI), 0.044715];
const withinTanh = (a: number): number => GELU * (a + CUBE * a ** 3);
const geluSlope = (a: number): number => {
  const t = Math.tanh(withinTanh(a));
  return (1 + t) / 2 + (a / 2) * (1 - t * t) * GELU * (1 + 3 * CUBE * a * a);
};

/** What the walk takes of a run, or of a model that was trained elsewhere. */
export type Walked = Pick<RunDescription, 'shape' | 'words'> & { rule: Pick<TrainingRule, 'isCausal' | 'scales'> };

export class Stages {
  readonly #T: number;
  readonly #heads: number;
  readonly #layers: number;
  readonly #asked: number;
  readonly #whole: ReadonlyMap<StageSymbol, Float32Array>;

  constructor(readonly state: ModelState, readonly run: Walked) {
    const { shape: { slots, vocabulary } } = run;
    const { text: { targets }, probabilities } = state;
    this.#T = state.text.tokens.length;
    this.#heads = run.shape.heads;
    this.#layers = state.layers.length;
    this.#asked = targets.reduce((count, target) => count + Number(target >= 0), 0);
    const losses = Float32Array.from({ length: this.#T * slots }, (_, i) => ((targets[i] ?? -1) < 0 ? -Infinity : -Math.log(probabilities[i * vocabulary + (targets[i] ?? 0)] ?? NaN)));
    this.#whole = new Map([['p', probabilities], ['L', losses]]);
  }

  /** Whether queries and keys are made from rows with their places. */
  get #isPlaced(): boolean {
    return this.run.shape.positions === 'queries_keys';
  }

  get #hasMlp(): boolean {
    return this.run.shape.hidden > 0;
  }

  // What there is to walk through, in its order.

  forwards(head: number): Spot[] {
    const { positions } = this.run.shape;
    const spot = (layer: number) => (symbol: StageSymbol): Spot => ({ symbol, isGradient: false, layer, head: isOfHead(symbol) ? head : 0 });
    const first: StageSymbol[] = positions === 'none' ? ['E'] : ['E', 'E_pos'];
    const block: StageSymbol[] = ['X', 'g', 'b', 'N', ...(this.#isPlaced ? ['N′' as const] : []), 'W_Q', 'W_K', 'W_V', 'Q', 'K', 'V', 'U', 'S', 'P', 'O', 'W_O', 'Y', ...(this.#hasMlp ? ['X′', 'g_2', 'b_2', 'N_2', 'W_1', 'A', 'G', 'W_2', 'M'] as const : [])];
    const last: StageSymbol[] = ['X_L', 'g_F', 'b_F', 'F', ...(this.run.shape.tied ? [] : ['W_U' as const]), 'Z', 'p', 'L'];
    return [...first.map(spot(0)), ...counted(this.#layers).flatMap((layer) => block.map(spot(layer))), ...last.map(spot(0))];
  }

  /** From the loss to the embeddings. */
  backwards(head: number): Spot[] {
    const spot = (layer: number) => (symbol: StageSymbol): Spot => ({ symbol, isGradient: true, layer, head: isOfHead(symbol) ? head : 0 });
    const last: StageSymbol[] = ['Z', ...(this.run.shape.tied ? [] : ['W_U' as const]), 'F', 'g_F', 'b_F', 'X_L'];
    const block: StageSymbol[] = [...(this.#hasMlp ? ['M', 'W_2', 'G', 'A', 'W_1', 'N_2', 'g_2', 'b_2', 'X′'] as const : []), 'Y', 'W_O', 'O', 'V', 'P', 'S', 'U', 'Q', 'K', 'W_Q', 'W_K', 'W_V', 'N', 'g', 'b', 'X'];
    const first: StageSymbol[] = this.run.shape.positions === 'none' ? ['E'] : ['E_pos', 'E'];
    return [
      { symbol: 'L', isGradient: false, layer: 0, head: 0 }, ...last.map(spot(0)),
      ...counted(this.#layers).reverse().flatMap((layer) => block.map(spot(layer))), ...first.map(spot(0)),
    ];
  }

  // Numbers.

  /** Of one head where `isWhole` is not set; of all of them side by side, or beneath one another, where it is. */
  matrix(spot: Spot, isWhole = false): Matrix {
    const { symbol, isGradient, layer, head } = spot;
    const { split } = sourceOf(symbol);
    const { numbers, shape: [a = 1, b = 1, c = 1] } = this.#array(symbol, isGradient, layer);
    const H = this.#heads;
    const lies = {
      '': { rows: a, columns: b, index: (_: number, row: number, column: number) => row * b + column },
      own: { rows: b, columns: c, index: (h: number, row: number, column: number) => (h * b + row) * c + column },
      columns: { rows: a, columns: b / H, index: (h: number, row: number, column: number) => row * b + (h * b) / H + column },
      rows: { rows: a / H, columns: b, index: (h: number, row: number, column: number) => ((h * a) / H + row) * b + column },
    }[split ?? ''];
    const { rows, columns, index } = lies;
    const [down, across] = isWhole && split ? (split === 'rows' ? [H, 1] : [1, H]) : [1, 1];
    const headOf = (row: number, column: number) => (down * across > 1 ? Math.floor(down > 1 ? row / rows : column / columns) : head);
    const at = (row: number, column: number) => numbers[index(headOf(row, column), row % rows, column % columns)] ?? NaN;
    return new Matrix(rows * down, columns * across, at, (row, column) => ({
      value: at(row, column), spot: { ...spot, head: headOf(row, column) }, row: row % rows, column: column % columns,
    }));
  }

  #array(symbol: StageSymbol, isGradient: boolean, layer: number): { numbers: Float32Array; shape: readonly number[] } {
    const { state: { layers, parameters, ...whole }, run: { shape: { slots, vocabulary } } } = this;
    const { stage, mlp, whole: name, parameter } = sourceOf(symbol);
    const own = this.#whole.get(symbol);
    if (own) return { numbers: own, shape: [this.#T, symbol === 'L' ? slots : slots * vocabulary] };
    if (parameter) {
      const found = parameters.find((each) => each.name === parameter.replace('block', `block_${layer}`));
      return found ? { numbers: isGradient ? found.gradients : found.weights, shape: [found.rows, found.columns] } : { numbers: new Float32Array(), shape: [0, 0] };
    }
    const kept = stage ? layers[layer]?.[stage] : mlp ? layers[layer]?.mlp?.[mlp] : name && whole[name];
    const { values = new Float32Array(), gradients = new Float32Array(), shape = [0, 0] } = kept ?? {};
    return symbol === 'N′' ? { numbers: this.#placed(values), shape } : { numbers: isGradient ? gradients : values, shape };
  }

  /** Each row and its place, added as the core adds them. */
  #placed(normed: Float32Array): Float32Array {
    const { numbers } = this.#array('E_pos', false, 0);
    return normed.map((value, i) => value + (numbers[i] ?? 0));
  }

  #cell(symbol: StageSymbol, isGradient: boolean, layer: number, head: number, row: number, column: number): Cell {
    return this.matrix({ symbol, isGradient, layer, head }).cell(row, column);
  }

  /** 1 − Σ P² of a row: how far its softmax gives way. */
  slope({ layer, head }: Pick<Spot, 'layer' | 'head'>, row: number): number {
    const weights = this.matrix({ symbol: 'P', isGradient: false, layer, head });
    return 1 - counted(weights.columns).reduce((squares, key) => squares + weights.at(row, key) ** 2, 0);
  }

  /** Of the rows that are asked; of all where none is. */
  meanSlope(of: Pick<Spot, 'layer' | 'head'>): number {
    const { state: { text: { targets } }, run: { shape: { slots } } } = this;
    const isAsked = (row: number) => this.#asked === 0 || targets.subarray(row * slots, (row + 1) * slots).some((target) => target >= 0);
    const rows = counted(this.#T).filter(isAsked);
    return rows.reduce((all, row) => all + this.slope(of, row), 0) / rows.length;
  }

  /** By the causal mask. */
  isHidden(spot: Spot, { row, column }: Place): boolean {
    const [down, across] = axesOf(spot);
    return down === 'query' && across === 'key' && this.run.rule.isCausal && column > row;
  }

  // How a number came about.

  write(spot: Spot, { row, column }: Place): Written {
    const name = nameOf(spot);
    if (this.isHidden(spot, { row, column })) {
      return { formula: this.formula(spot), line: [this.matrix(spot).cell(row, column)], value: this.matrix(spot).at(row, column), note: 'hidden' };
    }
    const made = this.#rule(name) ? this.#product(spot, row, column) : this.#other(spot, row, column);
    return { formula: this.formula(spot), ...made };
  }

  /** With its own symbol on the left; parameters have none. */
  formula(spot: Spot): string {
    const right = this.#right(spot);
    return right && `${nameOf(spot)} = ${right}`;
  }

  /** As it is in this model: places that are in the rows from the beginning are added nowhere else. */
  #rule(name: string): string | undefined {
    if (this.run.shape.tied && (name in TIED || name === 'dW_U')) return TIED[name];
    if (this.#isPlaced) return PRODUCTS[name];
    return name === 'dE_pos' ? undefined : PRODUCTS[name]?.replaceAll('′', '');
  }

  #right({ symbol, isGradient, layer }: Spot): string {
    const name = nameOf({ symbol, isGradient });
    const { run: { shape: { d_k, d_model, positions }, rule: { scales } } } = this;
    const scaled = scales ? ` ÷ √${d_k}` : '';
    const [normed, gain] = NORMS[symbol in NORMS ? (symbol as Normed) : 'X'];
    const back = `( d${normed} · ${gain} − Σ ( d${normed} · ${gain} ) ÷ ${d_model} − h · Σ ( d${normed} · ${gain} · h ) ÷ ${d_model} ) ÷ σ`;
    const behind = (at: number) => (at < 0 ? '' : this.#hasMlp ? 'X′ + M' : `X_${at + 1} + Y_${at + 1}`);
    const fromNext = layer === this.#layers - 1 ? 'dX_L' : `dX_${layer + 2}`;
    const others: Record<string, string> = {
      X: layer === 0 ? `E${positions === 'added' ? ' + E_pos' : ''}` : behind(layer - 1), X_L: behind(this.#layers - 1),
      N: '( X − μ ) ÷ σ · g + b', F: '( X_L − μ ) ÷ σ · g_F + b_F', 'N′': 'N + E_pos',
      S: `U${scaled}`, P: '“softmax” ( S )', p: '“softmax” ( Z )', L: '− “ln ” p',
      dZ: '( p − y ) ÷ n', dX_L: back, dX: `dY + ${back}`, dY: this.#hasMlp ? 'dX′' : fromNext,
      'X′': 'X + Y', N_2: '( X′ − μ ) ÷ σ · g_2 + b_2', G: 'A ÷ 2 · ( 1 + “tanh” ( “√(2/π)” · ( A + 0.044715 · A^3 ) ) )',
      dM: fromNext, dA: 'dG ∘ “GELU′” ( A )', 'dX′': `dM + ${back}`, dg_2: 'Σ dN_2 · h', db_2: 'Σ dN_2',
      dS: 'P ∘ ( dP − Σ P · dP )', dU: `dS${scaled}`,
      dg: 'Σ dN · h', db: 'Σ dN', dg_F: 'Σ dF · h', db_F: 'Σ dF', dE: this.run.shape.tied ? 'Σ dX + dZ^T · F' : 'Σ dX', dE_pos: 'dX',
    };
    const product = this.#rule(name);
    if (product === undefined) return others[name] ?? '';
    const parts = product.split(' + ').map((part) => part.replace(' ', ' · ')).join(' + ');
    return name === 'dE_pos' && this.#layers > 1 ? `Σ ( ${parts} )` : parts;
  }

  /** Σ of a row of the left and a column of the right factor. */
  #product({ symbol, isGradient, layer, head }: Spot, row: number, column: number): Omit<Written, 'formula'> {
    const layers = isOfLayer(symbol) ? [layer] : counted(this.#layers);
    const factor = (notation: string, at: number): Matrix => {
      const [, d, base = '', turned] = /^(d?)(.+?)(\^T)?$/.exec(notation) ?? [];
      const own = base as StageSymbol;
      const matrix = this.matrix({ symbol: own, isGradient: d === 'd', layer: isOfLayer(own) ? at : 0, head: isOfHead(own) ? head : 0 }, !isOfHead(symbol));
      return turned ? matrix.turned : matrix;
    };
    const terms: Term[] = [];
    const rule = this.#rule(nameOf({ symbol, isGradient })) ?? '';
    const hasLayers = rule.split(' ').some((part) => isOfLayer(part.replace(/^d|\^T$/g, '') as StageSymbol));
    for (const at of hasLayers ? layers : [0]) {
      for (const product of rule.split(' + ')) {
        const [left, right] = product.split(' ').map((notation) => factor(notation, at)) as [Matrix, Matrix];
        if (row < left.rows) for (let k = 0; k < left.columns; k += 1) terms.push(term(left.cell(row, k), right.cell(k, column)));
      }
    }
    const all = sum('', terms);
    return { line: [all], value: all.value, ...(terms.length === 0 && { note: 'absent' as const }) };
  }

  /** Mean, deviation and the normed row of what a norm reads, without gain and bias. */
  #norm(symbol: Normed, layer: number, row: number): { mean: Sum; deviation: Sum; cell(column: number): Cell; h(column: number): Cell } {
    const from = this.matrix({ symbol, isGradient: false, layer, head: 0 });
    const cells = counted(from.columns).map((column) => from.cell(row, column));
    const middle = mean('μ', cells.map((cell) => term(cell)));
    const deviation = root('σ', cells.map((cell) => ({ cells: [cell], value: (cell.value - middle.value) ** 2 })));
    return {
      mean: middle, deviation, cell: (column) => from.cell(row, column),
      h: (column) => step((from.at(row, column) - middle.value) / deviation.value),
    };
  }

  /** ( dy · g − mean ( dy · g ) − h · mean ( dy · g · h ) ) ÷ σ */
  #normBack(symbol: Normed, layer: number, row: number, column: number): Pick<Written, 'line' | 'value' | 'within'> {
    const [out, gain] = NORMS[symbol];
    const norm = this.#norm(symbol, layer, row);
    const [dy, g] = [this.matrix({ symbol: out, isGradient: true, layer, head: 0 }), this.matrix({ symbol: gain, isGradient: false, layer, head: 0 })];
    const all = counted(dy.columns);
    const plain = mean(`Σ ( d${out} · ${gain} ) ÷ ${dy.columns}`, all.map((i) => term(dy.cell(row, i), g.cell(0, i))));
    const along = mean(`Σ ( d${out} · ${gain} · h ) ÷ ${dy.columns}`, all.map((i) => term(dy.cell(row, i), g.cell(0, i), norm.h(i))));
    const [own, by, h] = [dy.cell(row, column), g.cell(0, column), norm.h(column)];
    return {
      line: ['( ', own, ' × ', by, ' − ', plain, ' − ', h, ' × ', along, ' ) ÷ ', norm.deviation],
      value: (own.value * by.value - plain.value - h.value * along.value) / norm.deviation.value, within: [norm.mean],
    };
  }

  #other(spot: Spot, row: number, column: number): Omit<Written, 'formula'> {
    const { symbol, isGradient, layer, head } = spot;
    const { state: { factor, text: { tokens, second, targets } }, run: { shape: { slots, vocabulary, positions } } } = this;
    const cell = (of: StageSymbol, r: number, c: number, at = layer): Cell => this.#cell(of, false, at, head, r, c);
    const gradient = (of: StageSymbol, r: number, c: number, at = layer): Cell => this.#cell(of, true, at, head, r, c);
    const added = (...cells: Cell[]) => { const all = sum('', cells.map((each) => term(each))); return { line: [all], value: all.value }; };
    const stream = (at: number) => (this.#hasMlp ? added(cell('X′', row, column, at), cell('M', row, column, at)) : added(cell('X', row, column, at), cell('Y', row, column, at)));
    const fromNext = () => added(layer === this.#layers - 1 ? gradient('X_L', row, column, 0) : gradient('X', row, column, layer + 1));
    const times = (of: Cell) => (factor === 1 ? { line: [of], value: of.value } : { line: [of, ' × ', step(factor)], value: of.value * factor });
    const normed = (from: Normed, gain: StageSymbol, bias: StageSymbol) => {
      const norm = this.#norm(from, layer, row);
      const [x, g, b] = [norm.cell(column), cell(gain, 0, column), cell(bias, 0, column)];
      return { line: ['( ', x, ' − ', norm.mean, ' ) ÷ ', norm.deviation, ' × ', g, ' + ', b], value: norm.h(column).value * g.value + b.value };
    };
    const overText = (from: Normed, out: StageSymbol, isGain: boolean) => {
      const all = sum('', counted(this.#T).map((t) => term(gradient(out, t, column), ...(isGain ? [this.#norm(from, layer, t).h(column)] : []))));
      return { line: [all], value: all.value };
    };
    const softmax = (of: StageSymbol, from: number, count: number) => {
      const cells = counted(count).map((i) => cell(of, row, from + i)).filter(({ value }) => value !== -Infinity);
      const most = cells.reduce((largest, each) => (each.value > largest.value ? each : largest));
      const exps: Sum = sum('Σ “exp”', cells.map((each) => ({ cells: [each], value: Math.exp(each.value - most.value) })));
      const own = cell(of, row, column);
      return { line: ['“exp” ( ', own, ' − ', most, ' ) ÷ ', exps], value: Math.exp(own.value - most.value) / exps.value };
    };
    const slot = Math.floor(column / vocabulary);
    const rules: Readonly<Record<string, () => Omit<Written, 'formula'>>> = {
      X: () => (layer > 0 ? stream(layer - 1) : added(cell('E', tokens[row] ?? 0, column), ...((second[row] ?? -1) < 0 ? [] : [cell('E', second[row] ?? 0, column)]), ...(positions === 'added' ? [cell('E_pos', row, column)] : []))),
      X_L: () => stream(this.#layers - 1),
      N: () => normed('X', 'g', 'b'),
      F: () => normed('X_L', 'g_F', 'b_F'),
      'N′': () => added(cell('N', row, column), cell('E_pos', row, column)),
      S: () => times(cell('U', row, column)),
      P: () => softmax('S', 0, this.#T),
      p: () => softmax('Z', slot * vocabulary, vocabulary),
      L: () => {
        const target = targets[row * slots + column] ?? -1;
        if (target < 0) return { line: [], value: -Infinity, note: 'unasked' };
        const losses = mean(`Σ L ÷ ${this.#asked}`, counted(this.#T * slots).filter((i) => (targets[i] ?? -1) >= 0).map((i) => term(cell('L', Math.floor(i / slots), i % slots))));
        const own = cell('p', row, column * vocabulary + target);
        return { line: ['− “ln” ', own], value: -Math.log(own.value), within: [losses] };
      },
      dZ: () => {
        const target = targets[row * slots + slot] ?? -1;
        if (target < 0) return { line: [step(0)], value: 0, note: 'unasked' };
        const [own, wanted] = [cell('p', row, column), Number(target === column - slot * vocabulary)];
        return { line: ['( ', own, ' − ', step(wanted), ' ) ÷ ', step(this.#asked)], value: (own.value - wanted) / this.#asked };
      },
      dX_L: () => this.#normBack('X_L', 0, row, column),
      dX: () => {
        const [past, back] = [gradient('Y', row, column), this.#normBack('X', layer, row, column)];
        return { ...back, line: [past, ' + ', ...back.line], value: past.value + back.value };
      },
      dY: () => (this.#hasMlp ? added(gradient('X′', row, column)) : fromNext()),
      'X′': () => added(cell('X', row, column), cell('Y', row, column)),
      N_2: () => normed('X′', 'g_2', 'b_2'),
      G: () => {
        const a = cell('A', row, column);
        const inner = step(withinTanh(a.value));
        return { line: [a, ' ÷ 2 × ( 1 + “tanh” ( ', inner, ' ) )'], value: (a.value / 2) * (1 + Math.tanh(inner.value)) };
      },
      dM: fromNext,
      dA: () => {
        const [by, slope] = [gradient('G', row, column), step(geluSlope(cell('A', row, column).value))];
        return { line: [by, ' × ', slope], value: by.value * slope.value };
      },
      'dX′': () => {
        const [past, back] = [gradient('M', row, column), this.#normBack('X′', layer, row, column)];
        return { ...back, line: [past, ' + ', ...back.line], value: past.value + back.value };
      },
      dg_2: () => overText('X′', 'N_2', true),
      db_2: () => overText('X′', 'N_2', false),
      dS: () => {
        const all = sum('Σ P · dP', counted(this.#T).map((key) => term(cell('P', row, key), gradient('P', row, key))));
        const [weight, by] = [cell('P', row, column), gradient('P', row, column)];
        return { line: [weight, ' × ( ', by, ' − ', all, ' )'], value: weight.value * (by.value - all.value) };
      },
      dU: () => times(gradient('S', row, column)),
      dg: () => overText('X', 'N', true),
      db: () => overText('X', 'N', false),
      dg_F: () => overText('X_L', 'F', true),
      db_F: () => overText('X_L', 'F', false),
      dE: () => {
        const places = counted(this.#T).flatMap((t) => [tokens[t], second[t]].filter((id) => id === row).map(() => gradient('X', t, column, 0)));
        if (this.run.shape.tied) {
          const all = sum('', [...places.map((each) => term(each)), ...counted(this.#T).map((t) => term(gradient('Z', t, row, 0), cell('F', t, column, 0)))]);
          return { line: [all], value: all.value };
        }
        return places.length > 0 ? added(...places) : { line: [step(0)], value: 0, note: 'absent' };
      },
      dE_pos: () => (row < this.#T ? added(gradient('X', row, column, 0)) : { line: [step(0)], value: 0, note: 'absent' }),
    };
    // Parameters are what the steps before have made of them.
    return rules[nameOf({ symbol, isGradient })]?.() ?? { line: [], value: this.matrix(spot).at(row, column) };
  }
}
