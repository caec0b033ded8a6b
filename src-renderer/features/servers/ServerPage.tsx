import { Button, Group, Menu, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { useApi, useToolSignals } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { MoreActions } from '../../ui/panels/MoreActions.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { counted } from '../../ui/text/words.ts';
import { formatCount } from '../../ui/estimate/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import { commandLine } from './commandLine.ts';
import { RemoveServer } from './RemoveServer.tsx';
import { ServerFormPanel } from './ServerFormPanel.tsx';
import { ServerSections, type ServerDetail } from './ServerSections.tsx';
import { serverState } from './serverState.ts';
import { useServers } from './ServersWatch.tsx';
import { ToolPanel } from './ToolPanel.tsx';
import { useServerActions } from './useServerActions.ts';

export function ServerPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const detail = useQuery(
    queries.servers.get.queryOptions({
      input: { id },
      refetchInterval: (query) =>
        query.state.data?.server.checking === true || query.state.data?.signIn === 'waiting'
          ? 700
          : false,
    }),
  );
  return (
    <>
      {detail.data === undefined && (
        <PageHeader
          crumbs={[{ label: 'Servers', to: '/servers' }, { label: 'Server' }]}
          title="Server"
        />
      )}
      <Loaded query={detail} blocks={[64, 120, 240]}>
        {(found) => <ServerView key={id} detail={found} />}
      </Loaded>
    </>
  );
}

function ServerView({ detail }: { detail: ServerDetail }) {
  const { server, listing } = detail;
  const [params, setParams] = useSearchParams();
  const [removing, setRemoving] = useState(false);
  const navigate = useNavigate();
  const { check, review } = useServerActions(server.id);
  const changedTools = useServers().data?.find(({ id }) => id === server.id)?.changedTools ?? 0;
  const checking = server.checking || check.isPending;
  const tool = listing?.tools.find((candidate) => candidate.name === params.get('tool')) ?? null;
  const signals = useToolSignals(
    listing === null ? null : { serverId: server.id },
    listing?.listedAt,
  );
  const close = (): void => {
    setParams({}, { replace: true });
  };
  const form = params.has('edit') ? <ServerFormPanel server={server} onClose={close} /> : null;
  const panel =
    tool === null ? (
      form
    ) : (
      <ToolPanel
        key={tool.name}
        serverId={server.id}
        tool={tool}
        signals={signals.get(toolId(tool.server, tool.name)) ?? []}
        onClose={close}
      />
    );

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Servers', to: '/servers' }, { label: server.name }]}
        title={server.name}
        subtitle={
          <span className="ts-mono">
            <Foreign text={commandLine(server.config)} limit={600} />
          </span>
        }
        actions={
          <>
            <StatusBadge {...serverState({ ...server, checking, changedTools })} />
            <Button
              leftSection={<IconRefresh size={16} aria-hidden />}
              disabled={checking}
              onClick={() => {
                check.mutate();
              }}
            >
              Check
            </Button>
            <MoreActions>
              <Menu.Item
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => {
                  setParams({ edit: '' });
                }}
              >
                Edit
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={16} aria-hidden />}
                c="var(--ts-danger-ink)"
                onClick={() => {
                  setRemoving(true);
                }}
              >
                Remove
              </Menu.Item>
            </MoreActions>
          </>
        }
      />
      <Stack
        gap="sm"
        mb={check.isError || changedTools > 0 || detail.listChanges !== null ? 'lg' : 0}
      >
        {changedTools > 0 && (
          <Notice tone="warning">
            <Group justify="space-between" gap="sm">
              <span>
                {counted(changedTools, 'tool')} changed since you last reviewed them. See what
                changed under Change history.
              </span>
              <Button
                size="compact-sm"
                variant="default"
                loading={review.isPending}
                onClick={() => {
                  review.mutate();
                }}
              >
                Mark as reviewed
              </Button>
            </Group>
          </Notice>
        )}
        {detail.listChanges !== null && (
          <Notice tone="warning">
            <Group justify="space-between" gap="sm">
              <span>
                The server reported <Time iso={detail.listChanges.at} /> that its tools have changed
                {detail.listChanges.times > 1 &&
                  ` (${formatCount(detail.listChanges.times)} times)`}
                . The tools below are from the last check.
              </span>
              <Button
                size="compact-sm"
                variant="default"
                disabled={checking}
                onClick={() => {
                  check.mutate();
                }}
              >
                Check again
              </Button>
            </Group>
          </Notice>
        )}
        {check.isError && (
          <ErrorNotice
            error={check.error}
            onRetry={() => {
              check.mutate();
            }}
          />
        )}
      </Stack>
      <WithPanel panel={panel}>
        <ServerSections
          detail={detail}
          selectedTool={tool?.name ?? null}
          narrow={panel !== null}
          signals={signals}
          onTool={(name) => {
            setParams({ tool: name });
          }}
          onCheck={() => {
            check.mutate();
          }}
          checking={checking}
        />
      </WithPanel>
      {removing && (
        <RemoveServer
          server={server}
          onClose={() => {
            setRemoving(false);
          }}
          onRemoved={() => void navigate('/servers')}
        />
      )}
    </>
  );
}
