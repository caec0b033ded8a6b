import { useApi } from '../api/index.ts';
import { saveTextFile } from '../ui/files/saveTextFile.ts';
import { useAct } from '../ui/notices/notices.tsx';

export function useExportPatch(id: string) {
  const { client } = useApi();
  return useAct(() => client.candidates.export({ id, format: 'diff' }), {
    onSuccess: ({ fileName, text }) => saveTextFile(fileName, text, 'text/plain'),
  });
}
