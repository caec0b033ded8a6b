interface TextFile {
  fileName: string;
  parts: readonly string[];
  type: string;
}
type Saver = (file: TextFile) => void;

/**
 * Hands a file to the browser as a download. The object URL is kept until the download has begun.
 */
export function download(props: Omit<TextFile, 'parts'> & { parts: readonly BlobPart[] }): void {
  const { fileName, parts, type } = props;
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

let saver: Saver = download;

/** In the Electron window the system's dialog saves instead. */
export function saveTextFilesBy(next: Saver): void {
  saver = next;
}

/**
 * Saves a text or its parts: as a download in a browser, through a dialog in the Electron window.
 */
export function saveTextFile(
  fileName: string,
  text: string | readonly string[],
  type: string,
): void {
  saver({ fileName, parts: typeof text === 'string' ? [text] : text, type });
}
