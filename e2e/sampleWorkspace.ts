import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from './launchLoopback.ts';
import { runCommand } from './runCommand.ts';

/** What the sample workspace holds: the sample suite and one finished evaluation of it. */
export interface SampleEvaluation {
  id: string;
  number: number;
  suiteId: string;
}

const variable = 'TOUCHSTONE_E2E_SAMPLE';

interface Template extends SampleEvaluation {
  folder: string;
}

/** The template that `prepareSample` made, for every worker of this run. */
function template(): Template {
  const text = process.env[variable];
  if (text === undefined) throw new Error(`${variable} is not set: the global setup did not run.`);
  return JSON.parse(text) as Template;
}

/** The evaluation that every copy of the sample workspace begins with. */
export function sampleEvaluation(): SampleEvaluation {
  return template();
}

/**
 * Makes the sample workspace once per run, because starting an empty one and evaluating the sample
 * suite takes seconds. The returned function removes it.
 */
export async function prepareSample(): Promise<() => Promise<void>> {
  if (!existsSync(builtProgram))
    throw new Error('The program is not built. Run `npm run build` first.');
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-sample-'));
  const answer = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await runCommand(folder, [...args, '--json'])).stdout) as T;
  const { evaluation_id: id, number } = await answer<{ evaluation_id: string; number: number }>(
    'eval',
    '--suite',
    'todo-sample',
    '--provider',
    'builtin',
    '--quiet',
  );
  const { suites } = await answer<{ suites: { id: string; name: string }[] }>('suite', 'list');
  const suiteId = suites.find(({ name }) => name === 'todo-sample')?.id ?? '';
  process.env[variable] = JSON.stringify({ folder, id, number, suiteId } satisfies Template);
  return () => rm(folder, { recursive: true, force: true });
}

/** Fills an empty folder with a copy of the sample workspace. */
export async function copySample(workspace: string): Promise<void> {
  await cp(template().folder, workspace, { recursive: true });
}
