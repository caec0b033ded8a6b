import type { Random } from '../../src-shared/metrics/random.ts';

/** What the front needs to know of a candidate. */
export interface Scored {
  /** Pass share (0–1) by case, in the order of the search cases; null = not scored. */
  shares: readonly (number | null)[];
  /** Mean of the scored shares. */
  passRate: number;
  tokens: number;
}

/**
 * The candidates worth building on, with a weight each: how many cases they are best on.
 *
 * A candidate that is best on any case stays, unless another one is best on all the same cases. This
 * keeps different strategies alive where the best mean alone would get stuck. Source: Agrawal et
 * al., "GEPA: Reflective Prompt Evolution Can Outperform Reinforcement Learning", 2025, algorithm
 * 2. Of two candidates that are best on the same cases, the one with fewer tokens stays, else the
 * earlier one. Empty only for no candidates.
 */
export function caseFront(pool: readonly Scored[]): { index: number; weight: number }[] {
  const cases = pool[0]?.shares.length ?? 0;
  const wins = pool.map(() => new Set<number>());
  for (let at = 0; at < cases; at += 1) {
    const best = Math.max(...pool.map(({ shares }) => shares[at] ?? -1));
    pool.forEach(({ shares }, index) => {
      if ((shares[at] ?? -1) === best) wins[index]?.add(at);
    });
  }
  const remaining = new Set(pool.keys());
  const order = [...pool.keys()].sort(
    (a, b) =>
      (wins[a]?.size ?? 0) - (wins[b]?.size ?? 0) ||
      (pool[b]?.tokens ?? 0) - (pool[a]?.tokens ?? 0) ||
      b - a,
  );
  for (const index of order) {
    const own = [...(wins[index] ?? [])];
    const isCovered = [...remaining].some(
      (other) => other !== index && own.every((at) => wins[other]?.has(at)),
    );
    if (isCovered) remaining.delete(index);
  }
  return [...remaining].map((index) => ({ index, weight: Math.max(1, wins[index]?.size ?? 0) }));
}

/** The candidates that no other one beats in both pass rate and tokens, fewest tokens first. */
export function tokenFront(pool: readonly Scored[]): number[] {
  const order = [...pool.keys()].sort(
    (a, b) =>
      (pool[a]?.tokens ?? 0) - (pool[b]?.tokens ?? 0) ||
      (pool[b]?.passRate ?? 0) - (pool[a]?.passRate ?? 0) ||
      a - b,
  );
  let best = -Infinity;
  return order.filter((index) => {
    const { passRate } = pool[index] ?? { passRate: -Infinity };
    if (passRate <= best) return false;
    best = passRate;
    return true;
  });
}

/** One entry, drawn in proportion to its weight (all > 0); null for none. */
export function drawWeighted<Entry extends { weight: number }>(
  entries: readonly Entry[],
  random: Random,
): Entry | null {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let left = random() * total;
  for (const entry of entries) {
    left -= entry.weight;
    if (left < 0) return entry;
  }
  return entries.at(-1) ?? null;
}
