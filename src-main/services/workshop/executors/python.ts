import type { PythonConfig } from '../../../../src-shared/domain/executors.ts';
import { pythonFlags } from '../../../adapters/process/pythonInterpreter.ts';
import { renderText } from '../templates.ts';
import type { ExecutionCall, ExecutionResult } from './executor.ts';
import { runChild } from './runChild.ts';

/**
 * Runs a Python script. It gets the arguments as JSON on standard input and writes its result as
 * JSON to standard output.
 */
export function runPython(
  interpreter: string,
  script: string,
  config: PythonConfig,
  call: ExecutionCall,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const run = {
    command: interpreter,
    args: [...pythonFlags, 'script.py'],
    files: { 'script.py': script },
    stdin: JSON.stringify(call.arguments),
    env: renderEnvironment(config, call),
    limitMs: call.limitMs,
    memoryBytes: call.memoryBytes,
    redact: call.redact,
  };
  return runChild(run, 'json', signal);
}

/**
 * Environment variables of the child: the secrets that the tool declares by their names, and the
 * variables of its settings. This is the only place where secrets are inserted.
 */
export function renderEnvironment(
  { env, secrets }: Pick<PythonConfig, 'env' | 'secrets'>,
  call: ExecutionCall,
): Record<string, string> {
  return {
    ...Object.fromEntries(secrets.map((name) => [name, call.secrets.get(name) ?? ''])),
    ...Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        renderText(value, { arguments: {}, secrets: call.secrets }),
      ]),
    ),
  };
}
