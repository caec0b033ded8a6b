import { Link } from 'react-router';
import { useRead } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import classes from './servers.module.css';
import { pollWhileChecking } from './serverState.ts';

/** All servers; asked often while one is being checked. */
export function useServers() {
  return useRead((ask) => ask.servers.list, {
    refetchInterval: (query) => pollWhileChecking(query.state.data) || 15_000,
  });
}

/** The state of the servers that count in one word, for the top bar. */
export function ServersWatch() {
  const servers = useServers();
  const sample = useRead((ask) => ask.settings.sample);
  const settings = useRead((ask) => ask.settings.get);
  if (!servers.data || !sample.data || !settings.data || servers.data.length === 0) return null;
  const ofSample = new Set(sample.data.servers);
  const own = servers.data.filter(({ name }) => !ofSample.has(name));
  const data = own.length === 0 || settings.data.showSample ? servers.data : own;
  const failed = data.filter((server) => server.status === 'failed').length;
  const checking = data.some((server) => server.checking);
  const active = data.every((server) => server.status === 'active');
  const rest = active ? ('good' as const) : ('idle' as const);
  const tone = checking ? ('busy' as const) : failed > 0 ? ('bad' as const) : rest;
  const label =
    failed > 0
      ? `${failed} of ${counted(data.length, 'server')} unreachable`
      : counted(data.length, 'server');
  return (
    <Link to="/tools" className={classes.watch}>
      <StatusBadge tone={tone} label={label} />
    </Link>
  );
}
