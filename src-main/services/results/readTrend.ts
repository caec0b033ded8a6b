import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { TrendPoint } from '../../../src-shared/domain/trend.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { hasChanges, toolDifferences } from './toolDifferences.ts';

/**
 * The evaluations that form the trend of a suite: ended ones that are not derived, oldest first.
 * Throws NOT_FOUND when there is neither suite nor evaluation.
 */
export function evaluationsOfSuite(store: Store, suite: string, limit: number): EvaluationRow[] {
  const known = store.suites.list().find(({ id, name }) => id === suite || name === suite);
  // A suite from a file, or a deleted one, is identified by the name that its evaluations stored.
  const belongs = (row: EvaluationRow): boolean =>
    known
      ? row.suiteId === known.id || (row.suiteId === null && row.suiteName === known.name)
      : row.suiteName === suite;
  const all = store.evaluations
    .list(null, 1_000_000)
    .filter((row) => belongs(row) && hasEnded(row.state) && row.origin === null);
  if (!known && all.length === 0)
    throw new ServiceError('NOT_FOUND', {
      thing: `Suite ${suite}`,
      cause: 'Neither the suite nor an evaluation of it exists.',
      nextStep: 'Choose one from the list of suites.',
    });
  return all.sort((a, b) => a.number - b.number).slice(-limit);
}

/**
 * One point for each evaluation and model, oldest first, with the changes since the previous point
 * of the same model. `summarize` returns the summary of one model.
 */
export async function readTrend(
  store: Store,
  request: { suite: string; model: string | null; limit: number },
  summarize: (evaluation: EvaluationRow, modelSettingsId: string) => Promise<EvaluationSummary>,
): Promise<TrendPoint[]> {
  const points: TrendPoint[] = [];
  const before = new Map<string, { row: EvaluationRow; cases: string }>();
  for (const row of evaluationsOfSuite(store, request.suite, request.limit)) {
    const cases = store.resultQueries.casesHash(row.id);
    for (const modelSettingsId of new Set(row.modelSettingsIds)) {
      const model = store.modelSettings.get(modelSettingsId);
      if (!model) continue;
      const label = modelLabel(model);
      if (
        request.model !== null &&
        ![label, model.model, `${model.provider}/${model.model}`, model.id].includes(request.model)
      )
        continue;
      const { counts, metrics } = await summarize(row, modelSettingsId);
      const last = before.get(label);
      const tools = last ? toolDifferences(store, last.row.snapshotId, row.snapshotId) : null;
      points.push({
        evaluationId: row.id,
        number: row.number,
        createdAt: row.createdAt,
        modelSettingsId,
        model: label,
        counts,
        metrics,
        snapshotId: row.snapshotId,
        tools: tools && hasChanges(tools) ? tools : null,
        casesChanged: last !== undefined && last.cases !== cases,
      });
      before.set(label, { row, cases });
    }
  }
  return points;
}
