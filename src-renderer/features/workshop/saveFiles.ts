import { saveTextFile } from '../../ui/saveTextFile.ts';

/** Hands each file to the browser as a download of its own. */
export function saveFiles(files: readonly { path: string; text: string }[]): void {
  for (const { path, text } of files) saveTextFile(path, text, 'text/plain');
}
