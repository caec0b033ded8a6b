import type {
  AnalysedTool,
  OverlapDimensions,
  OverlapWeights,
  SimilarityMeasure,
  SimilarityMethod,
  SimilarityPair,
} from '../../../src-shared/domain/similarity.ts';
import { similarityFeatures } from './analyser.ts';
import { cosine, type DenseSpace } from './denseSpace.ts';
import { clamp, jaccard, overlapOf } from './overlap.ts';
import {
  buildSetSpace,
  buildTfidfSpace,
  cosineOfTexts,
  dot,
  type SparseSpace,
} from './sparseSpace.ts';
import { fullText, nameOfPair, parameterPairs } from './toolText.ts';

export type Semantic =
  { kind: 'sparse'; space: SparseSpace } | { kind: 'dense'; space: DenseSpace };

/** Everything that pairs are computed from, in shared memory. */
export interface PreparedTools {
  count: number;
  measure: SimilarityMeasure;
  weights: OverlapWeights;
  method: SimilarityMethod;
  /** TF-IDF of the descriptions. */
  description: SparseSpace;
  /**
   * Full texts by TF-IDF, or embeddings: of the full texts if full similarity is requested,
   * otherwise of the descriptions.
   */
  semantic: Semantic;
  /** Embeddings of the descriptions, if `semantic` holds those of the full texts. */
  describedBy: DenseSpace | null;
  parameters: SparseSpace;
  /** True if full similarity is requested. */
  full: boolean;
}

/** Vectors of an embedding model, with those of the full texts if full similarity is requested. */
export interface Embedded {
  descriptions: DenseSpace;
  fullTexts: DenseSpace | null;
}

export function prepareTools(
  tools: readonly AnalysedTool[],
  {
    measure,
    weights,
    full,
    embedded,
  }: {
    measure: SimilarityMeasure;
    weights: OverlapWeights;
    full: boolean;
    embedded: Embedded | null;
  },
): PreparedTools {
  return {
    count: tools.length,
    measure,
    weights,
    full,
    method: embedded ? 'embedding' : 'description_overlap',
    description: buildTfidfSpace(tools.map(({ description }) => similarityFeatures(description))),
    semantic: embedded
      ? { kind: 'dense', space: embedded.fullTexts ?? embedded.descriptions }
      : {
          kind: 'sparse',
          space: buildTfidfSpace(tools.map((tool) => similarityFeatures(fullText(tool)))),
        },
    describedBy: embedded?.fullTexts ? embedded.descriptions : null,
    parameters: buildSetSpace(tools.map(parameterPairs), nameOfPair),
  };
}

/** The vectors of the descriptions that `similarity_score` is the cosine of. */
export function describedSpace({
  describedBy,
  method,
  semantic,
  description,
}: PreparedTools): Semantic {
  if (describedBy) return { kind: 'dense', space: describedBy };
  return method === 'embedding' ? semantic : { kind: 'sparse', space: description };
}

const cosineIn = ({ kind, space }: Semantic, a: number, b: number): number =>
  kind === 'dense' ? clamp(cosine(space, a, b)) : cosineOfTexts(space, a, b);

/** The dimensions of one pair, in double precision. */
function dimensionsOf(prepared: PreparedTools, a: number, b: number): OverlapDimensions {
  const { semantic, description, parameters } = prepared;
  return {
    semantic: cosineIn(semantic, a, b),
    parameters: jaccard(dot(parameters, a, b), dot(parameters, a, a), dot(parameters, b, b)),
    description: cosineOfTexts(description, a, b),
  };
}

/**
 * Everything that is reported about one pair, `a` before `b`. similarity_score: cosine of the
 * descriptions, by embedding if there is one, otherwise by TF-IDF. full_similarity_score: the same
 * over the full texts, null if not requested. Source: docs/rules.md §4.
 */
export function readPair(prepared: PreparedTools, a: number, b: number): SimilarityPair {
  const dimensions = dimensionsOf(prepared, a, b);
  const similarityScore = cosineIn(describedSpace(prepared), a, b);
  const fullSimilarityScore = prepared.full ? dimensions.semantic : null;
  const overlap = overlapOf(dimensions, prepared.weights);
  return {
    a,
    b,
    similarityScore,
    fullSimilarityScore,
    overlap,
    score: prepared.measure === 'overlap' ? overlap : similarityScore,
    dimensions,
  };
}
