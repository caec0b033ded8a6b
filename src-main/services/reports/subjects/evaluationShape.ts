import type { Evaluation, EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import type {
  ConfidenceCounts,
  RunNumbers,
  UsageTotals,
} from '../../../../src-shared/domain/metrics.ts';
import type { Verdict, VsBest } from '../../../../src-shared/domain/verdict.ts';
import {
  failedOf,
  headlineOf,
  scoredOf,
  verdictLines,
} from '../../../../src-shared/display/verdictTexts.ts';
import { namedMetrics } from '../../../../src-shared/metrics/gateNumbers.ts';
import { macroMetrics } from '../../../../src-shared/metrics/macro.ts';

type Categories = Pick<ConfidenceCounts, 'robust' | 'needsClarity' | 'misleading' | 'wrongLow'>;

const categoriesShape = ({ robust, needsClarity, misleading, wrongLow }: Categories) => ({
  robust,
  needs_clarity: needsClarity,
  misleading,
  wrong_low: wrongLow,
});

const usageShape = ({ answers, unmeasured, input, output, costUsd }: UsageTotals) => ({
  answers,
  unmeasured,
  input,
  output,
  cost_usd: costUsd,
});

/** The JSON fields that evaluations and summaries over any selection of runs have in common. */
export function numbersShape({
  counts,
  metrics,
  confidence,
  confusion,
  perTool,
  anyOf,
  latencyMs,
  tokens,
  costUsd,
  usage,
  cachedAnswers,
  unansweredRequests,
  tokenSource,
}: Omit<RunNumbers, 'cases' | 'runs'>) {
  const macro = macroMetrics(perTool);
  return {
    counts: {
      tp: counts.tp,
      fp: counts.fp,
      tn: counts.tn,
      fn: counts.fn,
      failed: counts.failed,
      open: counts.open,
      total: counts.total,
    },
    metrics: namedMetrics(metrics),
    macro: { precision: macro.precision, recall: macro.recall, f1_score: macro.f1Score },
    confidence: {
      ...categoriesShape(confidence),
      unmeasured: confidence.unmeasured,
      method: confidence.method,
      others: confidence.others.map(({ method, ...own }) => ({ method, ...categoriesShape(own) })),
    },
    confusion,
    per_tool: perTool.map((row) => ({
      tool_id: row.toolId,
      tp: row.tp,
      any_of: row.anyOf,
      fp: row.fp,
      fn: row.fn,
      precision: row.precision,
      recall: row.recall,
      f1_score: row.f1Score,
    })),
    any_of: anyOf,
    latency_ms: latencyMs,
    tokens,
    cost_usd: costUsd,
    usage: { scored: usageShape(usage.scored), all: usageShape(usage.all) },
    cached_answers: cachedAnswers,
    unanswered_requests: unansweredRequests,
    token_source: tokenSource,
  };
}

/** A model against the best one; null for the best, or where there is only one. */
export const vsBestShape = (against: VsBest | null | undefined) =>
  against
    ? {
        shared_cases: against.sharedCases,
        difference: against.difference,
        p_value: against.pValue,
        adjusted_p: against.adjustedP,
        answer: against.answer,
      }
    : null;

/** The verdict as JSON: the numbers, and the sentences that people read. */
function verdictShape(verdict: Verdict) {
  const { unit, cases, counts, passRate, causes, previous } = verdict;
  return {
    headline: headlineOf(verdict),
    lines: verdictLines(verdict),
    unit,
    cases,
    passed: counts.passed,
    failed: failedOf(counts),
    scored: scoredOf(counts),
    outcomes: counts,
    pass_rate: passRate,
    causes,
    previous: previous && {
      evaluation_id: previous.evaluationId,
      number: previous.number,
      model: previous.model,
      shared_cases: previous.sharedCases,
      fixed: previous.fixed,
      broken: previous.broken,
      passed_difference: previous.passedDifference,
      within_noise: previous.withinNoise,
    },
  };
}

/**
 * The JSON document that `eval` and `rescore` print, which is also the head of the report. Programs
 * depend on its names.
 */
export function evaluationShape(
  evaluation: Evaluation,
  summary: EvaluationSummary,
  verdict: Verdict,
) {
  const [model] = evaluation.models;
  return {
    evaluation_id: evaluation.id,
    number: evaluation.number,
    status: evaluation.state,
    reason: evaluation.reason,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    verdict: verdictShape(verdict),
    ...numbersShape(summary),
    duration_ms: summary.durationMs,
  };
}
