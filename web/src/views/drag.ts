// A finger on the chosen cell takes the choice along, wherever it moves; everywhere else it scrolls. The chosen cell is as
// large as a finger there, so that the smallest cells can be had.

export interface DragEvents {
  /** What lies under the finger now. */
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
    // Where a drag ends, nothing is pressed; and Enter is a key's affair.
    if (!moved && event.detail > 0) tap(event);
  });
}
