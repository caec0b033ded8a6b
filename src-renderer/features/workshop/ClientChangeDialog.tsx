import { formatCount } from '../../../src-shared/display/numbers.ts';
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { mcpClientLabels, type ClientConfig } from '../../../src-shared/domain/clientConfig.ts';
import { useApi } from '../../api/index.ts';
import { CodeDiff } from '../../ui/editor/CodeDiff.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

/** Shows what would change in a client's file, and writes it only from here. */
export function ClientChangeDialog(props: { config: ClientConfig; onClose: () => void }) {
  const { config, onClose } = props;
  const { client, queries, reread } = useApi();
  const label = mcpClientLabels[config.client];
  const { change } = config;
  const write = useMutation({
    mutationFn: () =>
      client.workshop.addToClient({ client: config.client, revision: config.revision }),
    onSuccess: () => {
      showDone(`Added to ${label}. Restart it to use the tools.`);
      onClose();
    },
    onSettled: () => reread(queries.workshop.clients),
  });
  const lines = (middle: readonly string[]): string =>
    change === null ? '' : [...change.above, ...middle, ...change.below].join('\n');
  return (
    <ConfirmDialog
      title={`Add the workshop to ${label}`}
      size="xl"
      confirm={config.exists ? 'Write to file' : 'Create file'}
      loading={write.isPending}
      error={write.error}
      onConfirm={() => write.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="ts-mono ts-foreign" style={{ overflowWrap: 'anywhere' }}>
        {config.file}
      </Text>
      {config.exists ? (
        <CodeDiff
          before={lines(change?.removed ?? [])}
          after={lines(change?.added ?? [])}
          beforeLabel="Now"
          afterLabel="After"
          language="json"
          maxHeight={440}
        />
      ) : (
        <CodeView label="New file" text={config.text.trimEnd()} copy={false} />
      )}
      <p className="ts-quiet">
        {config.exists
          ? `Shows the file from line ${formatCount(change?.line ?? 1)}. Everything else stays, ` +
            'values of other entries are hidden here, and a backup is kept next to the file.'
          : 'The file doesn’t exist yet. Undo removes it again.'}
      </p>
    </ConfirmDialog>
  );
}
