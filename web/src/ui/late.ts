// The part drawn right after the first figure: switches, the arithmetic of a cell, sums of rows, comparison.
// It is loaded once for all elements of a script; the figure does not wait for it.
import type { CSSResult } from 'lit';
import type { Notice } from '../engine/types.ts';
import type { Sentence } from '../state/state.ts';

export type Late = typeof import('./late-chunk.ts');

let here: Late | null = null;
let coming: Promise<Late> | null = null;

/** Null until it has come. */
export const late = (): Late | null => here;

/** The core's sentences are empty until they are loaded. */
export const noticeSentences = (notices: readonly (Sentence | Notice)[]): string[] => notices.map((notice) => (typeof notice === 'function' ? notice() : (here?.noticeWords(notice) ?? '')));

/** A failed load may be tried again. */
export function fetchLate(): Promise<Late> {
  coming ??= import('./late-chunk.ts').then((parts) => (here = parts));
  coming.catch(() => { coming = null; });
  return coming;
}

// The playground's own style sheet, which other figures do not need.

let sheet: CSSResult | null = null;

/** Null until it has come. */
export const screenSheet = (): CSSResult | null => sheet;

/** A page that opens on the playground brings it along. */
export const keepScreenSheet = (own: CSSResult): void => { sheet = own; };

export async function fetchScreenSheet(): Promise<void> {
  sheet ??= (await import('./styles/screen.ts')).screenStyles;
}
