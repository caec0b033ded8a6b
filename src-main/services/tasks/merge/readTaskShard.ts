import { isInShard, type Shard } from '../../../../src-shared/domain/shard.ts';
import type { TaskShardContent } from '../../../../src-shared/domain/taskShardContent.ts';
import type { Store } from '../../../store/store.ts';
import type { TaskEvaluationRow } from '../../../store/evaluations/evaluations.ts';
import { sealed } from '../../runs/merge/partSeal.ts';
import { writeSharedParts } from '../../runs/merge/shardParts.ts';

/**
 * A part of an evaluation of tasks with everything that the merged evaluation is made of: the whole
 * plan, and the runs of this part with their trajectories and verdicts.
 */
export function readTaskShard(
  store: Store,
  evaluation: TaskEvaluationRow,
  shard: Shard,
  sealKey: string | null,
): TaskShardContent {
  const { id, settings, suite, suiteName } = evaluation;
  const { judge } = settings;
  const content = {
    ...shard,
    settings: JSON.stringify(settings),
    suite: JSON.stringify(suite),
    ...writeSharedParts(store, evaluation, store.evaluations.prices(id)),
    tasks: store.entries.list('task', id).map(({ sourceId, key, content }) => ({
      id: sourceId,
      key,
      content: JSON.stringify(content),
    })),
    agreement: judge && JSON.stringify(store.labels.agreement(suiteName, judge.model)),
    runs: store.shardRuns
      .list('task', id)
      .filter(({ position }) => isInShard(position, shard))
      .map(({ id: runId, modelSettingsId, isCurrent, errorMessage, ...run }) => {
        const trajectory = store.playedTasks.get(id, runId)?.trajectory ?? null;
        return {
          ...run,
          run_id: runId,
          model_id: modelSettingsId,
          is_current: isCurrent === 1,
          error: errorMessage,
          trajectory: trajectory && JSON.stringify(trajectory),
        };
      }),
  };
  return sealed(evaluation, content, sealKey);
}
