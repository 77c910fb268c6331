// What a template says, without a browser: its elements by their classes, and their text.

interface Template { strings: readonly string[]; values: readonly unknown[] }

const isTemplate = (value: unknown): value is Template => typeof value === 'object' && value !== null && '_$litType$' in value;

/** Values inside a tag are attributes, which are left out. */
function markup(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(markup).join('');
  if (!isTemplate(value)) return '';
  let [all, inTag] = ['', false];
  value.strings.forEach((text, i) => {
    all += text;
    if (/[<>]/.test(text)) inTag = text.lastIndexOf('<') > text.lastIndexOf('>');
    // A class that is put together is read, too.
    const given = value.values[i];
    if (i < value.values.length) all += inTag ? (/class=$/.test(text) ? `"${String(given)}"` : '""') : markup(given);
  });
  return all;
}

const EMPTY = new Set(['br', 'input', 'wbr']);

export class Element {
  readonly children: (Element | string)[] = [];

  constructor(readonly name = '', readonly classes: readonly string[] = []) {}

  /** Every element of a class or of a name, in order. */
  all(wanted: string): Element[] {
    return this.children.flatMap((child) => (typeof child === 'string' ? [] : [...(child.name === wanted || child.classes.includes(wanted) ? [child] : []), ...child.all(wanted)]));
  }

  /** @param leave classes of elements whose text is left out */
  text(...leave: string[]): string {
    const said = this.children.map((child) => (typeof child === 'string' ? child : child.classes.some((each) => leave.includes(each)) ? '' : child.name === 'br' ? ' ' : child.text(...leave)));
    return said.join('').replace(/[ \n]+/g, ' ').trim();
  }
}

export function elementsOf(template: unknown): Element {
  const open = [new Element()];
  for (const [piece] of markup(template).matchAll(/<[^>]*>|[^<]+/g)) {
    const [, close, name = ''] = /^<(\/?)([a-z][\w-]*)/i.exec(piece) ?? [];
    if (name === '') open.at(-1)?.children.push(piece.replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
    else if (close) while (open.length > 1 && open.pop()?.name !== name);
    else {
      const element = new Element(name, /class=["']?([^"'>]*)/.exec(piece)?.[1]?.split(' ') ?? []);
      open.at(-1)?.children.push(element);
      if (!EMPTY.has(name) && !piece.endsWith('/>')) open.push(element);
    }
  }
  return open[0] as Element;
}
