import type { ConfidenceMethod } from '../../../src-shared/domain/observation.ts';
import type { Counts } from '../../../src-shared/domain/metrics.ts';
import {
  outcomes as outcomeNames,
  type OutcomeCounts,
} from '../../../src-shared/domain/outcome.ts';
import type { Classification, ConfidenceCategory } from '../../../src-shared/domain/score.ts';
import type { StoreContext } from '../storeContext.ts';
import { outcomeColumn } from './outcomes.ts';
import type { RunScope } from './scopes.ts';

/** One scored run, with no more than a summary needs. */
export type ScoredRun = [
  testCaseId: string,
  classification: Classification,
  passed: 0 | 1 | null,
  matchedParameters: number,
  expectedParameters: number,
  category: ConfidenceCategory,
  confidenceMethod: ConfidenceMethod | null,
  executionTimeMs: number | null,
  inputTokens: number | null,
  outputTokens: number | null,
];
export type ScoredUnit = [testCaseId: string, expected: string, selected: string];

export interface SpentTokens {
  evaluationId: string;
  modelSettingsId: string;
  /** Answers, and those of them whose tokens nobody reported. */
  answers: number;
  unknown: number;
  input: number;
  output: number;
  /** Tokens of replies that could not be used, and requests that gave no count of tokens. */
  lostInput: number;
  lostOutput: number;
  unanswered: number;
  /** Answers that came from a cache. */
  cached: number;
  /** The sums above of the scored runs only. */
  scoredAnswers: number;
  scoredUnknown: number;
  scoredInput: number;
  scoredOutput: number;
  /**
   * One of the ways in which the tokens were found out, and whether there are others (1) or not
   * (0).
   */
  source: string | null;
  mixed: number;
}

const classifications = ['TP', 'FP', 'TN', 'FN'] as const satisfies readonly Classification[];

/**
 * Streams of scored runs and of their units. Summaries fold them row by row, whatever their number.
 */
export function openRunFolds({ db }: StoreContext) {
  return {
    runs({ joins, where, values }: RunScope): IterableIterator<ScoredRun> {
      return db
        .prepare<(string | number)[], ScoredRun>(
          `SELECT r.source_id, r.classification, x.passed, x.matched_parameters, x.expected_parameters, x.confidence_category, r.confidence_method, r.execution_time_ms, r.input_tokens, r.output_tokens
           FROM runs r JOIN evaluation_results x ON x.test_run_id = r.id ${joins} WHERE ${where} AND r.status = 'completed'`,
        )
        .raw()
        .iterate(...values);
    },
    /** Milliseconds of every scored run that was timed, with its model. */
    latencies(evaluationId: string): IterableIterator<[string, number]> {
      return db
        .prepare<[string], [string, number]>(
          `SELECT model_settings_id, execution_time_ms FROM runs
           WHERE evaluation_id = ? AND is_current = 1 AND status = 'completed' AND execution_time_ms IS NOT NULL`,
        )
        .raw()
        .iterate(evaluationId);
    },
    units({ joins, where, values }: RunScope): IterableIterator<ScoredUnit> {
      return db
        .prepare<(string | number)[], ScoredUnit>(
          `SELECT r.source_id, u.expected, u.selected FROM runs r JOIN confusion_units u ON u.test_run_id = r.id ${joins} WHERE ${where} AND r.status = 'completed'`,
        )
        .raw()
        .iterate(...values);
    },
    cells({ joins, where, values }: RunScope): { expected: string; selected: string; n: number }[] {
      return db
        .prepare<(string | number)[], { expected: string; selected: string; n: number }>(
          `SELECT u.expected, u.selected, count(*) AS n FROM runs r JOIN confusion_units u ON u.test_run_id = r.id ${joins} WHERE ${where} AND r.status = 'completed' GROUP BY u.expected, u.selected`,
        )
        .all(...values);
    },
    counts({ joins, where, values }: RunScope): Counts {
      const counts: Counts = { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0 };
      const rows = db
        .prepare<
          (string | number)[],
          { status: string; classification: Classification | null; n: number }
        >(
          `SELECT r.status, r.classification, count(*) AS n FROM runs r ${joins} WHERE ${where} GROUP BY r.status, r.classification`,
        )
        .all(...values);
      const keys = { TP: 'tp', FP: 'fp', TN: 'tn', FN: 'fn' } as const;
      for (const { status, classification, n } of rows) {
        counts.total += n;
        if (status === 'failed') counts.failed += n;
        else if (status !== 'completed' || classification === null) counts.open += n;
        else counts[keys[classification]] += n;
      }
      return counts;
    },
    /** Tokens of answers by evaluation and model, from which each of them is priced. */
    spent({ joins, where, values }: RunScope): SpentTokens[] {
      return db
        .prepare<(string | number)[], SpentTokens>(
          `SELECT evaluationId, modelSettingsId, sum(answered) AS answers, sum(unknown) AS unknown, sum(input) AS input, sum(output) AS output, sum(cached) AS cached, sum(lostInput) AS lostInput, sum(lostOutput) AS lostOutput, sum(unanswered) AS unanswered,
             sum(scored) AS scoredAnswers, sum(scored * unknown) AS scoredUnknown, sum(scored * input) AS scoredInput, sum(scored * output) AS scoredOutput,
             min(source) AS source, min(source) IS NOT max(source) AS mixed
           FROM (SELECT r.evaluation_id AS evaluationId, r.model_settings_id AS modelSettingsId,
               r.observation IS NOT NULL AS answered, r.is_current = 1 AND r.status = 'completed' AS scored,
               r.observation IS NOT NULL AND (r.input_tokens IS NULL OR r.output_tokens IS NULL) AS unknown,
               coalesce(r.input_tokens, 0) + coalesce(r.observation ->> '$.details.followUpTokens.input', 0) AS input,
               coalesce(r.output_tokens, 0) + coalesce(r.observation ->> '$.details.followUpTokens.output', 0) AS output,
               coalesce(r.observation ->> '$.details.cached', 0) AS cached,
               coalesce(r.unreported ->> '$.usage.input', 0) AS lostInput, coalesce(r.unreported ->> '$.usage.output', 0) AS lostOutput,
               coalesce(r.unreported ->> '$.unanswered', 0) AS unanswered, r.observation ->> '$.usage.source' AS source
             FROM runs r ${joins} WHERE ${where} AND (r.observation IS NOT NULL OR r.unreported IS NOT NULL))
           GROUP BY evaluationId, modelSettingsId`,
        )
        .all(...values);
    },
    /** The tokens that each attempt of a run was paid for, by its model. */
    paid(
      evaluationId: string,
    ): IterableIterator<{ modelSettingsId: string; input: number; output: number }> {
      const tokens = (side: 'input' | 'output') => `
        iif(coalesce(observation ->> '$.details.cached', 0), 0, coalesce(${side}_tokens, 0)
          + coalesce(observation ->> '$.details.followUpTokens.${side}', 0))
        + coalesce(unreported ->> '$.usage.${side}', 0) AS ${side}`;
      return db
        .prepare<[string], { modelSettingsId: string; input: number; output: number }>(
          `SELECT model_settings_id AS modelSettingsId, ${tokens('input')}, ${tokens('output')}
           FROM runs WHERE evaluation_id = ? AND (observation IS NOT NULL OR unreported IS NOT NULL)`,
        )
        .iterate(evaluationId);
    },
    /** How many evaluations, cases and runs of each outcome a scope holds, in one pass over it. */
    extent({ joins, where, values }: RunScope): {
      evaluations: number;
      cases: number;
      counts: Counts;
      outcomes: OutcomeCounts;
    } {
      const row = db
        .prepare<
          (string | number)[],
          { evaluations: number; cases: number } & Counts & OutcomeCounts
        >(
          `SELECT count(DISTINCT r.evaluation_id) AS evaluations, count(DISTINCT r.source_id) AS cases, count(*) AS total,
             count(*) FILTER (WHERE r.status = 'failed') AS failed,
             count(*) FILTER (WHERE r.status <> 'failed' AND (r.status <> 'completed' OR r.classification IS NULL)) AS open,
             ${classifications.map((each) => `count(*) FILTER (WHERE r.status = 'completed' AND r.classification = '${each}') AS ${each.toLowerCase()}`).join(', ')},
             ${outcomeNames.map((each) => `count(*) FILTER (WHERE ${outcomeColumn} = '${each}') AS ${each}`).join(', ')}
           FROM runs r ${joins} WHERE ${where}`,
        )
        .get(...values);
      if (!row) throw new Error('An aggregate gave no row.');
      const { evaluations, cases, total, failed, open, tp, fp, tn, fn } = row;
      const outcomes = Object.fromEntries(
        outcomeNames.map((each) => [each, row[each]]),
      ) as OutcomeCounts;
      return { evaluations, cases, counts: { total, failed, open, tp, fp, tn, fn }, outcomes };
    },
  };
}
