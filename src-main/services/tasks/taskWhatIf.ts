import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { TaskStub, TrajectoryCall } from '../../../src-shared/domain/task.ts';
import type {
  TaskPlanFacts,
  TaskWhatIfRequest,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { callsOf } from '../../scoring/tasks/taskChecks.ts';
import { resultValue } from '../../scoring/tasks/resultValue.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import { readToolSet } from '../evaluations/whatIf/whatIfSources.ts';
import { applyChanges, type ToolSet } from '../evaluations/whatIf/whatIfChanges.ts';
import { planTasks, type TaskSources } from './taskSources.ts';

/** As a what-if; no change repeats the tasks with the tools as they are. */
export type RepeatRequest = Pick<
  TaskWhatIfRequest,
  'id' | 'changes' | 'modelSettingsId' | 'mode' | 'agreedServers'
> & {
  /** Replaces the limit of the evaluation, where it is given. */
  spendLimitUsd?: number | null | undefined;
};

export interface TaskWhatIfSources {
  sources: TaskSources;
  plan: TaskPlanFacts;
  set: ToolSet;
}

function conflict({ number }: TaskEvaluationRow, cause: string, nextStep: string): ServiceError {
  return new ServiceError('CONFLICT', { thing: `Task evaluation #${number}`, cause, nextStep });
}

/**
 * The frozen tasks of an evaluation with its frozen tools, changed as requested. The mode is that of
 * the request, never that of the evaluation. Throws CONFLICT while it runs and without frozen tools.
 * @param positions the tasks to repeat; null = all
 */
export function readTaskWhatIf(
  store: Store,
  base: TaskEvaluationRow,
  { changes: requested, modelSettingsId, mode, agreedServers, spendLimitUsd }: RepeatRequest,
  positions: readonly number[] | null = null,
): TaskWhatIfSources {
  if (!hasEnded(base.state)) throw conflict(base, 'It is still running.', 'Wait until it ends.');
  const offered = base.snapshotId === null ? null : readToolSet(store, base.snapshotId);
  if (!offered) throw conflict(base, 'It has no stored tools to change.', 'Resume it first.');
  const models = base.settings.models.filter(
    (_, at) => modelSettingsId === null || base.modelSettingsIds[at] === modelSettingsId,
  );
  if (models.length === 0)
    throw conflict(base, 'It has no such model.', 'Choose one of its models.');
  const { changes, addedServers, removedServers, ...set } = applyChanges(
    offered,
    requested,
    () => null,
  );
  const sources: TaskSources = {
    settings: {
      ...base.settings,
      models,
      mode,
      agreedServers,
      recordFile: null,
      ...(spendLimitUsd !== undefined && { spendLimitUsd }),
      // A what-if of a what-if keeps what its base removed.
      whatIf: {
        baseId: base.id,
        positions: positions && [...positions],
        changes,
        addedServers,
        removedServers: [...(base.settings.whatIf?.removedServers ?? []), ...removedServers],
      },
    },
    suiteId: base.suiteId,
    suiteName: base.suiteName,
    suite: { ...base.suite, inlineTools: true },
    tasks: store.entries
      .list('task', base.id)
      .filter(({ position }) => positions?.includes(position) ?? true),
  };
  // Only a mode that executes tools needs their servers.
  const fixed = mode === 'stub' ? offered.tools.map(({ tool }) => tool.tool) : null;
  return { sources, plan: planTasks(store, sources, fixed), set };
}

/**
 * What the servers answered in an evaluation, as stubs of its tasks by their positions: a what-if
 * that executes nothing gives the same results for the same arguments. Left out are results that
 * were cut and arguments that would be read as matchers.
 */
export function recordedStubs(store: Store, baseId: string): ReadonlyMap<number, TaskStub[]> {
  // In the mode stub nothing was executed.
  if (store.evaluations.get('task', baseId)?.settings.mode === 'stub') return new Map();
  const runs = Map.groupBy(store.playedTasks.list(baseId), ({ position }) => position);
  return new Map(
    [...runs].map(([position, own]) => [
      position,
      own
        .flatMap(({ id }) => store.playedTasks.get(baseId, id)?.trajectory ?? [])
        .flatMap(callsOf)
        .flatMap(stubOf),
    ]),
  );
}

function stubOf({
  server,
  tool,
  arguments: given,
  answeredBy,
  result,
}: TrajectoryCall): TaskStub[] {
  if (
    answeredBy !== 'executed' ||
    server === null ||
    tool === null ||
    given === null ||
    result.cutFrom !== null ||
    JSON.stringify(given).includes('"$')
  )
    return [];
  return [{ server, tool, arguments: given, result: resultValue(result), isError: result.isError }];
}
