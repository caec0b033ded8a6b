import type { SignalGroup } from '../../../src-shared/display/signalGroups.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reappearsNote } from '../../../src-shared/display/signalTexts.ts';
import { useApi } from '../../api/index.ts';
import { showUndo } from '../../ui/notices/UndoNotice.tsx';

/** Marks all findings of a group as safe, with undo, and counts them again. */
export function useMarkAsSafe({ scanned, findings }: SignalGroup) {
  const { client } = useApi();
  const cache = useQueryClient();
  const fingerprints = [...new Set(findings.map(({ fingerprint }) => fingerprint))];
  const withdraw = async (): Promise<void> => {
    await client.security.withdraw({ fingerprints });
    await cache.invalidateQueries();
  };
  const mark = useMutation({
    mutationFn: (reason: string) =>
      client.security.accept({ serverId: scanned.serverId ?? '', fingerprints, reason }),
    onSuccess: async () => {
      await cache.invalidateQueries();
      showUndo(`Marked as safe. ${reappearsNote}`, withdraw);
    },
  });
  const unmark = useMutation({ mutationFn: withdraw });
  return { mark, unmark };
}
