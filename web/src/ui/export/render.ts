// A figure's marks as a picture of pixels, and as SVG.
import { pixels } from './files.ts';
import type { Figure, Mark } from '../kit/marks.ts';

export async function png(figure: Figure): Promise<Blob> {
  const { width, height, paper, marks } = figure;
  const image = marks.some(({ kind }) => kind === 'drawing') ? await imageOf(figure) : null;
  return pixels(width, height, (context) => {
    if (image) return context.drawImage(image, 0, 0, width, height);
    context.fillStyle = paper;
    context.fillRect(0, 0, width, height);
    marks.forEach((mark) => draw(context, mark));
  });
}

/** The browser draws a drawing, where the policy of the page around lets images come from their own address. */
async function imageOf(figure: Figure): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg(figure))}`;
  await image.decode();
  return image;
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

// A figure's marks as SVG.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML cannot hold is left out. */
const escape = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '').replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '');
const number = (x: number): string => String(Number(x.toFixed(2)));

/** As every program that reads SVG knows it: #04326f. */
export function hex(colour: string): string {
  const [kind, ...parts] = colour.match(/^rgb|^hsl|[\d.]+/g) ?? [];
  const [a = 0, b = 0, c = 0] = parts.map(Number);
  if (kind === 'rgb') return `#${[a, b, c].map((x) => Math.round(x).toString(16).padStart(2, '0')).join('')}`;
  if (kind !== 'hsl') return colour;
  // CSS Color 4, hslToRgb
  const channel = (n: number) => {
    const k = (n + a / 30) % 12;
    return c / 100 - (b / 100) * Math.min(c / 100, 1 - c / 100) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return hex(`rgb(${[0, 8, 4].map((n) => 255 * channel(n)).join(' ')})`);
}

export const FONT = 'system-ui, sans-serif';

export function svg({ width, height, title, paper, marks }: Figure): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" role="img" font-family="${FONT}">
<title>${escape(title)}</title>
<rect width="100%" height="100%" fill="${hex(paper)}"/>
${marks.map(mark).join('\n')}
</svg>
`;
}

function mark(each: Mark): string {
  switch (each.kind) {
    case 'rect':
      return `<rect x="${number(each.x)}" y="${number(each.y)}" width="${number(each.width)}" height="${number(each.height)}" fill="${hex(each.fill)}"${each.stroke ? ` stroke="${hex(each.stroke)}"` : ''}${each.line ? ` stroke-width="${each.line}"` : ''}/>`;
    case 'path':
      return `<path d="${each.path.replace(/-?\d+\.\d+/g, (x) => number(Number(x)))}" fill="none" stroke="${hex(each.stroke)}" stroke-width="${number(each.width)}" stroke-opacity="${each.opacity}"/>`;
    case 'line':
      return `<line x1="${number(each.x)}" y1="${number(each.y)}" x2="${number(each.toX)}" y2="${number(each.toY)}" stroke="${hex(each.stroke)}"/>`;
    case 'drawing': {
      for (const side of ['x', 'y', 'width', 'height'] as const) each.drawing.setAttribute(side, number(each[side]));
      each.drawing.setAttribute('overflow', 'visible');
      return new XMLSerializer().serializeToString(each.drawing);
    }
    case 'text': {
      const turned = each.turn ? ` transform="rotate(${each.turn} ${number(each.x)} ${number(each.y)})"` : '';
      return `<text x="${number(each.x)}" y="${number(each.y)}" font-size="${each.size}" fill="${hex(each.fill)}"${each.anchor === 'start' ? '' : ` text-anchor="${each.anchor}"`}${each.bold ? ' font-weight="700"' : ''}${turned}>${escape(each.text)}</text>`;
    }
  }
}
