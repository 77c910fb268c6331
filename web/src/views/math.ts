// Formulas of formulas.ts as MathML, which every screen reader and every current browser knows.
import { type TemplateResult, html, mathml } from 'lit';

const OPERATORS = new Set(['=', '+', '−', '×', '÷', '(', ')', '[', ']', '|', ',', '…', '·', '‖', '→']);

export function math(notation: string, block = false): TemplateResult {
  const parts = notation.match(/“[^”]*”|\S+/g) ?? [];
  return html`<math display=${block ? 'block' : 'inline'}>${parts.map(part)}</math>`;
}

function part(text: string): TemplateResult {
  if (OPERATORS.has(text)) return mathml`<mo stretchy="false">${text}</mo>`;
  if (text.startsWith('“')) return mathml`<mtext>${text.slice(1, -1)}</mtext>`;
  if (text.startsWith('√')) return mathml`<msqrt>${part(text.slice(1))}</msqrt>`;
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
