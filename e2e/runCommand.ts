import { type ChildProcess, fork } from 'node:child_process';
import type { Ended } from '../src-main/testing/commandLine.ts';
import type { AskedCommand } from '../src-main/testing/commandsChild.ts';
import { testProgram } from '../src-main/testing/testPrograms.ts';

type Answer = { id: number } & ({ ended: Ended } | { error: unknown });

let child: ChildProcess | null = null;
let asked = 0;
const waiting = new Map<number, (answer: Answer | null) => void>();

/** The process that runs the commands of this one, which it holds up only while one is running. */
function commandsChild(): ChildProcess {
  if (child !== null) return child;
  const started = fork(testProgram('src-main/testing/commandsChild.ts'), {
    execArgv: [],
    serialization: 'advanced',
  });
  started.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  started.on('exit', () => {
    child = null;
    for (const end of [...waiting.values()]) end(null);
  });
  child = started;
  return started;
}

function holdUp(isHeld: boolean): void {
  for (const each of [child, child?.channel]) {
    if (isHeld) each?.ref();
    else each?.unref();
  }
}

/**
 * Runs a command of the command line on a workspace, also while a window has it open. Its exit code
 * is that of the evaluation, so that tests read the output instead. One process runs all commands of
 * a worker: starting Node for each takes longer than most commands do.
 */
export async function runCommand(
  workspace: string,
  args: readonly string[],
): Promise<Pick<Ended, 'stdout' | 'stderr'>> {
  const id = (asked += 1);
  const command: AskedCommand = { id, args, workspace, env: { ...process.env } };
  const answered = new Promise<Answer | null>((resolve) => waiting.set(id, resolve));
  commandsChild().send(command);
  holdUp(true);
  const answer = await answered;
  waiting.delete(id);
  if (waiting.size === 0) holdUp(false);
  if (answer === null) throw new Error(`The process of commands ended: ${args.join(' ')}`);
  if ('error' in answer) throw answer.error;
  return answer.ended;
}
