import { decisivePairs, mcnemarExact } from './mcnemar.ts';
import { binomial, createRandom, type Random } from './random.ts';

export interface LossSettings {
  /** Cases that both sides share. */
  cases: number;
  /** The chance that a run of any case passes, 0–1. */
  passRate: number;
  /** Runs of each case, on both sides. */
  repetitions: number;
  /** They are only compared of cases whose first run disagrees; every other case differs by 0. */
  onlyDisagreeing?: boolean;
  /** Tests that are adjusted together. */
  tests?: number;
}

export interface VisibleLoss {
  /** Cases that always fail now. */
  cases: number;
  /** The loss in the pass rate, 0–1. */
  points: number;
}

const LEVEL = 0.05;
/** How often a difference is found that is there. */
export const POWER = 0.8;
const SEED = 20_250_101;
const SAMPLES = 500;
/** A larger suite is answered from one of this size. */
const maxCases = 1000;

/**
 * The least number of cases that, if they always fail now, the paired test finds with 80% power
 * (docs/rules.md §3, Gates), by 500 seeded samples for each number tried. Every run of a case passes
 * with the same chance in the baseline and now, and those of the broken cases never pass now. Such a
 * model is the noisiest with that pass rate, so the answer is on the safe side. Null where even the
 * loss of all cases would not be found. Beyond 1,000 cases, the number for 1,000 · √(cases ÷ 1,000).
 */
export function visibleLoss(settings: LossSettings): VisibleLoss | null {
  const { cases, passRate } = settings;
  if (cases > maxCases) {
    // Noise grows with the root of the cases, and with it the loss that is seen.
    const part = visibleLoss({ ...settings, cases: maxCases });
    if (part === null) return null;
    const lost = Math.ceil(part.cases * Math.sqrt(cases / maxCases));
    return { cases: lost, points: (lost * passRate) / cases };
  }
  const random = createRandom(SEED);
  const isFound = (broken: number): boolean => powerOf(settings, broken, random) >= POWER;
  if (cases === 0 || passRate <= 0 || !isFound(cases)) return null;
  let [low, high] = [0, cases];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return { cases: high, points: (high * passRate) / cases };
}

/** The share of samples that the paired test calls worse if `broken` cases always fail now. */
export function powerOf(
  { cases, passRate, repetitions, onlyDisagreeing = false, tests = 1 }: LossSettings,
  broken: number,
  random: Random,
): number {
  const level = LEVEL / tests;
  let found = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    let [sum, squares, lost, won] = [0, 0, 0, 0];
    for (let at = 0; at < cases; at += 1) {
      const rate = at < broken ? 0 : passRate;
      const difference = onlyDisagreeing
        ? differenceAgain(random, repetitions, passRate, rate)
        : differenceOf(random, repetitions, passRate, rate);
      sum += difference;
      squares += difference ** 2;
      if (difference < 0) lost += 1;
      if (difference > 0) won += 1;
    }
    if (sum < 0 && pValue({ sum, squares, lost, won }, repetitions, level) <= level) found += 1;
  }
  return found / SAMPLES;
}

/**
 * A sample of the difference in pass shares of one case, now less baseline, −1 to 1: `before` and
 * `now` are its chances to pass, 0–1, and it has as many runs on each side.
 */
function differenceOf(random: Random, runs: number, before: number, now: number): number {
  const old = binomial(random, runs, before);
  return ((now === 0 ? 0 : binomial(random, runs, now)) - old) / runs;
}

/**
 * The same if only a case whose first runs disagree is asked again: 0 if they agree, else of all of
 * its runs (docs/rules.md §3, Gates).
 */
export function differenceAgain(random: Random, runs: number, before: number, now: number): number {
  const first = differenceOf(random, 1, before, now);
  const further = runs - 1;
  return first === 0 ? 0 : (first + further * differenceOf(random, further, before, now)) / runs;
}

/**
 * McNemar's test with one repetition. Otherwise the sign-flip test by its normal limit: under "no
 * difference" the sum of n differences has variance Σ d². Too few differing cases decide nothing.
 */
function pValue(
  { sum, squares, lost, won }: { sum: number; squares: number; lost: number; won: number },
  repetitions: number,
  level: number,
): number {
  if (repetitions === 1) return mcnemarExact(lost, won);
  if (lost + won < decisivePairs(level)) return 1;
  return complementaryError(Math.abs(sum) / Math.sqrt(2 * squares));
}

/** erfc for x ≥ 0, to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26). */
export function complementaryError(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return polynomial * Math.exp(-x * x);
}
