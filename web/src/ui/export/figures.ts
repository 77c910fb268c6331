// Any figure of the page, as it is shown there: now, as pinned, or the difference; in the page's own colours.
import { msg, str } from '@lit/localize';
import type { ArrayId, StageId } from '../../engine/engine.ts';
import { extent, headIn } from '../../engine/places.ts';
import { side } from '../../engine/stages.ts';
import { cellDifference, cellWeight, clipped, count, fixed, plural } from '../../lib/format.ts';
import { type Picture, isCross, maskedRow, weightsRow } from '../../state/result.ts';
import { type SettingName, setting } from '../../state/settings.ts';
import { SHARES } from '../../state/stage-groups.ts';
import { standsAt } from '../../text/settings.ts';
import { sourceWords } from '../../text/sources.ts';
import { headOf, headsOf } from '../../text/word.ts';
import { nameIn } from '../../text/stages.ts';
import { axes } from '../../text/caption.ts';
import { Comparison, type Matrix, Ranges, gridOf, headHues, inLockedRange, matrix } from '../walk/matrices.ts';
import type { WalkInput } from '../walk/view-model.ts';
import { arcsFigure, headsFigure, matrixFigure } from './pictures.ts';
import type { Figure } from '../kit/marks.ts';

/** The arcs over the sentence, one head's matrix, or a stage of all heads. */
export type Choice = 'arcs' | ArrayId | `all ${StageId}`;

export function figureOf(choice: Choice, input: WalkInput): Figure {
  if (choice === 'arcs') return arcs(input);
  return choice.startsWith('all ') ? heads(choice.slice(4) as StageId, input) : oneMatrix(choice as ArrayId, input);
}

/** "weights-head-2-difference". */
export function nameOf(choice: Choice, { picture: { trace }, selection, mode }: WalkInput): string {
  const id = choice.replace('all ', '') as ArrayId | 'arcs';
  const own = id === 'arcs' || id === 'weights' || extent(trace, id).heads > 1;
  return [id, ...(choice.startsWith('all ') ? ['all-heads'] : own ? ['head', selection.head + 1] : []), ...(mode === 'now' || id === 'arcs' ? [] : [mode])].join('-');
}

/** As the walk shows it. @throws Error with a sentence where states cannot be compared */
function shown(id: ArrayId, input: WalkInput, head: number): Matrix {
  const { picture: { trace }, pinned, mode } = input;
  const selection = { ...input.selection, head };
  const now = matrix(trace, id, selection, { head: headIn(trace, id, head), row: 0, column: 0 }, new Ranges());
  const made = pinned ? new Comparison().matrix(mode, trace, pinned, now, selection) : now;
  if (made.note) throw new Error(made.note);
  return inLockedRange(made, input.lockedRanges, mode);
}

const pictureOf = ({ picture, pinned, mode }: WalkInput): Picture => (mode === 'pinned' && pinned ? pinned.picture : picture);

const isTurned = (id: ArrayId, { rows }: Picture): boolean => side(id) === 'pair' && rows === 'keys';
const texts = (tokens: Picture['tokens']): string[] => tokens.map(({ text }) => text);
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i + 1));

function oneMatrix(id: ArrayId, input: WalkInput): Figure {
  const { selection, mode, paint } = input;
  const picture = pictureOf(input);
  const made = shown(id, input, selection.head);
  const turned = isTurned(id, picture);
  const pair = side(id) === 'pair';
  const [queries, keys] = [texts(picture.tokens), texts(picture.keyTokens)];
  return matrixFigure({
    grid: gridOf(made, paint, turned),
    rows: side(id) === 'parameter' ? numbered(made.rows) : side(id) === 'key' || turned ? keys : queries,
    columns: pair ? (turned ? queries : keys) : made.columns,
    words: mode === 'difference' && SHARES.includes(id as StageId) ? cellDifference : made.kind === 'weights' ? cellWeight : cellNumber,
    hues: huesOf(id, made.columns, picture, selection.head, paint.theme),
    title: title(made.heads > 1 ? msg(str`${labelOf(id, input)}, head ${headOf(picture, made.head)} of ${headsOf(picture, made.heads)}`) : labelOf(id, input), mode),
    about: aboutWith(made.outside ?? 0, picture, input), axes: axisWords(id, picture, made.columns), masked: maskedWords(id, made, mode),
  });
}

function heads(id: StageId, input: WalkInput): Figure {
  const { picture: { trace }, selection } = input;
  const picture = pictureOf(input);
  const count = extent(picture.trace, id).heads;
  const each = Array.from({ length: count }, (_, head) => shown(id, input, Math.ceil((head * trace.shape.H) / count)));
  const [first] = each as [Matrix, ...Matrix[]];
  const turned = isTurned(id, picture);
  const range = Math.max(...each.map((one) => one.range));
  const { down, across } = axisWords(id, picture, first.columns);
  const label = labelOf(id, input);
  return headsFigure({
    names: each.map((_, head) => headName(picture, head)), chosen: headIn(picture.trace, id, selection.head),
    grids: each.map((one) => ({ ...gridOf(one, input.paint, turned), range })),
    title: title(msg(str`${label}, every head`), input.mode), axes: `${down}; ${across}`,
    about: aboutWith(each.reduce((sum, { outside = 0 }) => sum + outside, 0), picture, input), masked: maskedWords(id, first, input.mode),
  });
}

function arcs({ picture, selection: { head, query, key }, paint }: WalkInput): Figure {
  const [weights, masked] = [weightsRow(picture, head, query), maskedRow(picture, head, query)];
  const words = texts(picture.tokens);
  return arcsFigure({
    words, query, key, paint,
    weights: Array.from(weights, (weight, i) => (masked[i] === -Infinity || !Number.isFinite(weight) ? null : weight)),
    backwards: /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(picture.text),
    title: msg(str`What “${clipped(words[query] ?? '')}” attends to, head ${headOf(picture, head)} of ${headsOf(picture)}`),
    axes: msg('an arc is as wide as its weight; the row sums to 1'), about: settingsWords(picture, head), masked: msg('masked'),
  });
}

const cellNumber = (x: number): string => fixed(x, Math.abs(x) < 9.995 ? 2 : Math.abs(x) < 99.95 ? 1 : 0);

/** As the walk marks columns: context by its own head, concat by the head that each comes from. */
function huesOf(id: ArrayId, columns: number, { trace: { shape } }: Picture, head: number, theme: WalkInput['paint']['theme']): string[] | null {
  if (shape.H < 2 || (id !== 'context' && id !== 'concat')) return null;
  const hues = headHues(shape.H, theme);
  return Array.from({ length: columns }, (_, column) => hues[id === 'context' ? head : Math.floor(column / shape.d_v)] ?? '');
}

export const labelOf = (id: ArrayId, { picture, stages }: WalkInput): string => nameIn(picture, id, stages);

function headName(picture: Picture, head: number): string {
  const name = picture.designed?.heads[head]?.name;
  const place = headOf(picture, head);
  return name ? msg(str`Head ${place}: ${name}`) : msg(str`Head ${place}`);
}

function title(name: string, mode: WalkInput['mode']): string {
  if (mode === 'now') return name;
  return mode === 'pinned' ? msg(str`${name}, as pinned`) : msg(str`${name}, now − pinned`);
}

function maskedWords(id: ArrayId, { masked }: Matrix, mode: WalkInput['mode']): string | null {
  if (!masked?.some((x) => !Number.isFinite(x))) return null;
  if (mode === 'difference') return id === 'masked_scores' ? msg('was or is −∞') : msg('masked in both');
  return id === 'masked_scores' ? msg('masked: −∞') : msg('masked');
}

function axisWords(id: ArrayId, picture: Picture, columns: number): { down: string; across: string } {
  switch (side(id)) {
    case 'pair': {
      const { down, across } = axes(picture.rows, isCross(picture));
      return { down: down.join(' '), across };
    }
    case 'parameter': return { down: msg('row: a number that comes in ↓'), across: msg(str`column: a number that goes out, 1 to ${columns} →`) };
    case 'key': return { down: msg('row: a word that is looked at ↓'), across: msg(str`column: its numbers, 1 to ${columns} →`) };
    default: return { down: msg('row: a word ↓'), across: msg(str`column: its numbers, 1 to ${columns} →`) };
  }
}

function aboutWith(outside: number, picture: Picture, input: WalkInput): string {
  const words = about(picture, input);
  return outside === 0 ? words : `${plural(outside, msg('1 number lies outside of the kept range'), msg(str`${count(outside)} numbers lie outside of the kept range`))} · ${words}`;
}

const about = (picture: Picture, { pinned, mode, selection }: WalkInput): string => (mode === 'difference' && pinned ? `${pinned.words} · Attention Playground` : settingsWords(picture, selection.head));

function settingsWords(picture: Picture, head: number): string {
  const { settings } = picture.trace;
  const source = picture.source === 'random' ? msg(str`random parameters (seed ${settings.seed})`) : sourceWords(picture, head);
  const at = (name: SettingName) => standsAt(setting(name), settings);
  if (picture.ready) return `${source} · Attention Playground`;
  return `${msg(str`mask ${at('mask')}, scale ${at('scale')}, positions ${at('positions')}, ${source}`)} · Attention Playground`;
}
