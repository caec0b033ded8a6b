import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconServer } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { WithPanel } from '../../ui/SidePanel.tsx';
import { useShortcut } from '../../ui/useShortcut.ts';
import { RemoveServer } from './RemoveServer.tsx';
import { ServerCard } from './ServerCard.tsx';
import { ServerFormPanel } from './ServerFormPanel.tsx';
import classes from './servers.module.css';

/** While a check is under way its answer is waited for. */
export function pollWhileChecking(servers: readonly { checking: boolean }[] | undefined): number | false {
  return servers?.some((server) => server.checking) === true ? 700 : false;
}

export function ServersPage() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const [removing, setRemoving] = useState<ServerOverview | null>(null);
  const servers = useQuery(
    queries.servers.list.queryOptions({ refetchInterval: (query) => pollWhileChecking(query.state.data) }),
  );
  const edited = params.get('edit');
  const adding = params.has('add');
  const close = (): void => {
    setParams({}, { replace: true });
  };
  const add = (): void => {
    setParams({ add: '' });
  };
  useShortcut('n', add, 'Add server');
  const editing = servers.data?.find((server) => server.id === edited) ?? null;
  const open = adding || editing !== null;

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Servers' }]}
        title="Servers"
        subtitle="MCP servers whose tools are offered to models. Nothing starts before you ask for it."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            Add server
          </Button>
        }
      />
      <WithPanel
        panel={open ? <ServerFormPanel key={editing?.id ?? 'new'} server={editing} onClose={close} /> : null}
      >
        <Loaded query={servers} blocks={[32, 180, 180]}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                icon={<IconServer size={32} stroke={1.5} />}
                message="No servers yet. Add the command or the address of an MCP server to see its tools."
                action={<Button onClick={add}>Add server</Button>}
              />
            ) : (
              <ServerCards
                servers={list}
                search={search}
                onSearch={setSearch}
                onEdit={(id) => { setParams({ edit: id }); }}
                onRemove={setRemoving}
              />
            )
          }
        </Loaded>
      </WithPanel>
      {removing !== null && <RemoveServer server={removing} onClose={() => { setRemoving(null); }} />}
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
  const shown = servers.filter((server) => `${server.name} ${server.url}`.toLowerCase().includes(wanted));
  return (
    <>
      {servers.length > 6 && <SearchField label="Search servers" value={search} onChange={onSearch} />}
      {shown.length === 0 ? (
        <EmptyState
          message={`No server matches “${search}”.`}
          action={<Button variant="default" onClick={() => { onSearch(''); }}>Show all</Button>}
        />
      ) : (
        <div className={classes.cards} style={servers.length > 6 ? { marginTop: 12 } : undefined}>
          {shown.map((server) => (
            <ServerCard
              key={server.id}
              server={server}
              onEdit={() => { onEdit(server.id); }}
              onRemove={() => { onRemove(server); }}
            />
          ))}
        </div>
      )}
    </>
  );
}
