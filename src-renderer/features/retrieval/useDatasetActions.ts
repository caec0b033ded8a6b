import { useApi } from '../../api/index.ts';
import { readText } from '../../ui/files/readText.ts';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { showDone, showFailure, showUndo } from '../../ui/notices/UndoNotice.tsx';

export type DatasetKind = 'corpus' | 'golden' | 'baseline';

/** Actions on datasets that need no form. Each reports its failure. */
export function useDatasetActions() {
  const { client, queries, reread } = useApi();
  const refresh = (): Promise<void> => reread(queries.retrieval);
  return {
    refresh,
    async importFile(kind: DatasetKind, file: File): Promise<void> {
      try {
        const { version } = await client.retrieval.importFile({
          kind,
          fileName: file.name,
          text: await readText(file),
        });
        await refresh();
        showDone(`Imported ${version}.`);
      } catch (error) {
        showFailure(error);
      }
    },
    async exportFile(kind: DatasetKind, version: string): Promise<void> {
      try {
        const { fileName, text } = await client.retrieval.exportFile({ kind, version });
        saveTextFile(fileName, text, 'application/json');
      } catch (error) {
        showFailure(error);
      }
    },
    async remove(kind: DatasetKind, version: string): Promise<void> {
      try {
        const { token, what } = await client.retrieval.remove({ kind, version });
        await refresh();
        showUndo(`Deleted ${what}.`, async () => {
          await client.settings.undo({ token });
          await reread();
        });
      } catch (error) {
        showFailure(error);
      }
    },
  };
}
