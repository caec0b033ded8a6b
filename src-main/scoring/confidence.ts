import type { Confidence } from '../../src-shared/domain/observation.ts';
import type { ConfidenceCategory } from '../../src-shared/domain/score.ts';

/**
 * The category of a choice (docs/rules.md §3, Confidence): high is `score` ≥ `high`. Right and high
 * = robust, right and low = needs_clarity, wrong and high = misleading, wrong and low = wrong_low;
 * without a number = unmeasured.
 */
export function categorise(
  confidence: Confidence | null,
  right: boolean,
  high: number,
): ConfidenceCategory {
  if (confidence === null) return 'unmeasured';
  const isHigh = confidence.score >= high;
  if (right) return isHigh ? 'robust' : 'needs_clarity';
  return isHigh ? 'misleading' : 'wrong_low';
}
