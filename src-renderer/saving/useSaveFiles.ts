import { useCallback } from 'react';
import { useApi } from '../api/index.ts';
import { download } from '../ui/files/saveTextFile.ts';
import { saveByDialog } from './saveByDialog.ts';

interface NamedText {
  path: string;
  text: string;
}

/**
 * The earliest time that an archive can hold. It makes the same files the same bytes whenever they
 * are saved.
 */
const noTime = new Date(1980, 0, 1);

/**
 * Saves several files: into a folder chosen once in the Electron window, as one archive in a
 * browser.
 */
export function useSaveFiles(): (name: string, files: readonly NamedText[]) => Promise<void> {
  const { client, host } = useApi();
  return useCallback(
    async (name, files) => {
      const [only] = files;
      if (only === undefined) return;
      if (host === 'electron')
        await saveByDialog(client, {
          fileName: name,
          content: { from: 'files', files: files.map(({ path, text }) => ({ name: path, text })) },
        });
      else if (files.length === 1)
        download({ fileName: only.path, parts: [only.text], type: 'application/json' });
      else {
        const { strToU8, zipSync } = await import('fflate');
        const archive = zipSync(
          Object.fromEntries(files.map(({ path, text }) => [path, strToU8(text)])),
          { mtime: noTime },
        );
        download({ fileName: `${name}.zip`, parts: [archive], type: 'application/zip' });
      }
    },
    [client, host],
  );
}
