import { writeFile } from 'node:fs/promises';
import { testProgram } from '../src-main/testing/testPrograms.ts';
import type { LaunchedHost } from './launchLoopback.ts';

/** The MCP server that tests start as a program of its own. */
export const fakeMcpServer = testProgram('src-main/testing/fakeMcpServer/main.ts');

/** The command line of a fake server, as `servers add --stdio` takes it. */
export const fakeServerCommand = (...args: string[]): string =>
  [process.execPath, fakeMcpServer, ...args].join(' ');

/** Runs a command and returns the JSON that it prints. */
export async function commandJson<T>(host: LaunchedHost, ...args: string[]): Promise<T> {
  return JSON.parse((await host.command([...args, '--json'])).stdout) as T;
}

export interface FinishedEvaluation {
  evaluation_id: string;
  number: number;
  counts: Record<string, number>;
}

/** Evaluates a suite to the end. */
export function evaluate(
  host: LaunchedHost,
  suite: string,
  ...options: string[]
): Promise<FinishedEvaluation> {
  const model = options.includes('--provider') ? [] : ['--provider', 'builtin'];
  return commandJson(host, 'eval', '--suite', suite, ...model, ...options, '--quiet');
}

/** Evaluates the tasks of a suite file, by default without executing a tool; the ids for screens. */
export async function evaluateTasks(
  host: LaunchedHost,
  file: string,
  suite: object,
  mode: 'stub' | 'full' = 'stub',
  ...options: string[]
): Promise<{ taskEvaluation: string; taskRun: string; taskRuns: string[]; taskTool: string }> {
  await writeFile(file, JSON.stringify(suite));
  const ended = await commandJson<{
    evaluation_id: string;
    runs: { run_id: string }[];
    tools: { tool_id: string }[];
  }>(
    host,
    ...['eval', '--suite', file, '--only', 'tasks', '--execute', mode, '--yes'],
    ...['--provider', 'builtin', '--quiet', ...options],
  );
  const taskRuns = ended.runs.map(({ run_id: id }) => id);
  return {
    taskEvaluation: ended.evaluation_id,
    taskRun: taskRuns[0] ?? '',
    taskRuns,
    taskTool: ended.tools[0]?.tool_id ?? '',
  };
}

/** Imports a suite of tasks and evaluates it twice in one evaluation; the ids for screens. */
export async function storeTasks(
  host: LaunchedHost,
  file: string,
  suite: object,
): Promise<{ taskSuite: string; taskEvaluation: string; taskRuns: string[]; taskTool: string }> {
  const { taskRun: _, ...ended } = await evaluateTasks(
    host,
    file,
    suite,
    'stub',
    '--repetitions',
    '2',
  );
  const { id: taskSuite } = await commandJson<{ id: string }>(host, 'suite', 'import', file);
  return { taskSuite, ...ended };
}

/** The model that tests make silent: a request to it stays open. */
export const silentModel = 'silent-model';

/**
 * Starts the tasks of a stored suite with a model that never answers, and returns once they run:
 * the id of the evaluation, and what ends and removes it.
 */
export async function startTasks(
  host: LaunchedHost,
  suite: string,
  baseUrl: string,
): Promise<{ liveTasks: string; stop: () => Promise<void> }> {
  const ended: { said: string | null } = { said: null };
  const running = host
    .command([
      ...['eval', '--suite', suite, '--only', 'tasks', '--quiet', '--provider'],
      ...['openai-compatible', '--base-url', baseUrl, '--model', silentModel, '--timeout', '300'],
    ])
    .then(({ stderr }) => {
      ended.said = stderr;
    });
  while (ended.said === null) {
    const { evaluations } = await commandJson<{
      evaluations: { id: string; number: number; kind: string; status: string; suite: string }[];
    }>(host, 'evaluations', 'list', '--limit', '5');
    const live = evaluations.find(
      (one) => one.kind === 'tasks' && one.suite === suite && one.status === 'running',
    );
    if (live !== undefined)
      return {
        liveTasks: live.id,
        stop: async () => {
          await host.command(['evaluations', 'remove', String(live.number)]);
          await running;
        },
      };
  }
  throw new Error(`The evaluation of tasks ended early: ${ended.said}`);
}

/** The id of a suite by its name. */
export async function suiteIdOf(host: LaunchedHost, name: string): Promise<string> {
  const { suites } = await commandJson<{ suites: { id: string; name: string }[] }>(
    host,
    'suite',
    'list',
  );
  return suites.find((suite) => suite.name === name)?.id ?? '';
}
