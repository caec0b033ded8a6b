import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationRow } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Services } from '../services.ts';
import { analyseEvaluation } from './analyseEvaluation.ts';
import { findEvaluation } from './comparedSide.ts';
import { compareEvaluations } from './compareEvaluations.ts';
import { readTrend } from './readTrend.ts';
import { summariseFilter } from './summariseFilter.ts';

export interface ResultsParts {
  store: Store;
  /** The numbers of one model of an evaluation, kept where they are known. */
  summarise: (evaluation: EvaluationRow, modelSettingsId: string) => Promise<EvaluationSummary>;
}

/** What is read out of evaluations that were made: comparison, course, summary over any choice, and what stands behind the numbers. */
export function createResultsService({ store, summarise }: ResultsParts): Services['results'] {
  return {
    compare: async (request) => compareEvaluations(store, request),
    trend: (request) => readTrend(store, request, summarise),
    metrics: async (filter) => summariseFilter(store, filter),
    analysis: async ({ id, modelSettingsId }) => analyseEvaluation(store, findEvaluation(store, id), modelSettingsId),
  };
}
