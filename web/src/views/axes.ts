// Which way the matrix lies, in words: the same on its edges, in its name and in what is read aloud.
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

const SENTENCES = { query: ' of your sentence', key: ' of the second sentence' };

export function axes(rows: Knobs['rows'], cross: boolean): Axes {
  const of = (whose: 'query' | 'key') => (cross ? SENTENCES[whose] : '');
  return rows === 'queries'
    ? {
        down: ['query (row):', 'who looks ↓'],
        across: `key (column): the word${of('key')} that is looked at →`,
        sums: 'each row sums to 1',
        aloud: 'rows are queries, columns are keys',
      }
    : {
        down: ['key (row):', 'looked at ↓'],
        across: `query (column): the word${of('query')} that looks →`,
        sums: 'each column sums to 1',
        aloud: 'rows are keys, columns are queries',
      };
}
