import type { OverlapDimensions, OverlapWeights } from '../../../src-shared/domain/similarity.ts';

export const clamp = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/**
 * Jaccard index: shared ÷ (a + b − shared); null if both sets are empty. Sizes and `shared` are sums
 * of weights. Range 0–1.
 */
export function jaccard(shared: number, a: number, b: number): number | null {
  return a + b === 0 ? null : shared / (a + b - shared);
}

/**
 * Overlap of two tools = Σ weight · dimension. If neither has parameters, that dimension is left
 * out and the other two weights are rescaled to sum to 1 (0 if both are 0). Dimensions and weights
 * are in 0–1, and weights sum to 1. Range 0–1. Source: docs/rules.md §4.
 */
export function overlapOf(
  { semantic, parameters, description }: OverlapDimensions,
  weights: OverlapWeights,
): number {
  const rest = weights.semantic * semantic + weights.description * description;
  const left = weights.semantic + weights.description;
  // Divided by the weights, added in the same order: so three ones give exactly 1.
  if (parameters !== null)
    return clamp((rest + weights.parameters * parameters) / (left + weights.parameters));
  return left === 0 ? 0 : clamp(rest / left);
}
