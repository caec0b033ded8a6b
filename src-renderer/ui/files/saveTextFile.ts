interface TextFile {
  fileName: string;
  parts: readonly string[];
  type: string;
}
type Saver = (file: TextFile) => void;

/**
 * Hands a file to the browser as a download. The address lives until the download has surely begun.
 */
export function download({
  fileName,
  parts,
  type,
}: Omit<TextFile, 'parts'> & { parts: readonly BlobPart[] }): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

let saver: Saver = download;

/** In a window of its own the program saves by the system's dialog instead. */
export function saveTextFilesBy(next: Saver): void {
  saver = next;
}

/** Saves a text, or its parts: a download in a browser, a dialog in a window. */
export function saveTextFile(
  fileName: string,
  text: string | readonly string[],
  type: string,
): void {
  saver({ fileName, parts: typeof text === 'string' ? [text] : text, type });
}
