// What a reader drops: files, or folders with files in them.

type Dropped = Pick<DataTransfer, 'items' | 'files'>;

/** The files, and those that lie in a folder; not those of folders in it. To be called while the event is handled. */
export async function droppedFiles({ items, files }: Dropped): Promise<File[]> {
  const all = [...files];
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return all;
  try {
    return (await Promise.all(entries.map(filesOf))).flat();
  } catch {
    return all; // the browser does not let them be read
  }
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  const inside = entry.isDirectory ? await children(entry as FileSystemDirectoryEntry) : [entry];
  return Promise.all(inside.filter(({ isFile }) => isFile).map((each) => new Promise<File>((resolve, reject) => { (each as FileSystemFileEntry).file(resolve, reject); })));
}

/** They come in parts, until none comes. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (part.length === 0) return found;
    found.push(...part);
  }
}

/** How long after the last word of a drag it counts as gone, in ms: browsers repeat theirs up to every 350. */
const GONE = 600;

/** Files that are dropped on a place are taken, and the browser does not open them instead. @param over whether files are dragged over it */
export function takeDrops(place: Element | Window, { over, files, mayTake = () => true }: { over(is: boolean): void; files(files: readonly File[]): void; mayTake?: () => boolean }): () => void {
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
    void droppedFiles(dataTransfer).then((found) => { if (found.length > 0) files(found); });
  };
  const heard = [['dragenter', dragged], ['dragover', dragged], ['drop', dropped]] as const;
  for (const [name, act] of heard) place.addEventListener(name, act);
  return () => {
    end();
    for (const [name, act] of heard) place.removeEventListener(name, act);
  };
}
