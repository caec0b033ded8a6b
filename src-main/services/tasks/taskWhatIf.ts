import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { TaskStub, TrajectoryCall } from '../../../src-shared/domain/task.ts';
import type {
  Agreement,
  StoredTaskSettings,
  TaskPlanFacts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { callsOf } from '../../scoring/tasks/madeCalls.ts';
import { resultValue } from '../../scoring/tasks/resultValue.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import {
  readWhatIf,
  type Repeat,
  type RepeatedSettings,
} from '../evaluations/whatIf/whatIfSources.ts';
import type { ToolSet } from '../evaluations/whatIf/whatIfChanges.ts';
import { planTasks, type TaskSources } from './taskSources.ts';

/** No change repeats the tasks with the tools as they are. */
export type TaskRepeat = Repeat<
  Pick<StoredTaskSettings, 'mode' | keyof Agreement> & Omit<RepeatedSettings, 'cacheFolder'>
>;

export interface TaskWhatIfSources {
  sources: TaskSources;
  plan: TaskPlanFacts;
  set: ToolSet;
}

/**
 * The frozen tasks of an evaluation with its frozen tools, changed as requested. The mode is that of
 * the request, never that of the evaluation. Throws CONFLICT while it runs and without frozen tools.
 */
export function readTaskWhatIf(
  store: Store,
  base: TaskEvaluationRow,
  repeat: TaskRepeat,
): TaskWhatIfSources {
  const thing = `Task evaluation #${base.number}`;
  if (!hasEnded(base.state))
    throw new ServiceError('CONFLICT', {
      thing,
      cause: 'It is still running.',
      nextStep: 'Wait until it ends.',
    });
  const { positions } = repeat;
  const { sources: changed, offered, set } = readWhatIf(store, base, repeat, thing);
  const sources = {
    ...changed,
    entries: store.entries
      .list('task', base.id)
      .filter(({ position }) => positions?.includes(position) ?? true),
  };
  // Only a mode that executes tools needs their servers.
  const fixed =
    sources.settings.mode === 'stub' ? offered.tools.map(({ tool }) => tool.tool) : null;
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
  fault,
}: TrajectoryCall): TaskStub[] {
  if (
    answeredBy !== 'executed' ||
    // A fault on purpose is made again, by itself.
    (fault !== undefined && fault !== 'delay') ||
    server === null ||
    tool === null ||
    given === null ||
    result.cutFrom !== null ||
    JSON.stringify(given).includes('"$')
  )
    return [];
  return [{ server, tool, arguments: given, result: resultValue(result), isError: result.isError }];
}
