import { dayText } from './dates.ts';
import { toolsAndItems } from './itemTexts.ts';
import { counted, formatDuration } from './numbers.ts';
import type { ServerConfig } from '../domain/server.ts';

/** What the status of a server is read from. */
export interface ServerState {
  status: 'inactive' | 'active' | 'failed';
  statusReason: string | null;
  /** Tools that changed since a person last saw them. */
  changedTools?: number;
  /** The same for prompts, resources and resource templates. */
  changedItems?: number;
}

/** What a server offers: skills if it is a folder of them, or else tools. */
export const itemNoun = ({ config }: { config: Pick<ServerConfig, 'transport'> }) =>
  config.transport === 'skills' ? 'skill' : 'tool';

const statusWords = {
  inactive: 'Not checked yet',
  active: 'Reachable',
  failed: 'Unreachable',
} as const;

/**
 * A server's status in the words that every list, badge and command uses: `Not checked yet`,
 * `Reachable`, `Unreachable` or `Changed`.
 */
export function serverStatus({ status, changedTools = 0, changedItems = 0 }: ServerState): string {
  return status === 'active' && changedTools + changedItems > 0 ? 'Changed' : statusWords[status];
}

/** The status with why a server can't be reached, or with how many of its tools changed. */
export function serverStatusInFull(server: ServerState): string {
  const word = serverStatus(server);
  if (word === 'Changed')
    return `${word}: ${toolsAndItems(server.changedTools ?? 0, server.changedItems ?? 0)}`;
  return server.status === 'failed' && server.statusReason !== null
    ? `${word}: ${unreachableReason(server.statusReason)}`
    : word;
}

/**
 * Why a server can't be reached, as sentences: without the stage at which it failed, which a log
 * begins with.
 */
export function unreachableReason(statusReason: string): string {
  const reason = statusReason.replace(/^[\w/]+: /, '');
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/**
 * The one line of an analysis that shows stored tools: `2 servers can’t be reached; showing their
 * tools from May 3.` With several days, the range is named. Null if every server with tools can be
 * reached.
 */
export function storedToolsLine(
  servers: readonly { status: ServerState['status']; name: string; listedAt: string | null }[],
  now = new Date(),
): string | null {
  const shown = servers.flatMap(({ status, name, listedAt }) =>
    status === 'failed' && listedAt !== null ? [{ name, listedAt }] : [],
  );
  const days = shown.map(({ listedAt }) => listedAt).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [from, to] = [dayText(first, now), dayText(last, now)];
  const when = from === to ? `from ${from}` : `from ${from} to ${to}`;
  const [only] = shown;
  return shown.length === 1 && only
    ? `${only.name} can’t be reached; showing its tools ${when}.`
    : `${counted(shown.length, 'server')} can’t be reached; showing their tools ${when}.`;
}

/** How long an imported server may take to start; null if its file doesn’t say. */
export const startTimeoutText = (config: ServerConfig | null): string | null =>
  config === null || config.transport === 'skills' || config.startTimeoutMs == null
    ? null
    : `Start timeout: ${formatDuration(config.startTimeoutMs)}`;

/** Settings of an imported entry that have no meaning here, by their paths. */
export const notCarriedText = (paths: readonly string[]): string =>
  `Not carried: ${paths.join(', ')}`;
