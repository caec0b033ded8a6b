import type { ReliabilityBin } from '../domain/analysis.ts';

/** A run's confidence and whether the run passed. */
export interface ScoredConfidence {
  confidence: number;
  right: boolean;
}

export interface Calibration {
  n: number;
  /** Expected calibration error, 0–1; null if nothing was measured. */
  ece: number | null;
  bins: ReliabilityBin[];
}

/**
 * Reliability diagram and expected calibration error (docs/rules.md §3, Confidence; Naeini, Cooper
 * and Hauskrecht, AAAI 2015). `count` equal bins over 0–1, closed below and open above except for
 * the last. ECE = Σ nᵢ/n · |share passed in i − mean confidence in i|, range 0–1. An empty bin has
 * no rates and adds nothing. Confidences are in 0–1.
 */
export function calibrate(runs: Iterable<ScoredConfidence>, count = 10): Calibration {
  const sums = Array.from({ length: count }, () => ({ n: 0, confidence: 0, right: 0 }));
  let n = 0;
  for (const { confidence, right } of runs) {
    // Floating point puts some decimals just below their bin edge; the tolerance puts them into the
    // upper bin.
    const sum = sums[Math.min(count - 1, Math.max(0, Math.floor(confidence * count + 1e-9)))];
    if (sum === undefined) continue;
    n += 1;
    sum.n += 1;
    sum.confidence += confidence;
    sum.right += Number(right);
  }
  const bins = sums.map((sum, at): ReliabilityBin => ({
    low: at / count,
    high: (at + 1) / count,
    n: sum.n,
    right: sum.n === 0 ? null : sum.right / sum.n,
    confidence: sum.n === 0 ? null : sum.confidence / sum.n,
  }));
  const ece =
    n === 0
      ? null
      : sums.reduce((total, sum) => total + Math.abs(sum.right - sum.confidence), 0) / n;
  return { n, ece, bins };
}
