/** Hands a text, or its parts, to the browser as a download. The address lives until the download has surely begun. */
export function saveTextFile(fileName: string, text: string | readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob(typeof text === 'string' ? [text] : [...text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
