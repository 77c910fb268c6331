// The table of masks: their names, what the page says about their cells, and their numbers. Which keys a query may
// look at, the core alone says.
import { msg, str } from '@lit/localize';
import { count, plural } from '../lib/format.ts';

type Label = () => string;

/** A whole number that one mask reads: a setting of its own. */
export interface MaskNumber {
  /** In the core's settings. */
  field: string;
  initial: number;
  label: Label;
  /** What `n` does; `cross`: keys come from a second sentence. */
  says(n: number, cross: boolean): string;
}

export interface Mask {
  label: Label;
  /** Omitted for a mask that hides nothing. */
  cells?: {
    /** Why a key is hidden, after its name: “tired comes later”. */
    hidden: Label;
    /** The same for a visible key, after its name. */
    seen(cross: boolean): string;
    /** Of the hidden keys of a row, as part of a sentence. */
    several(n: number): string;
  };
  /** Under the switch, in place of the count of hidden cells, where keys come from a second sentence. */
  across?: Label;
  /** Written into the triangle of cells that it hides, where it hides one. */
  note?: Label;
  /** By the name that they have as settings. */
  numbers?: Readonly<Record<string, MaskNumber>>;
}

export const MASKS = {
  causal: {
    label: () => msg('causal'),
    cells: {
      hidden: () => msg('comes later', { desc: 'behind the name of a key' }),
      seen: (cross) => (cross ? msg('stands no later in its sentence', { desc: 'behind the name of a key' }) : msg('comes earlier', { desc: 'behind the name of a key' })),
      several: (n) => plural(n, msg('the later token is hidden'), msg(str`the ${count(n)} later tokens are hidden`)),
    },
    across: () => msg('word n sees the first n keys'),
    note: () => msg('come later, so hidden'),
  },
  window: {
    label: () => msg('window'),
    cells: {
      hidden: () => msg('lies outside the window', { desc: 'behind the name of a key' }),
      seen: () => msg('lies in the window', { desc: 'behind the name of a key' }),
      several: (n) => plural(n, msg('the token outside the window is hidden'), msg(str`the ${count(n)} tokens outside the window are hidden`)),
    },
    numbers: {
      windowBefore: {
        field: 'window_left', initial: 4, label: () => msg('Window, before'),
        says: (n, cross) => {
          if (cross) return n === 0 ? msg('a word sees nothing before its place in the second sentence') : msg(str`a word sees ${count(n)} before its place in the second sentence`);
          return n === 0 ? msg('a word sees nothing before it') : msg(str`a word sees ${count(n)} before it`);
        },
      },
      windowAfter: {
        field: 'window_right', initial: 0, label: () => msg('Window, after'),
        says: (n, cross) => {
          if (cross) return n === 0 ? msg('a word sees nothing after its place in the second sentence') : msg(str`a word sees ${count(n)} after its place in the second sentence`);
          return n === 0 ? msg('a word sees nothing after it') : msg(str`a word sees ${count(n)} after it`);
        },
      },
    },
  },
  prefix: {
    label: () => msg('prefix'),
    cells: {
      hidden: () => msg('comes later and is not in the prefix', { desc: 'behind the name of a key' }),
      seen: () => msg('comes no later, or is in the prefix', { desc: 'behind the name of a key' }),
      several: (n) => plural(n, msg('the later token outside the prefix is hidden'), msg(str`the ${count(n)} later tokens outside the prefix are hidden`)),
    },
    numbers: {
      prefixLength: {
        field: 'prefix_length', initial: 3, label: () => msg('Prefix length'),
        says: (n) => (n === 0 ? msg('no word is seen by all') : plural(n, msg('the first word is seen by all'), msg(str`the first ${count(n)} words are seen by all`))),
      },
    },
  },
  none: { label: () => msg('none') },
} as const satisfies Readonly<Record<string, Mask>>;

export type MaskId = keyof typeof MASKS;

type NumbersOf<M> = M extends { numbers: infer N } ? N : never;
type EveryNumber = { [Id in MaskId]: NumbersOf<(typeof MASKS)[Id]> }[MaskId];
type Keys<T> = T extends unknown ? keyof T : never;
type Fields<T> = T extends unknown ? T[keyof T] : never;
/** windowBefore, … */
export type MaskNumberName = Keys<EveryNumber>;
/** window_left, … */
export type MaskField = Extract<Fields<EveryNumber>, MaskNumber>['field'];

export const MASK_IDS = Object.keys(MASKS) as readonly MaskId[];
export const maskOf = (id: MaskId): Mask => MASKS[id];

/** The numbers of all masks. */
export const MASK_NUMBERS = Object.entries<Mask>(MASKS).flatMap(([mask, { numbers = {} }]) => Object.entries(numbers).map(([name, number]) => (
  { ...number, mask: mask as MaskId, name: name as MaskNumberName, field: number.field as MaskField }
)));

export const MASK_DEFAULTS = Object.fromEntries(MASK_NUMBERS.map(({ field, initial }) => [field, initial])) as Record<MaskField, number>;

/** Of settings, those that masks read. */
export const maskSettings = <S extends Record<MaskField | 'mask', unknown>>(settings: S): Pick<S, MaskField | 'mask'> =>
  Object.fromEntries((['mask', ...MASK_NUMBERS.map(({ field }) => field)] as const).map((field) => [field, settings[field]])) as Pick<S, MaskField | 'mask'>;

/** For manuals, in English: what each lets a word look at, and what its numbers are. No reader of a figure loads this. */
export const ABOUT_MASKS: Readonly<Record<MaskId | MaskNumberName, string>> = {
  causal: 'itself and earlier words',
  window: 'words within a window around it',
  prefix: 'the first words, itself and earlier words',
  none: 'all words',
  windowBefore: 'how many words a word sees before itself',
  windowAfter: 'how many words a word sees after itself',
  prefixLength: 'how many words at the beginning every word sees',
};
