import { mcnemarExact } from './mcnemar.ts';

/** A paired test: its p-value, and what it could have been at all. */
export interface DiscreteTest {
  /** 0–1. */
  p: number;
  /** Cases that differ. */
  differing: number;
  /** Whether all of them differ by the same size, so that p is that of McNemar's test. */
  equalSizes: boolean;
}

/**
 * The chance under "no difference" that a test gets a p-value of at most `p`, given how many of its
 * cases differ: the largest p that it can have, up to this one. 0 where none is as small: 2 · ½ⁿ is
 * the smallest with n differing cases.
 */
function chanceOf(p: number, { differing, equalSizes }: DiscreteTest): number {
  if (p >= 1) return 1;
  if (p < 2 * 0.5 ** differing) return 0;
  if (!equalSizes) return p;
  let reached = 0;
  for (let lost = 0; lost <= differing / 2; lost += 1) {
    const possible = mcnemarExact(lost, differing - lost);
    if (possible > p) break;
    reached = possible;
  }
  return reached;
}

/**
 * Adjusts p-values of paired tests by Holm's method with the chances that each test has (docs/rules.md
 * §3, Gates; Westfall and Wolfinger, Am. Stat. 51 (1997) 3–8; Tarone, Biometrics 46 (1990) 515–522),
 * in the given order. The i-th smallest p becomes the sum, over it and all larger ones, of the chance
 * of a p-value as small; it is never below the one before it and at most 1. A test that could not
 * reach p costs the others nothing, so this is never larger than Holm's. The chance that any true "no
 * difference" gets an adjusted p of at most α is at most α.
 */
export function discreteHolm(tests: readonly DiscreteTest[]): number[] {
  const order = tests.map((test, at) => ({ test, at })).sort((a, b) => a.test.p - b.test.p);
  const adjusted = new Array<number>(tests.length).fill(1);
  let floor = 0;
  order.forEach(({ test: { p }, at }, rank) => {
    const sum = order.slice(rank).reduce((total, each) => total + chanceOf(p, each.test), 0);
    floor = Math.max(floor, Math.min(1, Math.max(p, sum)));
    adjusted[at] = floor;
  });
  return adjusted;
}
