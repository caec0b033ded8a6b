import { useApi } from '../../api/index.ts';
import { useOfferUndo } from '../../saving/useOfferUndo.ts';
import { readText } from '../../ui/files/readText.ts';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { showDone, useAct } from '../../ui/notices/notices.tsx';

export type DatasetKind = 'corpus' | 'golden' | 'baseline';
type Named = { kind: DatasetKind; version: string };

/** Actions on datasets that need no form. Each reports its failure. */
export function useDatasetActions() {
  const { client, queries, reread } = useApi();
  const offerUndo = useOfferUndo();
  const refresh = (): Promise<void> => reread(queries.retrieval);
  return {
    refresh,
    importFile: useAct(
      async ({ kind, file }: { kind: DatasetKind; file: File }) =>
        client.retrieval.importFile({ kind, fileName: file.name, text: await readText(file) }),
      {
        onSuccess: async ({ version }) => {
          await refresh();
          showDone(`Imported ${version}.`);
        },
      },
    ).mutate,
    exportFile: useAct((one: Named) => client.retrieval.exportFile(one), {
      onSuccess: ({ fileName, text }) => saveTextFile(fileName, text, 'application/json'),
    }).mutate,
    remove: useAct((one: Named) => client.retrieval.remove(one), {
      onSuccess: async ({ token, what }) => {
        await refresh();
        offerUndo(`Deleted ${what}.`, token);
      },
    }).mutate,
  };
}
