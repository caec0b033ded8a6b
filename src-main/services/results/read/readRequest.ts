import {
  ServiceError,
  type ErrorCode,
  type ErrorData,
} from '../../../../src-shared/contract/errors.ts';
import type { EvaluationAnalysis, ModelLatency } from '../../../../src-shared/domain/analysis.ts';
import type { Comparison } from '../../../../src-shared/domain/comparison.ts';
import type {
  EvaluationSummary,
  RunFilter,
  RunPlace,
  RunRow,
} from '../../../../src-shared/domain/evaluation.ts';
import type { UnscoredGroup } from '../../../../src-shared/domain/judgement.ts';
import type { MetricsFilter, MetricsSummary } from '../../../../src-shared/domain/trend.ts';
import type { LastOutcomes } from '../../../../src-shared/domain/lastOutcomes.ts';
import type { ToolUse } from '../../../../src-shared/domain/tokenReport.ts';
import type { Failures, PreviousChange } from '../../../../src-shared/domain/verdict.ts';
import type { RunSort, TaskRunSort } from '../../../../src-shared/domain/runSorts.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { StoredToolResult } from '../../../store/servers/toolResults.ts';
import type { RunList } from '../../../store/runs/runQueries.ts';
import type { Store } from '../../../store/store.ts';
import { analyzeEvaluation } from '../analyzeEvaluation.ts';
import { compareWithPrevious } from '../comparePrevious.ts';
import { compareStored, type CompareRequest } from '../storedSides.ts';
import { readLastOutcomes } from '../lastOutcomes.ts';
import { summarizeFilter } from '../summarizeFilter.ts';
import { listFailures, verdictFacts, type VerdictFacts } from '../verdictFacts.ts';
import type { RunLists } from './runLists.ts';
import { readRunPage, readTaskReport, type StoredTaskReport } from '../../tasks/readTaskReport.ts';
import { summarizeEvaluation } from '../../evaluations/read/summarizeEvaluation.ts';
import { latencyHistogram } from '../../../../src-shared/metrics/latencyHistogram.ts';

/**
 * Queries that touch every run of one or more evaluations. Plain data, so that they can be sent to
 * a worker.
 */
export type ReadRequest =
  | { kind: 'summary'; evaluationId: string; modelSettingsId: string | null }
  | {
      kind: 'page';
      evaluationId: string;
      filter: RunFilter;
      sort: RunSort;
      descending: boolean;
      offset: number;
      limit: number;
    }
  | ({ kind: 'order' } & RunList)
  | {
      kind: 'place';
      evaluationId: string;
      runId: string;
      filter: RunFilter;
      sort: RunSort;
      descending: boolean;
    }
  | {
      kind: 'taskPage';
      evaluationId: string;
      sort: TaskRunSort;
      descending: boolean;
      offset: number;
      limit: number;
    }
  | { kind: 'taskReport'; evaluationId: string }
  | { kind: 'previous'; evaluationId: string; modelSettingsId: string | null }
  | { kind: 'analysis'; evaluationId: string; modelSettingsId: string | null }
  | { kind: 'verdict'; evaluationId: string; modelSettingsId: string | null }
  | {
      kind: 'failures';
      evaluationId: string;
      modelSettingsId: string | null;
      search: string;
      hideHeldOut?: boolean | undefined;
    }
  | { kind: 'compare'; compare: CompareRequest }
  | { kind: 'metrics'; filter: MetricsFilter }
  | { kind: 'lastOutcomes'; suiteId: string }
  | { kind: 'toolUse' }
  | { kind: 'toolResults' }
  | { kind: 'latencies'; evaluationId: string }
  | { kind: 'unscored'; evaluationId: string };

export interface ReadResults {
  /** `seq` is the last event that the summary covers. */
  summary: { seq: number; summary: EvaluationSummary };
  page: { rows: RunRow[]; total: number };
  /** The row ids of all runs. */
  order: Float64Array;
  place: RunPlace;
  taskPage: { rows: TaskRunRow[]; total: number };
  taskReport: StoredTaskReport;
  previous: PreviousChange | null;
  analysis: EvaluationAnalysis;
  verdict: VerdictFacts;
  failures: Failures;
  compare: Comparison;
  metrics: MetricsSummary;
  lastOutcomes: LastOutcomes;
  toolUse: ToolUse;
  toolResults: Map<string, StoredToolResult>;
  latencies: ModelLatency[];
  unscored: UnscoredGroup[];
}

/** A query with the workspace in which a worker executes it. */
export interface ReadJob {
  file: string;
  migrationsFolder: string;
  request: ReadRequest;
}

/**
 * Executes a query. Call it inside one transaction, so that all numbers belong to the same moment.
 */
export function executeRead(
  store: Store,
  lists: RunLists,
  request: ReadRequest,
): ReadResults[ReadRequest['kind']] {
  switch (request.kind) {
    case 'summary':
      return {
        seq: store.events.lastSeq(request.evaluationId),
        summary: summarizeEvaluation(
          store,
          evaluationOf(store, request.evaluationId),
          request.modelSettingsId,
        ),
      };
    case 'analysis':
      return analyzeEvaluation(
        store,
        evaluationOf(store, request.evaluationId),
        request.modelSettingsId,
      );
    case 'verdict':
      return verdictFacts(
        store,
        evaluationOf(store, request.evaluationId),
        request.modelSettingsId,
      );
    case 'failures':
      return listFailures(store, evaluationOf(store, request.evaluationId), request);
    case 'compare':
      return compareStored(store, request.compare);
    case 'latencies':
      return readLatencies(store, request.evaluationId);
    case 'unscored':
      return store.resultQueries.unscored(request.evaluationId);
    case 'lastOutcomes':
      return readLastOutcomes(store, request.suiteId);
    case 'toolResults':
      return store.toolResults.read();
    case 'toolUse':
      return store.toolUse.read();
    case 'metrics':
      return summarizeFilter(store, request.filter);
    case 'page':
      return lists.page(store, request, (rowids) => store.runQueries.rows(rowids));
    case 'order':
      return store.runQueries.order(request);
    case 'place':
      return lists.place(store, request);
    case 'taskPage': {
      const row = evaluationOf(store, request.evaluationId, 'task');
      return lists.page(store, { unit: 'task', filter: {}, ...request }, (rowids) =>
        readRunPage(store, row, rowids),
      );
    }
    case 'taskReport': {
      const row = evaluationOf(store, request.evaluationId, 'task');
      const changes = [...new Set(row.modelSettingsIds)].flatMap((id) => {
        const change = compareWithPrevious(store, 'task', row, id);
        return change === null ? [] : [[id, change] as const];
      });
      return { ...readTaskReport(store, row), previous: Object.fromEntries(changes) };
    }
    case 'previous':
      return compareWithPrevious(
        store,
        'case',
        evaluationOf(store, request.evaluationId),
        request.modelSettingsId,
      );
  }
}

function evaluationOf<Unit extends EvaluationUnit = 'case'>(
  store: Store,
  id: string,
  unit: Unit = 'case' as Unit,
) {
  const evaluation = store.evaluations.get(unit, id);
  if (!evaluation) throw new Error(`Evaluation ${id} is gone.`);
  return evaluation;
}

/**
 * A worker's result. A ServiceError is sent as data, because its class does not survive the way
 * between threads.
 */
export type WorkerResult = { value: unknown } | { refused: { code: ErrorCode; data: ErrorData } };

/** Turns a ServiceError into data; other errors are thrown. */
export function toWorkerResult(read: () => unknown): WorkerResult {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { refused: { code: error.code, data: error.data } };
  }
}

/** The latencies of scored runs by model, in the order of the evaluation's models. */
function readLatencies(store: Store, evaluationId: string): ModelLatency[] {
  const byModel = new Map<string, number[]>(
    store.evaluations.get('case', evaluationId)?.modelSettingsIds.map((id) => [id, []]),
  );
  for (const [modelSettingsId, milliseconds] of store.runFolds.latencies(evaluationId))
    byModel.get(modelSettingsId)?.push(milliseconds);
  return [...byModel].map(([modelSettingsId, values]) => ({
    modelSettingsId,
    ...latencyHistogram(values),
  }));
}
