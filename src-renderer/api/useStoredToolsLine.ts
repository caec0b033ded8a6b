import { storedToolsLine } from '../../src-shared/display/serverTexts.ts';
import { useApi } from './useApi.ts';
import { useRead } from './useRead.ts';

/**
 * What an analysis says if it shows stored tools of servers that can't be reached: one line for all
 * of them, or null. `shown` has the names of the servers in the analysis; null means all.
 */
export function useStoredToolsLine(shown: readonly string[] | null): string | null {
  const { queries } = useApi();
  const servers = useRead(queries.servers.list);
  return storedToolsLine(
    servers.data?.filter(({ name }) => shown === null || shown.includes(name)) ?? [],
  );
}
