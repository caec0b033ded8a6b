import { signalWithTimeout } from '../../runtime/deadline.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import { hasSameTools } from './keepListing.ts';

/** What this is asked for has its answer already, and waits no longer for this. */
const maxListMs = 3_000;

/**
 * Whether a server that called its list changed shows what its last listing holds: some say so at
 * the beginning of every session. False where it was never listed, or gives no list in time: then
 * what it said stands.
 */
export async function listsSameTools(
  store: Store,
  { id, name }: Pick<Server, 'id' | 'name'>,
  connection: McpConnection,
  signal: AbortSignal,
): Promise<boolean> {
  const latest = store.serverListings.latest(id);
  const known = latest && store.toolSnapshots.get(latest.snapshotId);
  if (known === null) return false;
  const now = await connection.listTools(signalWithTimeout(signal, maxListMs)).catch(() => null);
  return (
    now !== null && hasSameTools(known, { server: name, instructions: now.instructions }, now.tools)
  );
}
