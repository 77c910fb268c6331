// One stage of every head as small multiples: a button each, drawn dot by dot.
import { msg, str } from '@lit/localize';
import { type Grid, Strip, reduced } from '../kit/grid.ts';

export interface MultiplesData {
  heads: number;
  chosen: number;
  rows: number;
  columns: number;
  /** One head's matrix. */
  grid(head: number): Grid;
  label: string;
}

const MAX_DOTS = 128;
const SIDE = 52;
/** Of one picture with its number and the gap behind it. */
const ACROSS = SIDE + 6;

/** Every head has its place; only those in view are drawn. */
export function drawMultiples(host: HTMLElement, data: MultiplesData, choose: (head: number) => void): void {
  while (host.children.length > data.heads) host.lastChild?.remove();
  while (host.children.length < data.heads) host.append(makeButton(host.children.length, choose));
  const height = Math.round(Math.max(16, Math.min(SIDE, (SIDE * data.rows) / data.columns)));
  host.style.setProperty('--high', `${height}px`);
  for (let head = 0; head < data.heads; head += 1) {
    const button = host.children[head] as HTMLButtonElement;
    button.setAttribute('aria-pressed', head === data.chosen ? 'true' : 'false');
    button.setAttribute('aria-label', msg(str`${data.label}, head ${head + 1}`));
  }
  const inView = () => drawFrom(host, data, height + 22);
  host.onscroll = inView;
  inView();
}

function drawFrom(host: HTMLElement, data: MultiplesData, line: number): void {
  // The list has a padding of 4 px, and the last item has no gap of 6 px.
  const perLine = Math.max(1, Math.floor((host.clientWidth + 2) / ACROSS));
  const first = Math.floor(host.scrollTop / line) * perLine;
  const last = Math.min(data.heads, Math.ceil((host.scrollTop + host.clientHeight) / line + 1) * perLine);
  const strip = new Strip();
  for (let head = first; head < last; head += 1) {
    const grid = reduced(data.grid(head), MAX_DOTS);
    strip.draw([grid]);
    strip.show(host.children[head]?.querySelector('canvas') as HTMLCanvasElement, 0, grid.columns, grid.rows);
  }
}

function makeButton(head: number, choose: (head: number) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  button.append(canvas, String(head + 1));
  button.addEventListener('click', () => choose(head));
  return button;
}
