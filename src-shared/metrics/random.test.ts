import { describe, expect, it } from 'vitest';
import { binomial, createRandom } from './random.ts';

function logFactorial(n: number): number {
  let sum = 0;
  for (let k = 2; k <= n; k += 1) sum += Math.log(k);
  return sum;
}

function probability(n: number, p: number, k: number): number {
  return Math.exp(
    logFactorial(n) -
      logFactorial(k) -
      logFactorial(n - k) +
      k * Math.log(p) +
      (n - k) * Math.log(1 - p),
  );
}

describe('createRandom', () => {
  it('depends on the seed only', () => {
    const [a, b, c] = [createRandom(7), createRandom(7), createRandom(8)];
    const draw = (random: () => number) => Array.from({ length: 5 }, random);
    const first = draw(a);
    expect(draw(b)).toEqual(first);
    expect(draw(c)).not.toEqual(first);
  });

  it('is uniform on 0–1', () => {
    const random = createRandom(1);
    const bins = new Array<number>(16).fill(0);
    for (let draw = 0; draw < 160_000; draw += 1) {
      const bin = Math.floor(random() * 16);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    expect(bins).toHaveLength(16);
    const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    // 15 degrees of freedom: above 37.7 once in a thousand; the seed is fixed.
    expect(chiSquare).toBeLessThan(37.7);
  });
});

describe('binomial', () => {
  it.each([
    [20, 0.1],
    [20, 0.93],
    [60, 0.4],
    [500, 0.03],
    [1000, 0.5],
  ])('draws with the exact probabilities for n = %i, p = %f', (n, p) => {
    const random = createRandom(42);
    const draws = 60_000;
    const seen = new Array<number>(n + 1).fill(0);
    for (let draw = 0; draw < draws; draw += 1) {
      const k = binomial(random, n, p);
      seen[k] = (seen[k] ?? 0) + 1;
    }
    expect(seen).toHaveLength(n + 1);
    let [chiSquare, bins, restSeen, restExpected] = [0, 0, 0, 0];
    for (let k = 0; k <= n; k += 1) {
      const expected = draws * probability(n, p, k);
      if (expected < 10) {
        restSeen += seen[k] ?? 0;
        restExpected += expected;
        continue;
      }
      chiSquare += ((seen[k] ?? 0) - expected) ** 2 / expected;
      bins += 1;
    }
    chiSquare += (restSeen - restExpected) ** 2 / Math.max(restExpected, 1);
    // Mean of chi square is its degrees of freedom, deviation √(2·df): four deviations are far
    // beyond chance.
    expect(chiSquare).toBeLessThan(bins + 4 * Math.sqrt(2 * bins));
  });

  it('returns 0 or n at the ends', () => {
    const random = createRandom(3);
    expect([binomial(random, 0, 0.5), binomial(random, 9, 0), binomial(random, 9, 1)]).toEqual([
      0, 0, 9,
    ]);
  });
});
