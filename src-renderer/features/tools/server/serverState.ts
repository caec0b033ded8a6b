import { serverStatus, toolsProblem } from '../../../../src-shared/display/serverTexts.ts';
import type { Server } from '../../../../src-shared/domain/server.ts';
import type { StatusTone } from '../../../ui/badges/StatusBadge.tsx';

const tones: Record<Server['status'], StatusTone> = {
  active: 'good',
  failed: 'bad',
  inactive: 'idle',
};

type Shown = Pick<Server, 'status' | 'statusReason' | 'toolsError' | 'checking'> & {
  changedTools?: number;
  changedItems?: number;
};

const toneOf = (server: Shown): StatusTone => {
  const { status, changedTools = 0, changedItems = 0 } = server;
  const needsLook = changedTools + changedItems > 0 || toolsProblem(server) !== null;
  return status === 'active' && needsLook ? 'warning' : tones[status];
};

/** How a server's status is shown. A running check comes first, because it will change the rest. */
export function serverState(server: Shown): { tone: StatusTone; label: string } {
  return server.checking
    ? { tone: 'busy', label: 'Checking' }
    : { tone: toneOf(server), label: serverStatus(server) };
}

export const transportNames: Record<Server['config']['transport'], string> = {
  stdio: 'stdio',
  'streamable-http': 'streamable HTTP',
  sse: 'SSE',
  skills: 'skills folder',
};

/**
 * When a server was last checked: a failure is the last change of a server that is unreachable, and
 * a listing also proves that one answered that is reachable.
 */
export function lastCheckAt(
  { status, updatedAt, lastConnectedAt }: Pick<Server, 'status' | 'updatedAt' | 'lastConnectedAt'>,
  listedAt: string | null,
): string | null {
  const last = { failed: updatedAt, active: listedAt, inactive: null }[status];
  const times = [lastConnectedAt, last];
  return times.reduce(
    (last, time) => (time !== null && (last === null || time > last) ? time : last),
    null,
  );
}

export const checkMeaning = 'Start the server, or connect to it, and list its tools';

export function pollWhileChecking(
  servers: readonly { checking: boolean }[] | undefined,
): number | false {
  return servers?.some((server) => server.checking) === true ? 700 : false;
}
