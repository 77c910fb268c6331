// Colours of canvases from the theme, the hatch for masked cells, and the arc from one word to another.
import { type Ramp, type Theme, weightRamp } from '../../lib/colour.ts';
import { setMeasure } from '../../lib/dom.ts';
import type { Box } from '../../lib/space.ts';

export interface Paint {
  readonly theme: Theme;
  readonly ramp: Ramp;
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly arcs: string;
  readonly hatch: string;
  readonly border: string;
  readonly error: string;
  readonly font: string;
  /** Of the sentence's words. */
  readonly wordFont: string;
  /** What the embedder wants a cell to measure, or NaN. */
  readonly cellSize: number;
}

/** Reads the colours where the theme, and whoever embeds the element, has put them. */
export function readPaint(root: HTMLElement, theme: Theme): Paint {
  const style = getComputedStyle(root);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    theme,
    ramp: weightRamp(theme),
    paper: read('--paper'),
    ink: read('--ink'),
    muted: read('--muted'),
    accent: read('--accent'),
    arcs: read('--arcs'),
    hatch: read('--hatch'),
    border: read('--border'),
    error: read('--error'),
    font: style.fontFamily,
    wordFont: read('--language-font'),
    cellSize: Number.parseFloat(read('--attention-cell-size')),
  };
}

/** Fits a canvas to CSS pixels at the screen's own resolution, and returns a context in CSS pixels. */
export function openCanvas(canvas: HTMLCanvasElement, width: number, height: number, alpha = false): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  if (canvas.isConnected) {
    setMeasure(canvas, 'width', `${width}px`);
    setMeasure(canvas, 'height', `${height}px`);
  }
  const context = canvas.getContext('2d', { alpha });
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Lines at 45° over the clipped region, continuous across cells and steady under scrolling; none where there is none. */
export function hatch(
  context: CanvasRenderingContext2D,
  region: Path2D | null,
  area: { width: number; height: number; offsetX: number; offsetY: number },
  colour: string,
  pitch: number,
): void {
  // Lines that a clip leaves nothing of would cost as much.
  if (!region) return;
  const { width, height, offsetX, offsetY } = area;
  const gap = pitch * Math.SQRT2;
  context.save();
  context.clip(region);
  context.beginPath();
  const first = Math.floor((offsetX + offsetY) / gap) * gap - offsetX - offsetY;
  for (let at = first; at < width + height; at += gap) {
    context.moveTo(at, 0);
    context.lineTo(at - height, height);
  }
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

// The way from one word to another, over the sentence.

/** A mitred stroke goes this far beyond the tip of a right angle, and this much more than half a width beyond the ends of the side across from it; in widths. */
const [BEYOND_TIP, LESS] = [Math.SQRT1_2, (Math.SQRT2 - 1) / 2];

/** From the middle of one word's top down to another's; heights grow with distance and stay inside the arcs' zone. */
export function arc(key: Box, query: Box, self: boolean, width: number): string {
  const y = query.top;
  const to = (query.left + query.right) / 2;
  // A thick line needs a wider loop, or it would be a blot.
  const [half, loop] = [7 + width * 0.55, 30 + width];
  if (self) return `M${to - half} ${y}C${to - half * 1.4} ${y - loop} ${to + half * 1.4} ${y - loop} ${to + half} ${y}`;
  const at = (key.left + key.right) / 2;
  const height = Math.min(104, 34 + Math.abs(to - at) * 0.14);
  const end = to + Math.sign(at - to) * Math.min(6, (query.right - query.left) / 4);
  return `${head(at, y, width, 1)}M${at} ${y - width / 2}C${at} ${y - height} ${end} ${y - height} ${end} ${y}`;
}

/** Its head is 3.5 and the line's width high, and twice as wide; its outline is smaller by what the stroke adds. @param side 1 where it points down */
function head(at: number, y: number, width: number, side: number): string {
  const [tip, size] = [y - side * width * BEYOND_TIP, 3.5 - width * LESS];
  return `M${at - size} ${tip - side * size}H${at + size}L${at} ${tip}Z`;
}

/** Under the words, where they take several lines: below the key's line, and down the margin where other lines lie between. It points up. */
export function arcBetween(key: Box, query: Box, at: number, width: number, margin: number): string {
  const [tip, lane] = [key.bottom + 8, key.bottom + 28];
  const [from, start] = Math.abs(query.top - key.top) < 4 ? [query.right - 3, query.bottom + 8] : [(query.left + query.right) / 2, query.top];
  return `${head(at, tip, width, -1)}M${from} ${start}${query.top - lane > 20 ? `V${query.top - 7}H${margin - width / 2}` : ''}V${lane}H${at}V${tip + width}`;
}
