// Escapes text for other syntaxes. Characters with a meaning in Markdown, templates or JSX become character
// references: all of these pass them through to HTML, where they are the characters again. So do invisible
// characters: Python, Unicode and YAML end lines at more characters than HTML does, and direction marks can reverse code.

/** Controls but those that HTML takes for spaces have no place in a document: “&#133;” is “…” there. */
const CONTROLS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g;
/** What can be written down in every system: no halves of a pair, no controls. */
export const writable = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD').replace(CONTROLS, '\uFFFD');

/** What shows nothing, ends a line somewhere, or is no character for YAML. */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}';
const ANY_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');
const SIGNS = new RegExp(`[&<>"{}\`\\\\|${UNSEEN}]`, 'gu');
const MARKDOWN = new RegExp(`[&<>{}\`\\\\|*_[\\]~$${UNSEEN}]`, 'gu');
const NO_ADDRESS = new RegExp(`[\\s"'<>\`{}|\\\\^${UNSEEN}]`, 'gu');
const SPACES = /[\s\u0085]+/g;
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const reference = (character: string) => `&#${character.codePointAt(0)};`;

/** For between double quotes. */
export const inAttribute = (text: string): string => writable(text).replace(SIGNS, reference);

/** For between two tags, and for Markdown. */
export const inText = (text: string): string => writable(text).replace(MARKDOWN, reference);

/** A Markdown paragraph of one line, whatever it begins with. */
export const paragraph = (text: string): string => inText(oneLine(text)).replace(/^[^&\p{L}]/u, reference);

/** A paragraph of reStructuredText, in which a \ makes any sign itself. It has no references: marks of direction are left out. */
export const restParagraph = (text: string): string => writable(oneLine(text)).replace(DIRECTIONS, '').replace(/[!-/:-@[-`{-~\u2022\u2023\u2043]/g, '\\$&');

/** A string of JavaScript, JSON, YAML, Python and Go alike. Pairs are written as they are: not all join them again. */
export const quoted = (text: string): string => JSON.stringify(writable(text)).replace(ANY_UNSEEN, (sign) => (sign.length > 1 ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));

/** An address, without the signs that none may hold. */
export const asAddress = (text: string): string => writable(text).replace(NO_ADDRESS, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)));

/** A part of an address. */
export const inAddress = (text: string): string => encodeURIComponent(writable(text));

const oneLine = (text: string) => text.replace(SPACES, ' ').trim();
