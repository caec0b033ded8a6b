import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { observation, unreportedSpend } from '../../../../src-shared/domain/observation.ts';
import { score } from '../../../../src-shared/domain/score.ts';
import type {
  ShardEntry,
  ShardHead,
  ShardRun,
} from '../../../../src-shared/domain/shardContent.ts';
import { caseContent } from '../../../../src-shared/domain/testCase.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import type { Store } from '../../../store/store.ts';
import type { PartOf } from '../../runs/merge/partFile.ts';
import { insertMerged } from '../../runs/merge/shardParts.ts';
import { caseOrder } from '../plan/evaluationOrder.ts';

export type ShardPart = PartOf<ShardHead, ShardRun>;

interface MergeParts {
  store: Store;
  clock: Clock;
  nextId: NextId;
  owner: string;
}

/** Inserts the rows of a merged evaluation, one case or run per step. */
export function insertMergedCases(
  { store, clock, nextId, owner }: MergeParts,
  { created_at: created, shard: plan }: ShardPart,
  reports: readonly ShardPart[],
  entries: readonly ShardEntry[],
): Generator<undefined, void> {
  const at = clock.now();
  const settings = evaluationSettings.parse(parseJson(plan.settings));
  return insertMerged({ store, owner }, reports, {
    unit: 'case',
    createdAt: created ?? at,
    settings,
    entries,
    order: (repetition) => caseOrder(entries.length, settings, repetition),
    content: caseContent,
    end: (run) => {
      insertResult({ store, nextId }, run, at);
    },
  });
}

function insertResult(
  { store, nextId }: Pick<MergeParts, 'store' | 'nextId'>,
  run: ShardRun,
  at: string,
): void {
  const { run_id: id, status, observation: observed, score: scored, scorer } = run;
  if (status === 'completed' || status === 'failed') {
    const value = scored === null ? null : score.parse(parseJson(scored));
    store.runs.finish({
      id,
      status,
      failure: run.failure,
      errorMessage: run.error,
      request: null,
      response: null,
      selectedToolId: null,
      offeredListId: null,
      extractedParameters: null,
      observation: observed === null ? null : observation.parse(parseJson(observed)),
      unreported: run.unreported ? unreportedSpend.parse(parseJson(run.unreported)) : null,
      score: value,
      executionTimeMs: run.execution_time_ms,
      completedAt: at,
    });
    if (value !== null) store.results.put(nextId(), id, value, scorer ?? '', at);
  }
}
