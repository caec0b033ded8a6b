import type { ServerConfig, StdioConfig } from '../../../src-shared/domain/server.ts';
import { createProgramFolder, removeProgramFolder } from '../../adapters/process/programFolder.ts';
import { isBundled } from './bundledServers.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';

/** Stands for a temporary folder in a server's arguments, environment, and working folder. */
const runFolder = '{{run_dir}}';

/** The configuration with the folder in every place that asks for one. */
export function fillRunFolder(config: StdioConfig, folder: string): StdioConfig {
  const fill = (text: string) => text.replaceAll(runFolder, folder);
  return {
    ...config,
    args: config.args.map(fill),
    env: Object.fromEntries(Object.entries(config.env).map(([name, value]) => [name, fill(value)])),
    cwd: config.cwd === null ? null : fill(config.cwd),
  };
}

export const asksForFolder = ({ args, env, cwd }: StdioConfig): boolean =>
  [...args, ...Object.values(env), cwd ?? ''].some((text) => text.includes(runFolder));

/**
 * Whether each run of a task has the data of this server to itself: a bundled server, one that keeps
 * its files in the folder of the run, one that is marked to keep no data between sessions, and a folder of
 * skills, which is only read. A program with files elsewhere shares them.
 */
export function keepsRunsApart(config: ServerConfig): boolean {
  if (config.transport === 'skills') return true;
  if ('url' in config || config.isolated === true) return config.isolated === true;
  return isBundled(config) || asksForFolder(config);
}

/**
 * Wraps `connect` so that a server that keeps its files in the folder of a run can be used without
 * a run too, for example to list its tools: it gets a folder that is removed when it is closed.
 */
export function connectInRunFolder(connect: ConnectMcp): ConnectMcp {
  return async (target, signal) => {
    const { config } = target;
    if (config.transport !== 'stdio' || !asksForFolder(config)) return connect(target, signal);
    const folder = await createProgramFolder();
    try {
      const connection = await connect(
        { ...target, config: fillRunFolder(config, folder) },
        signal,
      );
      const close = connection.close.bind(connection);
      return Object.assign(connection, {
        async close() {
          try {
            await close();
          } finally {
            await removeProgramFolder(folder);
          }
        },
      });
    } catch (error) {
      await removeProgramFolder(folder);
      throw error;
    }
  };
}
