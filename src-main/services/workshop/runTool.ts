import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ToolContent } from '../../../src-shared/domain/workshop.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { Interpreter } from '../../adapters/process/pythonInterpreter.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import {
  failed,
  maxOutputBytes,
  type ExecutionCall,
  type ExecutionResult,
} from './executors/executor.ts';
import { callsEcho, runEcho, type OpenEcho } from './executors/echo.ts';
import { runHttp } from './executors/http.ts';
import { runMcp } from './executors/mcp.ts';
import { runPython } from './executors/python.ts';
import { runShell } from './executors/shell.ts';
import type { SchemaChecker } from './schemaChecker.ts';

export interface ToolRunner {
  schemaChecker: SchemaChecker;
  secretGuard: SecretGuard;
  connect: ConnectMcp;
  openEcho: OpenEcho;
  python(signal: AbortSignal): Promise<Interpreter>;
  /** How much memory each process of a script may allocate; null for no limit. */
  memoryBytes(): number | null;
  /** Hosts that a person allowed by name, wherever they lead. */
  allowedHosts(): readonly string[];
  findServer(name: string): { name: string; config: ServerConfig } | null;
  /** Called with every host that is contacted. */
  onContact(host: string): void;
}

/**
 * Runs one version of a tool and checks its output. The arguments were already checked, and
 * the secrets read. Never rejects because of what the tool did.
 */
export async function runTool(
  content: ToolContent,
  given: Pick<ExecutionCall, 'arguments' | 'secrets'>,
  runner: ToolRunner,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const call: ExecutionCall = {
    ...given,
    redact: runner.secretGuard.redact,
    limitMs: content.executorConfig.timeout * 1000,
    memoryBytes: runner.memoryBytes(),
    allowedHosts: runner.allowedHosts(),
  };
  const result = runner.secretGuard.redactValue(await execute(content, call, runner, signal));
  if (result.status !== 'SUCCESS' || Object.keys(content.outputSchema).length === 0) return result;
  const problems = await runner.schemaChecker.checkValue(
    content.outputSchema,
    result.output,
    'The output',
    signal,
  );
  if (problems.length === 0) return result;
  const text = JSON.stringify(result.output);
  return failed(
    'output',
    `The output doesn't match the output schema: ${problems
      .slice(0, 5)
      .map(({ message }) => message)
      .join(' ')}`,
    {
      stderrTail: result.stderrTail,
      excerpt:
        text.length > 4000
          ? `${text.slice(0, 4000)}\n… [cut: ${formatCount(text.length)} characters in all, ` +
            `${maxOutputBytes / 1024} kB are read]`
          : text,
    },
  );
}

async function execute(
  content: ToolContent,
  call: ExecutionCall,
  runner: ToolRunner,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  switch (content.executorType) {
    case 'python': {
      const interpreter = await runner.python(signal);
      if (!interpreter.found)
        return failed(
          'no_interpreter',
          `${interpreter.reason} Install Python 3, or set its path in the workshop's settings.`,
        );
      return runPython(
        interpreter.command,
        content.scriptContent,
        content.executorConfig,
        call,
        signal,
      );
    }
    case 'shell':
      return runShell(content.scriptContent, content.executorConfig, call, signal);
    case 'http':
      if (callsEcho(content.executorConfig))
        return runEcho(runner.openEcho, content.executorConfig, call, signal);
      return runHttp(content.executorConfig, call, signal, (host) => runner.onContact(host));
    case 'mcp': {
      const server = runner.findServer(content.executorConfig.server);
      if (server !== null && isWorkshop(server.config))
        return failed(
          'policy',
          `The server "${server.name}" is this workshop: a tool that calls it would call itself.`,
        );
      return runMcp({ connect: runner.connect, server }, content.executorConfig, call, signal);
    }
  }
}

/** The configuration with which the workshop registers itself. */
export const workshopServer = {
  transport: 'stdio' as const,
  command: 'touchstone',
  args: ['workshop', 'serve', '--stdio'],
  cwd: null,
  env: {},
};

function isWorkshop(config: ServerConfig): boolean {
  return (
    config.transport === 'stdio' &&
    config.command === workshopServer.command &&
    config.args[0] === 'workshop'
  );
}
