import { isInShard, type Shard } from '../../../../src-shared/domain/shard.ts';
import type { ShardContent } from '../../../../src-shared/domain/shardContent.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { sealed } from '../../runs/merge/partSeal.ts';
import { writeSharedParts } from '../../runs/merge/shardParts.ts';

/**
 * A part of an evaluation with everything that the merged evaluation is made of: the whole plan, and
 * the runs of this part with their observations and scores.
 */
export function readShard(
  store: Store,
  evaluation: EvaluationRow,
  shard: Shard,
  sealKey: string | null,
): ShardContent {
  const { id, settings, suite } = evaluation;
  const content = {
    ...shard,
    settings: JSON.stringify(settings),
    suite: JSON.stringify(suite),
    ...writeSharedParts(store, evaluation, store.evaluations.prices(id)),
    cases: store.entries.list('case', id).map(({ sourceId, key, content }) => ({
      id: sourceId,
      key,
      content: JSON.stringify(content),
    })),
    runs: runsOf(store, id, shard),
  };
  return sealed(evaluation, content, sealKey);
}

function runsOf(store: Store, evaluationId: string, shard: Shard): ShardContent['runs'] {
  return store.shardRuns
    .list('case', evaluationId)
    .filter(({ position }) => isInShard(position, shard))
    .map(({ id, modelSettingsId, isCurrent, errorMessage, executionTimeMs, ...run }) => {
      const scored = store.results.get(id);
      return {
        ...run,
        run_id: id,
        model_id: modelSettingsId,
        is_current: isCurrent === 1,
        error: errorMessage,
        execution_time_ms: executionTimeMs,
        score: scored && JSON.stringify(scored.score),
        scorer: scored?.scorer ?? null,
      };
    });
}
