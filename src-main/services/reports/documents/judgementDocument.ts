import { z } from 'zod';
import { gateOutcome, threshold } from '../../../../src-shared/domain/gate.ts';
import { failedReasons, undecidedReasons } from '../../../../src-shared/display/judgementTexts.ts';
import type { CandidateComparison } from '../../../../src-shared/domain/comparison.ts';
import {
  judgedMetric,
  judgementResult,
  unscoredGroup,
  type Incomparable,
  type JudgedComparison,
  type Judgement,
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
type Baseline = NonNullable<Judgement['baseline']>;

const judgedModel = published<CandidateComparison & Pick<JudgedComparison, 'outcome' | 'byTest'>>()(
  {
    ...candidateFields,
    outcome: gateOutcome,
    by_test: z.boolean().describe('Whether the paired test decides.'),
  },
  ['outcome', 'by_test', ...Object.keys(candidateFields)],
);

/** What decided whether a build passes. */
export const judgementDocument = published<Judgement>()({
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
  baseline: published<Baseline>()({
    name: z.string(),
    max_broken: z.int().nullable(),
    metrics: z.array(judgedMetric.extend({ model })),
    models: [
      z.array(judgedModel),
      ({ comparisons }) =>
        comparisons.map(({ candidate, byTest, outcome }) => ({ ...candidate, byTest, outcome })),
    ],
  })
    .nullable()
    .describe('The comparison with a baseline, model by model.'),
  incomparable: published<Incomparable>()({ name: z.string(), differences: z.array(z.string()) })
    .nullable()
    .describe('The baseline that can’t be compared, so that this result starts a new one.'),
  unscored_runs: z.int(),
  allow_failed: z.int(),
});
export const reportedJudgement = judgementDocument.describe(
  'What decided whether the build passes.',
);
