import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationReader } from '../evaluations/read/evaluationReader.ts';
import type { Services } from '../services.ts';
import { findEvaluation } from './comparedSide.ts';
import { readTrend } from './readTrend.ts';

export interface ResultsParts {
  store: Store;
  reader: EvaluationReader;
  /** The numbers of one model of an evaluation, kept where they are known. */
  summarize: (evaluation: EvaluationRow, modelSettingsId: string) => Promise<EvaluationSummary>;
}

/**
 * What is read out of evaluations that were made: comparison, course, summary over any choice, and
 * what stands behind the numbers.
 */
export function createResultsService({
  store,
  reader,
  summarize,
}: ResultsParts): Services['results'] {
  return {
    async compare(request) {
      const sides = [request.baseline, ...request.candidates].map(({ id }) =>
        findEvaluation(store, id),
      );
      return reader.read(
        { plannedRuns: sides.reduce((sum, { plannedRuns }) => sum + plannedRuns, 0) },
        { kind: 'compare', compare: request },
      );
    },
    trend: (request) => readTrend(store, request, summarize),
    metrics: (filter) =>
      reader.read({ plannedRuns: store.testRuns.atMost() }, { kind: 'metrics', filter }),
    async analysis({ id, modelSettingsId }) {
      const evaluation = findEvaluation(store, id);
      return reader.read(evaluation, {
        kind: 'analysis',
        evaluationId: evaluation.id,
        modelSettingsId,
      });
    },
  };
}
