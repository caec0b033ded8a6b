import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { useApi } from '../../api/index.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { showFailure } from '../../ui/notices/UndoNotice.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { counted } from '../../ui/text/words.ts';
import classes from './servers.module.css';
import { useServers } from './ServersWatch.tsx';
import { serverStateInFull } from './serverState.ts';

/** Servers are started by a check, so only a few are checked at once. */
const checksAtOnce = 4;

function useCheckAll() {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      const waiting = [...ids];
      const failures: unknown[] = [];
      const work = async (): Promise<void> => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          await client.servers.check({ id }).catch((error: unknown) => failures.push(error));
        }
      };
      await Promise.all(Array.from({ length: checksAtOnce }, work));
      if (failures.length > 0) throw failures[0];
    },
    onMutate: () => cache.invalidateQueries({ queryKey: queries.servers.key() }),
    onError: showFailure,
    onSettled: () => cache.invalidateQueries({ queryKey: queries.servers.key() }),
  });
}

/** Each server with its state, for the overview. */
export function ServerHealth() {
  const servers = useServers();
  const checkAll = useCheckAll();
  return (
    <section className="ts-panel" aria-labelledby="server-health">
      <div className={classes.healthHead}>
        <h2 id="server-health" className={classes.healthTitle}>
          <Link to="/servers">Servers</Link>
        </h2>
        {servers.data !== undefined && servers.data.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={checkAll.isPending}
            onClick={() => {
              checkAll.mutate(servers.data.map(({ id }) => id));
            }}
          >
            Check all
          </Button>
        )}
      </div>
      <Loaded query={servers} blocks={[96]}>
        {(list) => (
          <ul className="ts-rows">
            {list.map((server) => (
              <ServerRow key={server.id} server={server} />
            ))}
            {list.length === 0 && (
              <li>
                <Link to="/servers?add" className="ts-row-link">
                  No servers yet. Add one.
                </Link>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function ServerRow({ server }: { server: ServerOverview }) {
  const { tone, label } = serverStateInFull(server);
  return (
    <li>
      <Link to={`/servers/${server.id}`} className="ts-row-link">
        <span className={classes.healthName}>
          <Cut text={server.name} />
          {server.toolCount !== null && (
            <span className={classes.healthTools}>{counted(server.toolCount, 'tool')}</span>
          )}
        </span>
        <span className={classes.healthState} title={label}>
          <StatusBadge tone={tone} label={label} />
        </span>
      </Link>
    </li>
  );
}
