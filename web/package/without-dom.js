// Where there is no document, such as in a site's generator, the modules can be imported all the same.
export const HTMLElement = globalThis.HTMLElement ?? class {};
export const document = globalThis.document ?? { createTreeWalker: () => ({}) };
export const CSSStyleSheet = globalThis.CSSStyleSheet ?? class {};
