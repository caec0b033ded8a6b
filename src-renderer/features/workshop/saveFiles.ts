/** Hands each file to the browser as a download of its own. The addresses live until the downloads have surely begun. */
export function saveFiles(files: readonly { path: string; text: string }[]): void {
  for (const { path, text } of files) {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = path;
    link.click();
    setTimeout(() => { URL.revokeObjectURL(url); }, 60_000);
  }
}
