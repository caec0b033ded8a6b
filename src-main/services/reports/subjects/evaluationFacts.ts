import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import {
  NOT_DEFINED,
  formatCount,
  formatDuration,
} from '../../../../src-shared/display/numbers.ts';
import { argumentsModeText, cacheText } from '../../../../src-shared/display/evaluationTexts.ts';
import { spendText } from '../../../../src-shared/display/spendTexts.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { refusedLines } from '../../../../src-shared/domain/refusedSetting.ts';
import { tokenSourceTexts, type Metrics } from '../../../../src-shared/domain/metrics.ts';
import { presentedAsText } from '../../clients/clientViews.ts';
import type { Report } from '../report.ts';
import type { ReportSource } from './reportSource.ts';
import { factsFrom } from './tableOf.ts';

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

export function caseFacts({ evaluation, summary, verdict, modes }: ReportSource): Report['facts'] {
  const { counts, latencyMs, tokens, tokenSource, costUsd } = summary;
  const cost = spendText({ usd: costUsd, unanswered: summary.unansweredRequests });
  const { repetitions, topK, retriever, client } = evaluation.settings;
  const { startedAt, completedAt } = evaluation;
  const isCounted = tokens.input !== null || tokens.output !== null;
  return factsFrom(
    ['Suite', evaluation.suiteName, 'untrusted'],
    ['State', stateText(evaluation), 'untrusted'],
    ['Cases', formatCount(summary.cases) + (repetitions === 1 ? '' : `, ${repetitions} runs each`)],
    [
      'Runs',
      `${formatCount(counts.total)}: TP ${formatCount(counts.tp)}, FP ${formatCount(counts.fp)}, ` +
        `TN ${formatCount(counts.tn)}, FN ${formatCount(counts.fn)}, ` +
        `not scored ${formatCount(verdict.counts.not_scored)}, ` +
        `not run ${formatCount(verdict.counts.not_run)}`,
    ],
    ['Tools shown', topK === null ? null : `the best ${topK} by ${retriever}`, 'untrusted'],
    ['Tools presented as', client && presentedAsText(client)],
    ['Arguments mode', modes.exact === 0 ? null : argumentsModeText(modes)],
    ['Latency', `p50 ${formatDuration(latencyMs.p50)}, p95 ${formatDuration(latencyMs.p95)}`],
    [
      'Tokens',
      isCounted
        ? `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out` +
          (tokenSource === null ? '' : ` (${tokenSourceTexts[tokenSource]})`)
        : NOT_DEFINED,
    ],
    ['Cost', cost ?? (tokens.input === null ? null : 'price unknown')],
    ['Cache', cacheText(evaluation, summary)],
    ...refusedFacts(evaluation.models.map((model) => ({ ...model, label: modelLabel(model) }))),
    ['Started', startedAt && neutralTime(startedAt)],
    ['Ended', startedAt && neutralTime(completedAt)],
  );
}

/** What endpoints refused, by the labels of models; for `factsFrom`. */
export const refusedFacts = (models: Parameters<typeof refusedLines>[0]) =>
  refusedLines(models).map((line) => ['Refused settings', line, 'untrusted'] as const);

/** Below every table with rates. */
export const intervalNote =
  'Intervals are 95%. n is the number a rate is counted over; – means undefined.';
