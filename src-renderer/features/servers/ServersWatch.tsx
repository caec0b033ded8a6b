import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../api/index.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { counted } from '../../ui/text/words.ts';
import classes from './servers.module.css';
import { pollWhileChecking, serverState } from './serverState.ts';

function useServers() {
  const { queries } = useApi();
  return useQuery(
    queries.servers.list.queryOptions({
      refetchInterval: (query) => pollWhileChecking(query.state.data) || 15_000,
    }),
  );
}

/** The state of the servers in one word, for the top bar. */
export function ServersWatch() {
  const { data } = useServers();
  if (data === undefined || data.length === 0) return null;
  const failed = data.filter((server) => server.status === 'failed').length;
  const checking = data.some((server) => server.checking);
  const active = data.every((server) => server.status === 'active');
  const rest = active ? ('good' as const) : ('idle' as const);
  const tone = checking ? ('busy' as const) : failed > 0 ? ('bad' as const) : rest;
  const label =
    failed > 0
      ? `${failed} of ${counted(data.length, 'server')} failed`
      : counted(data.length, 'server');
  return (
    <Link to="/servers" className={classes.watch}>
      <StatusBadge tone={tone} label={label} />
    </Link>
  );
}

/** Each server with its state, for the overview. */
export function ServerHealth() {
  const servers = useServers();
  return (
    <Loaded query={servers} blocks={[96]}>
      {(list) => (
        <ul className="ts-panel ts-rows">
          {list.map((server) => (
            <li key={server.id}>
              <Link to={`/servers/${server.id}`} className="ts-row-link">
                <span className={classes.healthName}>
                  <Cut text={server.name} />
                </span>
                <StatusBadge {...serverState(server)} />
              </Link>
            </li>
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
  );
}
