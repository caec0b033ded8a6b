import { z } from 'zod';
import {
  issueType,
  similarityFinding,
  overlapDimensions,
  patchOperation,
  priority,
  similarityMeasure,
  similarityMethod,
} from '../../../../src-shared/domain/similarity.ts';
import { documentHead } from './documentHead.ts';

/** Scores and overlaps are from 0 to 1. */
const share = z.number().min(0).max(1);

const weights = z.strictObject({ semantic: share, parameters: share, description: share });

/** The JSON report of a similarity analysis. */
export const similarityDocument = z.strictObject({
  ...documentHead('similarity'),
  tool_ids: z.array(z.string()),
  method: similarityMethod,
  semantic_source: z.string(),
  measure: similarityMeasure.describe('What orders and flags the pairs.'),
  threshold: share,
  weights: weights.describe('Of the dimensions in the overlap.'),
  findings: z
    .array(
      z.strictObject({ kind: similarityFinding.shape.kind, tool_ids: z.array(z.string()).min(2) }),
    )
    .describe('Tools that share a name or a purpose, whatever their score.'),
  pairs: z
    .array(
      z.strictObject({
        tool_a_id: z.string(),
        tool_b_id: z.string(),
        similarity_score: share,
        full_similarity_score: share.optional(),
        overlap: share,
        dimensions: overlapDimensions,
        flagged: z.boolean(),
      }),
    )
    .describe('By descending measure; flagged from the threshold.'),
  pairs_total: z.int().optional().describe('Only where not every pair is listed.'),
  recommendations: z.array(
    z.strictObject({
      tool_pair: z.array(z.string()).length(2),
      similarity_score: share,
      issues: z.array(z.strictObject({ type: issueType, priority, evidence: z.string() })),
      recommendations: z.array(
        z.strictObject({
          issue: issueType,
          tool_id: z.string().nullable(),
          recommendation: z.string(),
          rationale: z.string(),
          priority,
          revised_description: z.string().nullable(),
          apply_commands: z.array(patchOperation),
        }),
      ),
      unrevised: z
        .array(z.strictObject({ tool_id: z.string(), reason: z.string() }))
        .optional()
        .describe('Tools for which the model that was asked gave no text.'),
    }),
  ),
  matrix: z.array(z.array(share)).optional(),
  dimensions: weights.describe('With the matrix: the weights of its dimensions.').optional(),
  generated_at: z
    .string()
    .nullable()
    .describe('With the matrix: when it was computed; null with --stamp.')
    .optional(),
});
