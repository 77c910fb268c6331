// Rows of the matrix are chosen by their words: a click takes one, with Shift one more; Shift and the arrows add the next.
// Where queries run down the columns, they are chosen there.

const labelsOf = (matrix: Element): string => ((matrix as HTMLElement).dataset['queries'] === 'columns' ? '.columns' : '.rows');

export function addingRows(matrix: HTMLElement, choose: (row: number, add: boolean) => void, present: () => number): void {
  matrix.addEventListener('click', (event) => {
    const place = (event.target as HTMLElement).closest<HTMLElement>(`${labelsOf(matrix)} [data-place]`)?.dataset['place'];
    if (place !== undefined) choose(Number(place), (event as MouseEvent).shiftKey || (event as MouseEvent).ctrlKey || (event as MouseEvent).metaKey);
  });
  let last = -1;
  matrix.addEventListener('keydown', (event) => {
    const [back, on] = labelsOf(matrix) === '.rows' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const way = event.key === back ? -1 : event.key === on ? 1 : 0;
    if (!event.shiftKey || way === 0) {
      if (event.key !== 'Shift') last = -1;
      return;
    }
    // Before the grid takes the arrow for itself.
    event.preventDefault();
    event.stopPropagation();
    const next = (last < 0 ? present() : last) + way;
    const count = Number(matrix.querySelector('[role=grid]')?.getAttribute(labelsOf(matrix) === '.rows' ? 'aria-rowcount' : 'aria-colcount') ?? 0);
    if (next < 0 || next >= count) return;
    last = next;
    choose(next, true);
  }, { capture: true });
}

/** Rows that are read together are marked beside the matrix. */
export function markRows(matrix: Element, queries: readonly number[]): void {
  for (const label of matrix.querySelectorAll<HTMLElement>(':is(.rows, .columns) bdi')) {
    const asks = label.closest(labelsOf(matrix)) !== null;
    label.toggleAttribute('data-summed', asks && queries.includes(Number(label.dataset['place'])));
  }
}
