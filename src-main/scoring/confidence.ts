import type { Confidence } from '../../src-shared/domain/observation.ts';
import type { ConfidenceCategory } from '../../src-shared/domain/score.ts';

/**
 * The category of a choice (docs/rules.md §3, Confidence): high means `score` ≥ `high`. Correct and
 * high = robust, correct and low = needs_clarity, incorrect and high = misleading, incorrect and
 * low = wrong_low, no number = unmeasured.
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
