import { z } from 'zod';
import { argumentsMode } from '../../../../src-shared/domain/testCase.ts';
import {
  calibration,
  type EvaluationAnalysis,
  type RepeatedNumbers,
} from '../../../../src-shared/domain/analysis.ts';
import { answer, difference, passedWhen } from '../../../../src-shared/domain/comparison.ts';
import {
  evaluationState,
  type Evaluation,
  type EvaluationSettings,
  type EvaluationSummary,
} from '../../../../src-shared/domain/evaluation.ts';
import {
  anyOfRow,
  confusionMatrix,
  counts,
  estimate,
  rateEnds,
  tokenSource,
  type ConfidenceCounts,
  type PerTool,
  type RunNumbers,
  type UsageTotals,
} from '../../../../src-shared/domain/metrics.ts';
import { outcome, outcomeCounts } from '../../../../src-shared/domain/outcomeSchema.ts';
import type { Price } from '../../../../src-shared/domain/price.ts';
import {
  causeGroup,
  type FailureGroup,
  type Failures,
  type Verdict,
  type VsBest,
} from '../../../../src-shared/domain/verdict.ts';
import {
  failedOf,
  headlineOf,
  scoredOf,
  verdictLines,
} from '../../../../src-shared/display/verdictTexts.ts';
import { namedMetrics } from '../../../../src-shared/metrics/gateNumbers.ts';
import { macroMetrics } from '../../../../src-shared/metrics/macro.ts';
import { confidenceMethods } from '../../../../src-shared/domain/observation.ts';
import {
  modelSettings,
  provider,
  type ModelSettings,
} from '../../../../src-shared/domain/model.ts';
import { shardContent } from '../../../../src-shared/domain/shardContent.ts';
import { callDifference } from '../../../../src-shared/domain/callDifference.ts';
import { conditions, type Conditions } from '../../runs/conditions.ts';
import { reportedChange } from './previousDocument.ts';
import { reportedSentTools } from './sentToolsDocument.ts';
import {
  documentHead,
  refusedSettings,
  reportedTool,
  reportedToolSource,
  presentedClient,
} from './documentHead.ts';
import { reportedAgain, reportedJudgement, reportedUnscored } from './judgementDocument.ts';
import type { ReportSource } from '../subjects/reportSource.ts';
import { caseRunDocument, type CaseRun } from './caseRunDocument.ts';
import { publish, published } from './published.ts';

const rates = z.strictObject({ precision: estimate, recall: estimate, f1_score: estimate });

/** A macro average; `tools` counts the tools that it is defined for. */
const macro = z.strictObject({ value: z.number().nullable(), tools: z.int() });

const method = z.enum(confidenceMethods);
const categories = {
  robust: z.int(),
  needs_clarity: z.int(),
  misleading: z.int(),
  wrong_low: z.int(),
} as const;

const repetitionFields = {
  most: [z.int().describe('Most repetitions of a case by one model that count.'), 'repetitions'],
  repeated_cases: z.int(),
  pass_at_k: [
    z.array(
      published<RepeatedNumbers['passRates'][number]>()({
        k: z.int(),
        at_least_one: [z.number().nullable().describe('pass@k'), 'passAtK'],
        at_least_one_interval: [rateEnds.optional(), 'passAtKInterval'],
        all: [z.number().nullable().describe('pass^k'), 'passAllK'],
        all_interval: [rateEnds.optional(), 'passAllKInterval'],
        cases: z.int(),
      }),
    ),
    'passRates',
  ],
  flaky_total: z.int(),
  flaky: z.array(
    published<RepeatedNumbers['flaky'][number]>()({
      case_id: [z.string(), 'caseKey'],
      name: z.string(),
      model_id: [z.string(), 'modelSettingsId'],
      n: z.int(),
      passed: z.int(),
    }),
  ),
} as const;
const repetitions = published<RepeatedNumbers>()(repetitionFields);

const usage = published<UsageTotals>()({
  answers: z.int(),
  unmeasured: z.int().describe('Answers of unknown tokens, which are in neither sum.'),
  input: z.int().nullable(),
  output: z.int().nullable(),
  cost_usd: z.number().nullable().describe('Null where the price of an answer is unknown.'),
});

/** The numbers of a set of runs: of the evaluation and of each model. */
type Numbers = Omit<RunNumbers, 'cases' | 'runs'>;
const numbers = {
  counts,
  metrics: [
    rates
      .extend({
        pass_rate: estimate.describe(
          'Passed ÷ scored runs. n leaves out runs whose schema can not decide.',
        ),
        selection_precision: estimate,
        selection_recall: estimate,
        selection_f1: estimate,
        accuracy: estimate,
        parameter_accuracy: estimate,
      })
      .describe(
        'Rates with 95% intervals over cases. `low` and `high` of a rate, here and per tool, are null ' +
          'if it is undefined or about fewer than five cases.',
      ),
    ({ metrics }: Numbers) => namedMetrics(metrics),
  ],
  macro: [
    published<ReturnType<typeof macroMetrics>>()({
      precision: macro,
      recall: macro,
      f1_score: macro,
    }).describe('Unweighted means over tools.'),
    ({ perTool }: Numbers) => macroMetrics(perTool),
  ],
  confidence: published<ConfidenceCounts>()({
    ...categories,
    unmeasured: z.int(),
    method: method.nullable(),
    others: z.array(published<ConfidenceCounts['others'][number]>()({ method, ...categories })),
  }).describe('Scored runs by one method, that of most runs; the other methods are in `others`.'),
  confusion: confusionMatrix.describe(
    'Square: rows are expected, columns called; tool ids sorted, rows of several equally right ' +
      'tools ("a:x | b:y"), then "(no tool)" and "(phantom)".',
  ),
  per_tool: z
    .array(
      published<PerTool>()(
        {
          ...rates.shape,
          tool_id: z.string(),
          tp: z.int(),
          any_of: z.int(),
          fp: z.int(),
          fn: z.int(),
        },
        ['tool_id', 'tp', 'any_of', 'fp', 'fn', 'precision', 'recall', 'f1_score'],
      ),
    )
    .describe('Precision = (tp + any_of) / (tp + any_of + fp), recall = tp / (tp + fn).'),
  any_of: z
    .array(anyOfRow)
    .describe('Expected calls that several tools satisfy: not in the recall of any one tool.'),
  latency_ms: z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable() }),
  tokens: z
    .strictObject({ input: z.int().nullable(), output: z.int().nullable() })
    .describe('Of the answers of scored runs, without questions after the choice.'),
  cost_usd: z.number().nullable().describe('Of all answers, as in usage.all.'),
  usage: published<Numbers['usage']>()({ scored: usage, all: usage }).describe(
    'Tokens and cost over the same answers, questions after the choice included: of the scored ' +
      'runs, and of everything that was paid for: earlier attempts, runs without a score, and ' +
      'replies that could not be used, which are not in `answers`.',
  ),
  cached_answers: z
    .int()
    .describe('Of usage.all.answers: they came from a cache, and were not paid again.'),
  unanswered_requests: z
    .int()
    .describe(
      'Sent, but canceled, timed out or answered unreadably: they may have been billed, and are in ' +
        'no sum.',
    ),
  token_source: tokenSource.nullable().describe('How the tokens were found out.'),
} as const;

export const numbersDocument = published<Numbers>()(numbers);

const reportedVerdict = published<Verdict>()({
  headline: [z.string(), headlineOf],
  lines: [
    z.array(z.string()).describe('The verdict in sentences, as every surface shows it.'),
    (verdict) => verdictLines(verdict),
  ],
  unit: z.enum(['cases', 'runs']).describe('Cases if every case has one run.'),
  cases: z.int(),
  passed: [z.int(), (verdict) => verdict.counts.passed],
  failed: [z.int(), (verdict) => failedOf(verdict.counts)],
  scored: [z.int().describe('passed + failed'), (verdict) => scoredOf(verdict.counts)],
  outcomes: [outcomeCounts, 'counts'],
  pass_rate: estimate,
  causes: z
    .array(causeGroup)
    .describe('Failures by expected and called tool, the most frequent first.'),
  previous: reportedChange,
}).describe('How many passed, what failed, and what changed.');

export const vsBestDocument = published<VsBest>()({
  shared_cases: z.int(),
  difference: difference.nullable(),
  p_value: z.number().nullable(),
  adjusted_p: z.number().nullable(),
  answer,
});

/** What commands print of an evaluation. */
export type EvaluationHead = Omit<EvaluationSummary, 'runs'> & {
  evaluation: Evaluation;
  verdict: Verdict;
};

const head = {
  evaluation_id: [z.string(), ({ evaluation }: EvaluationHead) => evaluation.id],
  number: [z.int(), ({ evaluation }: EvaluationHead) => evaluation.number],
  status: [evaluationState, ({ evaluation }: EvaluationHead) => evaluation.state],
  reason: [z.string().nullable(), ({ evaluation }: EvaluationHead) => evaluation.reason],
  provider: [
    provider.nullable().describe('Of the first model.'),
    ({ evaluation }: EvaluationHead) => evaluation.models[0]?.provider ?? null,
  ],
  model: [
    z.string().nullable(),
    ({ evaluation }: EvaluationHead) => evaluation.models[0]?.model ?? null,
  ],
  tools_from: [reportedToolSource, ({ evaluation }: EvaluationHead) => evaluation.toolsFrom],
  verdict: reportedVerdict,
  ...numbers,
  duration_ms: z.number().nullable(),
} as const;

/** What `eval` and `rescore` print, which is also the head of the report. */
const headDocument = published<EvaluationHead>()(head);
export const evaluationHead = (
  evaluation: Evaluation,
  { runs: _runs, ...summary }: EvaluationSummary,
  verdict: Verdict,
) => publish(headDocument, { ...summary, evaluation, verdict });

/** The failed runs that commands print: the first of each cause. */
const failedRun = published<FailureGroup['rows'][number]>()({
  run_id: z.string(),
  case_id: [z.string(), 'caseKey'],
  query: z.string(),
  model_id: [z.string(), 'modelSettingsId'],
  repetition: z.int(),
  outcome,
  differences: z.array(callDifference),
});
export const failedRuns = ({ groups }: Pick<Failures, 'groups'>) =>
  groups.flatMap(({ rows }) => rows).map((row) => publish(failedRun, row));

type Model = Omit<EvaluationSummary, 'model' | 'price'> & {
  settings: ModelSettings;
  label: string;
  conditions: Conditions;
  vsBest: VsBest | null;
  price: Price | null;
};

/** The source of a report with what is read first. */
type Source = EvaluationHead &
  Pick<ReportSource, 'judgement' | 'unscored' | 'tools' | 'sentTools' | 'createdAt'> & {
    source: ReportSource;
    analysis: EvaluationAnalysis;
  };

/**
 * The JSON report of an evaluation: its settings, the numbers overall and by model, and every run.
 */
export const evaluationDocument = published<Source>()({
  ...documentHead('evaluation'),
  ...head,
  check: [reportedJudgement.nullable(), 'judgement'],
  unscored: reportedUnscored,
  asked_again: [reportedAgain, ({ source }) => source.askedAgain],
  suite: [z.string(), ({ evaluation }) => evaluation.suiteName],
  cases: z.int(),
  snapshot_id: [z.string().nullable(), ({ evaluation }) => evaluation.snapshotId],
  tools: z.array(reportedTool).describe('The frozen tools. A tool with another hash was changed.'),
  sent_tools: reportedSentTools,
  created_at: z
    .string()
    .nullable()
    .describe('This and the other times are null in a report with --stamp.'),
  started_at: [z.string().nullable(), ({ evaluation }) => evaluation.startedAt],
  completed_at: [z.string().nullable(), ({ evaluation }) => evaluation.completedAt],
  settings: [
    published<EvaluationSettings>()(
      {
        servers: z.array(z.string()).nullable(),
        repetitions: z.int(),
        top_k: z.int().nullable(),
        retriever: [
          z.string().nullable(),
          ({ topK, retriever }) => (topK === null ? null : retriever),
        ],
        client: presentedClient,
        high_confidence: z.number(),
        arguments_mode: argumentsMode.describe('Of cases that set none, in suites that set none.'),
        passed_when: passedWhen.describe(
          'What a proof of a candidate counts as passed. Outcomes and `passed` always need right arguments.',
        ),
      },
      ['passed_when', 'arguments_mode'],
    ),
    ({ evaluation }) => evaluation.settings,
  ],
  calibrations: [
    z.array(calibration).describe('One for each method of confidence.'),
    ({ analysis }) => analysis.calibrations,
  ],
  repetitions: [
    published<RepeatedNumbers & { selection: RepeatedNumbers }>()({
      ...repetitionFields,
      tools_only: [
        repetitions.describe('The same for the choice of tools: TP and TN count as passed.'),
        'selection',
      ],
    }).describe(
      'Cases of each model over the repetitions of which it is known whether they passed, as in ' +
        '`metrics.pass_rate`.',
    ),
    ({ analysis: { repeated } }) => ({
      ...repeated.selection_and_parameters,
      selection: repeated.selection,
    }),
  ],
  models: [
    z.array(
      published<Model>()({
        id: [z.string(), ({ settings }) => settings.id],
        label: z.string(),
        provider: [provider, ({ settings }) => settings.provider],
        model: [z.string(), ({ settings }) => settings.model],
        base_url: [z.string().nullable(), ({ settings }) => settings.baseUrl],
        wire_api: [z.string(), ({ settings }) => settings.wireApi],
        sent: [modelSettings.shape.sent, ({ settings }) => settings.sent],
        refused: [refusedSettings.optional(), ({ settings }) => settings.refused],
        conditions: conditions.describe(
          'What a comparison names besides model and tools. Texts are given as SHA-256.',
        ),
        vs_best: vsBestDocument
          .nullable()
          .describe(
            'Against the model with the best pass rate, by the paired test over the cases that both ' +
              'scored, adjusted over all models. Null for the best one.',
          ),
        price: published<Price>()({
          input_usd: z.number(),
          output_usd: z.number(),
          date: z.string(),
        })
          .nullable()
          .describe('US dollars per million tokens; null = price unknown.'),
        ...numbers,
      }),
    ),
    modelsOf,
  ],
  runs: [
    z.array(caseRunDocument).describe('In the order of the suite.'),
    ({ source }) => runsOf(source),
  ],
  shard: [shardContent.nullable(), ({ source }) => source.shard()],
});

function modelsOf({ source: { models, verdict, prices } }: Source): Model[] {
  const against = new Map(
    verdict.models.map(({ modelSettingsId, vsBest }) => [modelSettingsId, vsBest]),
  );
  return models.map(({ summary, settings, ...model }) => ({
    ...summary,
    ...model,
    settings,
    vsBest: against.get(settings.id) ?? null,
    price: prices.get(settings.id) ?? null,
  }));
}

export async function* runsOf(source: ReportSource): AsyncGenerator<CaseRun> {
  for await (const run of source.runs()) yield Object.assign(run, { source });
}

/** The document of an evaluation; a superset of its head, so that gates read both. */
export async function publishEvaluation(source: ReportSource) {
  const { evaluation, verdict, judgement, unscored, tools, sentTools, createdAt } = source;
  const { runs: _runs, ...summary } = source.summary;
  const analysis = await source.analysis();
  return publish(evaluationDocument, {
    ...{
      ...summary,
      evaluation,
      verdict,
      judgement,
      unscored,
      tools,
      sentTools,
      createdAt,
    },
    analysis,
    source,
  });
}
