import { z } from 'zod';
import { jsonValue } from './json.ts';
import { tool } from './tool.ts';

const share = z.number().min(0).max(1);

/** What each dimension counts in the overlap of two tools. They sum to 1 (docs/rules.md §4). */
export const overlapWeights = z
  .strictObject({ semantic: share, parameters: share, description: share })
  .refine(({ semantic, parameters, description }) => Math.abs(semantic + parameters + description - 1) <= 1e-9, 'The weights must sum to 1.');
export type OverlapWeights = z.infer<typeof overlapWeights>;
export const defaultOverlapWeights: OverlapWeights = { semantic: 0.5, parameters: 0.3, description: 0.2 };

/** Where embeddings are asked for. */
export const embeddingModel = z.strictObject({
  provider: z.enum(['openai', 'openai-compatible']).default('openai-compatible'),
  model: z.string().trim().min(1, 'Name the embedding model.').max(200),
  baseUrl: z.string().trim().min(1).nullable().default(null),
});
export type EmbeddingModel = z.infer<typeof embeddingModel>;

/** `embedding`, or `description_overlap` where TF-IDF of the descriptions stood in. */
export const similarityMethods = ['embedding', 'description_overlap'] as const;
export const similarityMethod = z.enum(similarityMethods);
export type SimilarityMethod = z.infer<typeof similarityMethod>;

/** The three dimensions of an overlap; parameters are null where neither tool has any. */
export const overlapDimensions = z.object({ semantic: share, parameters: share.nullable(), description: share });
export type OverlapDimensions = z.infer<typeof overlapDimensions>;

/** Two tools by their places in the list of the analysis, `a` before `b`. */
export const similarityPair = z.object({
  a: z.number().int(),
  b: z.number().int(),
  similarityScore: share,
  fullSimilarityScore: share.nullable(),
  overlap: share,
  dimensions: overlapDimensions,
  flagged: z.boolean(),
});
export type SimilarityPair = z.infer<typeof similarityPair>;

export const issueTypes = ['scope_clarity', 'example_distinctiveness', 'parameter_uniqueness', 'naming_clarity', 'terminology_overlap'] as const;
export const issueType = z.enum(issueTypes);
export type IssueType = z.infer<typeof issueType>;
export const priority = z.enum(['high', 'medium', 'low']);
export type Priority = z.infer<typeof priority>;

/** An operation of JSON Patch (RFC 6902). */
export const patchOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['add', 'replace', 'test']), path: z.string(), value: jsonValue }),
  z.strictObject({ op: z.literal('remove'), path: z.string() }),
  z.strictObject({ op: z.enum(['move', 'copy']), from: z.string(), path: z.string() }),
]);
export type PatchOperation = z.infer<typeof patchOperation>;

export const differentiationIssue = z.object({ type: issueType, priority, evidence: z.string() });
export type DifferentiationIssue = z.infer<typeof differentiationIssue>;

export const recommendationItem = z.object({
  issue: issueType,
  /** Null where both are to be changed. */
  toolId: z.string().nullable(),
  recommendation: z.string(),
  rationale: z.string(),
  priority,
  /** By a model, where one was asked. */
  revisedDescription: z.string().nullable(),
  /** Applies to the tool as `tools/list` gives it. */
  applyCommands: z.array(patchOperation),
});
export type RecommendationItem = z.infer<typeof recommendationItem>;

export const differentiation = z.object({
  toolPair: z.tuple([z.string(), z.string()]),
  similarityScore: share,
  issues: z.array(differentiationIssue),
  recommendations: z.array(recommendationItem),
});
export type Differentiation = z.infer<typeof differentiation>;

/** A tool as an analysis needs it. */
export const analysedTool = tool.pick({ server: true, name: true, description: true, inputSchema: true });
export type AnalysedTool = z.infer<typeof analysedTool>;
