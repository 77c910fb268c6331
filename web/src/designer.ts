// Designed parameters, loaded when they are first wanted: the rules, and the lexicon that they look words up in.
import { msg } from '@lit/localize';
import type { Request, Settings } from './engine.ts';
import type { Design } from './designed/design.ts';

/** What the designed layer says of itself, for the words of one picture. */
export interface Designed {
  heads: Design['heads'];
  dimensions: Design['dimensions'];
  known: Design['known'];
  keysKnown: Design['known'];
}

type Rules = typeof import('./designed/parts.ts');
type Lexicon = Parameters<Rules['design']>[1];

/** Settings that the design decides: its sizes. The others stay the reader's. */
export const DESIGNED_FIELDS = ['d_model', 'num_heads', 'num_kv_heads', 'd_k', 'd_v', 'value_rank', 'tie'] as const satisfies readonly (keyof Settings)[];

export class Designer {
  #loaded: { rules: Rules; lexicon: Lexicon } | null = null;
  #loading: Promise<void> | null = null;

  get ready(): boolean {
    return this.#loaded !== null;
  }

  /** @throws Error with a sentence; another try may succeed. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => { this.#loading = null; });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const rules = await import('./designed/parts.ts').catch(() => {
      throw new Error(msg('The designed heads could not be loaded. Look whether you are online; on a page of your own, designed.js must lie beside the script.'));
    });
    this.#loaded = { rules, lexicon: await rules.loadLexicon() };
  }

  /** The sizes that the design has, whatever was wanted. */
  sizes(): Partial<Settings> {
    if (!this.#loaded) return {};
    const { d_model, num_heads } = this.#loaded.rules.DESIGNED_SETTINGS;
    return { d_model, num_heads, num_kv_heads: 0, d_k: 0, d_v: 0, value_rank: 0, tie: 'none' };
  }

  /** What else it was made for; a reader may change it afterwards. */
  opening(): Partial<Settings> {
    return this.#loaded ? { ...this.#loaded.rules.DESIGNED_SETTINGS } : {};
  }

  design(tokens: readonly string[], keyTokens: readonly string[] | null): { given: Request['given']; designed: Designed } | null {
    if (!this.#loaded) return null;
    const { rules, lexicon } = this.#loaded;
    const { content, W_Q, W_K, W_V, W_O, heads, dimensions, known } = rules.design(tokens, lexicon);
    const keys = keyTokens && rules.design(keyTokens, lexicon);
    return {
      given: { content, W_Q, W_K, W_V, W_O, ...(keys && { key_content: keys.content }) },
      designed: { heads, dimensions, known, keysKnown: keys?.known ?? known },
    };
  }
}
