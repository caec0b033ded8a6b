import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostPool, TestHost } from './hostPool.ts';
import { builtProgram, launchLoopback } from './launchLoopback.ts';
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
  /** A workspace that a window opened new, and whose sample is evaluated since. */
  started: string;
}

/** The templates that `prepareSample` made, for every worker of this run. */
function template(): Template {
  const text = process.env[variable];
  if (text === undefined) throw new Error(`${variable} is not set: the global setup did not run.`);
  return JSON.parse(text) as Template;
}

/** The evaluation that every copy of the sample workspace begins with. */
export function sampleEvaluation(): SampleEvaluation {
  return template();
}

async function answer<T>(folder: string, ...args: string[]): Promise<T> {
  return JSON.parse((await runCommand(folder, [...args, '--json'])).stdout) as T;
}

/** Evaluates the sample suite in an empty folder. */
async function evaluateSample(folder: string): Promise<SampleEvaluation> {
  const { evaluation_id: id, number } = await answer<{ evaluation_id: string; number: number }>(
    folder,
    'eval',
    '--suite',
    'todo-sample',
    '--provider',
    'builtin',
    '--quiet',
  );
  const { suites } = await answer<{ suites: { id: string; name: string }[] }>(
    folder,
    'suite',
    'list',
  );
  return { id, number, suiteId: suites.find(({ name }) => name === 'todo-sample')?.id ?? '' };
}

/** Starts the program in an empty folder, and ends it once it has evaluated its sample. */
async function startOnce(folder: string): Promise<void> {
  const host = await launchLoopback({ workspace: folder });
  for (let status = ''; status !== 'completed';) {
    const { evaluations } = await answer<{ evaluations: { status: string }[] }>(
      folder,
      ...['evaluations', 'list'],
    );
    status = evaluations[0]?.status ?? '';
  }
  await host.close();
}

/**
 * Makes the prepared workspaces once per run, because starting an empty one and evaluating its
 * sample takes seconds. The returned function removes them.
 */
export async function prepareSample(): Promise<() => Promise<void>> {
  if (!existsSync(builtProgram))
    throw new Error('The program is not built. Run `npm run build` first.');
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-sample-'));
  const started = await mkdtemp(join(tmpdir(), 'touchstone-e2e-started-'));
  const [evaluation] = await Promise.all([evaluateSample(folder), startOnce(started)]);
  process.env[variable] = JSON.stringify({ folder, started, ...evaluation } satisfies Template);
  return async () => {
    for (const made of [folder, started]) await rm(made, { recursive: true, force: true });
  };
}

/** Fills an empty folder with a copy of the sample workspace. */
export async function copySample(workspace: string): Promise<void> {
  await cp(template().folder, workspace, { recursive: true });
}

/** Fills an empty folder with a copy of a workspace that was opened before. */
export async function copyStarted(workspace: string): Promise<void> {
  await cp(template().started, workspace, { recursive: true });
}

/** For `test.use`: the program of a file on a workspace whose sample is evaluated already. */
export const startedBefore = {
  host: async (
    { hosts }: { hosts: HostPool },
    use: (host: TestHost) => Promise<void>,
    { file }: { file: string },
  ): Promise<void> => use(await hosts.hostFor(file, copyStarted)),
};
