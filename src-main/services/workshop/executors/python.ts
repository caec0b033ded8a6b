import type { PythonConfig } from '../../../../src-shared/domain/executors.ts';
import { pythonFlags } from '../../../adapters/process/pythonInterpreter.ts';
import { renderText } from '../templates.ts';
import type { ExecutionCall, ExecutionResult } from './executor.ts';
import { runChild } from './runChild.ts';

/** The arguments as JSON on standard input; standard output is the result, as JSON. */
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
    env: renderEnvironment(config.env, call),
    limitMs: call.limitMs,
  };
  return runChild(run, 'json', signal);
}

/** Values of a child's own variables: secrets are put in here and nowhere else. */
export function renderEnvironment(
  env: Readonly<Record<string, string>>,
  call: ExecutionCall,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      renderText(value, { arguments: {}, secrets: call.secrets }),
    ]),
  );
}
