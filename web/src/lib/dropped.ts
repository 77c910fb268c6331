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
