import { signalWithTimeout } from '../../runtime/deadline.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import { hasSameTools } from './keepListing.ts';

/** The user already has the result of the call and should not wait longer for this check. */
const maxListMs = 3_000;

/**
 * Whether a server that announced a changed list still has the tools of its last listing: some
 * servers announce a change at the start of every session. False if it was never listed or does not
 * answer in time; then the announcement is kept.
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
