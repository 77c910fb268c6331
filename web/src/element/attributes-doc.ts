// Descriptions of the attributes, in English, for manuals, editors and the package's declarations; not part of the page.
import { ABOUT_MASKS, MASK_IDS, MASK_NUMBERS, type MaskNumberName } from '../engine/masks.ts';
import type { SettingName } from '../state/settings.ts';

export const ABOUT: Readonly<Record<string, string>> = {
  text: 'The sentence. Readers may type another.',
  'key-text': 'A second sentence that keys and values come from (cross-attention).',
  view: 'What is shown: everything, one figure alone, a lesson or a lab.',
  preset: 'Of a lab: its own controls, as in "d=64&pairs=2000". Of a lesson: where it opens, as in "step=choose".',
  lesson: 'Of view="training": which lesson. With `seed` it is trained from that seed, with `mask` (causal or none), `scale` (sqrt-dk or none) and `heads` (1, 2 or 4) by these: the runs that have them are shown, or all runs train by them from the first step.',
  'at-step': 'Of view="training": the step of the training that is shown first; nothing is asked before it then.',
  step: 'The stage that view="matrix" shows one matrix of, view="cell" one number of, and that the walk opens at: scores, scaled_scores, masked_scores, weights, context, output or any other.',
  head: 'The head that is looked at, from 1.',
  row: 'The word that looks, from 1.',
  column: 'The word that is looked at, from 1.',
  'mask-cells': 'Cells whose allowance is turned round by hand: "3.5,4.2" is row 3 and key 5, row 4 and key 2.',
  replay: 'With parameters="trained-here": what makes the model again, as lesson.run.seed.step: "positions.with_positions.1.40". A link from a lesson on training holds it.',
  controls: 'What readers may change: nothing, the sentence and the main settings, or everything.',
  readonly: 'Nothing can be changed; cells can be looked at.',
  locked: 'Settings that are shown and cannot be changed: their attributes, and “text”, with spaces between.',
  task: 'A question that readers answer before the numbers are shown.',
  playground: 'Address of the playground’s page, for the link that opens this state there; without it there is no link.',
  theme: 'auto follows the page around the element, or else the system.',
  lang: 'Language of the words around the figure: en, es, zh-Hans.',
  loading: 'lazy starts the engine when the element comes near the screen.',
  src: 'Address of a JSON file that holds a configuration.',
  'core-src': 'Where attention.wasm lies, for the split modules; the single script has it inside.',
};

/** What a setting does; and its values, where the rule of its attribute says too little. */
interface SettingAbout { does: string; values?: string }

const DOES: Readonly<Record<Exclude<SettingName, MaskNumberName>, SettingAbout>> = {
  mask: { does: `which words a word may look at: ${MASK_IDS.map((id) => `*${id}*: ${ABOUT_MASKS[id]}`).join('; ')}` },
  scale: { does: 'divides scores by √d_k, leaves them, or multiplies them by your factor' },
  heads: { does: 'into how many parts d_model is split; the number must divide d_model, unless d_k and d_v are set', values: '1 … d_model' },
  parameters: { does: 'where the numbers come from: a seed, [hands](designed.md), [stories](model.md), [a lesson on training](training.md#open-a-trained-model-in-the-playground), or you' },
  layer: { does: 'with a language model: which of its layers the figure and the walk show', values: '1 … the model’s' },
  actsOn: { does: 'with a language model: whether mask, scale, temperature and softcap change every layer or the one that is shown' },
  temperature: { does: 'scores are divided by it before softmax: small is sharp, large is even; 0 gives all to the largest score, and equals share', values: '0, or 0.001 … 10,000' },
  softcap: { does: 'bends scores by c·tanh(score / c), so that all lie between −c and c', values: '0 (off), or 0.001 … 10,000' },
  dropout: { does: 'as in training: sets this share of weights to 0 and enlarges the others', values: '0 … 0.95' },
  dropoutSeed: { does: 'draws which weights dropout sets to 0' },
  dModel: { does: 'how many numbers a word has', values: '1 … 1,024' },
  keyHeads: { does: 'fewer key and value heads than query heads, each shared by several (grouped heads)', values: '0 (as heads), or a divisor of heads' },
  dK: { does: 'how wide queries and keys are', values: '0 (d_model ÷ heads), or a width' },
  dV: { does: 'how wide values are', values: '0 (d_model ÷ heads), or a width' },
  valueRank: { does: 'makes W_V of two thin matrices', values: '0 (full), or a rank' },
  seed: { does: 'draws all random parameters; the same seed gives the same numbers everywhere' },
  biases: { does: 'adds b_Q, b_K, b_V and b_O' },
  tie: { does: 'uses one matrix for queries and keys, or for values too' },
  outProj: { does: 'off: the output is the heads side by side' },
  residual: { does: 'off: the layer ends with its output, without adding the word’s own vector' },
  positions: { does: 'how a word’s place enters: added waves, an added table (random here), queries and keys turned, distance taken off the scores, not at all' },
  rows: { does: 'whether a row asks and a column answers, or the other way round; no number changes' },
};

export const ABOUT_SETTINGS = {
  ...DOES,
  ...Object.fromEntries(MASK_NUMBERS.map(({ name, mask }) => [name, { does: `with the mask *${mask}*: ${ABOUT_MASKS[name]}` }])),
} as Readonly<Record<SettingName, SettingAbout>>;
