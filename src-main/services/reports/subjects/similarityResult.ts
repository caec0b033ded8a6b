import type {
  Differentiation,
  OverlapWeights,
  SimilarityFinding,
  SimilarityMeasure,
  SimilarityMethod,
  SimilarityPair,
} from '../../../../src-shared/domain/similarity.ts';

/** A similarity analysis as its screen and its command have it. */
export interface SimilarityResult {
  toolIds: readonly string[];
  method: SimilarityMethod;
  semanticSource: string;
  measure: SimilarityMeasure;
  threshold: number;
  weights: OverlapWeights;
  full: boolean;
  /** By descending score. */
  pairs: readonly SimilarityPair[];
  total: number;
  findings: readonly SimilarityFinding[];
  /** Null with a stamp, so that two analyses of the same tools give the same document. */
  generatedAt: string | null;
  matrix: readonly (readonly number[])[] | null;
  recommendations: readonly Differentiation[];
}
