import type { EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import { evaluationScope } from '../../../store/runs/scopes.ts';
import type { Store } from '../../../store/store.ts';
import { foldSummary } from './foldSummary.ts';
import { spendOf } from '../run/spend.ts';

/**
 * Up to so many tools the matrix shows every tool that was offered; beyond, those that were
 * expected or called.
 */
const maxFullMatrixTools = 100;

/**
 * Counts up with every change of a formula, so that a summary that was kept is never shown under
 * another one.
 */
export const summaryVersion = 2;

/** All numbers of an evaluation, or of one of its models, folded from what the database holds. */
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
    cases: store.frozenCases.count(evaluation.id),
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
