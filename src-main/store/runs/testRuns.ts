import type { FailureKind } from '../../../src-shared/domain/evaluation.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { Observation, UnreportedSpend } from '../../../src-shared/domain/observation.ts';
import { observation } from '../../../src-shared/domain/observation.ts';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import { caseContent } from '../../../src-shared/domain/testCase.ts';
import { causeOf, outcomeOf, type OutcomeFacts } from '../../../src-shared/metrics/outcomes.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** A new run. It waits until the engine takes it. */
export interface PlannedRun {
  id: string;
  evaluationId: string;
  testCaseId: string;
  modelSettingsId: string;
  position: number;
  repetition: number;
  attempt: number;
  createdAt: string;
}

/** A waiting run with the frozen case that it puts to the model. */
export interface WaitingRun {
  rowid: number;
  id: string;
  testCaseId: string;
  modelSettingsId: string;
  position: number;
  repetition: number;
  attempt: number;
  content: CaseContent;
}

/** How a run ended: with an observation, or with a failure. */
export interface FinishedRun {
  id: string;
  status: 'completed' | 'failed';
  failure: FailureKind | null;
  errorMessage: string | null;
  request: string | null;
  response: string | null;
  selectedToolId: number | null;
  /** The list of tools that it was offered; null where that is not known. */
  offeredListId: string | null;
  extractedParameters: string | null;
  observation: Observation | null;
  unreported: UnreportedSpend | null;
  /** Null if the run failed. */
  score: OutcomeFacts | null;
  executionTimeMs: number | null;
  completedAt: string;
}

/** What re-scoring reads. */
export interface ObservedRun {
  rowid: number;
  id: string;
  testCaseId: string;
  modelSettingsId: string;
  position: number;
  repetition: number;
  attempt: number;
  executionTimeMs: number | null;
  observation: Observation;
  content: CaseContent;
}

/** Where a run belongs: its case, its model and its attempt. */
const placeColumns = {
  id: 'text',
  testCaseId: 'text',
  modelSettingsId: 'text',
  position: 'integer',
  repetition: 'integer',
  attempt: 'integer',
} as const;
const placeTable = defineTable('test_runs', placeColumns);
const plannedTable = defineTable('test_runs', {
  ...placeColumns,
  evaluationId: 'text',
  createdAt: 'text',
});
type PlacedRow = Row<typeof placeTable> & { rowid: number };

const placed = `r.rowid, ${placeTable.columnsOf('r')}`;
const withCase = `JOIN evaluation_cases c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
  JOIN case_contents k ON k.hash = c.case_hash`;

/** What a run repeats of its score, so that counts, groups and filters need no other table. */
function scoreColumns(score: OutcomeFacts | null) {
  const cause = score && causeOf(score);
  return {
    classification: score?.classification ?? null,
    outcome: score && outcomeOf(score),
    causeExpected: cause?.expected ?? null,
    causeCalled: cause?.called ?? null,
  };
}

/** Rows of `test_runs` as the engine moves them: pending → running → completed | failed. */
export function openTestRuns({ db }: StoreContext) {
  const insert = db.prepare<[PlannedRun]>(plannedTable.insert());
  const waiting = db.prepare<[string, number, number], PlacedRow & { content: string }>(
    `SELECT ${placed}, k.content FROM test_runs r ${withCase}
     WHERE r.evaluation_id = ? AND r.rowid > ? AND r.status = 'pending' AND r.is_current = 1 ORDER BY r.rowid LIMIT ?`,
  );
  const observed = db.prepare<
    [string, number, number],
    PlacedRow & { observation: string; executionTimeMs: number | null; content: string }
  >(
    `SELECT ${placed}, r.observation, r.execution_time_ms AS executionTimeMs, k.content FROM test_runs r ${withCase}
     WHERE r.evaluation_id = ? AND r.rowid > ? AND r.status = 'completed' AND r.is_current = 1 ORDER BY r.rowid LIMIT ?`,
  );
  const markRunning = db.prepare(
    "UPDATE test_runs SET status = 'running' WHERE id = ? AND status = 'pending'",
  );
  const finish = db.prepare(
    `UPDATE test_runs SET status = @status, failure = @failure, error_message = @errorMessage, llm_request_raw = @request,
       llm_response_raw = @response, offered_list_id = @offeredListId, selected_tool_id = @selectedToolId, extracted_parameters = @extractedParameters,
       observation = @observation, confidence_score = @confidenceScore, confidence_method = @confidenceMethod,
       classification = @classification, outcome = @outcome, cause_expected = @causeExpected, cause_called = @causeCalled,
       input_tokens = @inputTokens, output_tokens = @outputTokens, unreported = @unreported,
       execution_time_ms = @executionTimeMs, completed_at = @completedAt
     WHERE id = @id AND status IN ('pending', 'running')`,
  );
  const failRunning = db.prepare(
    "UPDATE test_runs SET status = 'failed', failure = ?, error_message = ?, completed_at = ? WHERE evaluation_id = ? AND status = 'running'",
  );
  const failed = db.prepare<[string], PlacedRow & { failure: FailureKind | null }>(
    `SELECT ${placed}, r.failure FROM test_runs r WHERE r.evaluation_id = ? AND r.status = 'failed' AND r.is_current = 1 ORDER BY r.rowid`,
  );
  const supersede = db.prepare('UPDATE test_runs SET is_current = 0 WHERE id = ?');
  const setScore = db.prepare(
    'UPDATE test_runs SET classification = @classification, outcome = @outcome, cause_expected = @causeExpected, cause_called = @causeCalled WHERE id = @id',
  );
  const withdrawScore = db.prepare(
    `UPDATE test_runs SET status = 'failed', failure = @failure, error_message = @message, classification = NULL,
       outcome = NULL, cause_expected = NULL, cause_called = NULL WHERE id = @id AND status = 'completed'`,
  );
  const countOpen = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM test_runs WHERE evaluation_id = ? AND is_current = 1 AND status IN ('pending', 'running')",
  );
  const last = db.prepare<[], number | null>('SELECT max(rowid) FROM test_runs').pluck();
  const dropTraffic = db.prepare(
    'UPDATE test_runs SET llm_request_raw = NULL, llm_response_raw = NULL WHERE evaluation_id = ? AND (llm_request_raw IS NOT NULL OR llm_response_raw IS NOT NULL)',
  );

  return {
    insert(run: PlannedRun): void {
      insert.run(run);
    },
    /** The next page of waiting runs, in the order in which they were planned. */
    waiting(evaluationId: string, afterRowid: number, limit: number): WaitingRun[] {
      return waiting
        .all(evaluationId, afterRowid, limit)
        .map((row) => ({ ...row, content: caseContent.parse(parseJson(row.content)) }));
    },
    observed(evaluationId: string, afterRowid: number, limit: number): ObservedRun[] {
      return observed.all(evaluationId, afterRowid, limit).map((row) => ({
        ...row,
        observation: observation.parse(parseJson(row.observation)),
        content: caseContent.parse(parseJson(row.content)),
      }));
    },
    /** Does nothing where the run is no longer pending. */
    markRunning(id: string): void {
      markRunning.run(id);
    },
    finish({ score, ...run }: FinishedRun): void {
      const seen = run.observation;
      finish.run({
        ...run,
        ...scoreColumns(score),
        observation: seen ? JSON.stringify(seen) : null,
        unreported: run.unreported && JSON.stringify(run.unreported),
        confidenceScore: seen?.confidence?.score ?? null,
        confidenceMethod: seen?.confidence?.method ?? null,
        inputTokens: seen?.usage?.input ?? null,
        outputTokens: seen?.usage?.output ?? null,
      });
    },
    /** Marks running runs that can't go on as failed; returns how many. */
    failRunning(evaluationId: string, failure: FailureKind, message: string, at: string): number {
      return failRunning.run(failure, message, at, evaluationId).changes;
    },
    failed(evaluationId: string) {
      return failed.all(evaluationId);
    },
    /** The old attempt stays on record and no longer counts. */
    supersede(id: string): void {
      supersede.run(id);
    },
    /** Updates what a run stores of its score, after it was scored again. */
    setScore(id: string, score: OutcomeFacts): void {
      setScore.run({ id, ...scoreColumns(score) });
    },
    /** A scored run turns out not to be scorable; its observation stays. */
    withdrawScore(id: string, failure: FailureKind, message: string): void {
      withdrawScore.run({ id, failure, message });
    },
    /** An upper bound for the number of runs in the workspace, without counting them. */
    atMost(): number {
      return last.get() ?? 0;
    },
    /** Runs that are pending or running. */
    countOpen(evaluationId: string): number {
      return countOpen.get(evaluationId)?.n ?? 0;
    },
    /** Deletes requests and responses but keeps observations; returns the number of runs. */
    deleteRawTraffic(evaluationId: string): number {
      return dropTraffic.run(evaluationId).changes;
    },
  };
}
export type TestRunsStore = ReturnType<typeof openTestRuns>;
