import { Box, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconDownload, IconPlus, IconServer, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { MoreActions } from '../../ui/panels/MoreActions.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { useShortcut } from '../../ui/keyboard/useShortcut.ts';
import { CheckAll } from './CheckAll.tsx';
import { ExportServers } from './ExportServers.tsx';
import { leaveSource } from './import/droppedSource.ts';
import importClasses from './import/import.module.css';
import { readSource } from './import/readSource.ts';
import { RemoveServer } from './RemoveServer.tsx';
import { ServerCard } from './ServerCard.tsx';
import { ServerFormPanel } from './ServerFormPanel.tsx';
import classes from './servers.module.css';
import { pollWhileChecking } from './serverState.ts';

export function ServersPage() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const [removing, setRemoving] = useState<ServerOverview | null>(null);
  const [exporting, setExporting] = useState(false);
  const [over, setOver] = useState(false);
  const navigate = useNavigate();
  const servers = useQuery(
    queries.servers.list.queryOptions({
      refetchInterval: (query) => pollWhileChecking(query.state.data),
    }),
  );
  const { data: workspace } = useQuery(queries.settings.info.queryOptions());
  const edited = params.get('edit');
  const adding = params.has('add');
  const close = (): void => {
    setParams({}, { replace: true });
  };
  const add = (): void => {
    setParams({ add: '' });
  };
  const toImport = (): void => {
    void navigate('/servers/import');
  };
  const onDrop = (event: DragEvent): void => {
    const file = event.dataTransfer.files[0];
    setOver(false);
    if (file === undefined) return;
    event.preventDefault();
    void readSource(file).then((read) => {
      if (!read.ok) {
        showDone(read.problem);
        return;
      }
      leaveSource(read.source);
      toImport();
    });
  };
  useShortcut('n', add, 'Add server');
  const editing = servers.data?.find((server) => server.id === edited) ?? null;
  const open = adding || editing !== null;

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Servers' }]}
        title="Servers"
        subtitle="MCP servers whose tools you offer to models. A server starts only when you check it or run something that uses it."
        actions={
          <>
            <CheckAll ids={servers.data?.map(({ id }) => id) ?? []} />
            <Button
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
              onClick={toImport}
            >
              Import servers
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
              Add server
            </Button>
            <MoreActions>
              <Menu.Item
                leftSection={<IconDownload size={16} aria-hidden />}
                disabled={(servers.data?.length ?? 0) === 0}
                onClick={() => {
                  setExporting(true);
                }}
              >
                Export servers
              </Menu.Item>
            </MoreActions>
          </>
        }
      />
      {workspace?.plainSecrets != null && (
        <Box mb="md">
          <Notice tone="warning">
            <Foreign text={workspace.plainSecrets} limit={2_000} />
          </Notice>
        </Box>
      )}
      <div
        className={over ? importClasses.over : undefined}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        }}
        onDrop={onDrop}
      >
        <WithPanel
          panel={
            open ? (
              <ServerFormPanel key={editing?.id ?? 'new'} server={editing} onClose={close} />
            ) : null
          }
        >
          <Loaded query={servers} blocks={[32, 180, 180]}>
            {(list) =>
              list.length === 0 ? (
                <EmptyState
                  icon={<IconServer size={32} stroke={1.5} />}
                  message="No servers yet. Add the command or the address of an MCP server, or drop the configuration of another program here."
                  action={<Button onClick={add}>Add server</Button>}
                  second={
                    <Button variant="default" onClick={toImport}>
                      Import servers
                    </Button>
                  }
                />
              ) : (
                <ServerCards
                  servers={list}
                  search={search}
                  onSearch={setSearch}
                  onEdit={(id) => {
                    setParams({ edit: id });
                  }}
                  onRemove={setRemoving}
                />
              )
            }
          </Loaded>
        </WithPanel>
      </div>
      {exporting && servers.data !== undefined && (
        <ExportServers
          servers={servers.data}
          onClose={() => {
            setExporting(false);
          }}
        />
      )}
      {removing !== null && (
        <RemoveServer
          server={removing}
          onClose={() => {
            setRemoving(null);
          }}
        />
      )}
    </>
  );
}

interface ServerCardsProps {
  servers: readonly ServerOverview[];
  search: string;
  onSearch: (search: string) => void;
  onEdit: (id: string) => void;
  onRemove: (server: ServerOverview) => void;
}

function ServerCards({ servers, search, onSearch, onEdit, onRemove }: ServerCardsProps) {
  const wanted = search.trim().toLowerCase();
  const shown = servers.filter((server) =>
    `${server.name} ${server.url}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {servers.length > 6 && (
        <SearchField label="Search servers" value={search} onChange={onSearch} />
      )}
      {shown.length === 0 ? (
        <EmptyState
          message={`No server matches “${search}”.`}
          action={
            <Button
              variant="default"
              onClick={() => {
                onSearch('');
              }}
            >
              Show all
            </Button>
          }
        />
      ) : (
        <div className={classes.cards} style={servers.length > 6 ? { marginTop: 12 } : undefined}>
          {shown.map((server) => (
            <ServerCard
              key={server.id}
              server={server}
              onEdit={() => {
                onEdit(server.id);
              }}
              onRemove={() => {
                onRemove(server);
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}
