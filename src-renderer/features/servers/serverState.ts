import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { StatusTone } from '../../ui/badges/StatusBadge.tsx';
import { counted } from '../../ui/text/words.ts';

const states: Record<Server['status'], { tone: StatusTone; label: string }> = {
  active: { tone: 'good', label: 'Reachable' },
  failed: { tone: 'bad', label: 'Unreachable' },
  inactive: { tone: 'idle', label: 'Not checked yet' },
};

/** How a server's state is shown. A running check comes first, because it will change the rest. */
export function serverState(server: Pick<Server, 'status' | 'checking'>): {
  tone: StatusTone;
  label: string;
} {
  return server.checking ? { tone: 'busy', label: 'Checking' } : states[server.status];
}

/** The same for a row of a list, with the reason or with what changed. */
export function serverStateInFull(server: ServerOverview): { tone: StatusTone; label: string } {
  const state = serverState(server);
  if (server.checking) return state;
  if (server.status === 'failed' && server.statusReason !== null)
    // The stage at which it failed is for the page of the server.
    return { ...state, label: `${state.label}: ${server.statusReason.replace(/^\w+: /, '')}` };
  if (server.changedTools > 0)
    return { tone: 'warning', label: `Changed: ${counted(server.changedTools, 'tool')}` };
  return state;
}

export const transportNames: Record<Server['config']['transport'], string> = {
  stdio: 'stdio',
  'streamable-http': 'streamable HTTP',
  sse: 'SSE',
};

/** Polls while a check is running. */
export function pollWhileChecking(
  servers: readonly { checking: boolean }[] | undefined,
): number | false {
  return servers?.some((server) => server.checking) === true ? 700 : false;
}
