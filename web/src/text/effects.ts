// One line under each switch: what it does to the sentence as it stands. Every number is the engine's, or a count
// of its cells.
import { msg, str } from '@lit/localize';
import type { Settings } from '../engine/engine.ts';
import { MASK_NUMBERS, type MaskNumberName, maskOf } from '../engine/masks.ts';
import { count, plural } from '../lib/format.ts';
import { short, weight } from './numbers.ts';
import type { Effect, Knobs, SettingName } from '../state/settings.ts';

export type Says = (effect: Effect) => string;

const mask: Says = ({ settings, shape, hidden, cross }) => {
  const cells = count(shape.T * shape.S);
  const { across } = maskOf(settings.mask);
  if (cross && across) return across();
  if (hidden > 0) return msg(str`hides ${count(hidden)} of ${cells} cells`);
  return shape.T * shape.S === 1 ? msg('nothing to hide in one word') : msg(str`hides none of ${cells} cells`);
};

/** A number says what it does while its mask is on. */
const maskNumbers = Object.fromEntries(MASK_NUMBERS.map(({ name, field, mask: own, says }): [string, Says] => [
  name, ({ settings, cross }) => (settings.mask === own ? says(settings[field], cross) : msg(str`only with the mask “${maskOf(own).label()}”`)),
])) as Record<MaskNumberName, Says>;

const scale: Says = ({ settings, shape, factor }) => {
  if (settings.scale === 'none') return msg('leaves scores as they are');
  return settings.scale === 'factor' ? msg(str`multiplies scores by ${short(factor)}`) : msg(str`multiplies scores by ${short(factor)} = 1 ÷ √${shape.d_k}`);
};

const temperature: Says = ({ settings, largest }) => {
  const now = settings.rows === 'queries' ? msg(str`this row’s largest weight is ${weight(largest)}`) : msg(str`this column’s largest weight is ${weight(largest)}`);
  return settings.temperature === 0 ? msg(str`hard lookup, the largest score takes all: ${now}`) : now;
};

const softcap: Says = ({ settings }) =>
  settings.softcap === 0 ? msg('scores may be of any size') : msg(str`keeps scores between −${short(settings.softcap)} and ${short(settings.softcap)}`);

const dropout: Says = (effect) => {
  const { settings, shape, hidden } = effect;
  if (settings.dropout === 0) return msg('keeps every weight, as outside training');
  return msg(str`training view: ${count(effect.dropped)} of this head’s ${count(shape.T * shape.S - hidden)} weights set to 0, others × ${short(1 / (1 - settings.dropout))}`);
};
const dropoutSeed: Says = ({ settings }) => (settings.dropout === 0 ? msg('waits for dropout') : msg('draws which weights go'));

const heads: Says = ({ settings, shape }) => {
  const { H, D, d_k, d_v } = shape;
  if (H === 1) return plural(d_k, msg('one head reads the only number'), msg(str`one head reads all ${count(d_k)} numbers`));
  if (d_k !== d_v) return plural(d_k, msg(str`${H} heads: 1 number of query and key, ${d_v} of value`), msg(str`${H} heads: ${count(d_k)} numbers of query and key, ${d_v} of value`));
  if (settings.d_k > 0 || settings.d_v > 0) return plural(d_k, msg(str`${H} heads of 1 number each`), msg(str`${H} heads of ${count(d_k)} numbers each`));
  return msg(str`splits ${D} numbers into ${H} × ${d_k}`);
};

const keyHeads: Says = ({ settings, shape }) => {
  const shared = settings.num_kv_heads || shape.H;
  if (shared === shape.H) return msg('every head has keys and values of its own');
  const group = count(shape.H / shared);
  return plural(shared, msg(str`${group} heads share each of 1 key and value`), msg(str`${group} heads share each of ${count(shared)} keys and values`));
};

const dModel: Says = ({ shape }) => plural(shape.D, msg('each word is 1 number'), msg(str`each word is ${count(shape.D)} numbers`));
const dK: Says = ({ shape }) => plural(shape.d_k, msg('a score is a sum of 1 product'), msg(str`a score is a sum of ${count(shape.d_k)} products`));
const dV: Says = ({ shape }) => plural(shape.d_v, msg('a head passes on 1 number of each word'), msg(str`a head passes on ${count(shape.d_v)} numbers of each word`));

const valueRank: Says = ({ settings, shape }) => {
  const width = (settings.num_kv_heads || shape.H) * shape.d_v;
  const full = shape.D * width;
  if (settings.value_rank === 0) return msg(str`W_V has ${count(full)} numbers of its own`);
  return msg(str`${count(settings.value_rank * (shape.D + width))} numbers make W_V’s ${count(full)}`);
};

const seed: Says = () => msg('draws all parameters');

const biases: Says = ({ settings, shape }) => {
  const shared = settings.num_kv_heads || shape.H;
  const { D } = shape;
  const [q, k, v] = [shape.H * shape.d_k, shared * shape.d_k, shared * shape.d_v];
  const alike = [q, k, v].every((width) => width === D);
  if (!settings.out_proj) {
    if (!settings.biases) return msg('adds nothing to Q, K and V');
    return alike ? plural(D, msg('adds 1 number to each of Q, K and V'), msg(str`adds ${count(D)} numbers to each of Q, K and V`)) : msg(str`adds ${q}, ${k} and ${v} numbers to Q, K and V`);
  }
  if (!settings.biases) return msg('adds nothing to Q, K, V and the output');
  return alike ? plural(D, msg('adds 1 number to each of Q, K, V and the output'), msg(str`adds ${count(D)} numbers to each of Q, K, V and the output`)) : msg(str`adds ${q}, ${k}, ${v} and ${D} numbers to Q, K, V and the output`);
};

const TIES: Record<Settings['tie'], () => string> = {
  none: () => msg('Queries, keys and values each have their own matrix.'),
  qk: () => msg('a word asks as it answers'),
  qkv: () => msg('one matrix for asking, answering and content'),
};
const tie: Says = ({ settings }) => TIES[settings.tie]();

const outProj: Says = ({ settings, shape: { H, D, d_v } }) => {
  if (!settings.out_proj) return msg('the output is the heads side by side');
  return plural(H * d_v, msg(str`mixes the heads’ 1 number into ${D}`), msg(str`mixes the heads’ ${count(H * d_v)} numbers into ${D}`));
};

const residual: Says = ({ settings }) =>
  settings.residual ? msg('adds each word’s own vector to its output') : msg('the layer ends with its output');

const POSITIONS: Record<Settings['positions'], Says> = {
  none: () => msg('the same word has the same vector everywhere'),
  sinusoidal: ({ shape: { D } }) => plural(D, msg('adds each place’s own 1 number to its word'), msg(str`adds each place’s own ${count(D)} numbers to its word`)),
  learned: ({ shape: { D } }) => plural(D, msg('adds a random table’s 1 number to each word, as a trained model adds learned ones'), msg(str`adds a random table’s ${count(D)} numbers to each word, as a trained model adds learned ones`)),
  rope: () => msg('turns queries and keys by their place'),
  alibi: () => msg('takes distance off the scores, each head at its own rate'),
};
const positions: Says = (effect) => POSITIONS[effect.settings.positions](effect);

const SOURCES: Record<Knobs['source'], () => string> = {
  random: () => msg('random numbers, no meaning yet'),
  designed: () => msg('made by hand, each number with a name'),
  trained: () => msg('learnt from stories and captions'),
  'trained-here': () => msg('none yet: random until then'),
  yours: () => msg('what you paste; the rest is random'),
};
const OPENED: Partial<typeof SOURCES> = { yours: () => msg('your model, read from its file'), 'trained-here': () => msg('learnt in a lesson of this page') };
const parameters: Says = ({ settings: { source }, shape, layers }) => (shape.D === 0 ? msg('weights of your file') : ((layers > 0 && OPENED[source]) || SOURCES[source])());

const layer: Says = ({ settings, shape, layers }) => (shape.D === 0 ? msg(str`of ${layers} in the file`) : settings.layer === 1 ? msg('reads the words’ own numbers') : msg(str`reads what layer ${settings.layer - 1} wrote`));
const actsOn: Says = ({ settings }) => (settings.actsOn === 'every' ? msg('mask, scale, temperature and softcap change all layers') : msg(str`they change layer ${settings.layer} alone`));

const rows: Says = ({ settings }) => (settings.rows === 'queries' ? msg('a row asks, a column answers') : msg('a column asks, a row answers'));

export const EFFECTS: Readonly<Record<SettingName, Says>> = {
  mask, scale, heads, parameters, layer, actsOn, ...maskNumbers, temperature, softcap, dropout, dropoutSeed,
  dModel, keyHeads, dK, dV, valueRank, seed, biases, tie, outProj, residual, positions, rows,
};
