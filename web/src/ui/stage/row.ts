// One query's row of one head, stage by stage: what the stage's strips show, and what is said of them.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Selection, Settings, StageId, Trace } from '../../engine/types.ts';
import { count, fixed, gap, percent, plural } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { type Picture, isCross, rowOf } from '../../state/result.ts';

// What the current stage does to this row, in one sentence; what each strip is called, and what stands under its name.

export const NAMES: Readonly<Record<Step, () => string>> = {
  scores: () => msg('Score'), scaled_scores: () => msg('Divide'), capped_scores: () => msg('Softcap'), masked_scores: () => msg('Mask'),
  weights: () => msg('Softmax'), dropped_weights: () => msg('Dropout'), context: () => msg('Mix'),
};

const hiddenIn = ({ isHidden }: Row): number => isHidden.filter(Boolean).length;

/** What the scores are divided by, where it says it simply: 4, 2.828. */
const divisor = ({ factor }: Row): string => short(1 / factor);

/** Short enough to stand beside the strips. */
const rooted = ({ d_k, factor }: Row): string => (Number.isInteger(Math.sqrt(d_k)) ? `÷ √${d_k} = ÷ ${short(1 / factor)}` : `÷ √${d_k} ≈ ${fixed(1 / factor, 2)}`);

/** Under a strip's name. */
export const UNDER: Readonly<Record<Step, (row: Row) => string>> = {
  scores: () => 'q · k',
  scaled_scores: (row) => (row.settings.scale === 'none' ? msg('off') : row.settings.scale === 'factor' ? `× ${short(row.factor)}` : rooted(row)),
  capped_scores: ({ settings }) => `± ${short(settings.softcap)}`,
  masked_scores: (row) => {
    const hidden = hiddenIn(row) === 0 ? msg('none hidden') : plural(hiddenIn(row), msg('1 hidden'), msg(str`${count(hiddenIn(row))} hidden`));
    return row.slope > 0 ? `${hidden}, ${msg('− distance', { desc: 'a cost that grows with the distance is taken off' })}` : hidden;
  },
  weights: ({ settings }) => (settings.temperature === 1 ? msg('into shares') : settings.temperature === 0 ? msg('all to the largest') : msg(str`into shares, ÷ ${short(settings.temperature)}`)),
  dropped_weights: ({ settings }) => `× ${short(1 / (1 - settings.dropout))} / 0`,
  context: () => msg('of values'),
};

/** On a strip of these numbers: as many decimals as tell them apart, or `fewer`. */
export function numbersOf(id: StripId, values: Float32Array): (x: number, fewer?: number) => string {
  if (id === 'weights') return (x) => (x === 0 ? '0' : percent(x));
  if (id === 'dropped_weights') return (x) => (x === 0 ? '0' : percent(x));
  const most = values.reduce((largest, x) => (Number.isFinite(x) ? Math.max(largest, Math.abs(x)) : largest), 0);
  const decimals = most >= 10 ? 1 : most >= 0.1 ? 2 : 4;
  return (x, fewer = 0) => (x === 0 ? '0' : fixed(x, Math.abs(x) >= 100 ? 0 : Math.max(0, decimals - fewer)));
}

export const onHatch = (id: StripId, isShort: boolean): string => (isShare(id) ? (isShort ? '0' : msg('share 0')) : isShort ? '−∞' : msg('hidden: −∞'));

export function sentence(row: Row, step: Step): TemplateResult {
  return html`<b>${NAMES[step]()}</b>${gap()}${SENTENCES[step](row)}`;
}

const named = (text: string): TemplateResult => html`<bdi class="serif" lang="">${text}</bdi>`;
const strong = (text: string): TemplateResult => html`<b>${text}</b>`;

const SENTENCES: Readonly<Record<Step, (row: Row) => TemplateResult | string>> = {
  scores: (row) => {
    const values = valuesOf(row, 'scores');
    const best = ranked({ isHidden: [] }, values)[0] ?? 0;
    return msg(html`compares ${named(row.queryWord)} with every word. ${named(row.words[best] ?? '')} fits best: ${strong(numbersOf('scores', values)(values[best] ?? NaN))}.`, { desc: 'behind the name of the stage' });
  },
  scaled_scores: (row) => {
    const [before, after] = [largest(row, 'scores'), largest(row, 'scaled_scores')];
    if (row.settings.scale === 'none') return msg('is off: every score stays as large as it is.', { desc: 'behind the name of the stage: Divide' });
    return row.settings.scale === 'factor'
      ? msg(html`is replaced: every score times ${short(row.factor)}, so ${before} becomes ${strong(after)}.`, { desc: 'behind the name of the stage: Divide' })
      : msg(html`makes every score ${divisor(row)} times smaller: ${before} becomes ${strong(after)}.`, { desc: 'behind the name of the stage: Divide' });
  },
  capped_scores: (row) => msg(html`keeps every score between −${short(row.settings.softcap)} and ${short(row.settings.softcap)}: ${largest(row, 'scaled_scores')} becomes ${strong(largest(row, 'capped_scores'))}.`, { desc: 'behind the name of the stage: Softcap' }),
  masked_scores: (row) => html`${masked(row)}${row.slope > 0 ? html` ${msg(str`Each step of distance also costs ${short(row.slope)} points.`)}` : nothing}`,
  weights: shared,
  dropped_weights: (row) => {
    const zeros = [...valuesOf(row, 'weights').keys()].filter((key) => (valuesOf(row, 'weights')[key] ?? 0) !== 0 && row.shares[key] === 0).length;
    return msg(html`sets ${strong(plural(zeros, msg('1 share'), msg(str`${count(zeros)} shares`)))} to 0 and multiplies the others by ${short(1 / (1 - row.settings.dropout))}.`, { desc: 'behind the name of the stage: Dropout' });
  },
  context: mixed,
};

/** The largest number that the mask leaves, or of all where it leaves none. */
function largest(row: Row, id: StripId): string {
  const values = valuesOf(row, id);
  const first = ranked(row, valuesOf(row, 'scores'))[0] ?? 0;
  return numbersOf(id, values)(values[first] ?? NaN);
}

function masked(row: Row): TemplateResult | string {
  const hidden = hiddenIn(row);
  const query = named(row.queryWord);
  if (hidden === 0) return msg(html`hides nothing here: ${query} may look at every word.`, { desc: 'behind the name of the stage: Mask' });
  if (hidden === row.words.length) return msg(html`hides every word from ${query}.`, { desc: 'behind the name of the stage: Mask' });
  return plural(hidden, msg(html`hides 1 word: ${query} cannot look at it.`, { desc: 'behind the name of the stage: Mask' }), msg(html`hides ${count(hidden)} words: ${query} cannot look at them.`, { desc: 'behind the name of the stage: Mask' }));
}

function shared(row: Row): TemplateResult | string {
  const [scores, shares] = [valuesOf(row, 'masked_scores'), valuesOf(row, 'weights')];
  const [first, second] = ranked(row, shares);
  if (first === undefined) return msg('has nothing to share: every word is hidden, so every share is 0.', { desc: 'behind the name of the stage: Softmax' });
  if (shares.some(Number.isNaN)) return msg('fails: a score is not a number, so no share is.', { desc: 'behind the name of the stage: Softmax' });
  if (second === undefined) return msg(html`gives all to the only word that is left: ${strong(percent(shares[first] ?? 0))}.`, { desc: 'behind the name of the stage: Softmax' });
  const [a, b] = [html`<b class="accent">${percent(shares[first] ?? 0)}</b>`, strong(percent(shares[second] ?? 0))];
  const { temperature } = row.settings;
  const lead = Math.fround((scores[first] ?? 0) - (scores[second] ?? 0));
  if (temperature === 0) return msg(html`at temperature 0 gives all to the largest score: ${a} and ${b}.`, { desc: 'behind the name of the stage: Softmax' });
  if (lead === 0) return msg(html`turns equal scores into equal shares: ${a} and ${b}.`, { desc: 'behind the name of the stage: Softmax' });
  const points = fixed(lead, lead >= 0.1 ? 1 : 3);
  return temperature === 1
    ? msg(html`turns a lead of ${points} points into shares of ${a} and ${b}.`, { desc: 'behind the name of the stage: Softmax' })
    : msg(html`at temperature ${short(temperature)} turns a lead of ${points} points into shares of ${a} and ${b}.`, { desc: 'behind the name of the stage: Softmax' });
}

function mixed(row: Row): TemplateResult | string {
  if (row.shares.some(Number.isNaN)) return msg('fails: a share is not a number, so neither is the sum.', { desc: 'behind the name of the stage: Mix' });
  const [first, second] = ranked(row, row.shares).filter((key) => (row.shares[key] ?? 0) >= 0.005);
  const query = named(row.queryWord);
  if (first === undefined) return msg(html`has nothing to add up: what ${query} takes along is 0.`, { desc: 'behind the name of the stage: Mix' });
  const part = (key: number) => html`<b>${percent(row.shares[key] ?? 0)}</b>`;
  return second === undefined
    ? msg(html`lets ${query} take along ${part(first)} of the value of ${named(row.words[first] ?? '')}.`, { desc: 'behind the name of the stage: Mix' })
    : msg(html`lets ${query} take along ${part(first)} of the value of ${named(row.words[first] ?? '')} and ${part(second)} of that of ${named(row.words[second] ?? '')}.`, { desc: 'behind the name of the stage: Mix' });
}

// One query's row of one head, stage by stage, as the engine has it: what the stage's strips show.

/** Stages of a row, in the order they run. Softcap and dropout are there when they are on. */
const STAGES = ['scores', 'scaled_scores', 'capped_scores', 'masked_scores', 'weights', 'dropped_weights'] as const satisfies readonly StageId[];

export type StripId = (typeof STAGES)[number];
export type Step = StripId | 'context';

/** Shares are drawn from 0 to 1; scores share one scale, so that ÷ 4 looks like ÷ 4. */
export const isShare = (id: StripId): boolean => id === 'weights' || id === 'dropped_weights';

export interface Strip {
  readonly id: StripId;
  /** One number a key. */
  readonly values: Float32Array;
}

export interface Row {
  readonly strips: readonly Strip[];
  readonly words: readonly string[];
  readonly query: number;
  readonly queryWord: string;
  /** Whether the query stands among the words. */
  readonly isOwn: boolean;
  /** Whether a model has put its start token in front of the text. */
  readonly hasStart: boolean;
  readonly key: number;
  /** By key. */
  readonly isHidden: readonly boolean[];
  /** What the mix takes of each key: after dropout, where there is some. */
  readonly shares: Float32Array;
  readonly context: Float32Array;
  readonly settings: Settings;
  readonly d_k: number;
  readonly factor: number;
  /** ALiBi's cost of one step; 0 without it. */
  readonly slope: number;
}

export function rowAt(picture: Picture, { head, query, key }: Selection): Row {
  const { trace } = picture;
  const strips = STAGES.filter((id) => trace.present(id)).map((id): Strip => ({ id, values: rowOf(picture, trace.head(id, head), query) }));
  const of = (id: StripId) => strips.find((strip) => strip.id === id)?.values ?? new Float32Array();
  return {
    strips, query, key, words: picture.keyTokens.map(({ text }) => text), queryWord: picture.tokens[query]?.text ?? '', isOwn: !isCross(picture), hasStart: picture.keyTokens[0] !== undefined && picture.keyTokens[0].start === picture.keyTokens[0].end,
    isHidden: Array.from(of('masked_scores'), (score) => score === -Infinity), shares: strips.at(-1)?.values ?? new Float32Array(),
    context: contextOf(trace, head, query), settings: trace.settings, d_k: trace.shape.d_k, factor: trace.factor, slope: trace.parameter('slopes')[head] ?? 0,
  };
}

function contextOf(trace: Trace, head: number, query: number): Float32Array {
  const { d_v } = trace.shape;
  return trace.head('context', head).subarray(query * d_v, (query + 1) * d_v);
}

/** Keys that may be looked at, the largest number first. */
export function ranked({ isHidden }: Pick<Row, 'isHidden'>, values: Float32Array): number[] {
  return [...values.keys()].filter((key) => !isHidden[key]).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
}

/** Of a stage among those of its row. */
export const indexOf = ({ strips }: Row, step: Step): number => (step === 'context' ? strips.length : strips.findIndex(({ id }) => id === step));

export const valuesOf = ({ strips }: Row, id: StripId): Float32Array => strips.find((strip) => strip.id === id)?.values ?? new Float32Array();

/**
 * The row as it was before, with its numbers at the keys of the row as it is now; null unless the same word looks at the same
 * words. A start token, which comes and goes with its model, may be missing in one of them: it has no number there.
 */
export function laidOver(now: Row, before: Row): Row | null {
  const more = Number(now.hasStart) - Number(before.hasStart);
  const [words, were] = [now, before].map((row) => row.words.slice(Number(row.hasStart))) as [string[], string[]];
  const isSame = now.query - before.query === more && now.queryWord === before.queryWord && words.length === were.length && words.every((word, i) => word === were[i]);
  if (!isSame || more === 0) return isSame ? before : null;
  const moved = (values: Float32Array) => (more > 0 ? Float32Array.from([NaN, ...values]) : values.subarray(1));
  return { ...before, strips: before.strips.map(({ id, values }) => ({ id, values: moved(values) })) };
}
