import { useSearchParams } from 'react-router';
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
