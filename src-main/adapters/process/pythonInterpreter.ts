import { locateCommand } from './locateCommand.ts';
import { runProgram, type ProgramRun } from './runProgram.ts';

export type Interpreter =
  { found: true; command: string; version: string } | { found: false; reason: string };

export interface SyntaxFault {
  line: number | null;
  column: number | null;
  message: string;
}

const maxProbeMs = 5000;
/** UTF-8 in every locale, and no bytecode files in the folder of the script. */
export const pythonFlags: readonly string[] = ['-X', 'utf8', '-B'];
const versionScript =
  'import sys, json; print(json.dumps([sys.executable, list(sys.version_info[:3])]))';
const syntaxScript = `
import sys, json
try:
    compile(sys.stdin.read(), "script.py", "exec", dont_inherit=True)
    print("null")
except SyntaxError as error:
    print(json.dumps({"line": error.lineno, "column": error.offset, "message": error.msg}))
except ValueError as error:
    print(json.dumps({"line": None, "column": None, "message": str(error)}))
`;

const run = (command: string, args: readonly string[], stdin: string, signal: AbortSignal) =>
  runProgram(
    {
      command,
      args: [...pythonFlags, '-I', ...args],
      stdin,
      limitMs: maxProbeMs,
      outputBytes: 64 * 1024,
    } satisfies ProgramRun,
    signal,
  );

/**
 * Asks the named command, or else `python3` and `python`, for its executable and version. Returns
 * that executable, because a launcher in between costs time at every start.
 */
export async function findPython(named: string, signal: AbortSignal): Promise<Interpreter> {
  const candidates = named.trim() === '' ? ['python3', 'python'] : [named.trim()];
  let reason =
    named.trim() === ''
      ? 'No Python was found on this computer (looked for python3 and python).'
      : `The interpreter "${named.trim()}" was not found.`;
  for (const candidate of candidates) {
    const file = await locateCommand(candidate);
    if (file === null) continue;
    try {
      const { outcome, exit, stdout } = await run(file, ['-c', versionScript], '', signal);
      if (outcome === 'ended' && exit?.code === 0) {
        const [executable, version] = JSON.parse(stdout.toString('utf8')) as [string, number[]];
        if ((version[0] ?? 0) >= 3)
          return {
            found: true,
            command: executable === '' ? file : executable,
            version: version.join('.'),
          };
        reason = `"${candidate}" is Python ${version.join('.')}; version 3 is needed.`;
      } else reason = `"${candidate}" didn't report its Python version.`;
    } catch {
      reason = `"${candidate}" couldn't start, or isn't Python.`;
    }
  }
  return { found: false, reason };
}

/**
 * The syntax error of a script; null if there is none, or if it could not be checked. Compiles the
 * script without running it.
 */
export async function checkPythonSyntax(
  interpreter: string,
  script: string,
  signal: AbortSignal,
): Promise<SyntaxFault | null> {
  try {
    const { outcome, stdout } = await run(interpreter, ['-c', syntaxScript], script, signal);
    if (outcome !== 'ended') return null;
    return JSON.parse(stdout.toString('utf8')) as SyntaxFault | null;
  } catch {
    // The check is a courtesy: a run says what is wrong with the script.
    return null;
  }
}
