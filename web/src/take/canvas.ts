// A figure's marks as a picture of pixels.
import { msg } from '@lit/localize';
import type { Figure, Mark } from './marks.ts';
import { FONT } from './svg.ts';

/** Twice as fine as on the page, so that it prints well; less where it would not fit a canvas. */
const SCALE = 2;
const MOST_PIXELS = 8192;

export async function png({ width, height, paper, marks }: Figure): Promise<Blob> {
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const context = canvas.getContext('2d');
  if (!context) throw new Error(msg('This browser gives no canvas to draw on. Take the SVG instead.'));
  context.scale(scale, scale);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  marks.forEach((mark) => draw(context, mark));
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(msg('The picture is too large for this browser. Take the SVG instead.'));
  return blob;
}

function draw(context: CanvasRenderingContext2D, mark: Mark): void {
  switch (mark.kind) {
    case 'rect':
      context.fillStyle = mark.fill;
      if (mark.fill !== 'none') context.fillRect(mark.x, mark.y, mark.width, mark.height);
      context.strokeStyle = mark.stroke ?? '';
      context.lineWidth = mark.line ?? 1;
      if (mark.stroke) context.strokeRect(mark.x, mark.y, mark.width, mark.height);
      break;
    case 'line':
      context.strokeStyle = mark.stroke;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(mark.x, mark.y);
      context.lineTo(mark.toX, mark.toY);
      context.stroke();
      break;
    case 'path':
      context.globalAlpha = mark.opacity;
      context.strokeStyle = mark.stroke;
      context.lineWidth = mark.width;
      context.stroke(new Path2D(mark.path));
      context.globalAlpha = 1;
      break;
    case 'text':
      context.save();
      context.translate(mark.x, mark.y);
      if (mark.turn) context.rotate((mark.turn * Math.PI) / 180);
      context.font = `${mark.bold ? 'bold ' : ''}${mark.size}px ${FONT}`;
      context.fillStyle = mark.fill;
      context.textAlign = mark.anchor === 'middle' ? 'center' : mark.anchor;
      context.fillText(mark.text, 0, 0);
      context.restore();
  }
}
