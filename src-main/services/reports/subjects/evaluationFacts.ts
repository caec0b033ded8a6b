import type { Evaluation, EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import {
  NOT_DEFINED,
  formatCount,
  formatDuration,
} from '../../../../src-shared/display/numbers.ts';
import {
  argumentsModeText,
  cacheText,
  type ModeCounts,
} from '../../../../src-shared/display/evaluationTexts.ts';
import { spendText } from '../../../../src-shared/display/spendTexts.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { refusedLines } from '../../../../src-shared/domain/refusedSetting.ts';
import type { Verdict } from '../../../../src-shared/domain/verdict.ts';
import { tokenSourceTexts, type Metrics } from '../../../../src-shared/domain/metrics.ts';
import { presentedAsText } from '../../clients/clientViews.ts';

export interface ReportedMetric {
  key: keyof Metrics;
  name: string;
  meaning: string;
}

/** The metrics in the order of every report, with their definitions. */
export const reportedMetrics: readonly ReportedMetric[] = [
  {
    key: 'passRate',
    name: 'Pass rate',
    meaning: 'runs with exactly the expected calls and correct arguments ÷ scored runs',
  },
  { key: 'selectionPrecision', name: 'Precision', meaning: 'correct calls ÷ calls made' },
  { key: 'selectionRecall', name: 'Recall', meaning: 'correct calls ÷ calls expected' },
  { key: 'selectionF1', name: 'F1', meaning: 'harmonic mean of the two' },
  {
    key: 'precision',
    name: 'Precision by run',
    meaning: 'TP ÷ (TP + FP); a wrong tool doesn’t lower it',
  },
  { key: 'recall', name: 'Recall by run', meaning: 'TP ÷ (TP + FN)' },
  { key: 'f1Score', name: 'F1 by run', meaning: '2 TP ÷ (2 TP + FP + FN)' },
  { key: 'accuracy', name: 'Accuracy', meaning: '(TP + TN) ÷ scored runs' },
  {
    key: 'parameterAccuracy',
    name: 'Arguments',
    meaning: 'matching ÷ expected arguments of correct calls',
  },
];

/** The state of an evaluation of cases or tasks, and why it ended early. */
export const stateText = ({ state, reason }: Pick<Evaluation, 'state' | 'reason'>): string =>
  reason === null ? state : `${state}: ${reason}`;

/** The facts of an evaluation as name and value; values may be untrusted. */
export function factsOf(
  evaluation: Evaluation,
  summary: EvaluationSummary,
  verdict: Verdict,
  modes: ModeCounts,
): [name: string, value: string][] {
  const { counts, latencyMs, tokens, tokenSource, costUsd } = summary;
  const cost = spendText({ usd: costUsd, unanswered: summary.unansweredRequests });
  const cache = cacheText(evaluation, summary);
  const { repetitions, topK, retriever, client } = evaluation.settings;
  return [
    ['Suite', evaluation.suiteName],
    ['State', stateText(evaluation)],
    [
      'Cases',
      repetitions === 1
        ? formatCount(summary.cases)
        : `${formatCount(summary.cases)}, ${repetitions} runs each`,
    ],
    [
      'Runs',
      `${formatCount(counts.total)}: TP ${formatCount(counts.tp)}, FP ${formatCount(counts.fp)}, ` +
        `TN ${formatCount(counts.tn)}, FN ${formatCount(counts.fn)}, ` +
        `not scored ${formatCount(verdict.counts.not_scored)}, ` +
        `not run ${formatCount(verdict.counts.not_run)}`,
    ],
    ...(topK === null
      ? []
      : [['Tools shown', `the best ${topK} by ${retriever}`] satisfies [string, string]]),
    ...(client === undefined
      ? []
      : [['Tools presented as', presentedAsText(client)] satisfies [string, string]]),
    ...(modes.exact === 0
      ? []
      : [['Arguments mode', argumentsModeText(modes)] satisfies [string, string]]),
    ['Latency', `p50 ${formatDuration(latencyMs.p50)}, p95 ${formatDuration(latencyMs.p95)}`],
    [
      'Tokens',
      tokens.input === null && tokens.output === null
        ? NOT_DEFINED
        : `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} ` +
          `out${tokenSource === null ? '' : ` (${tokenSourceTexts[tokenSource]})`}`,
    ],
    ...(tokens.input === null && cost === null
      ? []
      : [['Cost', cost ?? 'price unknown'] satisfies [string, string]]),
    ...(cache === null ? [] : [['Cache', cache] satisfies [string, string]]),
    ...refusedLines(evaluation.models.map((model) => ({ ...model, label: modelLabel(model) }))).map(
      (line): [string, string] => ['Refused settings', line],
    ),
    ...(evaluation.startedAt === null
      ? []
      : ([
          ['Started', neutralTime(evaluation.startedAt)],
          ['Ended', neutralTime(evaluation.completedAt)],
        ] satisfies [string, string][])),
  ];
}

/** Below every table with rates. */
export const intervalNote =
  'Intervals are 95%. n is the number a rate is counted over; – means undefined.';
