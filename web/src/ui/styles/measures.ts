// Of the playground's screen, in CSS pixels: for its style sheet, and for what is drawn on it.

/** From this width on, the matrix stands beside the row. */
export const WIDE = 1100;
/** Up to this width, words are rows. */
export const ONE_COLUMN = 560;
/** What stands above and below the matrix on that screen, with the page's header. */
export const BESIDE_MATRIX = 392;
