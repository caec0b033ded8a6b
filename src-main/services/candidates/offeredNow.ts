import type { OfferedTools } from '../../../src-shared/metrics/candidateState.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { Store } from '../../store/store.ts';
import { storedTools } from '../servers/storedTools.ts';

/**
 * What servers offer now, by name: their latest listing, under the name that they have now. Null for
 * a server that isn't registered, was never listed, or whose last listing failed. Reads each server
 * once.
 */
export function offeredNow(store: Store): (server: string) => readonly SnapshotTool[] | null {
  const known = new Map<string, readonly SnapshotTool[] | null>();
  const read = (name: string): readonly SnapshotTool[] | null => {
    const server = store.servers.getByName(name);
    const stored = server === null ? null : storedTools(store, server.id);
    if (stored === null || stored.snapshot.servers.some(({ status }) => status === 'failed'))
      return null;
    return stored.snapshot.tools.map((tool) => ({ ...tool, server: name }));
  };
  const offered = (name: string): readonly SnapshotTool[] | null => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const tools = read(name);
    known.set(name, tools);
    return tools;
  };
  return offered satisfies OfferedTools;
}
