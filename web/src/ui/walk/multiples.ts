// One stage of every head as small multiples: a button each, drawn dot by dot.
import { msg, str } from '@lit/localize';
import { signedRamp, signedStep, step } from '../../lib/colour.ts';
import type { Paint } from '../kit/paint.ts';

export interface MultiplesData {
  heads: number;
  chosen: number;
  rows: number;
  columns: number;
  rowStride: number;
  columnStride: number;
  /** One head's matrix, and where it is masked. */
  numbers(head: number): Float32Array;
  masked(head: number): Float32Array | null;
  kind: 'weights' | 'signed';
  range: number;
  label: string;
  paint: Paint;
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
  const perLine = Math.max(1, Math.floor((host.clientWidth + 6) / ACROSS));
  const first = Math.floor(host.scrollTop / line) * perLine;
  const last = Math.min(data.heads, Math.ceil((host.scrollTop + host.clientHeight) / line + 1) * perLine);
  for (let head = first; head < last; head += 1) draw(host.children[head]?.querySelector('canvas') as HTMLCanvasElement, data, head);
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

function draw(canvas: HTMLCanvasElement, data: MultiplesData, head: number): void {
  const [numbers, masked] = [data.numbers(head), data.masked(head)];
  const block = { rows: Math.ceil(data.rows / MAX_DOTS), columns: Math.ceil(data.columns / MAX_DOTS) };
  const [rows, columns] = [Math.ceil(data.rows / block.rows), Math.ceil(data.columns / block.columns)];
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context) return;
  const ramp = data.kind === 'weights' ? data.paint.ramp : signedRamp(data.paint.theme);
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1) {
      const at = i * block.rows * data.rowStride + j * block.columns * data.columnStride;
      const value = numbers[at] ?? NaN;
      if (masked?.[at] === -Infinity || !Number.isFinite(value)) continue;
      pixels[i * columns + j] = ramp.pixel(data.kind === 'weights' ? step(value) : signedStep(value, data.range));
    }
  }
  context.putImageData(image, 0, 0);
}
