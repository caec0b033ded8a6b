import { Button, Menu, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { toolsAndItems } from '../../../src-shared/display/itemTexts.ts';
import { itemNoun } from '../../../src-shared/display/serverTexts.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { useApi, useStoredToolsLine, useToolSignals, worstSignal } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { LoadingSkeleton } from '../../ui/notices/LoadingSkeleton.tsx';
import { MoreActions } from '../../ui/panels/MoreActions.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { StoredToolsNotice } from '../../ui/notices/StoredToolsNotice.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { ChangesTab } from './ChangesTab.tsx';
import { commandLine } from './commandLine.ts';
import { ConnectionTab } from './ConnectionTab.tsx';
import { ItemPanel } from './ItemPanel.tsx';
import { ItemsTab } from './ItemsTab.tsx';
import { itemId, signalsOf } from './ItemTable.tsx';
import { RemoveServer } from './RemoveServer.tsx';
import { serverAttention } from './serverAttention.ts';
import type { ServerDetail } from './serverDetail.ts';
import { ServerFormPanel } from './ServerFormPanel.tsx';
import { ServerHeadline } from './ServerHeadline.tsx';
import type { ServerParts } from './serverParts.ts';
import classes from './servers.module.css';
import { checkMeaning, serverState } from './serverState.ts';
import { useServers } from './ServersWatch.tsx';
import { firstTab, readTab, tabsOf, type ServerTab } from './serverTabs.ts';
import { ToolPanel } from './ToolPanel.tsx';
import { ToolsTab } from './ToolsTab.tsx';
import { useStarting } from './useStarting.ts';
import { useServerActions } from './useServerActions.ts';

/** The home of one server: its status, and in tabs everything that is known about its tools. */
export function ServerPage({ parts }: { parts: ServerParts }) {
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
          crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Server' }]}
          title="Server"
        />
      )}
      <Loaded query={detail} blocks={[64, 120, 240]}>
        {(found) => <ServerView key={id} detail={found} parts={parts} />}
      </Loaded>
    </>
  );
}

function ServerView({ detail, parts }: { detail: ServerDetail; parts: ServerParts }) {
  const { server, listing } = detail;
  const [params, setParams] = useSearchParams();
  const [removing, setRemoving] = useState(false);
  const navigate = useNavigate();
  const { check } = useServerActions(server.id);
  // It stays the first one when a check brings tools, so that the page does not jump.
  const [first] = useState(() => firstTab(detail));
  const tab = readTab(params.get('tab')) ?? (params.has('tool') ? 'tools' : first);
  const storedLine = useStoredToolsLine(listing === null ? [] : [server.name]);
  const { changedTools = 0, changedItems = 0 } =
    useServers().data?.find(({ id }) => id === server.id) ?? {};
  const checking = server.checking || check.isPending;
  const starting = useStarting({ name: server.name, checking });
  // In other tabs, the parameter names a tool for their own panels.
  const tool =
    tab === 'tools'
      ? (listing?.tools.find((candidate) => candidate.name === params.get('tool')) ?? null)
      : null;
  const item =
    tab === 'items'
      ? (listing?.items.find((candidate) => itemId(candidate) === params.get('item')) ?? null)
      : null;
  const signals = useToolSignals(
    listing === null ? null : { serverId: server.id },
    listing?.listedAt,
  );
  const flagged = [...signals].filter(([, own]) => worstSignal(own) !== null);
  const itemsWithSignals = flagged.filter(([id]) => id.includes('\n')).length;
  const toolsWithSignals = flagged.length - itemsWithSignals;
  const close = (): void => {
    setParams({ tab }, { replace: true });
  };
  const openTab = (next: ServerTab): void => {
    setParams({ tab: next }, { replace: true });
  };
  const edit = (): void => {
    setParams({ tab, edit: '' });
  };
  const form = params.has('edit') ? <ServerFormPanel server={server} onClose={close} /> : null;
  const panel =
    item !== null ? (
      <ItemPanel
        key={itemId(item)}
        item={item}
        signals={signalsOf(signals, item)}
        onClose={close}
      />
    ) : tool === null ? (
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
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: server.name }]}
        title={server.name}
        subtitle={
          <span className="ts-mono">
            <Foreign text={commandLine(server.config)} limit={600} />
          </span>
        }
        actions={
          <>
            <Button
              variant={listing === null ? 'filled' : 'default'}
              title={checkMeaning}
              leftSection={<IconRefresh size={16} aria-hidden />}
              disabled={checking}
              onClick={() => {
                check.mutate();
              }}
            >
              Check
            </Button>
            <MoreActions>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
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
      <ServerHeadline
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
              })
            : { sentence: starting, tab: null }
        }
        failedAt={server.status === 'failed' && !checking ? server.updatedAt : null}
        shownTab={tab}
        onTab={openTab}
        onEdit={edit}
      />
      <StoredToolsNotice line={storedLine} />
      {check.isError && (
        <ErrorNotice
          error={check.error}
          onRetry={() => {
            check.mutate();
          }}
        />
      )}
      <Tabs
        value={tab}
        onChange={(value) => {
          openTab(readTab(value) ?? 'tools');
        }}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs ?? ''}>
          {tabsOf(detail, tab).map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {value === 'tools' && itemNoun(server) === 'skill' ? 'Skills' : label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <WithPanel panel={panel}>
            <Suspense fallback={<LoadingSkeleton blocks={[32, 320]} />}>
              <TabContent
                tab={tab}
                detail={detail}
                parts={parts}
                changed={toolsAndItems(changedTools, changedItems, itemNoun(server))}
                hasChanged={changedTools + changedItems > 0}
                items={
                  listing !== null && (
                    <ItemsTab
                      listing={listing}
                      selected={item === null ? null : itemId(item)}
                      narrow={panel !== null}
                      signals={signals}
                      onItem={(chosen) => {
                        setParams({ tab: 'items', item: itemId(chosen) });
                      }}
                    />
                  )
                }
                tools={
                  <ToolsTab
                    noun={itemNoun(server)}
                    listing={listing}
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
                }
                checking={checking}
                onCheck={() => {
                  check.mutate();
                }}
              />
            </Suspense>
          </WithPanel>
        </Tabs.Panel>
      </Tabs>
      {removing && (
        <RemoveServer
          server={server}
          onClose={() => {
            setRemoving(false);
          }}
          onRemoved={() => void navigate('/tools')}
        />
      )}
    </>
  );
}

interface TabContentProps {
  tab: ServerTab;
  detail: ServerDetail;
  parts: ServerParts;
  tools: ReactNode;
  items: ReactNode;
  /** How many tools and other items changed since a person reviewed them. */
  changed: string;
  hasChanged: boolean;
  checking: boolean;
  onCheck: () => void;
}

function TabContent(props: TabContentProps) {
  const { tab, detail, parts, tools, items, changed, hasChanged, checking, onCheck } = props;
  const { server, listing } = detail;
  // Without a listing, an analysis would start the server, which only a check does.
  if (listing === null && tab !== 'connection' && tab !== 'cases') return tools;
  switch (tab) {
    case 'tools':
      return tools;
    case 'items':
      return items;
    case 'quality':
      return <parts.Quality server={server.name} />;
    case 'similar':
      return <parts.SimilarTools server={server.name} />;
    case 'tokens':
      return <parts.Tokens server={server.name} />;
    case 'security':
      return <parts.Signals serverId={server.id} onCheck={onCheck} checking={checking} />;
    case 'cases':
      return (
        <parts.Cases server={server.name} tools={listing?.tools.map(({ name }) => name) ?? []} />
      );
    case 'changes':
      return (
        <ChangesTab
          detail={detail}
          changed={hasChanged ? changed : null}
          checking={checking}
          onCheck={onCheck}
        />
      );
    case 'connection':
      return <ConnectionTab detail={detail} />;
  }
}
