// Bars that travel: from where they were to where they are, by transforms alone, which the browser's compositor moves.
import { FLIP, leave } from '../../lib/dom.ts';
import type { Rect } from './layout.ts';
import { isShare, type StripId } from './row.ts';

export type Places = ReadonlyMap<string, Rect>;

/** What moves: all bars in place, those of one strip out of the one before it, or the mix. */
export type Motion = { kind: 'flip' } | { kind: 'drop'; id: StripId; before: StripId } | { kind: 'pour' };

export const PLAY = { duration: 600, easing: 'cubic-bezier(.3, 0, .2, 1)' };
export const MIX = { duration: 700, easing: 'ease-out' };
/** One stage, and the rest behind it. */
export const EVERY_MS = 1000;

/** Of one strip, or all: a selector that asks for an empty start finds nothing. */
const barsIn = (root: ParentNode, id = ''): SVGGraphicsElement[] => [...root.querySelectorAll<SVGGraphicsElement>(id ? `[data-bar^="${id} "]` : '[data-bar]')];

const rectOf = (bar: SVGGraphicsElement): Rect => {
  const read = (name: string) => Number(bar.getAttribute(name));
  return { x: read('x'), y: read('y'), width: read('width'), height: read('height') };
};

/** As it stands before it is drawn again: bars by their names, and for a flip the lines. */
export const standing = (root: ParentNode, { kind }: Motion) => ({
  bars: new Map(barsIn(root).map((bar) => [bar.dataset['bar'] ?? '', rectOf(bar)])) as Places,
  lines: kind === 'flip' ? linesIn(root).map((lines) => lines.cloneNode(true) as Element) : [],
});

/** Moves what has been drawn, from where it stood. */
export function move(root: ParentNode, motion: Motion, { bars, lines }: ReturnType<typeof standing>, isTurned: boolean): void {
  if (motion.kind === 'pour') return pour(root);
  if (motion.kind === 'drop') return drop(root, motion.id, motion.before, bars, isTurned);
  flip(root, bars);
  fade(root, lines);
}

const at = (from: Rect, to: Rect): string => `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width}, ${from.height / to.height})`;

/** A switch was flipped: everything moves at once, in place. */
function flip(root: ParentNode, before: Places): void {
  for (const bar of barsIn(root)) {
    const [from, to] = [before.get(bar.dataset['bar'] ?? ''), rectOf(bar)];
    if (from && (from.y !== to.y || from.x !== to.x || from.height !== to.height || from.width !== to.width)) bar.animate([{ transform: at(from, to) }, { transform: 'none' }], FLIP);
  }
}

/** Bars drop from the strip before into this one, and change on the way; into shares they fall together, then part. */
function drop(root: ParentNode, id: StripId, before: StripId, places: Places, isTurned: boolean): void {
  const parts = isShare(id) && !isShare(before);
  for (const bar of barsIn(root, id)) {
    const key = (bar.dataset['bar'] ?? '').split(' ')[1] ?? '';
    const [from, to] = [places.get(`${before} ${key}`), rectOf(bar)];
    if (!from) continue;
    const landed: Rect = isTurned ? { ...from, x: to.x } : { ...from, y: to.y + to.height - from.height };
    bar.animate([{ transform: at(from, to) }, ...(parts ? [{ transform: at(landed, to), offset: 0.6 }] : []), { transform: 'none' }], PLAY);
  }
}

/** Streams run from the shares to the word. */
function pour(root: ParentNode): void {
  for (const stream of root.querySelectorAll<SVGPathElement>('[data-stream]')) stream.animate([{ strokeDasharray: 1, strokeDashoffset: 1 }, { strokeDasharray: 1, strokeDashoffset: 0 }], MIX);
}

/** What cannot travel, arcs and the mix, fades into what it has become: lines of another thickness would be painted in each frame. */
function fade(root: ParentNode, before: readonly Element[]): void {
  linesIn(root).forEach((now, i) => {
    const was = before[i];
    if (!was || was.outerHTML === now.outerHTML) return;
    now.animate({ opacity: [0, 1] }, FLIP);
    now.after(was);
    leave(was);
  });
}

const linesIn = (root: ParentNode): Element[] => [...root.querySelectorAll('.row-arcs, .mix')];
