import { isAbsolute, resolve } from 'node:path';
import { formatDuration } from '../../../../src-shared/display/numbers.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import {
  defaultProgramSeconds,
  type TaskProgram,
} from '../../../../src-shared/domain/taskProgram.ts';
import { locateCommand } from '../../../adapters/process/locateCommand.ts';
import { runProgram } from '../../../adapters/process/runProgram.ts';

/** Where a program of a task works. */
export interface ProgramPlace {
  /** The folder of the suite; null: a folder of its own. */
  folder: string | null;
  /** The folder of the run; null if nothing is executed. */
  runFolder: string | null;
}

type EndedProgram =
  | { ok: true; exitCode: number; stdout: Buffer; log: string }
  /** It could not be started, or was ended. */
  | { ok: false; problem: string };

const maxOutputBytes = 1024 * 1024;
const maxLogLength = 500;

/**
 * Runs a program of a task to its end, with JSON on its standard input. Its environment has no keys,
 * and its process tree ends with it. Rejects with the reason of the signal only.
 */
export async function runTaskProgram(
  { command: [name = '', ...args], timeout = defaultProgramSeconds }: TaskProgram,
  input: JsonObject,
  { folder, runFolder }: ProgramPlace,
  signal: AbortSignal,
): Promise<EndedProgram> {
  const failed = (problem: string): EndedProgram => ({ ok: false, problem });
  const isPath = /[\\/]/u.test(name) && !isAbsolute(name);
  const command = await locateCommand(isPath && folder !== null ? resolve(folder, name) : name);
  if (command === null)
    return failed(`The program ${JSON.stringify(name)} was not found, or can't be executed.`);
  let result;
  try {
    result = await runProgram(
      {
        ...{ command, args, stdin: JSON.stringify(input) },
        ...(folder !== null && { cwd: folder }),
        ...(runFolder !== null && { env: { TOUCHSTONE_RUN_DIR: runFolder } }),
        limitMs: timeout * 1000,
        outputBytes: maxOutputBytes,
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    return failed(`It could not be started: ${errorText(error)}`);
  }
  signal.throwIfAborted();
  const { outcome, exit, stdout, stderrTail } = result;
  const said = stderrTail.trim().slice(-maxLogLength);
  const log = said === '' ? '' : ` It wrote: ${said}`;
  if (outcome === 'timeout')
    return failed(`It was ended after ${formatDuration(timeout * 1000)}. Raise its timeout.${log}`);
  if (outcome === 'flooded')
    return failed(`It wrote more than ${maxOutputBytes / 1024} kB to standard output.${log}`);
  if (exit?.code == null) return failed(`It was ended by ${exit?.signal ?? 'a signal'}.${log}`);
  return { ok: true, exitCode: exit.code, stdout, log };
}
