import { useSearchParams } from 'react-router';
import { storedToolsLine } from '../../src-shared/display/serverTexts.ts';
import { useRead } from './useRead.ts';

/**
 * The servers whose tools a view shows: those chosen in the address, or else those that count, which
 * leaves out the sample once there are others. Null means all, also before they are known.
 */
export function useServerScope(): { id: string; name: string }[] | null {
  const [params] = useSearchParams();
  const { data } = useRead((ask) => ask.tools.list, { input: { wait: false } });
  const servers = data?.servers ?? [];
  const chosen = params.getAll('server');
  const wanted = servers.filter(({ name, counted }) =>
    chosen.length === 0 ? counted : chosen.includes(name),
  );
  return wanted.length === 0 || wanted.length === servers.length ? null : wanted;
}

/**
 * What an analysis says if it shows stored tools of servers that can't be reached: one line for all
 * of them, or null. `shown` has the names of the servers in the analysis; null means all.
 */
export function useStoredToolsLine(shown: readonly string[] | null): string | null {
  const servers = useRead((ask) => ask.servers.list);
  return storedToolsLine(
    servers.data?.filter(({ name }) => shown === null || shown.includes(name)) ?? [],
  );
}
