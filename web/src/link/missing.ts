// One sentence for each thing that a link asks for and this run does not have.
import { msg, str } from '@lit/localize';
import type { Edit } from '../engine/engine.ts';
import { extent } from '../engine/places.ts';
import { side } from '../engine/stages.ts';
import type { Picture } from '../state/result.ts';
import type { Reading, Sentence, State } from '../state/state.ts';

export function limits(link: Reading, picture: Picture, { maskEdits, edits, silenced, patches, addedRows }: State): Sentence[] {
  const { H, T, S } = picture.trace.shape;
  return [
    ...places(link, H, T, S), ...cell(link, picture), ...layer(link, picture),
    ...some(maskEdits.filter(({ query, key }) => query >= T || key >= S).length,
      () => msg('A cell that the link masks or shows lies outside of the sentence and waits for it to grow.'),
      (count) => msg(str`${count} cells that the link masks or shows lie outside of the sentence and wait for it to grow.`)),
    ...some(addedRows.filter((query) => query >= T).length,
      () => msg('A row that the link adds lies outside of the sentence and waits for it to grow.'),
      (count) => msg(str`${count} rows that the link adds lie outside of the sentence and wait for it to grow.`)),
    ...some(edits.filter((edit) => isOutside(edit, picture)).length,
      () => msg('A number that the link sets has no place here and waits.'),
      (count) => msg(str`${count} numbers that the link sets have no place here and wait.`)),
    ...model(picture, silenced, patches),
  ];
}

const some = (count: number, one: () => string, many: (count: number) => string): Sentence[] => count === 0 ? [] : [count === 1 ? one : () => many(count)];

function places({ selection: { head = 0, query = 0, key = 0 } }: Reading, H: number, T: number, S: number): Sentence[] {
  return [
    ...(head < H ? [] : [() => msg(str`The link asks for head ${head + 1} of ${H}: head ${H} is shown.`)]),
    ...(query < T ? [] : [() => msg(str`The link asks for the row of word ${query + 1} of ${T}: the last word’s is shown.`)]),
    ...(key < S ? [] : [() => msg(str`The link asks for the key of word ${key + 1} of ${S}: the last word is chosen.`)]),
  ];
}

function cell({ focus }: Reading, { trace }: Picture): Sentence[] {
  if (!focus) return [];
  const { array, cell: wanted } = focus;
  if (!trace.present(array)) return [() => msg(str`The link asks for ${array}, which is not part of this run.`)];
  const { rows, columns } = extent(trace, array);
  if (!wanted || side(array) === 'pair' || (wanted.row < rows && wanted.column < columns)) return [];
  return [() => msg(str`The link asks for row ${wanted.row + 1}, column ${wanted.column + 1} of ${array}, which is ${rows} × ${columns}: the nearest number is shown.`)];
}

function layer({ settings: { layer: wanted } }: Reading, { reading }: Picture): Sentence[] {
  const layers = reading?.reader.configuration.layers;
  if (wanted === undefined || layers === undefined || (wanted >= 1 && wanted <= layers)) return [];
  return [() => msg(str`The link asks for layer ${wanted} of ${layers}: layer ${Math.max(1, Math.min(wanted, layers))} is shown.`)];
}

/** A number of a word that is not in the text, or past the end of a parameter. */
function isOutside(edit: Edit, { trace, reading }: Picture): boolean {
  // A language model's layers have matrices of their own, in each of which the number may have a place.
  if (reading) return false;
  if ('token' in edit) return edit.column >= trace.shape.D || ![trace.tokens, trace.keyTokens].some((tokens) => tokens.includes(edit.token));
  if (!trace.present(edit.array)) return true;
  const { rows, columns } = extent(trace, edit.array);
  return edit.row >= rows || edit.column >= columns;
}

function model({ reading, trace: { shape: { T } } }: Picture, silenced: State['silenced'], patches: State['patches']): Sentence[] {
  const count = silenced.length + patches.length;
  if (!reading) return count > 0 ? [() => msg('What the link changes in a language model waits until one reads.')] : [];
  const { layers, heads } = reading.reader.configuration;
  const lacks = (place: { layer: number; head: number }) => place.layer >= layers || place.head >= heads;
  return [
    ...(silenced.some(lacks) ? [() => msg(str`The link takes away heads that this model does not have: it has ${layers} layers of ${heads} heads.`)] : []),
    ...(patches.some((patch) => lacks(patch) || patch.query >= T || patch.key >= T) ? [() => msg(str`The link sets shares where this model or this sentence has none: ${layers} layers, ${heads} heads, ${T} tokens.`)] : []),
  ];
}
