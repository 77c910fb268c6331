// Parameters that are loaded when they are first wanted: language models, shipped or opened by the reader, and the designed heads.
import { msg } from '@lit/localize';
import type { Request, Settings } from '../engine/engine.ts';
import type { AttentionReader } from './attention/reader.ts';
import { language } from '../lib/language.ts';
import type { Design } from './designed/design.ts';
import type { ModelReader } from './language-model/reader.ts';

/** Where the parameters come from: drawn from the seed, made by hand for these words, learnt, learnt in this page, or the reader's own. */
export type Source = 'random' | 'designed' | 'trained' | 'trained-here' | 'yours';

// Language models on the page: the one that is shipped, one that was trained in the page, and one that the reader opened. Their code and their numbers
// come when they are first wanted.

type Parts = typeof import('./language-model/index.ts');

/** Settings that a model was trained with, and no switch changes. */
export const MODEL_FIELDS = [
  'd_model', 'num_heads', 'num_kv_heads', 'd_k', 'd_v', 'value_rank', 'tie', 'biases', 'out_proj', 'residual', 'positions',
] as const satisfies readonly (keyof Settings)[];

export class LanguageModels {
  #parts: Parts | null = null;
  #shipped: ModelReader | null = null;
  #here: ModelReader | null = null;
  /** What makes the model again that was trained here. */
  #replay = '';
  #opened: ModelReader | AttentionReader | null = null;
  #loading: Promise<void> | null = null;

  /** Null before it is loaded, and where parameters are no model's. */
  of(source: Source): ModelReader | AttentionReader | null {
    return source === 'trained' ? this.#shipped : source === 'trained-here' ? this.#here : source === 'yours' ? this.#opened : null;
  }

  /** Whether a model has been asked for and its code has come: nothing to show before. */
  get isLoaded(): boolean {
    return this.#parts !== null;
  }

  /** @throws Error with a sentence; another try may succeed */
  load(progress: (share: number) => void): Promise<void> {
    this.#loading ??= this.#load(progress).finally(() => { this.#loading = null; });
    return this.#loading;
  }

  async #load(progress: (share: number) => void): Promise<void> {
    const parts = await this.#code();
    this.#shipped = await parts.openShipped(progress);
  }

  /** Of files that lie side by side: the model, and what cuts its text; or ready weights, and their words. The model before stays when this one fails. */
  async open(files: readonly File[], progress: (share: number) => void): Promise<'trained-here' | 'yours'> {
    const opened = await (await this.#code()).open(files, progress);
    if ('model' in opened && opened.opening.replay) {
      this.#keep(opened, opened.opening.replay);
      return 'trained-here';
    }
    this.close('yours');
    this.#opened = opened;
    return 'yours';
  }

  /** One that was trained in the page, made again. */
  async replay(replay: string, progress: (share: number) => void): Promise<void> {
    this.#keep(await (await this.#code()).trainAnew(replay, progress), replay);
  }

  isHere(replay: string): boolean {
    return this.#here !== null && this.#replay === replay;
  }

  #keep(here: ModelReader, replay: string): void {
    this.close('trained-here');
    this.#here = here;
    this.#replay = replay;
  }

  close(source: Source): void {
    if (source === 'trained' || source === 'random' || source === 'designed') return;
    this.of(source)?.free();
    if (source === 'yours') this.#opened = null;
    else this.#here = null;
  }

  async #code(): Promise<Parts> {
    try {
      this.#parts ??= await import('./language-model/index.ts');
    } catch {
      throw new Error(msg('Language models could not be loaded. Check that you are online; on a page of your own, the whole folder must lie beside the script.'));
    }
    return this.#parts;
  }

  free(): void {
    this.close('trained-here');
    this.close('yours');
    this.#shipped?.free();
    this.#shipped = null;
  }
}

// Designed parameters, loaded when they are first wanted: the rules, and the lexicon that they look words up in. What the
// page opens with is known without the list of all words, which comes behind.

/** What the designed layer says of itself, for the words of one picture. */
export interface Designed {
  heads: Design['heads'];
  dimensions: Design['dimensions'];
  known: Design['known'];
  keysKnown: Design['known'];
}

type Rules = typeof import('./designed/index.ts');
type Lexicon = Parameters<Rules['design']>[1];

/** Settings that the design fixes: its sizes. The reader sets the others. */
export const DESIGNED_FIELDS = ['d_model', 'num_heads', 'num_kv_heads', 'd_k', 'd_v', 'value_rank', 'tie'] as const satisfies readonly (keyof Settings)[];

export class Designer {
  #rules: Rules | null = null;
  #list: Lexicon | null = null;

  /** Whether everything that a design of these words needs is loaded. */
  knows(words: readonly string[]): boolean {
    return this.#list !== null || (this.#rules !== null && words.every((word) => this.#lexicon(this.#rules as Rules).look(word).known));
  }

  #lexicon(rules: Rules): Lexicon {
    return rules.openingLexicon(language(), this.#list);
  }

  /** @throws Error with a sentence; another try may succeed. */
  async load(words: readonly string[]): Promise<void> {
    const rules = this.#rules = await import('./designed/index.ts').catch(() => {
      throw new Error(msg('The designed heads could not be loaded. Check that you are online; on a page of your own, designed.js must lie beside the script.'));
    });
    const list = rules.loadLexicon().then((come) => { this.#list = come; });
    if (this.knows(words)) list.catch(() => {});
    else await list;
  }

  /** The sizes that the design has, whatever was wanted. */
  sizes(): Partial<Settings> {
    if (!this.#rules) return {};
    const { d_model, num_heads } = this.#rules.DESIGNED_SETTINGS;
    return { d_model, num_heads, num_kv_heads: 0, d_k: 0, d_v: 0, value_rank: 0, tie: 'none' };
  }

  /** Its other settings; a reader may change them afterwards. */
  opening(): Partial<Settings> {
    return { ...this.#rules?.DESIGNED_SETTINGS };
  }

  design(tokens: readonly string[], keyTokens: readonly string[] | null): { given: Request['given']; designed: Designed } | null {
    const rules = this.#rules;
    if (!rules) return null;
    const lexicon = this.#lexicon(rules);
    const { content, W_Q, W_K, W_V, W_O, heads, dimensions, known } = rules.design(tokens, lexicon);
    const keys = keyTokens && rules.design(keyTokens, lexicon);
    return {
      given: { content, W_Q, W_K, W_V, W_O, ...(keys && { key_content: keys.content }) },
      designed: { heads, dimensions, known, keysKnown: keys?.known ?? known },
    };
  }
}
