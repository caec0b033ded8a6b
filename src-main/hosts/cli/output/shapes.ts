import {
  counted,
  formatCount,
  formatDuration,
  rateInterval,
  formatRate,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import type { Evaluation, EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { tokenSourceTexts, type Estimate } from '../../../../src-shared/domain/metrics.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { MetricsSummary } from '../../../../src-shared/domain/trend.ts';
import type { Failures, Verdict } from '../../../../src-shared/domain/verdict.ts';
import { spendText } from '../../../../src-shared/display/spendTexts.ts';
import { cacheText } from '../../../../src-shared/display/evaluationTexts.ts';
import { mostConfused } from '../../../../src-shared/metrics/confusion.ts';
import { countLines, verdictLines } from '../../../../src-shared/display/verdictTexts.ts';
import { table } from './output.ts';

const shown = (rate: Estimate) => [formatRate(rate.value), rateInterval(rate), `n ${rate.n}`];

/** What commands say of an evaluation. */
interface ReadEvaluation {
  evaluation: Evaluation;
  summary: EvaluationSummary;
  verdict: Verdict;
  failures: Pick<Failures, 'groups'>;
}

export function evaluationText(
  { evaluation, summary, verdict, failures }: ReadEvaluation,
  isKept = true,
): string {
  const { counts, metrics } = summary;
  const cache = cacheText(evaluation, summary);
  const cost = spendText({ usd: summary.costUsd, unanswered: summary.unansweredRequests });
  const notRun = verdict.counts.not_run;
  const head =
    `Evaluation${isKept ? ` #${evaluation.number}` : ''} · ${evaluation.suiteName} · ` +
    `${evaluation.models.map(modelLabel).join(', ')} · ${counted(summary.cases, 'case')} × ` +
    `${evaluation.settings.repetitions}${summary.durationMs === null ? '' : ` · ${formatDuration(summary.durationMs)}`} ` +
    `· ${evaluation.state}`;
  const runs =
    `By run: TP ${counts.tp} · FP ${counts.fp} · TN ${counts.tn} · FN ${counts.fn} · not scored ` +
    `${verdict.counts.not_scored}${notRun > 0 ? ` · not run ${notRun}` : ''}`;
  return [
    ...verdictLines(verdict),
    '',
    head,
    runs,
    ...(cache === null ? [] : [`From the cache: ${cache}`]),
    ...(cost === null ? [] : [`Cost: ${cost}`]),
    '',
    table(rateRows(metrics)),
    ...confused(summary),
    ...failedCases(failures),
    ...(evaluation.reason ? ['', evaluation.reason] : []),
  ].join('\n');
}

/** Precision, recall and F1 count calls; TP, FP, TN and FN above count runs (docs/rules.md §3). */
function rateRows(metrics: EvaluationSummary['metrics']): string[][] {
  return [
    ['Pass rate', ...shown(metrics.passRate)],
    ['Precision by call', ...shown(metrics.selectionPrecision)],
    ['Recall by call', ...shown(metrics.selectionRecall)],
    ['F1 by call', ...shown(metrics.selectionF1)],
    ['Arguments', ...shown(metrics.parameterAccuracy)],
  ];
}

export function metricsText(summary: MetricsSummary): string {
  const { counts, outcomes, evaluations, cases, latencyMs, tokens, tokenSource } = summary;
  const { costUsd, unansweredRequests } = summary;
  const cost = spendText({ usd: costUsd, unanswered: unansweredRequests });
  const used =
    `Latency p50 ${formatDuration(latencyMs.p50)}, p95 ${formatDuration(latencyMs.p95)} · tokens ` +
    `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} ` +
    `out${tokenSource === null ? '' : ` (${tokenSourceTexts[tokenSource]})`} · cost ` +
    (cost ?? formatUsd(null));
  const runs =
    `By run: TP ${counts.tp} · FP ${counts.fp} · TN ${counts.tn} · FN ${counts.fn} · not scored ` +
    `${outcomes.not_scored}${outcomes.not_run > 0 ? ` · not run ${outcomes.not_run}` : ''}`;
  const unit = counts.total === cases ? 'cases' : 'runs';
  return [
    ...countLines({ counts: outcomes, unit, passRate: summary.metrics.passRate }),
    '',
    [counted(evaluations, 'evaluation'), counted(cases, 'case'), counted(counts.total, 'run')].join(
      ' · ',
    ),
    runs,
    used,
    '',
    table(rateRows(summary.metrics)),
    ...confused(summary),
  ].join('\n');
}

/** Failed runs that the terminal explains, one of each cause before a second one. */
const maxExplained = 10;

function failedCases({ groups }: Pick<Failures, 'groups'>): string[] {
  const ranked = groups.flatMap(({ rows, hiddenBy }) =>
    rows.map((row, at) => ({
      row,
      at,
      by: hiddenBy === undefined ? '' : ` (hidden by ${hiddenBy})`,
    })),
  );
  const lines = ranked
    .sort((a, b) => a.at - b.at)
    .slice(0, maxExplained)
    .map(
      ({ row: { caseKey, differences }, by }) =>
        `  ${caseKey}: ${differences.map(({ text }) => text).join('; ')}${by}`,
    );
  const more = groups.reduce((sum, { runs }) => sum + runs, 0) - lines.length;
  return lines.length === 0
    ? []
    : [
        '',
        'Failed:',
        ...lines,
        ...(more > 0 ? [`  and ${formatCount(more)} more; a report lists them all`] : []),
      ];
}

function confused({ confusion }: Pick<EvaluationSummary, 'confusion'>): string[] {
  const pairs = mostConfused(confusion, 5);
  if (pairs.length === 0) return [];
  return [
    '',
    'Most confused (expected → called):',
    table(
      pairs.map(({ expected, selected, count }) => [
        `  ${expected} → ${selected}`,
        formatCount(count),
      ]),
    ),
  ];
}
