import { storedToolsLine } from '../../src-shared/display/serverTexts.ts';
import { useRead } from './useRead.ts';

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
