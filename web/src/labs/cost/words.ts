// Large numbers and names, as the lab of costs says them.
import { msg } from '@lit/localize';
import { count, significant } from '../../lib/format.ts';
import type { ModelName, StageCost, Work } from './formulas.ts';

const DIGITS = new Intl.NumberFormat('en-GB');
/** To the last digit, however many there are. */
export const digits = (whole: bigint): string => DIGITS.format(whole);

const UNITS = ['', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** 50.3 MB, in powers of 1,000. */
export function bytesWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3 + 1e-12));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? count(bytes) : size >= 99.95 ? count(Math.round(size)) : size.toPrecision(3)}\u00a0${power === 0 ? msg('bytes') : (UNITS[power] ?? '')}`;
}

/** Whole while it is short, else 1.23×10⁹. */
export const largeWords = (x: number): string => (x < 1e6 ? count(Math.round(x)) : significant(x, 3));
/** A power of ten below an axis. */
export const powerWords = (x: number): string => (x < 1e4 ? count(x) : significant(x, 1).replace(/^1×/, ''));

export const stageWords = (stage: StageCost['stage']): string => ({
  projections: msg('queries, keys, values'), scores: msg('scores'), scaled_scores: msg('scaled scores'), masked_scores: msg('masked scores'),
  weights: msg('weights'), context: msg('context'), output: msg('output'),
})[stage];

export const workWords = (kind: Work): string => ({
  'multiply-adds': msg('multiply-adds'), multiplications: msg('multiplications'), choices: msg('choices'), exponentials: msg('exponentials'),
})[kind];

export const modelWords = (name: ModelName): string => ({
  'gpt-3': 'GPT-3, 175B', 'gpt-2-xl': 'GPT-2 XL', 'gpt-2': 'GPT-2', transformer: msg('Transformer of 2017, base'), page: msg('This page’s layer'),
})[name];
