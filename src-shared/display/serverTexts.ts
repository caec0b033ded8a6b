import { dayText } from './dates.ts';
import { toolsAndItems } from './itemTexts.ts';
import { counted, formatDuration, formatLimit } from './numbers.ts';
import type { ServerConfig } from '../domain/server.ts';

export interface ServerState {
  status: 'inactive' | 'active' | 'failed';
  statusReason: string | null;
  /** Why its tools could not be listed last. */
  toolsError?: string | null | undefined;
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

/**
 * The status with why a server can't be reached, why its tools can't be listed, or how many of them
 * changed.
 */
export function serverStatusInFull(server: ServerState): string {
  const word = serverStatus(server);
  const problem = toolsProblem(server);
  if (problem !== null) return `${word}. ${problem}`;
  if (word === 'Changed')
    return `${word}: ${toolsAndItems(server.changedTools ?? 0, server.changedItems ?? 0)}`;
  return server.status === 'failed' && server.statusReason !== null
    ? `${word}: ${unreachableReason(server.statusReason)}`
    : word;
}

/** That the tools of a server can't be listed, and why; null if they can, or it can't be reached. */
export const toolsProblem = ({ status, toolsError }: ServerState): string | null =>
  status === 'failed' || toolsError == null
    ? null
    : `Its tools can’t be listed: ${unreachableReason(toolsError)}`;
/** Why an analysis of stored tools has none of a server. */
export function unlistedReason({ status, statusReason }: ServerState): string {
  if (status === 'active') return 'It is reachable, but its tools haven’t been listed yet.';
  return status === 'failed' && statusReason !== null
    ? `It can’t be reached: ${unreachableReason(statusReason)}`
    : 'It hasn’t been checked yet.';
}

/**
 * Why a server can't be reached, as sentences: without the stage at which it failed, which a log
 * begins with.
 */
export function unreachableReason(statusReason: string): string {
  const reason = statusReason.replace(/^[\w/]+: /, '');
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** How long a server has been starting and what it wrote last: `starting, 12 s, it wrote: …`. */
export const startText = ({ elapsedMs, wrote }: { elapsedMs: number; wrote: string }): string =>
  `starting, ${formatDuration(elapsedMs - (elapsedMs % 1000))}, ${wrote === '' ? 'it wrote nothing yet' : `it wrote: ${wrote}`}`;

/**
 * The one line of an analysis that shows stored tools: `2 servers can’t be reached; showing their
 * tools from May 3.` With several days, the range is named. Null if every server with tools can be
 * reached and lists them.
 */
export function storedToolsLine(
  servers: readonly (Pick<ServerState, 'status' | 'toolsError'> & {
    name: string;
    listedAt: string | null;
  })[],
  now = new Date(),
): string | null {
  const shown = servers.flatMap(({ status, toolsError = null, name, listedAt }) =>
    (status === 'failed' || toolsError !== null) && listedAt !== null
      ? [{ name, listedAt, status }]
      : [],
  );
  const days = shown.map(({ listedAt }) => listedAt).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [from, to] = [dayText(first, now), dayText(last, now)];
  const when = from === to ? `from ${from}` : `from ${from} to ${to}`;
  const down = shown.filter(({ status }) => status === 'failed').length;
  const what =
    down === shown.length
      ? 'can’t be reached'
      : down === 0
        ? 'can’t list tools'
        : 'can’t be reached or list tools';
  const [only] = shown;
  return shown.length === 1 && only
    ? `${only.name} ${what}; showing its tools ${when}.`
    : `${counted(shown.length, 'server')} ${what}; showing their tools ${when}.`;
}

/** How long an imported server may take to start; null if its file doesn’t say. */
export const startTimeoutText = (config: ServerConfig | null): string | null =>
  config === null || config.transport === 'skills' || config.startTimeoutMs == null
    ? null
    : `Start timeout: ${formatLimit(config.startTimeoutMs)}`;

/** Settings of an imported entry that have no meaning here, by their paths. */
export const notCarriedText = (paths: readonly string[]): string =>
  `Not carried: ${paths.join(', ')}`;
