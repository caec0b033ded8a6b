import { Group, Stack, Text, Anchor } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useNavigate, Link } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { useApi, useRead } from '../../api/index.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { Loaded, Notice, showDone, useAct } from '../../ui/notices/notices.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { AllModelForms } from './ModelForms.tsx';
import { groupByCategory } from '../../../src-shared/display/toolGroups.ts';
import { Cut, PlainText } from '../../ui/text/Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { ClientFiles } from '../../saving/ClientFiles.tsx';

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

/** How an MCP client starts the server. */
function ClientSection() {
  const { client, queries, reread } = useApi();
  const clients = useRead((ask) => ask.workshop.clients, {
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  return (
    <Stack gap="sm">
      <Text fw={600}>To an MCP client</Text>
      <Text size="sm">
        The client starts the server by itself, whether or not Touchstone is open. It gets the
        secrets of the tools that are set here; a value in its own{' '}
        <span className="ts-mono">env</span> is used instead.
      </Text>
      <Loaded query={clients} blocks={[160]}>
        {(configs) => (
          <ClientFiles
            configs={configs}
            what="the workshop"
            next="Restart it to use the tools."
            onAdd={(config) =>
              client.workshop.addToClient({ client: config.client, revision: config.revision })
            }
            onUndo={(name) => client.workshop.undoClient({ client: name })}
            onSettled={() => reread(queries.workshop.clients)}
          />
        )}
      </Loaded>
    </Stack>
  );
}
