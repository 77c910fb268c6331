// Every setting, once: what attributes, properties, links and switches are called, read and written as.
import type { Settings, Shape } from './engine.ts';
import { count, plural, short } from './format.ts';

export const DEFAULT_TEXT = "the animal didn't cross the street because it was too tired";

export const DEFAULTS: Readonly<Settings> = {
  d_model: 64,
  num_heads: 4,
  mask: 'causal',
  scale: 'sqrt-dk',
  scale_factor: 1,
  positions: 'sinusoidal',
  biases: false,
  seed: 1,
  tie: 'none',
  window_left: 4,
  window_right: 0,
  temperature: 1,
  softcap: 0,
  num_kv_heads: 0,
  d_k: 0,
  d_v: 0,
  value_rank: 0,
  dropout: 0,
  dropout_seed: 1,
  out_proj: true,
  residual: true,
};

/** What the lines under the switches are made of; every number in it is the engine's or a count of its cells. */
export interface Effect {
  settings: Settings;
  shape: Shape;
  factor: number;
  hidden: number;
}

export type SettingName = 'mask' | 'scale' | 'heads' | 'dModel' | 'positions' | 'biases' | 'seed';

export interface Setting {
  name: SettingName;
  attribute: string;
  key: string;
  label: string;
  rule: string;
  parse(raw: string): Partial<Settings> | null;
  format(settings: Settings): string;
  effect(data: Effect): string;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite number written in plain decimals, or null. Takes the minus sign this page prints. */
export function parseNumber(raw: string): number | null {
  const text = raw.trim().replace('\u2212', '-');
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function parseWhole(raw: string): number | null {
  const value = parseNumber(raw);
  return value !== null && Number.isInteger(value) ? value : null;
}

function oneOf<T extends string>(raw: string, choices: readonly T[]): T | null {
  return choices.find((choice) => choice === raw.trim()) ?? null;
}

const YES = ['', 'on', 'true', '1', 'yes', 'biases'];
const NO = ['off', 'false', '0', 'no'];

export const SETTINGS: readonly Setting[] = [
  {
    name: 'mask', attribute: 'mask', key: 'mask', label: 'Mask',
    rule: 'mask is “causal” or “none”',
    parse(raw) {
      const mask = oneOf(raw, ['causal', 'none'] as const);
      return mask && { mask };
    },
    format: (s) => s.mask,
    effect({ shape, hidden }) {
      const cells = count(shape.T * shape.S);
      if (hidden > 0) return `hides ${count(hidden)} of ${cells} cells`;
      return shape.T === 1 ? 'nothing to hide in one word' : `hides none of ${cells} cells`;
    },
  },
  {
    name: 'scale', attribute: 'scale', key: 'scale', label: 'Scale',
    rule: 'scale is “sqrt-dk”, “none” or a finite number',
    parse(raw) {
      const word = oneOf(raw, ['sqrt-dk', 'none'] as const);
      if (word) return { scale: word };
      const scale_factor = parseNumber(raw);
      return scale_factor === null ? null : { scale: 'factor', scale_factor };
    },
    format: (s) => (s.scale === 'factor' ? String(s.scale_factor) : s.scale),
    effect({ settings, shape, factor }) {
      if (settings.scale === 'none') return 'leaves scores as they are';
      const times = `multiplies scores by ${short(factor)}`;
      return settings.scale === 'factor' ? times : `${times} = 1 ÷ √${shape.d_k}`;
    },
  },
  {
    name: 'heads', attribute: 'heads', key: 'heads', label: 'Heads',
    rule: 'heads is a whole number',
    parse(raw) {
      const num_heads = parseWhole(raw);
      return num_heads === null ? null : { num_heads };
    },
    format: (s) => String(s.num_heads),
    effect: ({ shape }) =>
      shape.H === 1 ? `one head reads all ${plural(shape.d_k, 'number')}` : `splits ${shape.D} numbers into ${shape.H} × ${shape.d_k}`,
  },
  {
    name: 'dModel', attribute: 'd-model', key: 'd-model', label: 'd_model',
    rule: 'd-model is a whole number',
    parse(raw) {
      const d_model = parseWhole(raw);
      return d_model === null ? null : { d_model };
    },
    format: (s) => String(s.d_model),
    effect: ({ shape }) => `each word is ${plural(shape.D, 'number')}`,
  },
  {
    name: 'seed', attribute: 'seed', key: 'seed', label: 'Seed',
    rule: 'seed is a whole number',
    parse(raw) {
      const seed = parseWhole(raw);
      return seed === null ? null : { seed };
    },
    format: (s) => String(s.seed),
    effect: () => 'draws all parameters',
  },
  {
    name: 'positions', attribute: 'positions', key: 'positions', label: 'Positions',
    rule: 'positions is “sinusoidal” or “none”',
    parse(raw) {
      const positions = oneOf(raw, ['sinusoidal', 'none'] as const);
      return positions && { positions };
    },
    format: (s) => s.positions,
    effect: ({ settings, shape }) =>
      settings.positions === 'none'
        ? 'the same word has the same vector everywhere'
        : `adds each place’s own ${plural(shape.D, 'number')} to its word`,
  },
  {
    name: 'biases', attribute: 'biases', key: 'biases', label: 'Biases',
    rule: 'biases is “on” or “off”',
    parse(raw) {
      const text = raw.trim().toLowerCase();
      if (YES.includes(text)) return { biases: true };
      return NO.includes(text) ? { biases: false } : null;
    },
    format: (s) => (s.biases ? 'on' : 'off'),
    effect: ({ settings, shape }) =>
      settings.biases ? `adds ${plural(shape.D, 'number')} to each of Q, K, V and the output` : 'adds nothing to Q, K, V and the output',
  },
];

export function setting(name: SettingName): Setting {
  const found = SETTINGS.find((s) => s.name === name);
  if (!found) throw new Error(`no setting is called ${name}`);
  return found;
}

export const D_MODELS: readonly number[] = [8, 16, 32, 64, 128, 256, 512];

export function divisors(n: number): number[] {
  const found: number[] = [];
  for (let i = 1; i <= n; i += 1) if (n % i === 0) found.push(i);
  return found;
}
