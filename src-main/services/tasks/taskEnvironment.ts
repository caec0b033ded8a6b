import { createProgramFolder, removeProgramFolder } from '../../adapters/process/programFolder.ts';
import type {
  CalledTool,
  CallFate,
  CallOptions,
  ConnectMcp,
  McpConnection,
  McpTarget,
} from '../../adapters/mcp/mcpConnection.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { StdioConfig } from '../../../src-shared/domain/server.ts';
import { CloseStack } from '../../runtime/closeStack.ts';
import { fillRunFolder } from '../servers/runFolder.ts';
import type { SharedServers } from './sharedServers.ts';

/** The folder of a run for servers that look for it themselves, as the bundled ones do. */
const runFolderVariable = 'TOUCHSTONE_RUN_DIR';

/** A call to which its server gave no usable answer. */
export class CallTrouble extends Error {
  override readonly name = 'CallTrouble';
  readonly fate: CallFate;
  readonly waitedMs: number;

  constructor(cause: unknown, { fate, waitedMs }: { fate: CallFate; waitedMs: number }) {
    super(errorText(cause), { cause });
    this.fate = fate;
    this.waitedMs = waitedMs;
  }
}

/** The servers of one run: nobody else uses them until it is closed. */
export interface TaskEnvironment extends AsyncDisposable {
  /** The temporary folder of the run. */
  readonly folder: string;
  /** Throws CallTrouble if the server can't be reached or gives no usable answer. */
  call(server: string, tool: string, args: JsonObject, signal: AbortSignal): Promise<CalledTool>;
  /** The same for a reading of a check, whose answer may be larger. */
  read(server: string, tool: string, args: JsonObject, signal: AbortSignal): Promise<CalledTool>;
}

/** A stdio server as it is started for one run. */
function inFolder(given: StdioConfig, folder: string): StdioConfig {
  const config = fillRunFolder(given, folder);
  return {
    ...config,
    env: { ...config.env, [runFolderVariable]: folder },
    cwd: config.cwd ?? folder,
  };
}

/** An error that the server answers is a result like any other: the model may recover from it. */
async function callTool(
  connection: McpConnection,
  tool: string,
  args: JsonObject,
  signal: AbortSignal,
  options: CallOptions,
): Promise<CalledTool> {
  const startedAt = performance.now();
  try {
    return await connection.callTool(tool, args, signal, options);
  } catch (error) {
    signal.throwIfAborted();
    const waitedMs = performance.now() - startedAt;
    // Imported here, because it brings the SDK along, which is there once a server was called.
    const { callFateOf, serverAnswer } = await import('../../adapters/mcp/troubles.ts');
    const answer = serverAnswer(error);
    if (answer === null) throw new CallTrouble(error, { fate: callFateOf(error), waitedMs });
    const content = [{ type: 'text', text: answer }];
    const durationMs = Math.max(1, Math.ceil(waitedMs));
    return { isError: true, content, structuredContent: null, durationMs };
  }
}

export interface EnvironmentParts {
  connect: ConnectMcp;
  shared: SharedServers;
}

/**
 * Opens the servers of one run. A stdio server is started in a temporary folder of the run and ends
 * with it, with its whole process tree. A server over HTTP is shared, so the run waits until no
 * other run uses it, unless the server keeps sessions apart. `prepare` is given the folder before any of them
 * is started or reached. If one can't be opened, everything is closed again.
 */
export async function openEnvironment(
  targets: readonly McpTarget[],
  { connect, shared }: EnvironmentParts,
  signal: AbortSignal,
  prepare?: (folder: string) => Promise<void>,
): Promise<TaskEnvironment> {
  const closing = new CloseStack();
  try {
    const folder = await createProgramFolder();
    closing.add(() => removeProgramFolder(folder));
    const addresses = targets.flatMap(({ config }) =>
      'url' in config && config.isolated !== true ? [config.url] : [],
    );
    closing.add(await shared.take(addresses, signal));
    await prepare?.(folder);
    const connections = new Map<string, McpConnection>();
    for (const target of targets) {
      const { config } = target;
      const started = config.transport === 'stdio' ? inFolder(config, folder) : config;
      const connection = await connect({ ...target, config: started }, signal);
      closing.add(() => connection.close());
      connections.set(target.name, connection);
      // Over HTTP, a schema may ask for headers of its calls.
      if ('url' in config) await connection.listTools(signal);
    }
    const calling =
      (options: CallOptions): TaskEnvironment['call'] =>
      async (server, tool, args, limited) => {
        const connection = connections.get(server);
        if (!connection) throw new Error(`The run has no server "${server}".`);
        return callTool(connection, tool, args, limited, options);
      };
    return {
      folder,
      call: calling({}),
      read: calling({ isReading: true }),
      [Symbol.asyncDispose]: () => closing.run(),
    };
  } catch (error) {
    await closing.run();
    throw error;
  }
}
