import { errorCode, errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { jsonValue } from '../../../../src-shared/domain/json.ts';
import { SpawnFailure } from '../../../adapters/process/spawnTree.ts';
import {
  runProgram,
  type ProgramResult,
  type ProgramRun,
} from '../../../adapters/process/runProgram.ts';
import {
  decodeText,
  createExcerpt,
  failed,
  maxOutputBytes,
  succeeded,
  type ExecutionCall,
  type ExecutionResult,
} from './executor.ts';

/**
 * How runtimes report that the system gave them no more memory. A limit ends no process by itself,
 * so what a program writes last is the only sign.
 */
const saysOutOfMemory =
  /out of memory|MemoryError|OutOfMemory|cannot allocate memory|can't allocate|ENOMEM|bad_alloc|memory exhausted|ERR_MEMORY_ALLOCATION_FAILED|Array buffer allocation failed/i;

type ChildRun = Omit<ProgramRun, 'outputBytes'> & Pick<ExecutionCall, 'redact'>;

/** Runs a child process and reads its standard output in the tool's output format. */
export async function runChild(
  run: ChildRun,
  output: 'json' | 'text',
  signal: AbortSignal,
): Promise<ExecutionResult> {
  let result: ProgramResult;
  try {
    result = await runProgram({ ...run, outputBytes: maxOutputBytes }, signal);
  } catch (error) {
    if (error instanceof SpawnFailure) return failed('not_started', error.message);
    const code = errorCode(error);
    if (code === 'E2BIG')
      return failed(
        'not_started',
        'The arguments are larger than this operating system can pass to a program.',
      );
    if (code === null) throw error;
    return failed('not_started', `The program could not be started (${code}).`);
  }
  return readResult(result, run, output);
}

function readResult(
  { outcome, exit, stdout, stderrTail, allGone }: ProgramResult,
  { limitMs, memoryBytes, redact }: ChildRun,
  output: 'json' | 'text',
): ExecutionResult {
  const cut = outcome === 'flooded';
  const leftoverNote = allGone
    ? ''
    : ' Some of its processes could not be ended: check the running processes.';
  const more = { stderrTail, excerpt: createExcerpt(stdout, cut, redact) };
  if (outcome === 'timeout')
    return failed(
      'timeout',
      `It timed out after ${Math.round(limitMs / 100) / 10} s and was stopped.${leftoverNote}`,
      more,
    );
  if (outcome === 'cancelled') return failed('cancelled', `Canceled.${leftoverNote}`, more);
  if (cut)
    return failed(
      'too_much_output',
      `It wrote more than ${maxOutputBytes / 1024} kB to standard output and was ` +
        `ended.${leftoverNote}`,
      more,
    );
  if (memoryBytes != null && exit?.code !== 0 && saysOutOfMemory.test(stderrTail))
    return failed(
      'out_of_memory',
      `It ran out of memory: each process of a script may use ${memoryBytes / 1024 / 1024} MB. ` +
        "Raise the memory limit in the workshop's settings if it needs more.",
      more,
    );
  if (exit?.signal != null)
    return failed('signal', `The script was ended by ${exit.signal}.`, more);
  if (exit === null || exit.code !== 0)
    return failed('exit_code', `The script exited with code ${exit?.code ?? 'unknown'}.`, more);
  const text = decodeText(stdout);
  if (text === null)
    return failed('not_text', "It wrote bytes to standard output that aren't UTF-8 text.", more);
  if (output === 'text') return succeeded(text, stderrTail);
  const parsed = parseJson(text);
  if (!parsed.ok)
    return failed(
      'not_json',
      text.trim() === ''
        ? 'It wrote nothing to standard output; a JSON value was expected.'
        : `What it wrote to standard output is not JSON: ${parsed.reason}.`,
      more,
    );
  return succeeded(parsed.value, stderrTail);
}

export function parseJson(
  text: string,
): { ok: true; value: JsonValue } | { ok: false; reason: string } {
  try {
    const parsed = jsonValue.safeParse(JSON.parse(text));
    return parsed.success
      ? { ok: true, value: parsed.data }
      : { ok: false, reason: 'it is nested too deeply' };
  } catch (error) {
    return { ok: false, reason: errorText(error) };
  }
}
