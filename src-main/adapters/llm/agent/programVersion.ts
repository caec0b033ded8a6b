import type { AgentTemplate } from '../../../../src-shared/domain/agentTemplate.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { locateCommand } from '../../process/locateCommand.ts';
import { createProgramFolder, removeProgramFolder } from '../../process/programFolder.ts';
import { runProgram } from '../../process/runProgram.ts';
import { fillText } from './agentFiles.ts';
import { homeVariables } from './agentPlayer.ts';

export interface AgentProgram {
  /** Its file; null: it isn't installed. */
  file: string | null;
  /** As it says itself; null: its template doesn't ask, or it gave no answer. */
  version: string | null;
}

type Started = Pick<AgentTemplate, 'command' | 'version'>;

const limitMs = 10_000;
const maxOutputBytes = 64 * 1024;
const maxVersionLength = 100;

/** Finds the program of an agent and asks for its version, without a key and without a request. */
export async function agentProgram(template: Started): Promise<AgentProgram> {
  const file = await locateCommand(template.command[0] ?? '');
  const { version } = template;
  if (file === null || version === undefined) return { file, version: null };
  const args = version.map((word) => fillText(word, { datasets: programFiles.datasets }));
  return { file, version: await askVersion(file, args) };
}

/** The same for a form that asks at every change: it may be a minute old. */
export async function plannedAgentProgram(template: Started): Promise<AgentProgram> {
  const key = JSON.stringify([template.command[0], template.version]);
  const known = answers.get(key);
  if (known !== undefined && performance.now() - known.at < keptMs) return known.answer;
  if (answers.size >= maxAnswers) answers.clear();
  const answer = agentProgram(template);
  answers.set(key, { at: performance.now(), answer });
  return answer;
}

const keptMs = 60_000;
const maxAnswers = 100;
const answers = new Map<string, { at: number; answer: Promise<AgentProgram> }>();

/** Why an agent can't be started whose program isn't there, and what to do. */
export const missingProgram = ({
  name,
  command: [command = ''],
}: Pick<AgentTemplate, 'name' | 'command'>): [cause: string, nextStep: string] => [
  `The program ${JSON.stringify(command)} of the agent ${name} isn't installed.`,
  'Install it, or name its full path as the command of your own agent.',
];

async function askVersion(file: string, args: readonly string[]): Promise<string | null> {
  // In a home of its own, so that it reads no settings of the person and leaves none.
  const home = await createProgramFolder();
  try {
    const { outcome, exit, stdout } = await runProgram(
      {
        ...{ command: file, args, stdin: '', cwd: home, env: homeVariables(home) },
        ...{ limitMs, outputBytes: maxOutputBytes },
      },
      new AbortController().signal,
    );
    return outcome === 'ended' && exit?.code === 0 ? readVersion(stdout.toString('utf8')) : null;
  } catch {
    // A program that can't be started fails the run, which says why.
    return null;
  } finally {
    await removeProgramFolder(home);
  }
}

/** The version in what a program says of itself: its first number with dots, else its first line. */
export function readVersion(said: string): string | null {
  const number = /\d+(?:\.\d+)+(?:[-+][\w.+-]*)?/.exec(said)?.[0];
  const [line] = said.trim().split(/\s*\n/);
  return (number ?? line)?.slice(0, maxVersionLength) || null;
}
