import { z } from 'zod';
import {
  isFlagged,
  issueType,
  similarityFinding,
  overlapDimensions,
  patchOperation,
  priority,
  similarityMeasure,
  similarityMethod,
  type Differentiation,
  type SimilarityPair,
} from '../../../../src-shared/domain/similarity.ts';
import type { SimilarityResult } from '../subjects/similarityResult.ts';
import { documentHead } from './documentHead.ts';
import { published } from './published.ts';

/** Scores and overlaps are from 0 to 1. */
const share = z.number().min(0).max(1);

const weights = z.strictObject({ semantic: share, parameters: share, description: share });

type Recommendation = Differentiation['recommendations'][number];
type Pair = SimilarityPair & Pick<SimilarityResult, 'toolIds' | 'threshold'>;

export const similarityDocument = published<Omit<SimilarityResult, 'full'>>()({
  ...documentHead('similarity'),
  tool_ids: z.array(z.string()),
  method: similarityMethod,
  semantic_source: z.string(),
  measure: similarityMeasure.describe('What orders and flags the pairs.'),
  threshold: share,
  weights: weights.describe('Of the dimensions in the overlap.'),
  findings: [
    z
      .array(
        z.strictObject({
          kind: similarityFinding.shape.kind,
          tool_ids: z.array(z.string()).min(2),
        }),
      )
      .describe('Tools that share a name or a purpose, whatever their score.'),
    ({ findings, toolIds }) =>
      findings.map(({ kind, tools }) => ({
        kind,
        tool_ids: tools.map((at) => toolIds[at] ?? ''),
      })),
  ],
  pairs: [
    z
      .array(
        published<Pair>()({
          tool_a_id: [z.string(), ({ a, toolIds }) => toolIds[a] ?? ''],
          tool_b_id: [z.string(), ({ b, toolIds }) => toolIds[b] ?? ''],
          similarity_score: share,
          full_similarity_score: [
            share.optional(),
            ({ fullSimilarityScore }) => fullSimilarityScore ?? undefined,
          ],
          overlap: share,
          dimensions: overlapDimensions,
          flagged: [z.boolean(), (pair) => isFlagged(pair, pair.threshold)],
        }),
      )
      .describe('By descending measure; flagged from the threshold.'),
    ({ pairs, toolIds, threshold }) => pairs.map((pair) => ({ ...pair, toolIds, threshold })),
  ],
  pairs_total: [
    z.int().optional().describe('Only where not every pair is listed.'),
    ({ total, pairs }) => (total > pairs.length ? total : undefined),
  ],
  recommendations: z.array(
    published<Differentiation>()({
      tool_pair: z.array(z.string()).length(2),
      similarity_score: share,
      issues: z.array(z.strictObject({ type: issueType, priority, evidence: z.string() })),
      recommendations: z.array(
        published<Recommendation>()({
          issue: issueType,
          tool_id: z.string().nullable(),
          recommendation: z.string(),
          rationale: z.string(),
          priority,
          revised_description: z.string().nullable(),
          apply_commands: z.array(patchOperation),
        }),
      ),
      unrevised: [
        z
          .array(
            published<Differentiation['unrevised'][number]>()({
              tool_id: z.string(),
              reason: z.string(),
            }),
          )
          .optional()
          .describe('Tools for which the model that was asked gave no text.'),
        ({ unrevised }) => (unrevised.length === 0 ? undefined : unrevised),
      ],
    }),
  ),
  matrix: [z.array(z.array(share)).optional(), ({ matrix }) => matrix ?? undefined],
  dimensions: [
    weights.describe('With the matrix: the weights of its dimensions.').optional(),
    ({ matrix, weights: ofDimensions }) => (matrix ? ofDimensions : undefined),
  ],
  generated_at: [
    z
      .string()
      .nullable()
      .describe('With the matrix: when it was computed; null with --stamp.')
      .optional(),
    ({ matrix, generatedAt }) => (matrix ? generatedAt : undefined),
  ],
});
