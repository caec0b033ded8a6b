import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Action } from '../../ui/fields/Action.tsx';
import {
  mcpClient,
  mcpClientLabels,
  mcpClients,
  type ClientConfig,
} from '../../../src-shared/domain/clientConfig.ts';
import { useApi } from '../../api/index.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { CodeDiff } from '../../ui/editor/CodeDiff.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';
import { useAct } from '../../ui/notices/useAct.ts';

/** What an MCP client needs to start the server: to copy, or added to its file after a preview. */
export function ClientSection() {
  const { queries } = useApi();
  const [client, setClient] = useState(mcpClients[0] as (typeof mcpClients)[number]);
  const clients = useQuery(queries.workshop.clients.queryOptions({ staleTime: 0 }));
  return (
    <Stack gap="sm">
      <Text fw={600}>To an MCP client</Text>
      <Text size="sm">
        The client starts the server by itself, whether or not Touchstone is open. It gets the
        secrets of the tools that are set here; a value in its own{' '}
        <span className="ts-mono">env</span> is used instead.
      </Text>
      <Group>
        <SegmentedControl
          aria-label="Client"
          value={client}
          data={mcpClients.map((value) => ({ value, label: mcpClientLabels[value] }))}
          onChange={(next) => setClient(mcpClient.parse(next))}
        />
      </Group>
      <Loaded query={clients} blocks={[160]}>
        {(all) =>
          all
            .filter((each) => each.client === client)
            .map((config) => <ClientView key={config.client} config={config} />)
        }
      </Loaded>
    </Stack>
  );
}

function ClientView({ config }: { config: ClientConfig }) {
  const { client, queries, reread } = useApi();
  const [previewing, setPreviewing] = useState(false);
  const label = mcpClientLabels[config.client];
  const undo = useAct(() => client.workshop.undoClient({ client: config.client }), {
    onSuccess: ({ exists }) =>
      showDone(
        exists ? `The file of ${label} was restored.` : `The file of ${label} was removed again.`,
      ),
    onSettled: () => reread(queries.workshop.clients),
  });
  return (
    <Stack gap="sm">
      <CodeView label={`Configuration of ${label}`} text={config.text.trimEnd()} maxHeight={260} />
      <Text size="xs" c="dimmed" className="ts-foreign" style={{ overflowWrap: 'anywhere' }}>
        {config.exists ? 'File: ' : 'Doesn’t exist yet, would be created: '}
        <span className="ts-mono">{config.file}</span>
      </Text>
      {config.problem !== null && (
        <Notice tone="warning">
          <span className="ts-foreign">
            The file is left unchanged.{' '}
            {config.problem.line !== null &&
              `Line ${config.problem.line}, column ${config.problem.column ?? 1}: `}
            {config.problem.message}
          </span>
        </Notice>
      )}
      {config.act === 'same' && (
        <StatusBadge tone="good" label={`In the configuration of ${label}`} />
      )}
      <Group gap="sm">
        {config.act !== null && config.act !== 'same' && (
          <Action
            label={`${config.act === 'replace' ? 'Update in' : 'Add to'} ${label} …`}
            onClick={() => setPreviewing(true)}
          />
        )}
        {config.undo !== null && <Action label="Undo" run={undo} />}
      </Group>
      {previewing && <ClientChangeDialog config={config} onClose={() => setPreviewing(false)} />}
    </Stack>
  );
}

/** Shows what would change in a client's file, and writes it only from here. */
function ClientChangeDialog(props: { config: ClientConfig; onClose: () => void }) {
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
