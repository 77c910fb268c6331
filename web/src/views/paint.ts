// What canvases need from the theme, and the hatch that means "masked" everywhere.
import { type Ramp, type Theme, weightRamp } from '../colour.ts';
import { setMeasure } from './measure.ts';

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
