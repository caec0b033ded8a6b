import { saveTextFile } from '../../ui/saveTextFile.ts';

/** Saves each file by itself. */
export function saveFiles(files: readonly { path: string; text: string }[]): void {
  for (const { path, text } of files) saveTextFile(path, text, 'text/plain');
}
