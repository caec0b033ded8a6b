import { List } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Server } from '../../../../src-shared/domain/server.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { PlainText, visibleText } from '../../../ui/text/Foreign.tsx';
import { counted, noun } from '../../../../src-shared/display/numbers.ts';
import { useOfferUndo } from '../../../saving/useOfferUndo.ts';
import { ConfirmDialog } from '../../../ui/panels/ConfirmDialog.tsx';

interface RemoveServerProps {
  server: Pick<Server, 'id' | 'name'>;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Shows what will be deleted with the server. The deletion can be undone. */
export function RemoveServer({ server, onClose, onRemoved }: RemoveServerProps) {
  const { client, reread } = useApi();
  const offerUndo = useOfferUndo();
  const preview = useRead((ask) => ask.servers.previewRemoval, {
    input: { id: server.id },
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => client.servers.remove({ id: server.id }),
    onSuccess: async ({ token }) => {
      onClose();
      onRemoved?.();
      offerUndo(`Removed server “${server.name}”.`, token);
      await reread();
    },
  });
  return (
    <ConfirmDialog
      title={
        <span className="ts-foreign">
          Remove server “<PlainText text={server.name} />”
        </span>
      }
      confirm="Remove server"
      danger
      disabled={preview.data === undefined}
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Loaded query={preview} blocks={[60]}>
        {(what) => (
          <>
            <List size="sm" spacing={4}>
              <List.Item>
                {what.listings === 0
                  ? 'No stored tools.'
                  : `${counted(what.listings, 'stored tool list')} ` +
                    `${noun(what.listings, 'is', 'are')} removed too.`}
              </List.Item>
              <List.Item>
                {what.cases === 0
                  ? 'No case uses it.'
                  : `${counted(what.cases, 'case')} in ` +
                    `${visibleText(what.suites.map((name) => `“${name}”`).join(', '))} ` +
                    `${noun(what.cases, 'uses', 'use')} it and won’t find its tools.`}
              </List.Item>
              <List.Item>Finished evaluations are not affected.</List.Item>
            </List>
            <p className="ts-quiet">You can undo this until Touchstone closes.</p>
          </>
        )}
      </Loaded>
    </ConfirmDialog>
  );
}
