import { shardHead, shardRun } from '../../../src-shared/domain/shardContent.ts';
import type {
  Evaluation,
  EvaluationEvent,
  EvaluationRequest,
} from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationPlan } from '../../../src-shared/domain/evaluationPlan.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { EngineParts } from '../runs/runEngine.ts';
import { caseTables } from '../runs/runTables.ts';
import type { Unit } from '../runs/unit.ts';
import { shownEvaluation } from '../runs/shownEvaluation.ts';
import { openPart } from '../runs/merge/partFile.ts';
import { insertMergedCases, type ShardPart, recheckCases } from './merge/mergeShards.ts';
import { caseOrder } from './plan/evaluationOrder.ts';
import type { EvaluationPlanner, PlannerParts } from './plan/evaluationPlanner.ts';
import type { SourceCase } from './plan/evaluationSources.ts';
import { serversOf } from './plan/planEvaluation.ts';
import { EvaluationRunner } from './run/evaluationRunner.ts';
import { clearAgreement } from './score/applyAgreement.ts';
import type { Scorer } from './score/scorer.ts';
import { ownRetrieversOnly, type OpenExternalRetriever } from './tools/rankCases.ts';
import { readCaseWhatIf, type CaseRepeat } from './whatIf/whatIfSources.ts';

export interface CaseTypes {
  row: EvaluationRow;
  event: EvaluationEvent;
  entry: SourceCase;
  shown: Evaluation;
  listed: {
    suiteId?: string | undefined;
    limit: number;
    limitOf?: 'all' | 'originals' | undefined;
  };
  request: EvaluationRequest;
  plan: EvaluationPlan;
  repeat: CaseRepeat;
  part: ShardPart;
}

export interface CaseUnitParts extends EngineParts, Pick<PlannerParts, 'wires'> {
  planner: EvaluationPlanner;
  scorer: Scorer;
  /** When absent, only the program's own retrievers can rank. */
  openExternalRetriever?: OpenExternalRetriever;
}

/** Failures that a resume tries again: all but those caused by the tool list itself. */
const retryableFailures = new Set(
  'server provider agent model interrupted cancelled internal'.split(' '),
);

/** Cases: a run is one question to a model, and a resume runs again what a model was not asked. */
export function caseUnit(parts: CaseUnitParts): Unit<CaseTypes> {
  const { store, planner } = parts;
  return {
    kind: 'case',
    tables: caseTables(store),
    list: ({ suiteId, limit, limitOf }) =>
      limitOf === 'originals'
        ? store.evaluations.listOriginals(limit)
        : store.evaluations.list(suiteId ?? null, limit),
    shown: (row) => shownEvaluation(store, 'case', row),
    plan: (request, signal) => planner.plan(request, signal),
    toStart: (request) => planner.toStart(request),
    toRepeat: (base, repeat) => readCaseWhatIf(store, base, repeat),
    neededServers: (row) => neededServers(store, row),
    insert(evaluation) {
      store.evaluations.insert('case', evaluation);
    },
    order: (settings, cases, repetition) => caseOrder(cases, settings, repetition),
    mayRetry: (failure) => retryableFailures.has(failure ?? 'internal'),
    beforeRetries: (row) => clearAgreement(store, row),
    open: (row, models, _others, loop) =>
      new EvaluationRunner(
        { openExternalRetriever: ownRetrieversOnly, ...{ ...parts, ...loop } },
        row,
        models,
      ).loop,
    merged: {
      open: (file) => openPart(file, shardHead, shardRun),
      entries: { noun: 'cases', of: ({ cases }) => cases },
      recheck: (reports) => recheckCases(parts.scorer, reports),
      rows: (...merged) => insertMergedCases(parts, ...merged),
    },
  };
}

/** All servers that a case needs, in the order in which the cases first name them. */
export async function neededServers(
  store: Store,
  evaluation: Pick<EvaluationRow, 'id' | 'settings' | 'suite'>,
): Promise<string[]> {
  const names = new Set<string>();
  const yieldIfDue = createYielder();
  for (const { content } of store.entries.each('case', evaluation.id)) {
    for (const name of serversOf(content, evaluation.settings, evaluation.suite.servers))
      names.add(name);
    await yieldIfDue();
  }
  return [...names];
}
