import { clusteredRatio, type Share } from '../src-shared/metrics/clusteredInterval.ts';
import { binomial, type Random } from '../src-shared/metrics/random.ts';

/** What one case adds to the rate, with the probability of that. */
interface Outcome extends Share {
  probability: number;
}

/** How answers are simulated, and which rate of them is measured. */
export interface Setting {
  name: string;
  /** What a case can add to the rate, if the true value of the rate is `value`. */
  outcomesOf: (value: number) => Outcome[];
}

interface Headline {
  /** Scored calls of one case: expected calls times repetitions. */
  calls: number;
  rate?: 'recall' | 'f1';
  /** Of the calls that are not right, the share that goes to a wrong tool instead of none. */
  wrongTools?: number;
  /** Correlation between two calls of one case; their common rate is drawn from a beta distribution. */
  correlation?: number;
}

/** The rates of all tools together: every case expects a call. */
function headline(
  name: string,
  { calls, rate = 'recall', wrongTools = 0, correlation = calls === 1 ? 0 : 0.5 }: Headline,
): Setting {
  return {
    name,
    outcomesOf: (value) => {
      const p = rate === 'recall' ? value : rightCalls(value, wrongTools);
      return range(calls).flatMap((right) => {
        const chance = betaBinomial(calls, right, p, correlation);
        if (rate === 'recall')
          return [{ numerator: right, denominator: calls, probability: chance }];
        const missed = calls - right;
        return range(missed).map((wrong) => ({
          numerator: 2 * right,
          denominator: 2 * right + missed + wrong,
          whole: 2 * calls,
          probability: chance * binomialChance(missed, wrong, wrongTools),
        }));
      });
    },
  };
}

interface Tool {
  rate: 'precision' | 'recall' | 'f1';
  /** Cases that expect the tool. The others call it by mistake, or don't touch its rates. */
  share: number;
  repetitions?: number;
}

/** The rates of one tool, which only a part of the cases touches. */
function tool({ rate, share, repetitions = 1 }: Tool): Setting {
  const correlation = repetitions === 1 ? 0 : 0.7;
  const names = { precision: 'precision', recall: 'recall', f1: 'F1' };
  const often = repetitions === 1 ? '' : `, ${repetitions} repetitions`;
  return {
    name: `tool of ${Math.round(share * 100)}% of the cases${often}, ${names[rate]}`,
    outcomesOf: (value) => {
      const { right, mistaken } = chancesOf(rate, share, value);
      return range(repetitions).flatMap((calls) => {
        const expected = share * betaBinomial(repetitions, calls, right, correlation);
        const other = (1 - share) * betaBinomial(repetitions, calls, mistaken, correlation);
        const of = (
          numerator: number,
          denominator: number,
          whole: number,
          probability: number,
        ) => ({
          numerator,
          denominator,
          whole,
          probability,
        });
        if (rate === 'recall')
          return [of(calls, repetitions, repetitions, expected), of(0, 0, 0, other)];
        if (rate === 'precision')
          return [of(calls, calls, calls, expected), of(0, calls, calls, other)];
        return [
          of(2 * calls, calls + repetitions, 2 * repetitions, expected),
          of(0, calls, 2 * calls, other),
        ];
      });
    },
  };
}

/** How often a case that expects the tool calls it, and one that doesn't, for a rate of `value`. */
function chancesOf(
  rate: Tool['rate'],
  share: number,
  value: number,
): { right: number; mistaken: number } {
  if (rate === 'recall') return { right: value, mistaken: 0.05 };
  // F1 = p if as many calls are mistaken as are missed.
  if (rate === 'f1') return { right: value, mistaken: (share * (1 - value)) / (1 - share) };
  const ratio = (share * (1 - value)) / (value * (1 - share));
  const right = Math.min(0.8, 0.6 / ratio);
  return { right, mistaken: right * ratio };
}

const toolRates = ['precision', 'recall', 'f1'] as const;

/** The settings of docs/rules.md §3, Coverage. Recall stands for every rate of right and wrong. */
export const settings: readonly Setting[] = [
  headline('one call, recall', { calls: 1 }),
  headline('one call, F1, no wrong tool', { calls: 1, rate: 'f1' }),
  headline('one call, F1, half wrong tools', { calls: 1, rate: 'f1', wrongTools: 0.5 }),
  headline('one call, F1, all wrong tools', { calls: 1, rate: 'f1', wrongTools: 1 }),
  headline('three calls per case, recall', { calls: 3 }),
  headline('three calls per case, F1, half wrong tools', { calls: 3, rate: 'f1', wrongTools: 0.5 }),
  headline('three calls per case, F1, all wrong tools', { calls: 3, rate: 'f1', wrongTools: 1 }),
  headline('3 repetitions, recall', { calls: 3, correlation: 0.7 }),
  headline('5 repetitions, recall', { calls: 5, correlation: 0.7 }),
  headline('5 repetitions, F1, all wrong tools', {
    calls: 5,
    rate: 'f1',
    wrongTools: 1,
    correlation: 0.7,
  }),
  ...toolRates.map((rate) => tool({ rate, share: 0.1 })),
  ...toolRates.map((rate) => tool({ rate, share: 0.3 })),
  ...toolRates.map((rate) => tool({ rate, share: 0.3, repetitions: 3 })),
];
export const caseNumbers = [8, 20, 50, 100, 200, 500];
export const rates = [0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98];

/** The probability of a right call: F1 = 2p ÷ (2p + (1 − p)(1 + w)), solved for p. */
function rightCalls(f1: number, wrongTools: number): number {
  const errors = 1 + wrongTools;
  return (f1 * errors) / (2 - 2 * f1 + f1 * errors);
}

/** 0, 1, …, last */
const range = (last: number): number[] => Array.from({ length: last + 1 }, (_, at) => at);

function choose(n: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i += 1) product *= (n - i) / (i + 1);
  return product;
}

const binomialChance = (n: number, k: number, p: number): number =>
  choose(n, k) * p ** k * (1 - p) ** (n - k);

/** Pólya's urn: each right call makes the next one likelier, the more so the higher `correlation`. */
function betaBinomial(n: number, k: number, p: number, correlation: number): number {
  if (correlation === 0) return binomialChance(n, k, p);
  const strength = 1 / correlation - 1;
  let chance = choose(n, k);
  for (let i = 0; i < n; i += 1) {
    const share = i < k ? p : 1 - p;
    const before = i < k ? i : i - k;
    chance *= (share * strength + before) / (strength + i);
  }
  return chance;
}

/** Fewer intervals than this share of the samples say nothing about their coverage. */
const minClaims = 0.25;

/**
 * The share of intervals that hold the true value, over samples of n cases. A sample with too few
 * cases for an interval makes no claim and isn't counted; null if nearly all samples are such.
 */
export function coverage(
  one: Setting,
  n: number,
  value: number,
  samples: number,
  random: Random,
): number | null {
  const outcomes = one.outcomesOf(value).filter(({ probability }) => probability > 0);
  let [held, claims] = [0, 0];
  for (let sample = 0; sample < samples; sample += 1) {
    let [left, weight] = [n, 1];
    const cases = outcomes.map(({ probability, ...share }, at) => {
      const last = at === outcomes.length - 1;
      const count = last ? left : binomial(random, left, Math.min(1, probability / weight));
      left -= count;
      weight -= probability;
      return { ...share, count };
    });
    const { low, high } = clusteredRatio(cases);
    if (low === null || high === null) continue;
    claims += 1;
    if (low <= value && value <= high) held += 1;
  }
  return claims < minClaims * samples ? null : held / claims;
}
