import { decisivePairs } from './mcnemar.ts';
import { complementaryError, POWER } from './visibleLoss.ts';

/** Shared cases with the same numbers on both sides. */
export interface PassShare {
  /** The share of its scored repetitions that passed, 0–1. */
  baseline: number;
  candidate: number;
  /** How many these were. */
  baselineRuns: number;
  candidateRuns: number;
  /** How many cases have these numbers. */
  cases: number;
}

/** A smaller difference is none. */
const ROUNDING = 1e-9;
/** An evaluation has no more repetitions. */
const maxRepetitions = 100;

interface Sums {
  cases: number;
  /** |Σ| of the differences, Σ of their squares, and the variance that one repetition adds. */
  difference: number;
  squares: number;
  noise: number;
}

/**
 * The chance of each case to pass, as both sides measured it: its passes and one more run at the pass
 * rate of its side, (c + p̄)/(n + 1), so that a case with one repetition isn't taken for certain.
 */
function sumsOf(shares: readonly PassShare[]): Sums {
  const cases = shares.reduce((sum, one) => sum + one.cases, 0);
  const meanOf = (side: 'baseline' | 'candidate') =>
    shares.reduce((sum, one) => sum + one.cases * one[side], 0) / cases;
  const [before, now] = [meanOf('baseline'), meanOf('candidate')];
  const sums = { cases, difference: 0, squares: 0, noise: 0 };
  for (const one of shares) {
    const p = (one.baseline * one.baselineRuns + before) / (one.baselineRuns + 1);
    const q = (one.candidate * one.candidateRuns + now) / (one.candidateRuns + 1);
    sums.difference += one.cases * (q - p);
    sums.squares += one.cases * (q - p) ** 2;
    sums.noise += one.cases * (p * (1 - p) + q * (1 - q));
  }
  return { ...sums, difference: Math.abs(sums.difference) };
}

/** The value that a standard normal variable exceeds with this chance, 0 < chance ≤ ½; by bisection. */
function upperQuantile(chance: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (complementaryError(middle / Math.SQRT2) / 2 > chance) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The least number of repetitions of each shared case, on both sides, with which the paired test at
 * `level` (two-sided) finds the difference that was measured, in its direction, with 80% power
 * (docs/rules.md §3, Comparisons); more than any case had, at most 100, null where none does: then only
 * more cases can decide. The test is the sign-flip test by its normal limit, as in `visibleLoss`: with r
 * repetitions, S = Σ(q̂ᵢ − p̂ᵢ) has the mean D = Σ(qᵢ − pᵢ) and the variance V/r, V = Σ(pᵢ(1−pᵢ) +
 * qᵢ(1−qᵢ)), and it is found above z·√(Σ(qᵢ − pᵢ)² + V/r). So r is enough if D − z·√(Σ(qᵢ − pᵢ)² +
 * V/r) ≥ 0.842·√(V/r), which stays true for every larger r. The cases stay the same ones: the chance
 * is that of other runs of them.
 */
export function neededRepetitions(shares: readonly PassShare[], level: number): number | null {
  const { cases, difference, squares, noise } = sumsOf(shares);
  if (cases < decisivePairs(level) || difference < ROUNDING) return null;
  const known = Math.max(...shares.flatMap((one) => [one.baselineRuns, one.candidateRuns]));
  const [critical, power] = [upperQuantile(level / 2), upperQuantile(1 - POWER)];
  for (let repetitions = known + 1; repetitions <= maxRepetitions; repetitions += 1) {
    const within = noise / repetitions;
    if (difference - critical * Math.sqrt(squares + within) >= power * Math.sqrt(within))
      return repetitions;
  }
  return null;
}
