import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { MetricsFilter, MetricsSummary } from '../../../src-shared/domain/trend.ts';
import { filterScope } from '../../store/runs/scopes.ts';
import type { Store } from '../../store/store.ts';
import { foldSummary } from '../evaluations/read/foldSummary.ts';
import { spendOf } from '../evaluations/run/spend.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';

/**
 * The summary of any selection of runs. Runs of one case in several evaluations count as
 * repetitions. Throws INVALID when a date can't be read.
 */
export function summarizeFilter(store: Store, filter: MetricsFilter): MetricsSummary {
  for (const field of ['from', 'to'] as const) {
    const text = filter[field];
    if (text !== undefined && Number.isNaN(Date.parse(text))) {
      throw new ServiceError('INVALID', {
        thing: `The date ${text}`,
        cause: "It isn't a valid date.",
        nextStep: 'Use a date such as 2026-01-31 or 2026-01-31T12:00:00Z.',
        field,
      });
    }
  }
  const narrowed: MetricsFilter = {
    ...filter,
    // Timestamps are compared as text, so they need one format.
    ...(filter.from === undefined ? {} : { from: new Date(filter.from).toISOString() }),
    ...(filter.to === undefined ? {} : { to: new Date(filter.to).toISOString() }),
    ...(filter.evaluationIds === undefined
      ? {}
      : { evaluationIds: filter.evaluationIds.map((id) => findEvaluation(store, id).id) }),
  };
  const scope = filterScope(narrowed);
  return {
    filter,
    ...store.runFolds.extent(scope),
    ...foldSummary(store, scope, []),
    ...spendOf(store, filterScope(narrowed, 'all')),
  };
}
