// Language models on the page: the one that is shipped, and one that the reader opened. Their code and their numbers
// come when they are first wanted.
import { msg } from '@lit/localize';
import type { Settings } from './engine.ts';
import type { MaskId } from './masks.ts';
import type { ModelReader } from './model-reader.ts';
import type { Source } from './settings.ts';

type Parts = typeof import('./model-parts.ts');

/** Settings that a model was trained with, and no switch changes. */
export const MODEL_FIELDS = [
  'd_model', 'num_heads', 'num_kv_heads', 'd_k', 'd_v', 'value_rank', 'tie', 'biases', 'out_proj', 'residual', 'positions',
] as const satisfies readonly (keyof Settings)[];

/** The mask that every model here was trained with. */
export const TRAINED_MASK: MaskId = 'causal';

export class LanguageModels {
  #parts: Parts | null = null;
  #shipped: ModelReader | null = null;
  #opened: ModelReader | null = null;
  #loading: Promise<void> | null = null;

  /** Whether these parameters are a language model's. */
  isModel(source: Source): boolean {
    return source === 'trained' || (source === 'yours' && this.#opened !== null);
  }

  /** Null before it is loaded, and where parameters are no model's. */
  of(source: Source): ModelReader | null {
    return source === 'trained' ? this.#shipped : source === 'yours' ? this.#opened : null;
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

  /** Of files that lie side by side: the model, and what cuts its text. The model before stays when this one fails. */
  async open(files: readonly File[], progress: (share: number) => void): Promise<void> {
    const opened = await (await this.#code()).openFiles(files, progress);
    this.#opened?.free();
    this.#opened = opened;
  }

  close(): void {
    this.#opened?.free();
    this.#opened = null;
  }

  async #code(): Promise<Parts> {
    try {
      this.#parts ??= await import('./model-parts.ts');
    } catch {
      throw new Error(msg('What runs language models could not be loaded. Look whether you are online; on a page of your own, the whole folder must lie beside the script.'));
    }
    return this.#parts;
  }

  free(): void {
    this.close();
    this.#shipped?.free();
    this.#shipped = null;
  }
}
