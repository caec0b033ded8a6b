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
import { showDone, showFailure } from '../../ui/notices/UndoNotice.tsx';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { ClientChangeDialog } from './ClientChangeDialog.tsx';

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
  const undo = useMutation({
    mutationFn: () => client.workshop.undoClient({ client: config.client }),
    onSuccess: ({ exists }) =>
      showDone(
        exists ? `The file of ${label} was restored.` : `The file of ${label} was removed again.`,
      ),
    onSettled: () => reread(queries.workshop.clients),
    onError: showFailure,
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
