// A lab's figure as the exporter takes it: its picture between title and legend, in the colours it has here, and its numbers.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { Space } from '../../lib/space.ts';
import { csvOf, save } from '../../ui/export/files.ts';
import { type Figure, MARGIN, type Mark, hatch, text } from '../../ui/kit/marks.ts';
import { png, svg } from '../../ui/export/render.ts';

export interface Numbers {
  columns: readonly string[];
  /** The first of each row names it. */
  rows: readonly (readonly string[])[];
}

export type FileKind = 'svg' | 'png' | 'csv' | 'json';

const LINE = 22;
/** Properties of a mark that come from the style sheet, and must be written into a file. */
const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'];

/** Buttons under a figure. */
export function take(title: string): TemplateResult {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'figure';
  const button = (kind: FileKind, words: string) => html`<button type="button" class="plain" data-take=${kind} aria-label=${words}
    @click=${async (event: Event) => save(`${name}.${kind}`, await file((event.currentTarget as Element).closest('figure') as Element, kind, {}))}>${kind.toUpperCase()}</button>`;
  return html`
    <p class="plot-take">
      ${button('svg', msg(str`“${title}” as SVG`))}
      ${button('png', msg(str`“${title}” as PNG`))}
      ${button('csv', msg(str`The numbers of “${title}” as CSV`))}
    </p>
  `;
}

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
  if (kind === 'png') return png(figureOf(figure));
  if (kind === 'svg') return svg(figureOf(figure));
  const numbers = numbersOf(figure);
  return kind === 'csv' ? csvOf([numbers.columns, ...numbers.rows]) : JSON.stringify({ ...about, figure: titleOf(figure), ...numbers });
}

/** A word of the reader's keeps its direction to itself, as on the page. */
function textOf(element: Element | null | undefined): string {
  if (!element) return '';
  const copy = element.cloneNode(true) as Element;
  for (const word of copy.querySelectorAll('bdi')) if (/[^ -~]/.test(word.textContent ?? '')) word.textContent = `\u2068${word.textContent}\u2069`;
  return (copy.textContent ?? '').trim();
}

const titleOf = (figure: Element): string => figure.querySelector('figcaption b')?.textContent?.trim() ?? '';

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

/** The figure's picture between its title and its legend, on the paper that it stands on. */
function figureOf(figure: Element): Figure {
  const style = getComputedStyle(figure);
  const ink = style.color;
  const top = MARGIN + LINE + 8;
  const seen = figure.querySelector<SVGSVGElement>('.plot-picture');
  const { width, height } = seen ? new Space(seen) : { width: BARS.width, height: BARS.row * (figure.querySelectorAll('.plot-bars tbody tr').length + 1) };
  const keys = [...figure.querySelectorAll('.plot-names li')];
  const title = textOf(figure.querySelector('figcaption'));
  return {
    width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN + LINE * (1 + keys.length) + 8), title, paper: style.getPropertyValue('--paper').trim(),
    marks: [
      text(MARGIN, MARGIN + 14, title, { size: 15, bold: true, fill: ink }),
      ...(seen ? [{ kind: 'drawing', x: MARGIN, y: top, width, height, drawing: asSeen(seen) } as const] : bars(figure, MARGIN, top, ink, style.getPropertyValue('--hatch').trim())),
      ...keys.flatMap((key, i): Mark[] => {
        const y = top + height + LINE * (i + 0.75);
        const sign = key.querySelector('svg');
        return [...(sign ? [{ kind: 'drawing', x: MARGIN, y: y - 11, width: 26, height: 12, drawing: asSeen(sign) } as const] : []), text(MARGIN + (sign ? 34 : 0), y, textOf(key), { fill: ink })];
      }),
    ],
  };
}

/** Where bars and words stand in a picture of a table that draws itself. */
const BARS = { width: 640, names: 170, words: 560, row: 22 };

function bars(figure: Element, left: number, top: number, fill: string, masked: string): Mark[] {
  const [names, room, end] = [left + BARS.names, BARS.words - 80 - BARS.names, left + BARS.width];
  const [least, most] = wordsOf(figure.querySelectorAll('.plot-domain span'));
  const write = (words: string, x: number, y: number) => text(x, y, words, { fill, anchor: 'end' });
  return [
    text(names, top + 14, least ?? '', { fill }), write(most ?? '', names + room, top + 14), write(numbersOf(figure).columns[1] ?? '', end, top + 14),
    ...[...figure.querySelectorAll('.plot-bars tbody tr')].flatMap((line, i): Mark[] => {
      const y = top + BARS.row * (i + 1);
      const [name, place, said] = [...line.children];
      const bar = place?.querySelector('rect');
      const share = Number.parseFloat(bar?.getAttribute('width') ?? '0') / 100;
      return [
        write(textOf(name), names - 12, y + 15), write(textOf(said), end, y + 15),
        ...(bar ? [{ kind: 'rect', x: names, y: y + 5, width: share * room, height: 12, fill: getComputedStyle(bar).fill } as const] : hatch(names, y + 5, room, 12, masked)),
      ];
    }),
  ];
}

/** A copy that looks the same without any style sheet. */
function asSeen(source: SVGSVGElement): SVGSVGElement {
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
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const left: Node[] = [];
  while (comments.nextNode()) left.push(comments.currentNode);
  left.forEach((comment) => comment.parentNode?.removeChild(comment));
  return copy;
}
