import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { addUnits, createConfusion, toMatrix } from '../../../src-shared/metrics/confusion.ts';
import { quantile } from '../../../src-shared/metrics/quantile.ts';
import { countCategories, summarise } from '../../../src-shared/metrics/summary.ts';
import { summariseTools } from '../../../src-shared/metrics/toolSummary.ts';
import type { EvaluationRow } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';

/** Up to so many tools the matrix shows every tool that was offered; beyond, those that were expected or called. */
const everyToolUpTo = 100;

/** Counts up with every change of a formula, so that a summary that was kept is never shown under another one. */
export const summaryArithmetic = 1;

/** All numbers of an evaluation, or of one of its models, folded from what the database holds. */
export function summariseEvaluation(store: Store, evaluation: EvaluationRow, modelSettingsId: string | null): EvaluationSummary {
  const rows = store.runQueries.summaryRows(evaluation.id, modelSettingsId);
  const snapshot = evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId);
  const offered = snapshot?.tools.map(({ server, name }) => toolId(server, name)) ?? [];
  const confusion = createConfusion();
  for (const { units } of rows) addUnits(confusion, units);
  const labels = offered.length <= everyToolUpTo ? offered : [];
  const latencies = rows.flatMap(({ executionTimeMs }) => executionTimeMs ?? []);
  return {
    evaluationId: evaluation.id,
    modelSettingsId,
    cases: store.frozenCases.count(evaluation.id),
    runs: rows.length,
    counts: store.evaluations.counts(evaluation.id, modelSettingsId),
    metrics: summarise(rows),
    confidence: countCategories(rows.map(({ confidenceCategory }) => confidenceCategory)),
    confusion: toMatrix(confusion, labels),
    perTool: summariseTools(rows, labels),
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    tokens: { input: sumOf(rows, ({ inputTokens }) => inputTokens), output: sumOf(rows, ({ outputTokens }) => outputTokens) },
    // A provider's prices are not known here: unknown is null, never 0.
    costUsd: null,
    durationMs: durationOf(evaluation),
  };
}

/** Null where no run tells: a program without a model uses no tokens that could be counted. */
function sumOf<Row>(rows: readonly Row[], value: (row: Row) => number | null): number | null {
  const known = rows.flatMap((row) => value(row) ?? []);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

function durationOf({ startedAt, completedAt }: EvaluationRow): number | null {
  return startedAt === null || completedAt === null ? null : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
