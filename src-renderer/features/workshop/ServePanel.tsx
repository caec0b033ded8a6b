import { Group, Stack, Text, Anchor, SegmentedControl } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useNavigate, Link } from 'react-router';
import { Action } from '../../ui/fields/Action.tsx';
import { useApi, useRead } from '../../api/index.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { AllModelForms } from './ModelForms.tsx';
import { groupByCategory } from '../../../src-shared/display/toolGroups.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { useAct } from '../../ui/notices/useAct.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  mcpClient,
  mcpClientLabels,
  mcpClients,
  type ClientConfig,
} from '../../../src-shared/domain/clientConfig.ts';
import { CodeDiff } from '../../ui/editor/CodeDiff.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

/**
 * How clients reach the ACTIVE tools: started by an MCP client, over HTTP with a switch, and in this
 * program's own suites.
 */
export function ServePanel({ onClose }: { onClose: () => void }) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const serving = useRead((ask) => ask.workshop.serving);
  const turn = useAct(
    (on: boolean) => (on ? client.workshop.serve({}) : client.workshop.stopServing()),
    { onSettled: () => reread(queries.workshop.serving) },
  );
  const register = useAct(() => client.workshop.register(), {
    onSuccess: async ({ serverId, name, made }) => {
      await reread(queries.servers);
      showDone(
        made
          ? `The server “${name}” is registered. Check it, then add its tools to a suite.`
          : `The workshop is already registered as “${name}”.`,
      );
      await navigate(`/servers/${serverId}`);
    },
  });
  return (
    <SidePanel title="Serve the active tools" onClose={onClose}>
      <Stack gap="lg">
        <ServedTools />
        <ClientSection />
        <Stack gap="sm">
          <Text fw={600}>In Touchstone</Text>
          <Text size="sm">
            Adds the workshop as a server, so that you can evaluate its tools and compare them
            before and after an edit.
          </Text>
          <Group>
            <Action label="Register as a server" icon={IconPlugConnected} run={register} />
          </Group>
        </Stack>
        <Stack gap="sm">
          <Text fw={600}>To other apps over HTTP</Text>
          <Loaded query={serving} blocks={[80]}>
            {({ url, token }) => (
              <Stack gap="sm">
                <StatusBadge
                  tone={url === null ? 'idle' : 'good'}
                  label={url === null ? 'Not served' : 'Served on this computer'}
                />
                {url !== null && <CodeView label="Address" text={url} />}
                {token !== null && (
                  <CodeView label="Header" text={`Authorization: Bearer ${token}`} />
                )}
                <Group>
                  <Action
                    label={url === null ? 'Start serving' : 'Stop serving'}
                    loading={turn.isPending}
                    onClick={() => turn.mutate(url === null)}
                  />
                </Group>
              </Stack>
            )}
          </Loaded>
          <Notice tone="warning">
            Anyone on this computer with the token can run these tools with your permissions.
          </Notice>
        </Stack>
        <Stack gap="sm">
          <Text fw={600}>As definitions for your own code</Text>
          <AllModelForms />
        </Stack>
      </Stack>
    </SidePanel>
  );
}

/** More than a person reads here. */
const shownTools = 200;

/** The tools that clients get, by category. */
function ServedTools() {
  const categories = useRead((ask) => ask.workshop.categories);
  const tools = useRead((ask) => ask.workshop.list, {
    input: { status: ['ACTIVE'], limit: shownTools },
  });
  return (
    <Loaded query={tools} blocks={[80]}>
      {({ rows, total }) => {
        const groups = groupByCategory(rows, categories.data ?? []);
        const isGrouped = groups.some(({ category }) => category !== null);
        return (
          <Stack gap="sm">
            <Text fw={600}>{total === 0 ? 'No active tools' : counted(total, 'active tool')}</Text>
            {total === 0 && (
              <p className="ts-quiet">Clients get no tools yet. Open a tool and choose Activate.</p>
            )}
            {groups.map((group) => (
              <section
                key={group.category ?? ''}
                aria-label={isGrouped ? (group.category ?? 'No category') : 'Active tools'}
              >
                {isGrouped && (
                  <Text size="sm" c="dimmed" mb={4} className="ts-foreign">
                    <PlainText text={group.category ?? 'No category'} /> ({group.tools.length})
                  </Text>
                )}
                <Stack gap={4}>
                  {group.tools.map((tool) => (
                    <Anchor
                      key={tool.id}
                      component={Link}
                      to={`/workshop/${tool.id}`}
                      size="sm"
                      display="block"
                      miw={0}
                    >
                      <Cut text={tool.name} mono />
                    </Anchor>
                  ))}
                </Stack>
              </section>
            ))}
            {total > rows.length && (
              <p className="ts-quiet">{counted(total - rows.length, 'more tool')}.</p>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** What an MCP client needs to start the server: to copy, or added to its file after a preview. */
function ClientSection() {
  const [client, setClient] = useState(mcpClients[0] as (typeof mcpClients)[number]);
  const clients = useRead((ask) => ask.workshop.clients, { staleTime: 0 });
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
