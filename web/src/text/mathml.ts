// Formulas of formulas.ts as MathML, which every screen reader and every current browser knows.
import { type TemplateResult, html, mathml } from 'lit';

const OPERATORS = new Set(['=', '+', '−', '×', '÷', '(', ')', '[', ']', ',', '…', '·', '‖', '→']);
/** At the beginning of a line these still add and subtract: the space before them. */
const BEGINNING: Readonly<Record<string, string>> = { '+': '0.22em', '−': '0em' };

export function math(notation: string, block = false): TemplateResult {
  const parts = notation.match(/“[^”]*”|\S+/g) ?? [];
  if (block) return html`<math display="block">${parts.map(part)}</math>`;
  return html`${pieces(parts).map((piece) => html`<wbr><math>${piece.map(part)}</math>`)}`;
}

/** Where a line may break, as in print: after “=” and before an added term; browsers do not break formulas. */
function pieces(parts: readonly string[]): string[][] {
  const found: string[][] = [[]];
  let depth = 0;
  parts.forEach((text, i) => {
    if (depth === 0 && i > 0 && (parts[i - 1] === '=' && i > 1 || text === '+' || text.startsWith('“ '))) found.push([]);
    depth += Number('(['.includes(text)) - Number(')]'.includes(text));
    found.at(-1)?.push(text);
  });
  return found;
}

function part(text: string, at: number): TemplateResult {
  const before = at === 0 && BEGINNING[text];
  if (before) return mathml`<mo form="infix" lspace=${before}>${text}</mo>`;
  if (text === '|') return mathml`<mo stretchy="false" lspace="0" rspace="0">|</mo>`;
  if (OPERATORS.has(text)) return mathml`<mo stretchy="false">${text}</mo>`;
  if (text.startsWith('“')) return mathml`<mtext>${text.slice(1, -1)}</mtext>`;
  if (text.startsWith('√')) return mathml`<msqrt>${part(text.slice(1), 0)}</msqrt>`;
  const [, both, below, above] = /^([^_^]+)_([^_^]+)\^(.+)$/.exec(text) ?? [];
  if (both && below && above) return mathml`<msubsup>${atom(both)}${atom(below)}${atom(above)}</msubsup>`;
  const [, base = text, mark, small = ''] = /^([^_^]+)([_^])(.+)$/.exec(text) ?? [];
  if (mark === '_') return mathml`<msub>${atom(base)}${atom(small)}</msub>`;
  if (mark === '^') return mathml`<msup>${atom(base)}${atom(small)}</msup>`;
  return atom(text);
}

function atom(text: string): TemplateResult {
  if (/^[−∞\d]/.test(text)) return mathml`<mn>${text}</mn>`;
  // A name of two characters would stand upright.
  const [, letter, primes] = /^([A-Za-z])([′″])$/.exec(text) ?? [];
  if (letter) return mathml`<mrow><mi>${letter}</mi><mo lspace="0" rspace="0">${primes}</mo></mrow>`;
  return /^[A-Za-z]/.test(text) ? mathml`<mi>${text}</mi>` : mathml`<mo>${text}</mo>`;
}
