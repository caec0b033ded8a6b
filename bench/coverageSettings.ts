import { clusteredRatio, type Share } from '../src-shared/metrics/clusteredInterval.ts';
import { binomial, type Random } from '../src-shared/metrics/random.ts';

/** How answers are simulated, and which rate of them is looked at. */
export interface Setting {
  name: string;
  /** Scored calls of one case: expected calls times repetitions. */
  calls: number;
  /** Correlation between two calls of one case; their common rate is drawn from a beta distribution. */
  correlation: number;
  /** Of the calls that are not right, the share that goes to a wrong tool instead of none. */
  wrongTools: number;
  rate: 'recall' | 'f1';
}

const setting = (
  name: string,
  calls: number,
  rate: Setting['rate'] = 'recall',
  wrongTools = 0,
  correlation = calls === 1 ? 0 : 0.5,
): Setting => ({ name, calls, rate, wrongTools, correlation });

/** The settings of docs/rules.md §3, Coverage. Recall stands for every rate of right and wrong. */
export const settings: readonly Setting[] = [
  setting('one call, recall', 1),
  setting('one call, F1, no wrong tool', 1, 'f1', 0),
  setting('one call, F1, half wrong tools', 1, 'f1', 0.5),
  setting('one call, F1, all wrong tools', 1, 'f1', 1),
  setting('three calls per case, recall', 3),
  setting('three calls per case, F1, half wrong tools', 3, 'f1', 0.5),
  setting('three calls per case, F1, all wrong tools', 3, 'f1', 1),
  setting('3 repetitions, recall', 3, 'recall', 0, 0.7),
  setting('5 repetitions, recall', 5, 'recall', 0, 0.7),
  setting('5 repetitions, F1, all wrong tools', 5, 'f1', 1, 0.7),
];
export const caseNumbers = [20, 50, 100, 200, 500];
export const rates = [0.2, 0.5, 0.8, 0.9, 0.95, 0.98];

/** What one case adds to the rate, with the probability of that. */
interface Outcome extends Share {
  probability: number;
}

/** The probability of a right call: F1 = 2p ÷ (2p + (1 − p)(1 + w)), solved for p. */
export function rightCalls({ rate, wrongTools }: Setting, value: number): number {
  const errors = 1 + wrongTools;
  return rate === 'recall' ? value : (value * errors) / (2 - 2 * value + value * errors);
}

/** All outcomes of a case, if the true value of the rate is `value`. */
function outcomesOf(one: Setting, value: number): Outcome[] {
  const { calls, correlation, wrongTools, rate } = one;
  const p = rightCalls(one, value);
  const strength = correlation === 0 ? Infinity : 1 / correlation - 1;
  return Array.from({ length: calls + 1 }, (_, right) => right).flatMap((right) => {
    const chance = betaBinomial(calls, right, p, strength);
    if (rate === 'recall') return [{ numerator: right, denominator: calls, probability: chance }];
    const missed = calls - right;
    return Array.from({ length: missed + 1 }, (_, wrong) => ({
      numerator: 2 * right,
      denominator: 2 * right + missed + wrong,
      probability:
        chance * choose(missed, wrong) * wrongTools ** wrong * (1 - wrongTools) ** (missed - wrong),
    }));
  });
}

function choose(n: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i += 1) product *= (n - i) / (i + 1);
  return product;
}

/** Pólya's urn: each right call makes the next one likelier, the more so the smaller `strength`. */
function betaBinomial(n: number, k: number, p: number, strength: number): number {
  let chance = choose(n, k);
  for (let i = 0; i < n; i += 1) {
    const share = i < k ? p : 1 - p;
    const before = i < k ? i : i - k;
    chance *= strength === Infinity ? share : (share * strength + before) / (strength + i);
  }
  return chance;
}

/** The share of samples of n cases whose interval holds the true value. */
export function coverage(
  one: Setting,
  n: number,
  value: number,
  samples: number,
  random: Random,
): number {
  const outcomes = outcomesOf(one, value).filter(({ probability }) => probability > 0);
  let held = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    let [left, weight] = [n, 1];
    const cases = outcomes.map(({ numerator, denominator, probability }, at) => {
      const last = at === outcomes.length - 1;
      const count = last ? left : binomial(random, left, Math.min(1, probability / weight));
      left -= count;
      weight -= probability;
      return { numerator, denominator, count };
    });
    const { low, high } = clusteredRatio(cases);
    // A sample without a call has no rate and makes no claim.
    if (low === null || high === null || (low <= value && value <= high)) held += 1;
  }
  return held / samples;
}
