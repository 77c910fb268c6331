// A figure's marks as SVG.
import type { Figure, Mark } from './figure.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML cannot hold is left out. */
const escape = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '').replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '');
const number = (x: number): string => String(Number(x.toFixed(2)));

export const FONT = 'system-ui, sans-serif';

export function svg({ width, height, title, paper, marks }: Figure): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" role="img" font-family="${FONT}">
<title>${escape(title)}</title>
<rect width="100%" height="100%" fill="${paper}"/>
${marks.map(mark).join('\n')}
</svg>
`;
}

function mark(each: Mark): string {
  switch (each.kind) {
    case 'rect':
      return `<rect x="${number(each.x)}" y="${number(each.y)}" width="${number(each.width)}" height="${number(each.height)}" fill="${each.fill}"${each.stroke ? ` stroke="${each.stroke}"` : ''}/>`;
    case 'line':
      return `<line x1="${number(each.x)}" y1="${number(each.y)}" x2="${number(each.toX)}" y2="${number(each.toY)}" stroke="${each.stroke}"/>`;
    case 'text': {
      const turned = each.turn ? ` transform="rotate(${each.turn} ${number(each.x)} ${number(each.y)})"` : '';
      return `<text x="${number(each.x)}" y="${number(each.y)}" font-size="${each.size}" fill="${each.fill}"${each.anchor === 'start' ? '' : ` text-anchor="${each.anchor}"`}${each.bold ? ' font-weight="700"' : ''}${turned}>${escape(each.text)}</text>`;
    }
  }
}
