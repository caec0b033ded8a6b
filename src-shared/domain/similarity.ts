import { z } from 'zod';
import { jsonValue } from './json.ts';
import { embeddingProviderOf, embeddingProviders, firstChoice } from './provider.ts';
import { givenAdditions, optionalAdditions, type TypedAdditions } from './requestAdditions.ts';
import { tool } from './tool.ts';

export { isFlagged } from './flaggedPair.ts';

const share = z.number().min(0).max(1);

/** Weights of the dimensions in the overlap of two tools. They sum to 1 (docs/rules.md §4). */
export const overlapWeights = z
  .strictObject({ semantic: share, parameters: share, description: share })
  .refine(
    ({ semantic, parameters, description }) =>
      Math.abs(semantic + parameters + description - 1) <= 1e-9,
    'The weights must sum to 1.',
  );
export type OverlapWeights = z.infer<typeof overlapWeights>;
export const defaultOverlapWeights: OverlapWeights = {
  semantic: 0.5,
  parameters: 0.3,
  description: 0.2,
};

/** Long enough for the path of a folder. */
export const maxEmbeddingModelLength = 1_000;

/** An embedding model at an endpoint, or the path of a folder with one. */
export const embeddingModel = z.strictObject({
  provider: z.enum(embeddingProviders).default(firstChoice),
  model: z.string().trim().min(1, 'Name the embedding model.').max(maxEmbeddingModelLength),
  baseUrl: z.string().trim().min(1).nullable().default(null),
  headers: optionalAdditions.headers,
  query: optionalAdditions.query,
  body: optionalAdditions.body,
});
export type EmbeddingModel = z.infer<typeof embeddingModel>;

/** The model that was entered, at the address that was entered; a folder has no address. */
export function embeddingModelOf(model: string, address: string | null): EmbeddingModel {
  const provider = embeddingProviderOf(model, address);
  return { provider, model, baseUrl: provider === 'local' ? null : address };
}

/** As above, with what is added to each request; no request goes to a folder. */
export function readEmbeddingModel(typed: {
  model: string;
  baseUrl: string;
  additions: TypedAdditions;
}): EmbeddingModel {
  const read = embeddingModelOf(typed.model.trim(), typed.baseUrl.trim() || null);
  return read.provider === 'local' ? read : { ...read, ...givenAdditions(typed.additions) };
}

/** `embedding`, or `description_overlap` if TF-IDF of the descriptions was used instead. */
const similarityMethods = ['embedding', 'description_overlap'] as const;
export const similarityMethod = z.enum(similarityMethods);
export type SimilarityMethod = z.infer<typeof similarityMethod>;

/** The dimensions of an overlap; `parameters` is null if neither tool has any. */
export const overlapDimensions = z.object({
  semantic: share,
  parameters: share.nullable(),
  description: share,
});
export type OverlapDimensions = z.infer<typeof overlapDimensions>;

/**
 * What orders the pairs, sets the flags, groups the tools and colors the map: the similarity of the
 * descriptions, or the overlap.
 */
export const similarityMeasures = ['similarity', 'overlap'] as const;
export const similarityMeasure = z.enum(similarityMeasures);
export type SimilarityMeasure = z.infer<typeof similarityMeasure>;

/** Two tools by their indexes in the analysis, `a` before `b`. */
export const similarityPair = z.object({
  a: z.number().int(),
  b: z.number().int(),
  similarityScore: share,
  fullSimilarityScore: share.nullable(),
  overlap: share,
  /** By the chosen measure: `similarityScore` or `overlap`. */
  score: share,
  dimensions: overlapDimensions,
});
export type SimilarityPair = z.infer<typeof similarityPair>;

/** Tools that share a name or a purpose, by their indexes in the analysis. */
export const similarityFinding = z.object({
  kind: z.enum(['same_name', 'deprecated_twin']),
  /** The deprecated tool comes before its replacement. */
  tools: z.array(z.number().int()).min(2),
});
export type SimilarityFinding = z.infer<typeof similarityFinding>;

export const issueTypes = [
  'scope_clarity',
  'example_distinctiveness',
  'parameter_uniqueness',
  'naming_clarity',
  'terminology_overlap',
] as const;
export const issueType = z.enum(issueTypes);
export type IssueType = z.infer<typeof issueType>;
export const priority = z.enum(['high', 'medium', 'low']);
export type Priority = z.infer<typeof priority>;

/** An operation of JSON Patch (RFC 6902). */
export const patchOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path: z.string(), value: jsonValue }),
  z.strictObject({ op: z.literal('replace'), path: z.string(), value: jsonValue }),
  z.strictObject({ op: z.literal('test'), path: z.string(), value: jsonValue }),
  z.strictObject({ op: z.literal('remove'), path: z.string() }),
  z.strictObject({ op: z.literal('move'), from: z.string(), path: z.string() }),
  z.strictObject({ op: z.literal('copy'), from: z.string(), path: z.string() }),
]);
export type PatchOperation = z.infer<typeof patchOperation>;

const differentiationIssue = z.object({ type: issueType, priority, evidence: z.string() });
export type DifferentiationIssue = z.infer<typeof differentiationIssue>;

const recommendationItem = z.object({
  issue: issueType,
  /** Null if both should change. */
  toolId: z.string().nullable(),
  recommendation: z.string(),
  rationale: z.string(),
  priority,
  /** Written by a model, if one was asked. */
  revisedDescription: z.string().nullable(),
  /** Applies to the tool as returned by `tools/list`. */
  applyCommands: z.array(patchOperation),
});
export type RecommendationItem = z.infer<typeof recommendationItem>;

export const differentiation = z.object({
  toolPair: z.tuple([z.string(), z.string()]),
  similarityScore: share,
  issues: z.array(differentiationIssue),
  recommendations: z.array(recommendationItem),
  /** Tools of the pair that the model did not rewrite, with the reason. */
  unrevised: z.array(z.object({ toolId: z.string(), reason: z.string() })),
});
export type Differentiation = z.infer<typeof differentiation>;

const analysedTool = tool
  .pick({ server: true, name: true, description: true, inputSchema: true })
  // Only the quality rules read these; a list that someone gives need not have them.
  .extend({
    title: tool.shape.title.optional(),
    annotations: tool.shape.annotations.optional(),
    outputSchema: tool.shape.outputSchema.optional(),
    malformed: tool.shape.malformed,
    schemaless: tool.shape.schemaless,
    skill: tool.shape.skill,
  });
export type AnalysedTool = z.infer<typeof analysedTool>;

/** Comparing needs at least two tools. */
export const minTools = 2;

/** The tools to compare: exactly one of the three. */
export const similarityInput = z
  .strictObject({
    /** Registered servers by name or id, with their current tools. */
    serverList: z.array(z.string()).min(1).max(1000).optional(),
    toolList: z.array(analysedTool).max(20_000).optional(),
    urlList: z
      .array(z.url({ protocol: /^https?$/ }))
      .min(1)
      .max(100)
      .optional(),
  })
  .refine(
    ({ serverList, toolList, urlList }) =>
      [serverList, toolList, urlList].filter((given) => given !== undefined).length === 1,
    'Give exactly one of server_list, tool_list and url_list.',
  );
export type SimilarityInput = z.infer<typeof similarityInput>;

export const similarityRequest = z.strictObject({
  input: similarityInput,
  /** Null = no model; TF-IDF is used instead. */
  embeddingModel: embeddingModel.nullable().default(null),
  /** These default to the app's settings. */
  measure: similarityMeasure.optional(),
  similarityThreshold: share.optional(),
  weights: overlapWeights.optional(),
  computeFullSimilarity: z.boolean().default(false),
  includeRecommendations: z.boolean().default(false),
  /** Only these tools, by id; defaults to all. */
  toolIds: z.array(z.string()).max(20_000).optional(),
});
export type SimilarityRequest = z.infer<typeof similarityRequest>;

/** An analysis that is kept in memory and queried by its id. None of it is stored. */
const similarityAnalysis = z.object({
  id: z.string(),
  tools: z.array(analysedTool),
  toolIds: z.array(z.string()),
  method: similarityMethod,
  /** `embedding:MODEL`, or `tfidf` if no model was used. */
  semanticSource: z.string(),
  measure: similarityMeasure,
  threshold: share,
  weights: overlapWeights,
  full: z.boolean(),
  pairs: z.number().int(),
  /** Pairs with a lower score were dropped; 0 = none. */
  floor: share,
  /** Number of pairs by score in hundredths, rounded down: 101 counts. */
  histogram: z.array(z.number().int()),
  /** Findings that hold whatever the score is. */
  findings: z.array(similarityFinding),
  /** Of the pairs flagged from `threshold`; null if the request didn't ask for them. */
  recommendations: z.array(differentiation).nullable(),
  /** Servers that returned no tools, with the reason. */
  failed: z.array(z.object({ server: z.string(), reason: z.string() })),
  generatedAt: z.string(),
});
export type SimilarityAnalysis = z.infer<typeof similarityAnalysis>;

export const similarityEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    stage: z.enum(['listing', 'embedding', 'preparing', 'comparing']),
    done: z.number().int(),
    total: z.number().int(),
  }),
  z.object({ type: z.literal('done'), analysis: similarityAnalysis }),
]);
export type SimilarityEvent = z.infer<typeof similarityEvent>;

/**
 * Describes how the semantic dimension was computed, so that a substitute for embeddings is always
 * named.
 */
export function describeSemanticSource(source: string, full: boolean): string {
  if (source.startsWith('embedding:'))
    return (
      `embeddings of ${full ? 'name, description and parameters' : 'the descriptions'} by ` +
      source.slice('embedding:'.length)
    );
  return 'TF-IDF of name, description and parameters (no embedding model)';
}
