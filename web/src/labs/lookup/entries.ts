// The dictionary: words as keys, colours as values, and how both stand in a link.
import type { Field } from '../knobs.ts';

export interface Entry {
  key: string;
  /** "#3a7bd5". */
  colour: string;
}

export const MOST_ENTRIES = 8;
const MOST_LETTERS = 40;

export const START: readonly Entry[] = [
  { key: 'sun', colour: '#ffd23f' }, { key: 'sky', colour: '#3a7bd5' }, { key: 'grass', colour: '#4c9f38' },
  { key: 'rose', colour: '#d62839' }, { key: 'snow', colour: '#ffffff' }, { key: 'coal', colour: '#20242b' },
];
/** Of entries that are added, in turn. */
export const PALETTE = ['#8a4fff', '#ff8c42', '#2ec4b6', '#f49ac2', '#7f5539', '#9aa0a6', '#ffd23f', '#3a7bd5'] as const;

/** "sky/3a7bd5,sun/ffd23f", each key as a part of an address. */
export const entries: Field<readonly Entry[]> = {
  start: START,
  parse: (text) => {
    const read = text.split(',').slice(0, MOST_ENTRIES).map(parseEntry);
    return read.every((entry) => entry !== null) ? read : null;
  },
  format: (all) => all.map(({ key, colour }) => `${encodeURIComponent(key)}/${colour.slice(1)}`).join(','),
};

function parseEntry(text: string): Entry | null {
  const [, key = '', colour = ''] = /^([^/]*)\/([0-9a-f]{6})$/i.exec(text) ?? [];
  try {
    return colour ? { key: decodeURIComponent(key).slice(0, MOST_LETTERS), colour: `#${colour.toLowerCase()}` } : null;
  } catch {
    return null;
  }
}

/** Red, green and blue, from 0 to 255: the numbers that a value is made of. */
export const numbersOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
export const colourOf = (numbers: ArrayLike<number>): string => `rgb(${Array.from(numbers, (x) => Math.round(x)).join(' ')})`;
