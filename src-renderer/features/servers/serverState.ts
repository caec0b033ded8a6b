import type { Server } from '../../../src-shared/domain/server.ts';
import type { StatusTone } from '../../ui/badges/StatusBadge.tsx';

const states: Record<Server['status'], { tone: StatusTone; label: string }> = {
  active: { tone: 'good', label: 'Active' },
  failed: { tone: 'bad', label: 'Failed' },
  inactive: { tone: 'idle', label: 'Not checked' },
};

/** How a server's state is shown. A running check comes first, because it will change the rest. */
export function serverState(server: Pick<Server, 'status' | 'checking'>): {
  tone: StatusTone;
  label: string;
} {
  return server.checking ? { tone: 'busy', label: 'Checking' } : states[server.status];
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
