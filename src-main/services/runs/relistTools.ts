import { withinDeadline } from '../../runtime/deadline.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import { ingestServer } from '../servers/ingestTools.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { keepAnswer } from '../servers/keepListing.ts';

/** How long the end of an evaluation waits for a server, besides the start timeout that was set. */
const maxWaitMs = 10_000;

/**
 * Lists the tools of an evaluation's servers again after the last model has answered. A server with
 * other tools than the frozen ones gets a listing, which marks the evaluation. A server that does
 * not answer in time counts as unchanged. Never throws because of a server.
 */
export async function relistTools(
  parts: {
    store: Store;
    tokens: TokenCounts;
    connect: ConnectMcp;
    clock: Pick<Clock, 'now'>;
    nextId: NextId;
  },
  snapshot: ToolSnapshot,
  signal: AbortSignal,
  timeoutMs = maxWaitMs,
): Promise<void> {
  const { store, connect } = parts;
  const registered = new Map(store.servers.list().map((server) => [server.id, server]));
  const asked = snapshot.servers.flatMap(({ status, serverId }) =>
    status === 'listed' && serverId !== null ? (registered.get(serverId) ?? []) : [],
  );
  const answers = await Promise.allSettled(
    asked.map((server) => {
      // Who set a start timeout said that the server needs that time.
      const startMs = 'startTimeoutMs' in server.config ? (server.config.startTimeoutMs ?? 0) : 0;
      return withinDeadline(timeoutMs + startMs, signal, (limited) =>
        ingestServer(server, connect, limited),
      );
    }),
  );
  for (const answer of answers) {
    if (signal.aborted) return;
    if (answer.status === 'fulfilled')
      await keepAnswer(parts, snapshot, answer.value, 'evaluation');
  }
}
