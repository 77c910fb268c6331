// The playground's screen: its measures, and its style sheet, which other figures do without.
import type { CSSResult } from 'lit';

/** From this width on, in CSS pixels, the matrix stands beside the row. */
export const WIDE = 1100;
/** Up to this width, words are rows. */
export const ONE_COLUMN = 560;
/** What stands above and below the matrix on that screen, with the page's header. */
export const BESIDE_MATRIX = 392;

let sheet: CSSResult | null = null;

/** Null until it has come. */
export const screenSheet = (): CSSResult | null => sheet;

/** A page that opens on the playground brings it along. */
export const keepScreenSheet = (own: CSSResult): void => { sheet = own; };

export async function fetchScreenSheet(): Promise<void> {
  sheet ??= (await import('./styles/screen.ts')).screenStyles;
}
