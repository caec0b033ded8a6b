import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { localDate } from '../../../src-shared/domain/runValues.ts';
import type { TaskContent, Trajectory } from '../../../src-shared/domain/task.ts';
import type { McpTarget } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Input, Output } from '../contractTypes.ts';
import { keepsRunsApart } from '../servers/runFolder.ts';
import { requireConsent } from './consent.ts';
import { findTaskRun } from './findTaskRun.ts';
import { prepareFolder } from './fixtures/prepareFolder.ts';
import { programsOf } from './programs/programsOf.ts';
import { solutionObstacle, solveTask } from './solveTask.ts';
import { openEnvironment, type EnvironmentParts } from './taskEnvironment.ts';
import type { TaskJudge } from './taskJudge.ts';
import { listedTools, serversOfTask } from './taskSources.ts';

interface KeepingParts extends EnvironmentParts {
  store: Store;
  judge: TaskJudge;
  clock: Clock;
}

/** What a run did on its servers, without calls that returned an error. */
const callsOf = ({ steps }: Trajectory): NonNullable<TaskContent['solution']> =>
  steps
    .flatMap(({ calls }) => calls)
    .flatMap(({ server, tool, arguments: args, answeredBy, result }) =>
      answeredBy === 'executed' &&
      !result.isError &&
      server !== null &&
      tool !== null &&
      args !== null
        ? [{ server, tool, arguments: args }]
        : [],
    );

/**
 * Makes the calls of a run that succeeded the solution of its task, after they passed its checks once
 * more without a model, on servers of their own. It executes nothing that the person didn't agree to
 * for the evaluation of the run. Of a suite that is a file, the calls are returned and kept nowhere.
 */
export async function keepSolution(
  { store, judge, clock, ...parts }: KeepingParts,
  input: Input<'tasks', 'keepSolution'>,
  signal: AbortSignal,
): Promise<Output<'tasks', 'keepSolution'>> {
  const { id, run, task, trajectory } = findTaskRun(store, input);
  const evaluation = store.evaluations.get('task', id);
  const refuse = (cause: string, nextStep: string): ServiceError =>
    new ServiceError('INVALID', { thing: `The solution of ${task.key}`, cause, nextStep });
  if (evaluation === null || trajectory === null || run.outcome !== 'succeeded')
    throw refuse('The run did not succeed.', 'Choose a run that did.');
  const { settings, suite, suiteId } = evaluation;
  const solution = callsOf(trajectory);
  if (solution.length === 0)
    throw refuse(
      'The run executed no call without an error.',
      'Choose a run in execution mode full or read-only.',
    );
  const kept = store.tasks.listBySuite(suiteId ?? '').find(({ key }) => key === task.key) ?? null;
  const content: TaskContent = { ...(kept?.content ?? task.content), solution };
  const servers = serversOfTask(content, settings, suite.servers).all;
  requireConsent(settings, { servers, programs: programsOf([{ content }], settings) });
  const registered = new Map(store.servers.list().map(({ name, config }) => [name, config]));
  const targets = servers.map((name): McpTarget => {
    const config = registered.get(name);
    if (config !== undefined) return { name, config };
    throw refuse(`Server ${name} is no longer registered.`, 'Add it, then try again.');
  });
  const known = servers.flatMap((server) => listedTools(store, null)(server) ?? []);
  const isApart = (server: string): boolean =>
    targets.some(({ name, config }) => name === server && keepsRunsApart(config));
  const shared = servers.find((server) => !isApart(server));
  const obstacle =
    solutionObstacle(content, settings.mode, known, isApart) ??
    (shared === undefined
      ? null
      : `server ${shared} doesn't give each run its own data, so the calls have no copy to be tried on.`);
  if (obstacle !== null)
    throw refuse(`It can't be tried: ${obstacle}`, 'Give each run its own data on the server.');
  const { folder, mode } = settings;
  try {
    await using environment = await openEnvironment(targets, parts, signal, (runFolder) =>
      prepareFolder(content, { folder, runFolder }, signal),
    );
    const today = localDate(new Date(clock.now()));
    await solveTask(content, { mode, known, environment, judge, today }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw refuse(
      `The calls don't solve the task again: ${errorText(error)}`,
      'Choose another run, or write the solution in the task.',
    );
  }
  if (kept !== null) store.tasks.update(kept.id, { key: kept.key, content });
  return { task: task.key, isKept: kept !== null, solution };
}
