import {
  isFlagged,
  type Differentiation,
  type SimilarityPair,
} from '../../../../src-shared/domain/similarity.ts';
import type { SimilarityResult } from './similarityResult.ts';

/** A pair as JSON; the score of full texts is only present when it was computed. */
function pairShape(ids: readonly string[], pair: SimilarityPair, threshold: number) {
  return {
    tool_a_id: ids[pair.a] ?? '',
    tool_b_id: ids[pair.b] ?? '',
    similarity_score: pair.similarityScore,
    ...(pair.fullSimilarityScore === null
      ? {}
      : { full_similarity_score: pair.fullSimilarityScore }),
    overlap: pair.overlap,
    dimensions: pair.dimensions,
    flagged: isFlagged(pair, threshold),
  };
}

/** The recommendations for one pair. */
function differentiationShape({
  toolPair,
  similarityScore,
  issues,
  recommendations,
  unrevised,
}: Differentiation) {
  return {
    tool_pair: toolPair,
    similarity_score: similarityScore,
    issues,
    recommendations: recommendations.map(
      ({
        issue,
        toolId,
        recommendation,
        rationale,
        priority,
        revisedDescription,
        applyCommands,
      }) => ({
        issue,
        tool_id: toolId,
        recommendation,
        rationale,
        priority,
        revised_description: revisedDescription,
        apply_commands: applyCommands,
      }),
    ),
    ...(unrevised.length === 0
      ? {}
      : { unrevised: unrevised.map(({ toolId, reason }) => ({ tool_id: toolId, reason })) }),
  };
}

/** The JSON document of `similarity`; programs depend on its names. */
export function similarityShape({
  toolIds,
  method,
  semanticSource,
  measure,
  threshold,
  weights,
  pairs,
  total,
  findings,
  matrix,
  generatedAt,
  recommendations,
}: Omit<SimilarityResult, 'full'>) {
  return {
    tool_ids: toolIds,
    method,
    semantic_source: semanticSource,
    measure,
    threshold,
    weights,
    findings: findings.map(({ kind, tools }) => ({
      kind,
      tool_ids: tools.map((at) => toolIds[at] ?? ''),
    })),
    pairs: pairs.map((pair) => pairShape(toolIds, pair, threshold)),
    ...(total > pairs.length ? { pairs_total: total } : {}),
    recommendations: recommendations.map(differentiationShape),
    ...(matrix ? { matrix, dimensions: weights, generated_at: generatedAt } : {}),
  };
}
