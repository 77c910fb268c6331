// What parameters bring along when they are chosen, and what stands there again when they go.
import type { Settings } from '../engine/engine.ts';
import type { Selection } from '../engine/types.ts';
import type { ModelReader } from '../parameters/language-model/reader.ts';
import { type Designer, MODEL_FIELDS, type Source } from '../parameters/sources.ts';
import { type Picture, largestOtherKey, tellingHead, tellingPlace } from './result.ts';
import type { Knobs } from './settings.ts';

export class Opening {
  /** A design was just chosen: the settings that it was made for come with it, but for these. */
  #keeps: ReadonlySet<string> | null = null;
  /** Its first picture opens at the head that has most to say; so does a model, unless a link said where. */
  #opensDesign = false;
  #opensModel = false;
  /** Settings as they were before a model brought its own. */
  #before: Partial<Settings> = {};

  /** By the reader's own hand. */
  choose(source: Source, now: Source): void {
    if (source === now) return;
    if (source === 'designed') this.#keeps = new Set();
    this.#opensModel = source === 'trained';
  }

  /** By an attribute or a link, which may say more. */
  take(source: Source | undefined, said: readonly string[]): void {
    if (source === 'designed') this.#keeps = new Set(said);
    if (source === 'trained') this.#opensModel = true;
    if (said.includes('layer') || said.includes('head')) this.#opensModel = false;
  }

  /** What parameters that are chosen instead of a model's start from. */
  get before(): Partial<Settings> {
    return this.#before;
  }

  /** What is wanted, with what the parameters bring. */
  settings(settings: Readonly<Settings>, source: Source, designer: Designer, reader: ModelReader | null): Settings {
    if (!reader) this.#before = Object.fromEntries(MODEL_FIELDS.map((field) => [field, settings[field]]));
    const keeps = source === 'designed' ? this.#keeps : null;
    this.#keeps = null;
    if (!keeps) return settings;
    this.#opensDesign = true;
    return { ...settings, ...Object.fromEntries(Object.entries(designer.opening()).filter(([field]) => !keeps.has(field))) };
  }

  /** Which layer of a model to look at, and which of its heads where it is to be chosen. */
  place(layer: Knobs['layer'], reader: ModelReader | null): { layer: number; head?: number } {
    const telling = reader && this.#opensModel ? tellingPlace(reader.evidence) : null;
    if (reader) this.#opensModel = false;
    if (telling) return { layer: telling.layer + 1, head: telling.head };
    return { layer: Math.max(1, Math.min(layer, reader?.configuration.layers ?? layer)) };
  }

  /** Where a design's first picture opens; a link may have said which head. */
  selection(picture: Picture, selection: Selection, isHeadGiven: boolean): Selection {
    const opens = this.#opensDesign && !isHeadGiven;
    this.#opensDesign = false;
    const head = opens ? tellingHead(picture, selection.query) : -1;
    return head < 0 ? selection : { head, query: selection.query, key: largestOtherKey(picture, head, selection.query) };
  }
}
