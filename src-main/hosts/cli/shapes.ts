import type { Evaluation, EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import { modelLabel } from '../../../src-shared/domain/model.ts';
import { showInterval, showRate } from '../../../src-shared/display/shownRate.ts';
import { duration, table } from './output.ts';

/** The document that `eval` and `rescore` print; programs depend on its names. */
export function evaluationShape(evaluation: Evaluation, summary: EvaluationSummary) {
  const { metrics, counts } = summary;
  const [model] = evaluation.models;
  return {
    evaluation_id: evaluation.id,
    number: evaluation.number,
    status: evaluation.state,
    reason: evaluation.reason,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    counts: { tp: counts.tp, fp: counts.fp, tn: counts.tn, fn: counts.fn, failed: counts.failed, open: counts.open, total: counts.total },
    metrics: {
      selection_precision: metrics.selectionPrecision,
      selection_recall: metrics.selectionRecall,
      selection_f1: metrics.selectionF1,
      precision: metrics.precision,
      recall: metrics.recall,
      f1_score: metrics.f1Score,
      accuracy: metrics.accuracy,
      parameter_accuracy: metrics.parameterAccuracy,
    },
    confidence: {
      robust: summary.confidence.robust,
      needs_clarity: summary.confidence.needsClarity,
      misleading: summary.confidence.misleading,
      wrong_low: summary.confidence.wrongLow,
      unmeasured: summary.confidence.unmeasured,
    },
    confusion: summary.confusion,
    per_tool: summary.perTool.map((row) => ({ tool_id: row.toolId, tp: row.tp, fp: row.fp, fn: row.fn, precision: row.precision, recall: row.recall, f1_score: row.f1Score })),
    latency_ms: summary.latencyMs,
    tokens: summary.tokens,
    cost_usd: summary.costUsd,
    duration_ms: summary.durationMs,
  };
}

export type EvaluationDocument = ReturnType<typeof evaluationShape>;

const shown = ({ value, low, high, n }: Estimate) => [
  showRate(value),
  showInterval(low, high),
  `n ${n}`,
];

/** The same numbers for the eye. */
export function evaluationText(evaluation: Evaluation, summary: EvaluationSummary): string {
  const { counts, metrics } = summary;
  const head = `Evaluation #${evaluation.number} · ${evaluation.suiteName} · ${evaluation.models.map(modelLabel).join(', ')} · ${summary.cases} cases × ${evaluation.settings.repetitions}${summary.durationMs === null ? '' : ` · ${duration(summary.durationMs)}`} · ${evaluation.state}`;
  const rows = [
    ['Precision', ...shown(metrics.selectionPrecision)],
    ['Recall', ...shown(metrics.selectionRecall)],
    ['F1', ...shown(metrics.selectionF1)],
    ['Parameters', ...shown(metrics.parameterAccuracy)],
  ];
  const runs = `TP ${counts.tp} · FP ${counts.fp} · TN ${counts.tn} · FN ${counts.fn} · not scored ${counts.failed}${counts.open > 0 ? ` · not run ${counts.open}` : ''}`;
  return [head, runs, '', table(rows), ...confused(summary), ...(evaluation.reason ? ['', evaluation.reason] : [])].join('\n');
}

function confused({ confusion: { labels, matrix } }: EvaluationSummary): string[] {
  const pairs = matrix
    .flatMap((row, expected) => row.map((n, selected) => ({ n, expected, selected })))
    .filter(({ n, expected, selected }) => n > 0 && expected !== selected)
    .sort((a, b) => b.n - a.n)
    .slice(0, 5);
  if (pairs.length === 0) return [];
  return ['', 'Most confused (expected → selected):', table(pairs.map(({ n, expected, selected }) => [`  ${labels[expected] ?? ''} → ${labels[selected] ?? ''}`, String(n)]))];
}
