import { z } from 'zod';
import type { AskedAgain, RunAgain } from '../../../../src-shared/domain/askedAgain.ts';
import { runDifference } from '../../../../src-shared/domain/callDifference.ts';
import { gateOutcome, threshold } from '../../../../src-shared/domain/gate.ts';
import {
  failedReasons,
  judgementHeadline,
  undecidedReasons,
} from '../../../../src-shared/display/judgementTexts.ts';
import type { CandidateComparison } from '../../../../src-shared/domain/comparison.ts';
import {
  judgedMetric,
  judgementResult,
  unscoredGroup,
  type BaselinePoint,
  type ChangedCases,
  type JudgedBaseline,
  type JudgedClient,
  type Incomparable,
  type JudgedComparison,
  type JudgedGroup,
  type JudgedTool,
  type Judgement,
  type RemovedTool,
  type UnscoredGroup,
} from '../../../../src-shared/domain/judgement.ts';
import { candidateFields } from './comparisonDocument.ts';
import { published } from './published.ts';

const model = z.string().nullable().describe('Null: all models together, or the only one.');

export const unscoredDocument = published<UnscoredGroup>()({
  failure: unscoredGroup.shape.failure,
  reason: [z.string().nullable(), 'message'],
  runs: z.int(),
  cases: z.array(z.string()).describe('The first ones.'),
});
export const reportedUnscored = z
  .array(unscoredDocument)
  .describe('Why runs have no score, the most frequent reason first.');

type Threshold = Judgement['thresholds'][number];

const tally = z.strictObject({ passed: z.int(), scored: z.int() }).describe('Runs.');
const groupFields = {
  cases: z.int(),
  baseline: tally,
  now: tally,
  p_value: z.number().nullable(),
  adjusted_p_value: [
    z.number().nullable().describe('Over the tools and changed cases of all models and baselines.'),
    'adjustedP',
  ],
  worse: z.boolean(),
} as const;

type JudgedModel = CandidateComparison &
  Pick<JudgedComparison, 'outcome' | 'byTest' | 'perTool' | 'changedCases'>;
const judgedModel = published<JudgedModel>()(
  {
    ...candidateFields,
    outcome: gateOutcome,
    by_test: z.boolean().describe('Whether the paired test decides.'),
    per_tool: z
      .array(published<JudgedTool>()({ tool: z.string(), ...groupFields }))
      .describe('The shared cases that expect each tool.'),
    changed_cases: published<ChangedCases>()({
      changed: published<JudgedGroup>()(groupFields)
        .nullable()
        .describe('Cases of the same id with another query or expectation.'),
      removed_failing: z.array(z.string()).describe('They did not pass in the baseline.'),
      removed_passing: z.int(),
    }),
  },
  ['outcome', 'by_test', ...Object.keys(candidateFields), 'per_tool', 'changed_cases'],
);

const judgedBaseline = published<JudgedBaseline>()({
  name: z.string(),
  max_broken: z.int().nullable(),
  metrics: z.array(judgedMetric.extend({ model })),
  models: [
    z.array(judgedModel),
    ({ comparisons }) => comparisons.map(({ candidate, ...one }) => ({ ...candidate, ...one })),
  ],
  removed_tools: z
    .array(
      published<RemovedTool>()({
        tool: z.string(),
        cases: z.array(z.string()),
        passed_in_baseline: z.int(),
        likely_new_name: z.string().nullable(),
      }),
    )
    .describe('Tools that cases expect, that the baseline offered and that are offered no more.'),
  renamed: z.array(z.strictObject({ from: z.string(), to: z.string() })),
});

/** What a check asked again, in the report of cases or of tasks. */
export const reportedAgain = published<AskedAgain>()({
  up_to: z.int().describe('Repetitions of a case that was asked again, the first one included.'),
  cost_usd: z.number().nullable().describe('Of all its answers; in no other cost of the report.'),
  runs: z.array(
    published<RunAgain>()({
      run_id: z.string(),
      case_id: [z.string().describe('Of the case or task.'), 'caseKey'],
      model_id: [z.string(), 'modelSettingsId'],
      repetition: z.int(),
      passed: z.boolean().nullable().describe('Null if it was not scored.'),
      failure: z.string().nullable(),
      called: z.array(z.string()).describe('Or how the task ended.'),
      differences: z.array(runDifference),
    }),
  ),
})
  .nullable()
  .optional()
  .describe(
    'Further repetitions of cases that disagree with a baseline. They count in that comparison and ' +
      'in no other number. Null: none were to be asked.',
  );

export const judgementDocument = published<Judgement>()({
  headline: [z.string().describe('The verdict in one line.'), judgementHeadline],
  result: judgementResult.describe(
    'incomplete: too many runs have no score, or something could not be decided.',
  ),
  failed: [z.array(z.string()), failedReasons],
  not_decided: [z.array(z.string()), undecidedReasons],
  thresholds: z.array(
    published<Threshold>()({
      model,
      metric: [threshold.shape.metric, (one) => one.threshold.metric],
      bound: [z.enum(['value', 'low', 'high']), (one) => one.threshold.bound],
      side: [threshold.shape.side, (one) => one.threshold.side],
      limit: [z.number(), (one) => one.threshold.limit],
      value: z.number().nullable(),
      outcome: gateOutcome,
    }),
  ),
  baseline: judgedBaseline.nullable().describe('The comparison with a baseline, model by model.'),
  release: judgedBaseline
    .optional()
    .describe('The same with the fixed reference; left out if there is none.'),
  trend: z
    .array(
      published<BaselinePoint>()({
        created_at: z.string().nullable(),
        cases_hash: z.string().describe('Equal only over the same cases.'),
        cases: z.int(),
        models: z.array(
          published<BaselinePoint['models'][number]>()({
            model: z.string(),
            pass_rate: z.number().nullable(),
            n: z.int(),
          }),
        ),
      }),
    )
    .optional()
    .describe('The last ten baselines, the oldest first.'),
  incomparable: published<Incomparable>()({ name: z.string(), differences: z.array(z.string()) })
    .nullable()
    .describe('The baseline that can’t be compared, so that this result starts a new one.'),
  asked_again: published<NonNullable<Judgement['askedAgain']>>()({
    up_to: z.int(),
    cases: z.int(),
    runs: z.int(),
  })
    .optional()
    .describe('Cases that disagree with a baseline were asked again; left out: none were to be.'),
  unchecked_tasks: z
    .int()
    .optional()
    .describe('Tasks of the suite that a check of its cases did not run; left out: it has none.'),
  clients: z
    .array(
      published<JudgedClient>()({
        client: z.string(),
        version: z.string().nullable(),
        tools: z.int(),
        hidden: z
          .array(z.strictObject({ tool: z.string(), reason: z.string() }))
          .describe('Tools that don’t reach the model.'),
        max: z.int().describe('How many may be hidden.'),
        outcome: z.enum(['passed', 'failed']),
      }),
    )
    .optional()
    .describe('What clients hide of the tools; left out: nothing limits it.'),
  unscored_runs: z.int(),
  allow_failed: z.int(),
});
export const reportedJudgement = judgementDocument.describe(
  'What decided whether the build passes.',
);
