// The playground's own style sheet, which other figures do without.
import type { CSSResult } from 'lit';

let sheet: CSSResult | null = null;

/** Null until it has come. */
export const screenSheet = (): CSSResult | null => sheet;

/** A page that opens on the playground brings it along. */
export const keepScreenSheet = (own: CSSResult): void => { sheet = own; };

export async function fetchScreenSheet(): Promise<void> {
  sheet ??= (await import('./styles/screen.ts')).screenStyles;
}
