import { z } from 'zod';
import { argumentsMode } from '../../../../src-shared/domain/testCase.ts';
import { calibration } from '../../../../src-shared/domain/analysis.ts';
import { answer, difference, passedWhen } from '../../../../src-shared/domain/comparison.ts';
import {
  evaluationState,
  failureKind,
  runStatus,
} from '../../../../src-shared/domain/evaluation.ts';
import {
  anyOfRow,
  confusionMatrix,
  counts,
  estimate,
  tokenSource,
} from '../../../../src-shared/domain/metrics.ts';
import { outcome, outcomeCounts } from '../../../../src-shared/domain/outcomeSchema.ts';
import { causeGroup } from '../../../../src-shared/domain/verdict.ts';
import { confidenceMethods } from '../../../../src-shared/domain/observation.ts';
import { modelSettings, provider } from '../../../../src-shared/domain/model.ts';
import { shardContent } from '../../../../src-shared/domain/shardContent.ts';
import { runShape } from '../../../../src-shared/domain/runColumns.ts';
import { classification } from '../../../../src-shared/domain/score.ts';
import { conditions } from '../../runs/conditions.ts';
import { reportedSentTools } from './sentToolsDocument.ts';
import { documentHead, refusedSettings } from './documentHead.ts';
import { reportedJudgement, reportedUnscored } from './judgementDocument.ts';
import { recountColumns } from '../subjects/recountColumns.ts';

const rates = z.strictObject({ precision: estimate, recall: estimate, f1_score: estimate });

/** A macro average; `tools` counts the tools that it is defined for. */
const macro = z.strictObject({ value: z.number().nullable(), tools: z.int() });

const method = z.enum(confidenceMethods);
const categories = {
  robust: z.int(),
  needs_clarity: z.int(),
  misleading: z.int(),
  wrong_low: z.int(),
};

/** How steadily the cases of each model pass. */
const repetitions = z.strictObject({
  most: z.int().describe('Most repetitions of a case by one model that count.'),
  repeated_cases: z.int(),
  pass_at_k: z.array(
    z.strictObject({
      k: z.int(),
      at_least_one: z.number().nullable().describe('pass@k'),
      all: z.number().nullable().describe('pass^k'),
      cases: z.int(),
    }),
  ),
  flaky_total: z.int(),
  flaky: z.array(
    z.strictObject({
      case_id: z.string(),
      name: z.string(),
      model_id: z.string(),
      n: z.int(),
      passed: z.int(),
    }),
  ),
});

const usage = z.strictObject({
  answers: z.int(),
  unmeasured: z.int().describe('Answers of unknown tokens, which are in neither sum.'),
  input: z.int().nullable(),
  output: z.int().nullable(),
  cost_usd: z.number().nullable().describe('Null where an answer is unpriced.'),
});

/** The numbers of a set of runs: of the evaluation and of each model. */
const numbers = {
  counts,
  metrics: rates
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
  macro: z
    .strictObject({ precision: macro, recall: macro, f1_score: macro })
    .describe('Unweighted means over tools.'),
  confidence: z
    .strictObject({
      ...categories,
      unmeasured: z.int(),
      method: method.nullable(),
      others: z.array(z.strictObject({ method, ...categories })),
    })
    .describe('Scored runs by one method, that of most runs; the other methods are in `others`.'),
  confusion: confusionMatrix.describe(
    'Square: rows are expected, columns called; tool ids sorted, rows of several equally right ' +
      'tools ("a:x | b:y"), then "(no tool)" and "(phantom)".',
  ),
  per_tool: z
    .array(
      rates.extend({ tool_id: z.string(), tp: z.int(), any_of: z.int(), fp: z.int(), fn: z.int() }),
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
  usage: z
    .strictObject({ scored: usage, all: usage })
    .describe(
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
};

const reportedVerdict = z
  .strictObject({
    headline: z.string(),
    lines: z.array(z.string()).describe('The verdict in sentences, as every surface shows it.'),
    unit: z.enum(['cases', 'runs']).describe('Cases if every case has one run.'),
    cases: z.int(),
    passed: z.int(),
    failed: z.int(),
    scored: z.int().describe('passed + failed'),
    outcomes: outcomeCounts,
    pass_rate: estimate,
    causes: z
      .array(causeGroup)
      .describe('Failures by expected and called tool, the most frequent first.'),
    previous: z
      .strictObject({
        evaluation_id: z.string(),
        number: z.int(),
        model: z.string().nullable().describe('Null if it is the only one on both sides.'),
        shared_cases: z.int().describe('Unchanged cases that both scored.'),
        fixed: z.int(),
        broken: z.int(),
        passed_difference: z.int().describe('fixed − broken'),
        within_noise: z.boolean(),
      })
      .nullable()
      .describe('The change since the previous evaluation of the suite, of this model alone.'),
  })
  .describe('How many passed, what failed, and what changed.');

/** One run; gates and dashboards read these names. */
const reportedRun = z.strictObject({
  run_id: z.string(),
  case_id: z.string().describe('As the suite file names the case.'),
  name: z.string(),
  query: z.string(),
  tags: z.array(z.string()),
  model_id: z.string().describe('One of `models`.'),
  repetition: z.int(),
  attempt: z.int(),
  status: runStatus,
  outcome: outcome.describe(
    'What became of the run; the same nine as in `verdict.outcomes`. Errors are not_scored, ' +
      'never a failure.',
  ),
  classification: classification.nullable(),
  passed: z.boolean().nullable().describe('Null if it was not scored, or the schema can’t decide.'),
  expected: z.array(z.string()),
  called: z.array(z.string()),
  units: z
    .array(z.strictObject({ expected: z.string(), called: z.string() }))
    .describe('The cells of the matrix that it counts in.'),
  ...runShape,
  ...Object.fromEntries(recountColumns.map(({ name, schema }) => [name, schema])),
  failure: failureKind.nullable(),
  error: z.string().nullable().describe('Why it was not scored, also where it was answered.'),
});

/**
 * The JSON report of an evaluation: its settings, the numbers overall and by model, and every run.
 */
export const evaluationDocument = z.strictObject({
  ...documentHead('evaluation'),
  evaluation_id: z.string(),
  number: z.int(),
  status: evaluationState,
  reason: z.string().nullable(),
  provider: provider.nullable().describe('Of the first model.'),
  model: z.string().nullable(),
  verdict: reportedVerdict,
  ...numbers,
  duration_ms: z.number().nullable(),
  check: reportedJudgement.nullable(),
  unscored: reportedUnscored,
  suite: z.string(),
  cases: z.int(),
  snapshot_id: z.string().nullable(),
  tools: z
    .array(z.strictObject({ tool_id: z.string(), hash: z.string() }))
    .describe('The frozen tools. A tool with another hash was changed.'),
  sent_tools: reportedSentTools,
  created_at: z
    .string()
    .nullable()
    .describe('This and the other times are null in a report with --stamp.'),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  settings: z.strictObject({
    servers: z.array(z.string()).nullable(),
    repetitions: z.int(),
    top_k: z.int().nullable(),
    retriever: z.string().nullable(),
    high_confidence: z.number(),
    arguments_mode: argumentsMode.describe('Of cases that set none, in suites that set none.'),
    passed_when: passedWhen.describe(
      'What a proof of a rewrite counts as passed. Outcomes and `passed` always need right arguments.',
    ),
  }),
  calibrations: z.array(calibration).describe('One for each method of confidence.'),
  repetitions: repetitions
    .extend({
      tools_only: repetitions.describe(
        'The same for the choice of tools: TP and TN count as passed.',
      ),
    })
    .describe(
      'Cases of each model over the repetitions of which it is known whether they passed, as in ' +
        '`metrics.pass_rate`.',
    ),
  models: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      provider,
      model: z.string(),
      base_url: z.string().nullable(),
      wire_api: z.string(),
      sent: modelSettings.shape.sent,
      refused: refusedSettings.optional(),
      conditions: conditions.describe(
        'What a comparison names besides model and tools. Texts are given as SHA-256.',
      ),
      vs_best: z
        .strictObject({
          shared_cases: z.int(),
          difference: difference.nullable(),
          p_value: z.number().nullable(),
          adjusted_p: z.number().nullable(),
          answer,
        })
        .nullable()
        .describe(
          'Against the model with the best pass rate, by the paired test over the cases that both ' +
            'scored, adjusted over all models. Null for the best one.',
        ),
      price: z
        .strictObject({ input_usd: z.number(), output_usd: z.number(), date: z.string() })
        .nullable()
        .describe('US dollars per million tokens; null = unpriced.'),
      ...numbers,
    }),
  ),
  runs: z.array(reportedRun).describe('In the order of the suite.'),
  shard: shardContent.nullable(),
});
