import { resolve } from 'node:path';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp, ServerStart } from '../../adapters/mcp/mcpConnection.ts';
import { programFiles } from '../../runtime/programFiles.ts';

/** Where this program and its workspace are, for the servers that it starts itself. */
export interface ProgramLocation {
  /** The workspace folder. */
  folder: string;
  /** A Node binary that can run scripts; default: the one that runs this. */
  node?: string | undefined;
  /** The command-line script for that Node; default: this program's own. */
  commandLine?: string | undefined;
  /** Hosts that a person allowed by name. */
  allowedHosts?: () => readonly string[];
  onStart?: (start: ServerStart) => () => void;
}

/** How this program is started as a command, for its workspace. */
export const commandOf = ({
  node = process.execPath,
  commandLine = programFiles.commandLine,
  folder,
}: Pick<ProgramLocation, 'node' | 'commandLine' | 'folder'>) => ({
  command: node,
  args: [commandLine],
  env: { TOUCHSTONE_HOME: resolve(folder) },
});

/**
 * Connects to servers as this program. The bundled servers get the workspace in their environment,
 * because they keep their data there.
 */
export function connectAsThisProgram({
  allowedHosts = () => [],
  onStart,
  ...location
}: ProgramLocation): ConnectMcp {
  const self = commandOf(location);
  let connector: Promise<ConnectMcp> | null = null;
  // The SDK is loaded when the first server is contacted, not at startup.
  return async (target, signal) => {
    connector ??= import('../../adapters/mcp/connect.ts').then(({ createConnector }) =>
      createConnector({
        self,
        access: { allowedHosts },
        version: programFiles.version,
        onStart,
      }),
    );
    return (await connector)(target, signal);
  };
}

/** Records contacted hosts: the settings page lists them. */
export function recordHosts(connect: ConnectMcp, hosts: Set<string>): ConnectMcp {
  return (target, signal) => {
    const host = hostOf(target.config);
    if (host) hosts.add(host);
    return connect(target, signal);
  };
}

function hostOf(config: ServerConfig): string | null {
  return 'url' in config ? new URL(config.url).host : null;
}
