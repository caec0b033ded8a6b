import type { Shard } from '../../../../src-shared/domain/shard.ts';
import type { ShardContent, ShardRun } from '../../../../src-shared/domain/shardContent.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { sealedWhileWritten } from '../../runs/merge/partSeal.ts';
import { writeShared } from '../../runs/merge/writeShared.ts';

/**
 * A part of an evaluation with everything that the merged evaluation is made of: its own cases and
 * runs, with their observations and scores, and a hash of the cases of all parts. The runs are read
 * while they are written.
 */
export function readShard(
  store: Store,
  evaluation: EvaluationRow,
  shard: Shard,
  sealKey: string | null,
): Omit<ShardContent, 'runs' | 'seal'> & { runs: Iterable<ShardRun>; seal: Promise<string> } {
  const { entries: cases, ...shared } = writeShared(store, 'case', evaluation, shard);
  const runs = runsOf(store, evaluation.id);
  return sealedWhileWritten(evaluation, { ...shared, cases }, runs, sealKey);
}

function* runsOf(store: Store, evaluationId: string): Generator<ShardRun, void> {
  for (const run of store.shardRuns.each('case', evaluationId)) {
    const { id, modelSettingsId, isCurrent, errorMessage, executionTimeMs, ...same } = run;
    const scored = store.results.get(id);
    yield {
      ...same,
      run_id: id,
      model_id: modelSettingsId,
      is_current: isCurrent === 1,
      error: errorMessage,
      execution_time_ms: executionTimeMs,
      score: scored && JSON.stringify(scored.score),
      scorer: scored?.scorer ?? null,
    };
  }
}
