// One line under each switch: what it does to the sentence as it stands. Every number is the engine's, or a count
// of its cells.
import type { Settings, Shape } from './engine.ts';
import { count, plural, short, weight } from './format.ts';
import type { Knobs } from './settings.ts';

export interface Effect {
  settings: Readonly<Knobs>;
  shape: Shape;
  factor: number;
  /** Cells of one head that the mask hides. */
  hidden: number;
  /** Whether keys come from a second sentence. */
  cross: boolean;
  /** The largest weight of the selected row. */
  largest: number;
  /** Of the selected head: weights that dropout set to 0. Counted when asked for. */
  dropped: number;
  /** Of a language model; 0 without one. */
  layers: number;
}

export type Says = (effect: Effect) => string;

export const mask: Says = ({ settings, shape, hidden, cross }) => {
  const cells = count(shape.T * shape.S);
  // Both sentences are counted from their beginnings.
  if (cross && settings.mask === 'causal') return 'word n sees the first n keys';
  if (hidden > 0) return `hides ${count(hidden)} of ${cells} cells`;
  return shape.T * shape.S === 1 ? 'nothing to hide in one word' : `hides none of ${cells} cells`;
};

const window = (reach: number, where: string, { settings, cross }: Effect) => {
  if (settings.mask !== 'window') return 'waits for the mask “window”';
  const place = cross ? 'its place in the second sentence' : 'it';
  return `a word sees ${reach === 0 ? 'nothing' : count(reach)} ${where} ${place}`;
};
export const windowBefore: Says = (e) => window(e.settings.window_left, 'before', e);
export const windowAfter: Says = (e) => window(e.settings.window_right, 'after', e);

export const scale: Says = ({ settings, shape, factor }) => {
  if (settings.scale === 'none') return 'leaves scores as they are';
  const times = `multiplies scores by ${short(factor)}`;
  return settings.scale === 'factor' ? times : `${times} = 1 ÷ √${shape.d_k}`;
};

export const temperature: Says = ({ settings, largest }) => {
  const now = `this ${settings.rows === 'queries' ? 'row' : 'column'}’s largest weight is ${weight(largest)}`;
  return settings.temperature === 0 ? `hard lookup, the largest score takes all: ${now}` : now;
};

export const softcap: Says = ({ settings }) =>
  settings.softcap === 0 ? 'scores may be of any size' : `keeps scores between −${short(settings.softcap)} and ${short(settings.softcap)}`;

export const dropout: Says = (effect) => {
  const { settings, shape, hidden } = effect;
  if (settings.dropout === 0) return 'keeps every weight, as outside training';
  return `training view: ${count(effect.dropped)} of this head’s ${count(shape.T * shape.S - hidden)} weights set to 0, others × ${short(1 / (1 - settings.dropout))}`;
};
export const dropoutSeed: Says = ({ settings }) => (settings.dropout === 0 ? 'waits for dropout' : 'draws which weights go');

export const heads: Says = ({ settings, shape }) => {
  if (shape.H === 1) return `one head reads all ${plural(shape.d_k, 'number')}`;
  if (shape.d_k !== shape.d_v) return `${shape.H} heads: ${plural(shape.d_k, 'number')} of query and key, ${shape.d_v} of value`;
  if (settings.d_k > 0 || settings.d_v > 0) return `${shape.H} heads of ${plural(shape.d_k, 'number')} each`;
  return `splits ${shape.D} numbers into ${shape.H} × ${shape.d_k}`;
};

export const keyHeads: Says = ({ settings, shape }) => {
  const shared = settings.num_kv_heads || shape.H;
  if (shared === shape.H) return 'every head has keys and values of its own';
  return `${plural(shape.H / shared, 'head')} share each of ${plural(shared, 'key and value', 'keys and values')}`;
};

export const dModel: Says = ({ shape }) => `each word is ${plural(shape.D, 'number')}`;
export const dK: Says = ({ shape }) => `a score is a sum of ${plural(shape.d_k, 'product')}`;
export const dV: Says = ({ shape }) => `a head passes on ${plural(shape.d_v, 'number')} of each word`;

export const valueRank: Says = ({ settings, shape }) => {
  const width = (settings.num_kv_heads || shape.H) * shape.d_v;
  const full = shape.D * width;
  if (settings.value_rank === 0) return `W_V has ${count(full)} numbers of its own`;
  return `${count(settings.value_rank * (shape.D + width))} numbers make W_V’s ${count(full)}`;
};

export const seed: Says = () => 'draws all parameters';

export const biases: Says = ({ settings, shape }) => {
  const shared = settings.num_kv_heads || shape.H;
  const widths = [shape.H * shape.d_k, shared * shape.d_k, shared * shape.d_v, ...(settings.out_proj ? [shape.D] : [])];
  const each = settings.out_proj ? 'Q, K, V and the output' : 'Q, K and V';
  if (!settings.biases) return `adds nothing to ${each}`;
  if (widths.every((width) => width === shape.D)) return `adds ${plural(shape.D, 'number')} to each of ${each}`;
  return `adds ${widths.slice(0, -1).join(', ')} and ${widths.at(-1)} numbers to ${each}`;
};

const TIES: Record<Settings['tie'], string> = {
  none: 'asking, answering and content have a matrix each',
  qk: 'a word asks as it answers',
  qkv: 'one matrix for asking, answering and content',
};
export const tie: Says = ({ settings }) => TIES[settings.tie];

export const outProj: Says = ({ settings, shape }) =>
  settings.out_proj ? `mixes the heads’ ${plural(shape.H * shape.d_v, 'number')} into ${shape.D}` : 'the output is the heads side by side';

export const residual: Says = ({ settings }) =>
  settings.residual ? 'adds each word’s own vector to its output' : 'the layer ends with its output';

const POSITIONS: Record<Settings['positions'], Says> = {
  none: () => 'the same word has the same vector everywhere',
  sinusoidal: ({ shape }) => `adds each place’s own ${plural(shape.D, 'number')} to its word`,
  learned: ({ shape }) => `adds a random table’s ${plural(shape.D, 'number')} to each word, as a trained model adds learned ones`,
  rope: () => 'turns queries and keys by their place',
  alibi: () => 'takes distance off the scores, each head at its own rate',
};
export const positions: Says = (effect) => POSITIONS[effect.settings.positions](effect);

const SOURCES: Record<Knobs['source'], string> = {
  random: 'drawn from a seed: nothing is learnt',
  designed: 'made by hand, each number with a name',
  trained: 'learnt from stories and captions',
  yours: 'what you paste; the rest is random',
};
export const source: Says = ({ settings, layers }) => (settings.source === 'yours' && layers > 0 ? 'your model, read from its file' : SOURCES[settings.source]);

export const layer: Says = ({ settings }) => (settings.layer === 1 ? 'reads the words’ own numbers' : `reads what layer ${settings.layer - 1} wrote`);
export const actsOn: Says = ({ settings }) => (settings.actsOn === 'every' ? 'mask, scale, temperature and softcap change all layers' : `they change layer ${settings.layer} alone`);

export const rows: Record<Knobs['rows'], string> = {
  queries: 'a row asks, a column answers',
  keys: 'a column asks, a row answers',
};
