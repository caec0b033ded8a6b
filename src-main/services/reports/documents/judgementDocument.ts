import { z } from 'zod';
import { gateOutcome, threshold } from '../../../../src-shared/domain/gate.ts';
import {
  judgedMetric,
  judgementResult,
  unscoredGroup,
} from '../../../../src-shared/domain/judgement.ts';
import { reportedCandidate } from './comparisonDocument.ts';

const model = z.string().nullable().describe('Null: all models together, or the only one.');

export const reportedUnscored = z
  .array(
    z.strictObject({
      failure: unscoredGroup.shape.failure,
      reason: z.string().nullable(),
      runs: z.int(),
      cases: z.array(z.string()).describe('The first ones.'),
    }),
  )
  .describe('Why runs have no score, the most frequent reason first.');

/** What decided whether a build passes. */
export const reportedJudgement = z
  .strictObject({
    result: judgementResult.describe(
      'incomplete: too many runs have no score, or something could not be decided.',
    ),
    failed: z.array(z.string()),
    not_decided: z.array(z.string()),
    thresholds: z.array(
      z.strictObject({
        model,
        metric: threshold.shape.metric,
        bound: z.enum(['value', 'low', 'high']),
        side: threshold.shape.side,
        limit: z.number(),
        value: z.number().nullable(),
        outcome: gateOutcome,
      }),
    ),
    baseline: z
      .strictObject({
        name: z.string(),
        max_broken: z.int().nullable(),
        metrics: z.array(judgedMetric.extend({ model })),
        models: z.array(
          reportedCandidate.extend({
            outcome: gateOutcome,
            by_test: z.boolean().describe('Whether the paired test decides.'),
          }),
        ),
      })
      .nullable()
      .describe('The comparison with a baseline, model by model.'),
    unscored_runs: z.int(),
    allow_failed: z.int(),
  })
  .describe('What decided whether the build passes.');
