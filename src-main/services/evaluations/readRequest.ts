import type { EvaluationSummary, RunFilter, RunRow } from '../../../src-shared/domain/evaluation.ts';
import type { RunSort } from '../../store/runQueries.ts';
import type { Store } from '../../store/store.ts';
import { summariseEvaluation } from './summariseEvaluation.ts';

/** Readings that look at every run of an evaluation; data only, so that another thread can be asked. */
export type ReadRequest =
  | { what: 'summary'; evaluationId: string; modelSettingsId: string | null }
  | { what: 'page'; evaluationId: string; filter: RunFilter; sort: RunSort; descending: boolean; offset: number; limit: number }
  | { what: 'neighbours'; evaluationId: string; runId: string; filter: RunFilter; sort: RunSort; descending: boolean };

export interface ReadAnswers {
  /** `seq` is the last event that the summary covers. */
  summary: { seq: number; summary: EvaluationSummary };
  page: { rows: RunRow[]; total: number };
  neighbours: { previous: string | null; next: string | null };
}

/** What a worker is told: where the workspace is, and what to read. */
export interface ReadingItem {
  file: string;
  migrationsFolder: string;
  request: ReadRequest;
}

/** Call it inside one transaction, so that all numbers are of one moment. */
export function answerReading(store: Store, request: ReadRequest): ReadAnswers[ReadRequest['what']] {
  const { evaluationId } = request;
  switch (request.what) {
    case 'summary': {
      const evaluation = store.evaluations.get(evaluationId);
      if (!evaluation) throw new Error(`Evaluation ${evaluationId} is gone.`);
      return { seq: store.events.lastSeq(evaluationId), summary: summariseEvaluation(store, evaluation, request.modelSettingsId) };
    }
    case 'page':
      return store.runQueries.page(evaluationId, request.filter, request.sort, request.descending, request.offset, request.limit);
    case 'neighbours':
      return store.runQueries.neighbours(evaluationId, request.runId, request.filter, request.sort, request.descending);
  }
}
