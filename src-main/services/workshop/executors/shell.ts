import type { ShellConfig } from '../../../../src-shared/domain/executors.ts';
import { locateCommand } from '../../../adapters/process/locateCommand.ts';
import { MissingParameter, renderOptional } from '../templates.ts';
import { failed, type ExecutionCall, type ExecutionResult } from './executor.ts';
import { renderEnvironment } from './python.ts';
import { runChild } from './runChild.ts';
import { findValueInCode } from './valueInCode.ts';

const shells = process.platform === 'win32' ? ['sh.exe', 'bash.exe'] : ['/bin/sh'];

/**
 * Runs a program, or a script with `sh`. Every template becomes exactly one argument and no shell
 * parses a caller's values. The arguments are also on standard input as JSON.
 */
export async function runShell(
  script: string | null,
  config: ShellConfig,
  call: ExecutionCall,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const valueInCode = config.command === null ? null : findValueInCode(config.command, config.args);
  if (valueInCode !== null) return failed('policy', valueInCode);
  let args: string[];
  try {
    args = renderArguments(config, call);
  } catch (error) {
    if (error instanceof MissingParameter || error instanceof RangeError)
      return failed('template', error.message);
    throw error;
  }
  const command = config.command ?? (await findFirst(shells)) ?? 'sh';
  const file = await locateCommand(command);
  if (file === null)
    return failed('not_started', `The program "${command}" was not found, or can't be executed.`);
  const isScript = config.command === null;
  return runChild(
    {
      command: file,
      args: isScript ? ['script.sh', ...args] : args,
      files: isScript ? { 'script.sh': script ?? '' } : {},
      stdin: JSON.stringify(call.arguments),
      env: renderEnvironment(config, call),
      limitMs: call.limitMs,
      memoryBytes: call.memoryBytes,
      redact: call.redact,
    },
    config.output,
    signal,
  );
}

async function findFirst(commands: readonly string[]): Promise<string | null> {
  for (const command of commands) if ((await locateCommand(command)) !== null) return command;
  return null;
}

/** Throws MissingParameter, or RangeError if an argument would not reach the program as data. */
function renderArguments(config: ShellConfig, call: ExecutionCall): string[] {
  let optionsEnded = config.command === null;
  return config.args.flatMap((template) => {
    const rendered = renderOptional(template, call);
    if (rendered === null) return [];
    if (rendered.includes('\0'))
      throw new RangeError(
        `The argument "${template}" contains a NUL character, which can't be passed to a program.`,
      );
    // A value must not become an option of the program.
    if (!optionsEnded && /^\s*\{\{/.test(template) && rendered.startsWith('-')) {
      throw new RangeError(
        `The argument "${template}" begins with a dash and would be read as an option. Put ` +
          '"--" before it in the arguments of the tool, or a name: "--name={{…}}".',
      );
    }
    if (template === '--') optionsEnded = true;
    return [rendered];
  });
}
