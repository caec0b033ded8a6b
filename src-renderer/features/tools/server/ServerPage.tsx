import { Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { MoreAction } from '../../../ui/fields/choices.tsx';
import { toolsAndItems } from '../../../../src-shared/display/itemTexts.ts';
import { itemNoun } from '../../../../src-shared/display/serverTexts.ts';
import {
  useApi,
  useStoredToolsLine,
  useToolSignals,
  worstSignal,
  useRead,
} from '../../../api/index.ts';
import { ErrorNotice, Notice, EmptyState, Loaded } from '../../../ui/notices/notices.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { LoadedPage, PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PageTabs } from '../../../ui/frame/PageTabs.tsx';
import { StoredToolsNotice } from '../../../ui/notices/StoredToolsNotice.tsx';
import { Section, WithPanel } from '../../../ui/panels/panels.tsx';
import { commandLine } from './commandLine.ts';
import { ConnectionTab } from './ConnectionTab.tsx';
import { ItemPanel, ItemsTab, itemId, signalsOf } from './ItemsTab.tsx';
import { RemoveServer } from './RemoveServer.tsx';
import { serverAttention } from './serverAttention.ts';
import type { ServerDetail } from './serverDetail.ts';
import { ServerFormPanel } from './ServerFormPanel.tsx';
import { ServerHeadline } from './ServerHeadline.tsx';
import { checkMeaning, serverState } from './serverState.ts';
import { useServers } from './ServersWatch.tsx';
import { firstTab, readTab, serverTabs, type ServerTab } from './serverTabs.ts';
import { useStarting } from './useStarting.ts';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { Time } from '../../../ui/text/Time.tsx';
import { HistorySection } from './HistorySection.tsx';
import type { Chip } from '../table/toolFilters.ts';
import { ToolTable } from '../table/ToolTable.tsx';
import { useToolsOf } from '../table/useTools.ts';

/** The home of one server: its status, and in tabs its tools, what changed in them, and its connection. */
export function ServerPage() {
  const { id = '' } = useParams();
  const detail = useRead((ask) => ask.servers.get, {
    input: { id },
    refetchInterval: (query) =>
      query.state.data?.server.checking === true || query.state.data?.signIn === 'waiting'
        ? 700
        : false,
  });
  return (
    <LoadedPage
      crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Server' }]}
      query={detail}
      blocks={[64, 120, 240]}
    >
      {(found) => <ServerView key={id} detail={found} />}
    </LoadedPage>
  );
}

function ServerView({ detail }: { detail: ServerDetail }) {
  const { server, listing } = detail;
  const [params, setParams] = useSearchParams();
  const [removing, setRemoving] = useState(false);
  const navigate = useNavigate();
  const { check } = useServerActions(server.id);
  // It stays the first one when a check brings tools, so that the page does not jump.
  const [first] = useState(() => firstTab(detail));
  const tab = readTab(params.get('tab')) ?? first;
  const clients = useRead((ask) => ask.tools.clients, { input: { servers: [server.id] } });
  const storedLine = useStoredToolsLine(listing === null ? [] : [server.name]);
  const { changedTools = 0, changedItems = 0 } =
    useServers().data?.find(({ id }) => id === server.id) ?? {};
  const checking = server.checking || check.isPending;
  const starting = useStarting({ name: server.name, checking });
  const item =
    tab === 'connection'
      ? (listing?.items.find((candidate) => itemId(candidate) === params.get('item')) ?? null)
      : null;
  const signals = useToolSignals(
    listing === null ? null : { serverId: server.id },
    listing?.listedAt,
  );
  const flagged = [...signals].filter(([, own]) => worstSignal(own) !== null);
  const itemsWithSignals = flagged.filter(([id]) => id.includes('\n')).length;
  const toolsWithSignals = flagged.length - itemsWithSignals;
  const close = (): void => setParams({ tab }, { replace: true });
  const openTab = (next: ServerTab): void => setParams({ tab: next }, { replace: true });
  const edit = (): void => setParams({ tab, edit: '' });
  const form = params.has('edit') ? <ServerFormPanel server={server} onClose={close} /> : null;
  const panel =
    item !== null ? (
      <ItemPanel
        key={itemId(item)}
        item={item}
        signals={signalsOf(signals, item)}
        onClose={close}
      />
    ) : (
      form
    );

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: server.name }]}
        title={server.name}
        subtitle={
          <Foreign as="span" className="ts-mono" text={commandLine(server.config)} limit={600} />
        }
        primary={
          <Action
            label={listing === null ? 'Connect' : 'Connect again'}
            filled={listing === null}
            title={checkMeaning}
            icon={IconRefresh}
            disabled={checking}
            onClick={() => check.mutate()}
          />
        }
        more={
          <>
            <MoreAction label="Edit" icon={IconPencil} onClick={edit} />
            <MoreAction
              label="Remove"
              icon={IconTrash}
              c="var(--ts-danger-ink)"
              onClick={() => setRemoving(true)}
            />
          </>
        }
      />
      <ServerHeadline
        server={server.name}
        noun={itemNoun(server)}
        state={serverState({ ...server, checking, changedTools, changedItems })}
        listing={listing}
        attention={
          starting === null
            ? serverAttention(detail, {
                changedTools,
                changedItems,
                toolsWithSignals,
                itemsWithSignals,
                lost: clients.data?.lost[0],
              })
            : { sentence: starting, tab: null }
        }
        failedAt={server.status === 'failed' && !checking ? server.updatedAt : null}
        shownTab={tab}
        onTab={openTab}
        onEdit={edit}
      />
      <StoredToolsNotice line={storedLine} />
      <ErrorNotice error={check.error} onRetry={() => check.mutate()} />
      <PageTabs
        label="Server"
        tabs={serverTabs.map(({ value, label }) => ({
          value,
          name: value === 'tools' && itemNoun(server) === 'skill' ? 'Skills' : label,
          panel: value === tab && (
            <WithPanel panel={panel}>
              {tab === 'tools' && (
                <ToolsTab
                  detail={detail}
                  noun={itemNoun(server)}
                  onCheck={() => check.mutate()}
                  checking={checking}
                />
              )}
              {tab === 'changes' && (
                <ChangesTab
                  detail={detail}
                  changed={
                    changedTools + changedItems > 0
                      ? toolsAndItems(changedTools, changedItems, itemNoun(server))
                      : null
                  }
                  checking={checking}
                  onCheck={() => check.mutate()}
                />
              )}
              {tab === 'connection' && (
                <>
                  <ConnectionTab detail={detail} />
                  {listing !== null && (
                    <Section title="Prompts and resources">
                      <ItemsTab
                        listing={listing}
                        selected={item === null ? null : itemId(item)}
                        signals={signals}
                        onItem={(chosen) => setParams({ tab: 'connection', item: itemId(chosen) })}
                      />
                    </Section>
                  )}
                </>
              )}
            </WithPanel>
          ),
        }))}
        shown={tab}
        onShow={openTab}
      />
      {removing && (
        <RemoveServer
          server={server}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate('/tools')}
        />
      )}
    </>
  );
}

interface ChangesTabProps {
  detail: ServerDetail;
  /** How many tools and other items changed since a person reviewed them; null if none did. */
  changed: string | null;
  checking: boolean;
  onCheck: () => void;
}

/** What changed in the tools since a person saw them, and every listing before. */
function ChangesTab({ detail, changed, checking, onCheck }: ChangesTabProps) {
  const { server, listChanges } = detail;
  const { review } = useServerActions(server.id);
  return (
    <>
      <Stack gap="sm" mb={changed !== null || listChanges !== null ? 'md' : 0}>
        {changed !== null && (
          <Notice tone="warning">
            <Group justify="space-between" gap="sm">
              <span>{changed} changed since you last reviewed them.</span>
              <Action label="Mark as reviewed" small run={review} />
            </Group>
          </Notice>
        )}
        {listChanges !== null && (
          <Notice tone="warning">
            <Group justify="space-between" gap="sm">
              <span>
                The server reported <Time iso={listChanges.at} /> that its tools have changed
                {listChanges.times > 1 && ` (${formatCount(listChanges.times)} times)`}. The tools
                below are from the last listing.
              </span>
              <Action label="Connect again" small disabled={checking} onClick={onCheck} />
            </Group>
          </Notice>
        )}
      </Stack>
      <HistorySection serverId={server.id} />
    </>
  );
}

function useServerActions(id: string) {
  const { client, reread } = useApi();
  // Every analysis reads the stored tools, so all of them are asked again.
  const refresh = (): Promise<void> => reread();
  const check = useMutation({ mutationFn: () => client.servers.check({ id }), onSettled: refresh });
  const review = useMutation({
    mutationFn: () => client.servers.markReviewed({ id }),
    onSettled: refresh,
  });
  return { check, review };
}

interface ToolsTabProps {
  detail: ServerDetail;
  /** What the server offers. */
  noun: 'skill' | 'tool';
  onCheck: () => void;
  checking: boolean;
}

/** The tools of a server as in the table of all, and those that can't be offered. */
function ToolsTab({ detail: { server, listing }, noun, onCheck, checking }: ToolsTabProps) {
  const tools = useToolsOf(server.id);
  const [only, setOnly] = useState<Chip | null>(null);
  if (listing === null)
    return (
      <EmptyState
        message={`The ${noun}s appear here once the server has listed them.`}
        action={<Action label="Connect" loading={checking} onClick={onCheck} />}
      />
    );
  const { rejected } = listing.listing;
  return (
    <>
      <Loaded query={tools} blocks={[320]}>
        {(list) => (
          <ToolTable
            list={list}
            servers={[server.name]}
            only={only}
            onOnly={setOnly}
            ofServer={noun}
          />
        )}
      </Loaded>
      {rejected.length > 0 && (
        <Section title={`Rejected: ${counted(rejected.length, noun)}`}>
          <Notice tone="warning">
            <Text>
              These {noun}s can’t be offered to a model. The other {noun}s are not affected.
            </Text>
            <ul style={{ margin: '8px 0 0', paddingLeft: 20 }}>
              {rejected.map((tool, index) => (
                <li key={index}>
                  <span className="ts-mono">
                    <Foreign text={tool.name === '' ? '(no name)' : tool.name} limit={200} />
                  </span>
                  {': '}
                  <Foreign text={tool.reason} limit={400} />
                </li>
              ))}
            </ul>
          </Notice>
        </Section>
      )}
    </>
  );
}
