/** A shared case: how often it passed on each side, of how many runs. */
interface SharedCase {
  baseline: number;
  candidate: number;
  baseline_runs?: number | undefined;
  candidate_runs?: number | undefined;
}

const maxRepetitions = 100;

/**
 * The repetitions that docs/rules.md §3, Comparisons, asks for, written a second time from that page:
 * case by case, by bisection over the repetitions, and by another way to the normal distribution.
 */
export function repetitionsFor(cases: readonly SharedCase[], level: number): number | null {
  const n = cases.length;
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const sides = [
    { shares: cases.map((one) => one.baseline), runs: cases.map((one) => one.baseline_runs ?? 1) },
    {
      shares: cases.map((one) => one.candidate),
      runs: cases.map((one) => one.candidate_runs ?? 1),
    },
  ];
  const [before = [], now = []] = sides.map(({ shares, runs }) => {
    const rate = mean(shares);
    return shares.map((share, at) => {
      const of = runs[at] ?? 1;
      return (share * of + rate) / (of + 1);
    });
  });
  const chances = cases.map((_, at) => [before[at] ?? 0, now[at] ?? 0] as const);
  const total = Math.abs(n * mean(chances.map(([p, q]) => q - p)));
  const spread = n * mean(chances.map(([p, q]) => (q - p) ** 2));
  const variance = n * mean(chances.map(([p, q]) => p - p * p + q - q * q));
  // The exact test has no p-value below 2 · ½ⁿ.
  if (2 ** (1 - n) > level || total < 1e-9) return null;
  const known = Math.max(...sides.flatMap(({ runs }) => runs));
  const isEnough = (runs: number): boolean => {
    const noise = Math.sqrt(variance / runs);
    const limit = quantile(1 - level / 2) * Math.sqrt(spread + noise * noise);
    return total - limit >= quantile(0.8) * noise;
  };
  if (known >= maxRepetitions || !isEnough(maxRepetitions)) return null;
  let [short, enough] = [known, maxRepetitions];
  while (enough - short > 1) {
    const middle = Math.floor((short + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else short = middle;
  }
  return enough;
}

/** The standard normal quantile, by bisection of the integral of its density (Simpson's rule). */
function quantile(chance: number): number {
  const below = (x: number) => {
    const steps = 400;
    const width = x / steps;
    let sum = 0;
    for (let at = 0; at <= steps; at += 1)
      sum +=
        (at === 0 || at === steps ? 1 : at % 2 === 1 ? 4 : 2) * Math.exp(-((at * width) ** 2) / 2);
    return 0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI);
  };
  let [low, high] = [0, 10];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (below(middle) < chance) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
