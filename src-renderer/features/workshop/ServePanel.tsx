import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlugConnected } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { Action } from '../../ui/fields/Action.tsx';
import { useApi } from '../../api/index.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { showDone, showFailure } from '../../ui/notices/UndoNotice.tsx';
import { ClientSection } from './ClientSection.tsx';
import { AllModelForms } from './ModelForms.tsx';
import { ServedTools } from './ServedTools.tsx';

/**
 * How clients reach the ACTIVE tools: started by an MCP client, over HTTP with a switch, and in this
 * program's own suites.
 */
export function ServePanel({ onClose }: { onClose: () => void }) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const serving = useQuery(queries.workshop.serving.queryOptions());
  const turn = useMutation({
    mutationFn: (on: boolean) => (on ? client.workshop.serve({}) : client.workshop.stopServing()),
    onSettled: () => reread(queries.workshop.serving),
    onError: showFailure,
  });
  const register = useMutation({
    mutationFn: () => client.workshop.register(),
    onSuccess: async ({ serverId, name, made }) => {
      await reread(queries.servers);
      showDone(
        made
          ? `The server “${name}” is registered. Check it, then add its tools to a suite.`
          : `The workshop is already registered as “${name}”.`,
      );
      await navigate(`/servers/${serverId}`);
    },
    onError: showFailure,
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
