// A lab's figure as a file: its picture as SVG or PNG with title and legend, in the colours it has here; its numbers as CSV.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { save } from '../../take/save.ts';
import { cell } from '../../take/tables.ts';
import type { Numbers } from './plot.ts';

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 24;
const LINE = 22;
/** What a style sheet says of a mark, and a file must say itself. */
const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'];

export function take(title: string, numbers: Numbers, hasPicture: boolean): TemplateResult {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'figure';
  const button = (kind: string, words: string, act: (figure: Element) => unknown) => html`<button type="button" class="plain" data-take=${kind} aria-label=${words}
    @click=${(event: Event) => act((event.currentTarget as Element).closest('figure') as Element)}>${kind.toUpperCase()}</button>`;
  return html`
    <p class="plot-take">
      ${hasPicture ? html`
        ${button('svg', msg(str`“${title}” as SVG`), (figure) => save(`${name}.svg`, 'image/svg+xml', drawing(figure).text))}
        ${button('png', msg(str`“${title}” as PNG`), async (figure) => save(`${name}.png`, 'image/png', await pixels(drawing(figure))))}` : nothing}
      ${button('csv', msg(str`The numbers of “${title}” as CSV`), () => save(`${name}.csv`, 'text/csv', csv(numbers)))}
    </p>
  `;
}

const csv = ({ columns, rows }: Numbers): string => [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

interface Drawing { text: string; width: number; height: number }

/** The figure's picture between its title and its legend, on the paper that it stands on. */
function drawing(figure: Element): Drawing {
  const picture = figure.querySelector('.plot-picture') as SVGSVGElement;
  const { width, height } = picture.getBoundingClientRect();
  const style = getComputedStyle(figure);
  const [ink, paper] = [style.color, style.getPropertyValue('--paper').trim()];
  const keys = [...figure.querySelectorAll('.plot-names li')];
  const whole = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN + LINE * (1 + keys.length) + 8) };
  const root = made('svg', { xmlns: SVG, width: whole.width, height: whole.height, viewBox: `0 0 ${whole.width} ${whole.height}`, 'font-family': 'system-ui, sans-serif', role: 'img' });
  const title = figure.querySelector('figcaption')?.textContent?.trim() ?? '';
  const named = made('title', {});
  named.textContent = title;
  root.append(named, made('rect', { width: '100%', height: '100%', fill: paper }), written(title, MARGIN, MARGIN + 14, ink, 15));
  root.append(placed(picture, MARGIN, MARGIN + LINE + 8, width, height));
  keys.forEach((key, i) => {
    const y = MARGIN + LINE + 8 + height + LINE * (i + 0.75);
    const sign = key.querySelector('svg');
    if (sign) root.append(placed(sign, MARGIN, y - 11, 26, 12));
    root.append(written(key.textContent?.trim() ?? '', MARGIN + (sign ? 34 : 0), y, ink, 13));
  });
  return { text: `${new XMLSerializer().serializeToString(root)}\n`, ...whole };
}

function made(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (key !== 'xmlns') element.setAttribute(key, String(value));
  return element;
}

function written(words: string, x: number, y: number, fill: string, size: number): SVGElement {
  const text = made('text', { x, y, fill, 'font-size': size });
  text.textContent = words;
  return text;
}

/** A copy that looks the same without any style sheet. */
function placed(source: SVGSVGElement, x: number, y: number, width: number, height: number): SVGElement {
  const copy = source.cloneNode(true) as SVGSVGElement;
  const [from, to] = [[source, ...source.querySelectorAll('*')], [copy, ...copy.querySelectorAll('*')]];
  from.forEach((element, i) => {
    const own = to[i];
    const style = getComputedStyle(element);
    for (const name of LOOKS) {
      const value = style.getPropertyValue(name);
      if (value && value !== 'auto' && value !== 'normal') own?.setAttribute(name, value);
    }
    for (const name of ['class', 'style', 'role', 'aria-label', 'aria-hidden']) own?.removeAttribute(name);
  });
  for (const [name, value] of Object.entries({ x, y, width, height, overflow: 'visible' })) copy.setAttribute(name, String(value));
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const left: Node[] = [];
  while (comments.nextNode()) left.push(comments.currentNode);
  left.forEach((comment) => comment.parentNode?.removeChild(comment));
  return copy;
}

/** Twice as fine as on the page. */
async function pixels({ text, width, height }: Drawing): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}
