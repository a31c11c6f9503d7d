// Files that are dropped, also those in folders: a folder is read to its last file.

function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader gives a part of the entries each time, and none when all were given.
  const more = (): Promise<FileSystemEntry[]> =>
    new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)).then((part) => {
      if (part.length === 0) return all;
      all.push(...part);
      return more();
    });
  return more();
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ];
  const inside = await entriesOf(entry as FileSystemDirectoryEntry);
  const files = await Promise.all(inside.filter((one) => !one.name.startsWith(".")).map(filesIn));
  return files.flat();
}

export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  // Entries must be asked for before anything is awaited, since the browser takes the data back then.
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
    return entry ? [entry] : [];
  });
  if (entries.length === 0) return [...data.files];
  return (await Promise.all(entries.map(filesIn))).flat();
}
