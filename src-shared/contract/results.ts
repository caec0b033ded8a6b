import { z } from 'zod';
import { evaluationUnits } from '../domain/gate.ts';
import { evaluationAnalysis, modelLatency } from '../domain/analysis.ts';
import { comparison, comparisonSide, passedWhen } from '../domain/comparison.ts';
import { lastOutcomes } from '../domain/lastOutcomes.ts';
import { unscoredGroup } from '../domain/judgement.ts';
import { evaluation } from '../domain/evaluation.ts';
import { optimizationSummary } from '../domain/optimization.ts';
import { resultSorts } from '../domain/runSorts.ts';
import { taskEvaluation } from '../domain/taskEvaluation.ts';
import { metricsChoices, metricsFilter, metricsSummary, trendPoint } from '../domain/trend.ts';
import { failures, verdict } from '../domain/verdict.ts';
import { procedure } from './base.ts';

const listedResult = z.discriminatedUnion('unit', [
  z.object({ unit: z.literal('case'), evaluation }),
  z.object({ unit: z.literal('task'), evaluation: taskEvaluation }),
]);
export type ListedResult = z.infer<typeof listedResult>;

/** A result with what repeats it: estimates, proofs, reruns, and steps and ends of searches. */
const resultGroup = z.object({
  lead: listedResult,
  /** The newest first; also what repeats one of these. */
  derived: z.array(listedResult),
  searches: z.array(optimizationSummary.pick({ id: true, state: true, createdAt: true })),
  /** True if what was asked for is among the derived ones only. */
  derivedMatches: z.boolean(),
});
export type ResultGroup = z.infer<typeof resultGroup>;

export const resultsContract = {
  /**
   * Results of cases and of tasks in one list, the newest first or as `sort` says, each with what
   * was derived from it. Derived ones stay below what they started from in every order.
   * `total` counts groups. Suites and models are those of all results.
   */
  list: procedure
    .input(
      z.strictObject({
        unit: z.enum(evaluationUnits).nullable().default(null),
        /** Id or name. */
        suite: z.string().nullable().default(null),
        /** Names of suites whose results are left out. */
        exceptSuites: z.array(z.string()).default([]),
        /** `provider/model`. */
        model: z.string().nullable().default(null),
        /** Words to find in number, suite and models. */
        search: z.string().max(500).default(''),
        sort: z.enum(resultSorts).nullable().default(null),
        descending: z.boolean().default(false),
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(
      z.object({
        groups: z.array(resultGroup),
        total: z.number().int(),
        suites: z.array(z.string()),
        models: z.array(z.string()),
      }),
    ),
  /** How many passed, what fails most, and what changed since the previous evaluation. */
  verdict: procedure
    .input(z.strictObject({ id: z.string(), modelSettingsId: z.string().nullable().default(null) }))
    .output(verdict),
  /** Failures grouped by cause, the most frequent first, each with its first runs. */
  failures: procedure
    .input(
      z.strictObject({
        id: z.string(),
        modelSettingsId: z.string().nullable().default(null),
        /** Text to find in case name and query. */
        search: z.string().max(500).default(''),
        /** Lists no held-out case: for who writes texts that are proved on them. */
        hideHeldOut: z.boolean().optional(),
      }),
    )
    .output(failures),
  /**
   * Fails with INVALID if a side has several models and none is chosen, if no case is shared
   * unchanged, or if both model and tools differ.
   */
  compare: procedure
    .input(
      z.strictObject({
        baseline: comparisonSide,
        candidates: z
          .array(comparisonSide)
          .min(1, 'Choose an evaluation to compare with.')
          .max(20, 'At most 20 evaluations are compared with one.'),
        /** Null = the setting of the baseline. */
        passedWhen: passedWhen.nullable().default(null),
      }),
    )
    .output(comparison),
  /**
   * Ended evaluations of a suite, by id or name, oldest first. Derived evaluations
   * are left out.
   */
  trend: procedure
    .input(
      z.strictObject({
        suite: z.string(),
        unit: z.enum(evaluationUnits).default('case'),
        model: z.string().nullable().default(null),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    )
    .output(z.array(trendPoint)),
  metrics: procedure.input(metricsFilter).output(metricsSummary),
  /** The tags, servers and tools that the filter of `metrics` can name. */
  metricsChoices: procedure.output(metricsChoices),
  /** The last outcome of each case and task of a suite with each model. */
  lastOutcomes: procedure.input(z.strictObject({ suiteId: z.string() })).output(lastOutcomes),
  /** How long the scored answers of each model of an evaluation took. */
  latencies: procedure.input(z.strictObject({ id: z.string() })).output(z.array(modelLatency)),
  /** Why runs have no score, the most frequent reason first. */
  unscored: procedure.input(z.strictObject({ id: z.string() })).output(z.array(unscoredGroup)),
  analysis: procedure
    .input(z.strictObject({ id: z.string(), modelSettingsId: z.string().nullable().default(null) }))
    .output(evaluationAnalysis),
};
