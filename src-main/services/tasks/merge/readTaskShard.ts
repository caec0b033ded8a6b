import { promptVersionOf } from '../../../../src-shared/domain/judges.ts';
import type { Shard } from '../../../../src-shared/domain/shard.ts';
import type {
  TaskShardContent,
  TaskShardRun,
} from '../../../../src-shared/domain/taskShardContent.ts';
import { agreementOf } from '../judges.ts';
import type { Store } from '../../../store/store.ts';
import type { TaskEvaluationRow } from '../../../store/evaluations/evaluations.ts';
import { sealed } from '../../runs/merge/partSeal.ts';
import { writeShared } from '../../runs/merge/writeShared.ts';

/**
 * A part of an evaluation of tasks with everything that the merged evaluation is made of: its own
 * tasks and runs, with their trajectories and verdicts, and a hash of the tasks of all parts.
 */
export function readTaskShard(
  store: Store,
  evaluation: TaskEvaluationRow,
  shard: Shard,
  sealKey: string | null,
): TaskShardContent {
  const { id, settings, suiteName } = evaluation;
  const { entries: tasks, ...shared } = writeShared(store, 'task', evaluation, shard);
  const agreement =
    settings.judge &&
    JSON.stringify(agreementOf(store, suiteName, settings, promptVersionOf(settings)));
  return sealed(evaluation, { ...shared, tasks, agreement }, [...runsOf(store, id)], sealKey);
}

function* runsOf(store: Store, evaluationId: string): Generator<TaskShardRun, void> {
  for (const stored of store.shardRuns.each('task', evaluationId)) {
    const { id, modelSettingsId, isCurrent, errorMessage, ...run } = stored;
    const trajectory = store.playedTasks.get(evaluationId, id)?.trajectory ?? null;
    yield {
      ...run,
      run_id: id,
      model_id: modelSettingsId,
      is_current: isCurrent === 1,
      error: errorMessage,
      trajectory: trajectory && JSON.stringify(trajectory),
    };
  }
}
