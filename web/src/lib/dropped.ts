// Files, or folders with files, that a reader drops.

/** The name of a file of what the reader answers where a model's config.json lacks sizes: it is added to that. */
export const ANSWERS = 'answers to config.json';

/** Where a file lies in a folder that was chosen or dropped; its name where it lies in none. */
export const pathOf = ({ webkitRelativePath, name }: File): string => webkitRelativePath || name;

/** Must be called while the event is handled. */
export interface Dropped {
  readonly files: readonly File[];
  readonly entries: readonly FileSystemEntry[];
}

/** How long after the last word of a drag it counts as gone, in ms: browsers repeat theirs up to every 350. */
const GONE = 600;

/** Files that are dropped on a place are taken, and the browser does not open them instead. @param over whether files are dragged over it */
export function takeDrops(place: Element | Window, { over, take, mayTake }: { over(is: boolean): void; take(dropped: Dropped): void; mayTake(): boolean }): () => void {
  let gone: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(gone);
    over(false);
  };
  const dragged = (event: Event) => {
    const { dataTransfer } = event as DragEvent;
    if (!dataTransfer?.types.includes('Files') || !mayTake()) return;
    event.preventDefault();
    event.stopPropagation();
    dataTransfer.dropEffect = 'copy';
    over(true);
    clearTimeout(gone);
    gone = setTimeout(end, GONE);
  };
  const dropped = (event: Event) => {
    const { dataTransfer } = event as DragEvent;
    if (!dataTransfer?.types.includes('Files') || !mayTake()) return;
    event.preventDefault();
    event.stopPropagation();
    end();
    take({ files: [...dataTransfer.files], entries: [...dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []) });
  };
  const heard = [['dragenter', dragged], ['dragover', dragged], ['drop', dropped]] as const;
  for (const [name, act] of heard) place.addEventListener(name, act);
  return () => {
    end();
    for (const [name, act] of heard) place.removeEventListener(name, act);
  };
}
