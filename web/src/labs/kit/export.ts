// A lab's figure as a file: its picture as SVG or PNG with title and legend, in the colours it has here; its numbers as CSV.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { Space } from '../../lib/space.ts';
import { cell, pixels, save } from '../../ui/export/files.ts';

export interface Numbers {
  columns: readonly string[];
  /** The first of each row names it. */
  rows: readonly (readonly string[])[];
}

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 24;
const LINE = 22;
/** What a style sheet says of a mark, and a file must say itself. */
const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'];

const TYPES = { svg: 'image/svg+xml', png: 'image/png', csv: 'text/csv' } as const;

/** Buttons under a figure. */
export function take(title: string): TemplateResult {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'figure';
  const button = (kind: keyof typeof TYPES, words: string) => html`<button type="button" class="plain" data-take=${kind} aria-label=${words}
    @click=${async (event: Event) => save(`${name}.${kind}`, TYPES[kind], await file((event.currentTarget as Element).closest('figure') as Element, kind, {}))}>${kind.toUpperCase()}</button>`;
  return html`
    <p class="plot-take">
      ${button('svg', msg(str`“${title}” as SVG`))}
      ${button('png', msg(str`“${title}” as PNG`))}
      ${button('csv', msg(str`The numbers of “${title}” as CSV`))}
    </p>
  `;
}

export type FileKind = keyof typeof TYPES | 'json';

/** The figure of that number, from 1, or of that title. `about` goes along in JSON. @throws Error with a sentence */
export function exportedFigure(lab: Element, kind: FileKind, which: string, about: object): string | Promise<Blob> {
  const figures = [...lab.querySelectorAll('figure.plot:has(.plot-take)')];
  const figure = which === '' ? figures[0] : (figures[Number(which) - 1] ?? figures.find((each) => titleOf(each) === which));
  if (figure) return file(figure, kind, about);
  const wanted = which.slice(0, 40);
  const there = figures.map((each, i) => `${i + 1} “${titleOf(each)}”`).join(', ') || '–';
  throw new Error(msg(str`There is no figure “${wanted}” in this lab. It has ${there}.`));
}

function file(figure: Element, kind: FileKind, about: object): string | Promise<Blob> {
  if (kind === 'png') return picture(drawing(figure));
  if (kind === 'svg') return drawing(figure).text;
  return kind === 'csv' ? csv(numbersOf(figure)) : JSON.stringify({ ...about, figure: titleOf(figure), ...numbersOf(figure) });
}

/** A word of the reader's keeps its direction to itself, as on the page. */
function textOf(element: Element | null | undefined): string {
  if (!element) return '';
  const copy = element.cloneNode(true) as Element;
  for (const word of copy.querySelectorAll('bdi')) if (/[^ -~]/.test(word.textContent ?? '')) word.textContent = `\u2068${word.textContent}\u2069`;
  return (copy.textContent ?? '').trim();
}

const titleOf = (figure: Element): string => figure.querySelector('figcaption b')?.textContent?.trim() ?? '';

const csv = ({ columns, rows }: Numbers): string => [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const wordsOf = (cells: Iterable<Element>): string[] => [...cells].map((cell) => cell.textContent ?? '');

/** As they stand in the figure's table; a table that draws itself has names and measures beside its bars. */
function numbersOf(figure: Element): Numbers {
  const table = figure.querySelector('.plot-numbers table, .plot-bars') as Element;
  const isBars = table.matches('.plot-bars');
  const named = (cells: string[]) => (isBars ? cells.map((words) => words.trim()) : cells);
  return {
    columns: named(wordsOf(table.querySelectorAll('thead th'))),
    rows: [...table.querySelectorAll('tbody tr')].map((row) => named(wordsOf(isBars ? [row.children[0], row.children[2]].filter((cell) => cell !== undefined) : row.children))),
  };
}

interface Drawing { text: string; width: number; height: number }

/** The figure's picture between its title and its legend, on the paper that it stands on. */
function drawing(figure: Element): Drawing {
  const seen = figure.querySelector<SVGSVGElement>('.plot-picture');
  const picture = seen ?? barsOf(figure);
  const { width, height } = (seen && new Space(seen)) ?? { width: BARS.width, height: Number(picture.getAttribute('height')) };
  const style = getComputedStyle(figure);
  const [ink, paper] = [style.color, style.getPropertyValue('--paper').trim()];
  const keys = [...figure.querySelectorAll('.plot-names li')];
  const whole = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN + LINE * (1 + keys.length) + 8) };
  const root = made('svg', { xmlns: SVG, width: whole.width, height: whole.height, viewBox: `0 0 ${whole.width} ${whole.height}`, 'font-family': 'system-ui, sans-serif', role: 'img' });
  const title = textOf(figure.querySelector('figcaption'));
  const named = made('title', {});
  named.textContent = title;
  root.append(named, made('rect', { width: '100%', height: '100%', fill: paper }), written(title, MARGIN, MARGIN + 14, ink, 15));
  root.append(placed(picture, MARGIN, MARGIN + LINE + 8, width, height));
  keys.forEach((key, i) => {
    const y = MARGIN + LINE + 8 + height + LINE * (i + 0.75);
    const sign = key.querySelector('svg');
    if (sign) root.append(placed(sign, MARGIN, y - 11, 26, 12));
    root.append(written(textOf(key), MARGIN + (sign ? 34 : 0), y, ink, 13));
  });
  return { text: `${new XMLSerializer().serializeToString(root)}\n`, ...whole };
}

/** Where bars and words stand in a picture of a table that draws itself. */
const BARS = { width: 640, names: 170, words: 560, row: 22 };

function barsOf(figure: Element): SVGSVGElement {
  const { names, words, row } = BARS;
  const { color: ink } = getComputedStyle(figure);
  const rows = [...figure.querySelectorAll('.plot-bars tbody tr')];
  const picture = made('svg', { height: row * (rows.length + 1) }) as SVGSVGElement;
  const write = (text: string, x: number, y: number, anchor = 'start') => {
    const line = written(text, x, y, ink, 13);
    line.setAttribute('text-anchor', anchor);
    picture.append(line);
  };
  const [least, most] = wordsOf(figure.querySelectorAll('.plot-domain span'));
  const [, measure] = numbersOf(figure).columns;
  write(least ?? '', names, 14);
  write(most ?? '', words - 80, 14, 'end');
  write(measure ?? '', BARS.width, 14, 'end');
  rows.forEach((line, i) => {
    const y = row * (i + 1);
    const [name, room, said] = [...line.children];
    const bar = room?.querySelector('rect');
    write(textOf(name), names - 12, y + 15, 'end');
    write(textOf(said), BARS.width, y + 15, 'end');
    const share = Number.parseFloat(bar?.getAttribute('width') ?? '0') / 100;
    picture.append(made('rect', bar
      ? { x: names, y: y + 5, width: share * (words - 80 - names), height: 12, fill: getComputedStyle(bar).fill }
      : { x: names, y: y + 5, width: words - 80 - names, height: 12, fill: 'none', stroke: ink, 'stroke-dasharray': '2 4' }));
  });
  return picture;
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
  // A picture that was made for the file says all itself.
  if (!source.isConnected) return sizedAt(copy, { x, y, width, height });
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
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const left: Node[] = [];
  while (comments.nextNode()) left.push(comments.currentNode);
  left.forEach((comment) => comment.parentNode?.removeChild(comment));
  return sizedAt(copy, { x, y, width, height });
}

function sizedAt(picture: SVGSVGElement, place: { x: number; y: number; width: number; height: number }): SVGSVGElement {
  for (const [name, value] of Object.entries({ ...place, overflow: 'visible' })) picture.setAttribute(name, String(value));
  return picture;
}

async function picture({ text, width, height }: Drawing): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return pixels(width, height, (context) => context.drawImage(image, 0, 0, width, height));
}
