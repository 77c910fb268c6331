// What sources.ts asks for when a design is first wanted.
export { DESIGNED_SETTINGS, design } from './design.ts';
export { loadLexicon, openingLexicon } from './lexicon.ts';
