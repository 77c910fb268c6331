// A lesson's text on the screen: **bold**, *italic* and {names of values}, and nothing else of it is more than text.
import { type TemplateResult, html } from 'lit';

export type Values = Readonly<Record<string, TemplateResult | string | undefined>>;

const PARTS = /\*\*([^*]+)\*\*|\*([^*]+)\*|\{([a-z]+)\}/g;

export function marked(text: string, values: Values = {}): unknown[] {
  const parts: unknown[] = [];
  let at = 0;
  for (const { 0: whole, 1: bold, 2: italic, 3: name, index } of text.matchAll(PARTS)) {
    parts.push(text.slice(at, index));
    if (bold !== undefined) parts.push(html`<b>${marked(bold, values)}</b>`);
    else if (italic !== undefined) parts.push(html`<em>${marked(italic, values)}</em>`);
    else parts.push(values[name as string] ?? whole);
    at = index + whole.length;
  }
  return [...parts, text.slice(at)];
}

/** The same without its marks, for a title of a window. */
export const plainText = (text: string): string => text.replace(PARTS, (whole, bold: string, italic: string) => bold ?? italic ?? whole);
