// Which way the matrix lies, in words: the same on its edges, in its name and in what is read aloud.
import { msg } from '@lit/localize';
import type { Knobs } from '../settings.ts';

export interface Axes {
  /** Beside the first row's name. */
  down: readonly [string, string];
  /** Over the columns' names. */
  across: string;
  sums: string;
  /** For the grid's name. */
  aloud: string;
}

export function axes(rows: Knobs['rows'], cross: boolean): Axes {
  return rows === 'queries'
    ? {
        down: [msg('query (row):'), msg('who looks ↓')],
        across: cross ? msg('key (column): the word of the second sentence that is looked at →') : msg('key (column): the word that is looked at →'),
        sums: msg('each row sums to 1'),
        aloud: msg('rows are queries, columns are keys'),
      }
    : {
        down: [msg('key (row):'), msg('looked at ↓')],
        across: cross ? msg('query (column): the word of your sentence that looks →') : msg('query (column): the word that looks →'),
        sums: msg('each column sums to 1'),
        aloud: msg('rows are keys, columns are queries'),
      };
}
