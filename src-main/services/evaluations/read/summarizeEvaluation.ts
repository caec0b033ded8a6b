import type { EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import { evaluationScope } from '../../../store/runs/scopes.ts';
import type { Store } from '../../../store/store.ts';
import { foldSummary } from './foldSummary.ts';
import { spendOf } from '../run/spend.ts';

/**
 * Up to this many offered tools the matrix shows all of them; beyond, only those that were expected
 * or called.
 */
const maxFullMatrixTools = 100;

/**
 * Increase it with every change of a formula: stored summaries of other versions are recomputed.
 */
export const summaryVersion = 6;

export function summarizeEvaluation(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): EvaluationSummary {
  const snapshot =
    evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId);
  const offered = snapshot?.tools.map(({ server, name }) => toolId(server, name)) ?? [];
  const scope = evaluationScope(evaluation.id, modelSettingsId);
  return {
    evaluationId: evaluation.id,
    modelSettingsId,
    cases: store.entries.count(evaluation.id),
    counts: store.runFolds.counts(scope),
    ...foldSummary(store, scope, offered.length <= maxFullMatrixTools ? offered : []),
    ...spendOf(store, evaluationScope(evaluation.id, modelSettingsId, 'all')),
    durationMs: durationOf(evaluation),
  };
}

function durationOf({ startedAt, completedAt }: EvaluationRow): number | null {
  return startedAt === null || completedAt === null
    ? null
    : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
