// From an exact dictionary to a soft one: words have the engine's random vectors, and attention looks a query up among them.
import type { TemplateResult } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Settings } from '../../engine/engine.ts';
import { decimal, whole, words } from '../../link/lab-settings.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { type Entry, type Found, HOTTEST, MOST_ENTRIES, PALETTE, TEMPERATURES, entries, lookupView, numbersOf } from './view.ts';

export interface LookupKnobs {
  entries: readonly Entry[];
  query: string;
  /** The entry, from 1, that the query is moved towards, and how far, in percent. */
  toward: number;
  way: number;
  temperature: number;
  seed: number;
}

/** Few numbers in a key: any two words have something in common. */
const WIDTH = 16;
const COLOURS = 3;

export default class LookupLab extends Lab<LookupKnobs> {
  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      entries, query: words('sky', 40), toward: whole(1, 1, MOST_ENTRIES), way: whole(0, 0, 100), temperature: decimal(1, 0, HOTTEST), seed: whole(1, 0, 2 ** 32 - 1),
    });
  }

  protected override view(): TemplateResult {
    const { knobs } = this;
    const look = this.#looking();
    const now = look(knobs.temperature);
    const strip = TEMPERATURES.map(look);
    return lookupView({ knobs, now, strip }, {
      set: (part) => this.change(part),
      edit: (at, part) => this.change({ entries: knobs.entries.map((entry, i) => (i === at ? { ...entry, ...part } : entry)) }),
      add: () => this.change({ entries: [...knobs.entries, { key: '', colour: PALETTE[knobs.entries.length % PALETTE.length] ?? PALETTE[0] }] }),
      remove: (at) => this.change({ entries: knobs.entries.filter((_, i) => i !== at) }),
      readSentence: () => {
        const own = [...new Set(this.tokens().map(({ text }) => text))].slice(0, MOST_ENTRIES);
        if (own.length > 0) this.change({ entries: own.map((key, i) => ({ key, colour: PALETTE[i] ?? PALETTE[0] })), query: own[0] ?? '', toward: 1, way: 0 });
      },
    });
  }

  #keys(): string[] {
    return this.knobs.entries.map(({ key }) => wordOf(key));
  }

  /** The vector of the query's word, or one between it and an entry's. */
  #query(): Float32Array {
    const { toward, way, query } = this.knobs;
    const keys = this.#keys();
    const vectors = this.#vectors([wordOf(query), keys[Math.min(toward, keys.length) - 1] ?? '?']);
    const share = way / 100;
    return Float32Array.from({ length: WIDTH }, (_, i) => (1 - share) * (vectors[i] ?? 0) + share * (vectors[WIDTH + i] ?? 0));
  }

  /** A word's own numbers, the same wherever it stands: [words, WIDTH]. */
  #vectors(of: readonly string[]): Float32Array {
    return this.run('words', of, this.#settings(1)).stage('content').slice();
  }

  #settings(temperature: number): Settings {
    return { ...DEFAULTS, d_model: WIDTH, num_heads: 1, d_v: COLOURS, mask: 'none', positions: 'none', temperature, seed: this.knobs.seed };
  }

  /** One query over all keys, at any temperature. */
  #looking(): (temperature: number) => Found {
    const keys = this.#keys();
    const given = { query: this.#query(), key: this.#vectors(keys), value: Float32Array.from(this.knobs.entries.flatMap(({ colour }) => numbersOf(colour))) };
    return (temperature) => {
      const trace = this.run('look', [wordOf(this.knobs.query)], this.#settings(temperature), { keyTokens: keys, given });
      return { temperature, scores: trace.stage('scaled_scores').slice(), weights: trace.stage('weights').slice(), value: trace.stage('context').slice() };
    };
  }
}

/** The engine knows no word without letters. */
const wordOf = (text: string): string => text.trim().normalize('NFC') || '?';
