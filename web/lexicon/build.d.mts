/** The text of lexicon.txt; `parseLexicon` reads it. */
export function buildLexicon(): Promise<string>;
/** The same, kept in a file for as long as neither the script nor the packages change. */
export function keptLexicon(file: string): Promise<string>;
