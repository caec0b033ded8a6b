import type { ServerOverview } from '../../../../src-shared/contract/servers.ts';
import type { ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import { dayText } from '../../../../src-shared/display/dates.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { toolsProblem, unreachableReason } from '../../../../src-shared/display/serverTexts.ts';

export const isFine = (server: ServerOverview): boolean =>
  !server.checking &&
  server.status === 'active' &&
  server.unresolved.length === 0 &&
  toolsProblem(server) === null;

/** What keeps a server from being used, with the next step. */
export function problemOf(server: ServerOverview): string | null {
  if (server.unresolved.length > 0)
    return `Open it and set ${counted(server.unresolved.length, 'value')}: ${server.unresolved.join(', ')}`;
  return server.status === 'failed' && server.statusReason !== null
    ? unreachableReason(server.statusReason)
    : toolsProblem(server);
}

export const dayOf = ({ changed }: Pick<ToolRow, 'changed'>): string =>
  dayText(changed?.at ?? '', new Date());
