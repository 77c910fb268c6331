// DOM helpers for views: dragging, fading, measuring widths, styles; and a promise with a
// timeout.
import { type CSSResult, adoptStyles } from 'lit';

// A finger that starts on the chosen cell moves the selection; everywhere else it scrolls. The chosen cell is as
// large as a finger, so that the smallest cells can be chosen.

export interface DragEvents {
  /** The element under the finger now. */
  move(event: PointerEvent): void;
  tap(event: MouseEvent): void;
}

export function draggable(cell: HTMLElement, { move, tap }: DragEvents): void {
  let moved = false;
  cell.addEventListener('pointerdown', (event) => {
    moved = false;
    cell.setPointerCapture(event.pointerId);
  });
  cell.addEventListener('pointermove', (event) => {
    if (!cell.hasPointerCapture(event.pointerId)) return;
    moved = true;
    move(event);
  });
  cell.addEventListener('click', (event) => {
    // The end of a drag is not a click; Enter is handled by the key handler.
    if (!moved && event.detail > 0) tap(event);
  });
}

/** Stands for its host's width to an observer. What is drawn changes the host's height, and the host would be observed in turn. */
export function widthProbe(host: Element): Element {
  const probe = document.createElement('div');
  host.prepend(probe);
  return probe;
}

// Lengths of a view's own, as its style sheet reads them.

/** Sets a property of an element's style, unless it has that value: setting it would compute the style again. */
export function setMeasure(host: HTMLElement, name: string, value: string): void {
  if (host.style.getPropertyValue(name) !== value) host.style.setProperty(name, value);
}

const adopted = new WeakMap<ShadowRoot, readonly CSSResult[]>();

/** Gives a root its styles. A sheet belongs to the document that it was made in: in any other, it is made again. */
export function adopt(root: ShadowRoot, styles: readonly CSSResult[]): void {
  adopted.set(root, styles);
  const view = root.ownerDocument.defaultView;
  if (!view || view === window) return adoptStyles(root, [...styles]);
  root.adoptedStyleSheets = styles.map(({ cssText }) => {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(cssText);
    return sheet;
  });
}

/** Besides those that it has. */
export const adoptMore = (root: ShadowRoot, more: CSSResult): void => adopt(root, [...(adopted.get(root) ?? []), more]);

/** After a move to another document, which takes them away. */
export const adoptAgain = (root: ShadowRoot, first: readonly CSSResult[]): void => adopt(root, adopted.get(root) ?? first);

/** Done when the promise is, or after so many milliseconds. */
export const atMost = (ms: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))]);

// When a switch is flipped, parts that cannot move are cross-faded by opacity alone, which the compositor changes.

export const FLIP = { duration: 300, easing: 'ease-out' };

export const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Fades out `was`, which lies over its replacement, and removes it. */
export function leave(was: Element): void {
  was.animate({ opacity: [1, 0] }, FLIP).onfinish = () => was.remove();
}
