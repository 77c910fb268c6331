// Settings and a place that parameters bring along when they are chosen.
import type { Settings } from '../engine/engine.ts';
import type { Selection } from '../engine/types.ts';
import type { Designer, LanguageModels, Source } from '../parameters/sources.ts';
import { type Picture, largestOtherKey, tellingHead, tellingPlace } from './result.ts';
import type { Knobs } from './settings.ts';

type Reader = ReturnType<LanguageModels['of']>;
type Made = Pick<Settings, 'mask' | 'scale'>;

export class SourceDefaults {
  /** A design was just chosen: it brings its settings, except for these. */
  #keeps: ReadonlySet<string> | null = null;
  /** Its first picture shows its most informative head; so does a model's, unless a link names another. */
  #opensDesign = false;
  #opensModel = false;
  /** What the parameters before this model, or without one, were made for. */
  #own: Made = { mask: 'causal', scale: 'sqrt-dk' };

  /** By the reader's own hand. */
  choose(source: Source, now: Source): void {
    if (source === now) return;
    if (source === 'designed') this.#keeps = new Set(['mask']);
    this.#opensModel = source === 'trained';
  }

  /** By an attribute, a link or Undo, which may say more. */
  take(source: Source | undefined, said: readonly string[]): void {
    if (source === 'designed') this.#keeps = new Set(said);
    if (source === 'trained') this.#opensModel = true;
    if (said.includes('layer') || said.includes('head')) this.#opensModel = false;
  }

  /** Undo leads to a place of its own. */
  stay(): void {
    this.#keeps = null;
    this.#opensDesign = this.#opensModel = false;
  }

  /** The settings that the parameters decide, now that they are there; a design brings others once. */
  settings(source: Source, now: Made, designer: Designer, reader: Reader): Partial<Settings> {
    const keeps = source === 'designed' ? this.#keeps : null;
    this.#keeps = null;
    if (keeps) this.#opensDesign = true;
    const opening = keeps ? Object.entries(designer.opening()).filter(([field]) => !keeps.has(field)) : [];
    return { ...this.#madeFor(reader, now), ...Object.fromEntries(opening), ...(source === 'designed' ? designer.sizes() : reader?.sizes) };
  }

  /** A model brings the mask and the scale that it was trained with, unless the reader has set others than the one before was trained with. */
  #madeFor(reader: Reader, now: Made): Partial<Made> {
    const [before, own] = [this.#own, { mask: reader?.mask ?? 'causal', scale: reader?.scale ?? 'sqrt-dk' } as const];
    this.#own = own;
    const brings = (field: keyof Made) => own[field] !== before[field] && now[field] === before[field];
    return { ...(brings('mask') && { mask: own.mask }), ...(brings('scale') && { scale: own.scale }) };
  }

  /** Which layer of a model to look at, and which of its heads where it is to be chosen. */
  place(layer: Knobs['layer'], reader: Reader): { layer: number; head?: number } {
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
