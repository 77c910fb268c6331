// A text in somebody else's syntax. What any Markdown, template or JSX could take for its own becomes a character
// reference: all of them leave those alone, and all end as HTML, where they are the characters again.

const reference = (character: string) => `&#${character.codePointAt(0)};`;
/** What cannot be written down: halves of a pair. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** For between double quotes. */
export const inAttribute = (text: string): string => wellFormed(text).replace(/[&<>"{}`\\|\u0000-\u001f\u007f]/g, reference);

/** For between two tags, and for Markdown. */
export const inText = (text: string): string => wellFormed(text).replace(/[&<>{}`\\|*_[\]~$\u0000-\u001f\u007f]/g, reference);

/** A Markdown paragraph of one line, whatever it begins with. */
export const paragraph = (text: string): string => inText(oneLine(text)).replace(/^[^&\p{L}]/u, reference);

/** A paragraph of reStructuredText, in which a \ makes any sign itself. */
export const restParagraph = (text: string): string => oneLine(wellFormed(text)).replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** A string of JavaScript, JSON, YAML, Python and Go alike. */
export const quoted = (text: string): string => JSON.stringify(wellFormed(text));

/** An address, without the signs that none may hold. */
export const asAddress = (text: string): string =>
  wellFormed(text).replace(/[\s"'<>`{}|\\^\u0000-\u001f\u007f]/g, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)));

/** A part of an address. */
export const inAddress = (text: string): string => encodeURIComponent(wellFormed(text));

const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
