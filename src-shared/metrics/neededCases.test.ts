import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logBinomial, mcnemarExact } from './mcnemar.ts';
import { neededCases } from './neededCases.ts';

describe('neededCases', () => {
  /** The power of n cases, summed over all numbers of won and lost ones. */
  function power(n: number, delta: number, psi: number): number {
    const [win, lose] = [(psi + delta) / 2, (psi - delta) / 2];
    const choose = (of: number, k: number) => Math.exp(logBinomial(of, k));
    let sum = 0;
    for (let won = 0; won <= n; won += 1)
      for (let lost = 0; lost < won && lost <= n - won; lost += 1)
        if (mcnemarExact(lost, won) <= 0.05)
          sum +=
            choose(n, won) *
            choose(n - won, lost) *
            win ** won *
            lose ** lost *
            (1 - psi) ** (n - won - lost);
    return sum;
  }

  it('is the least number from which on the exact test has 80% power', () => {
    for (const [delta, psi] of [
      [0.4, 0.5],
      [0.3, 0.3],
      [0.2, 0.4],
      [0.5, 0.9],
    ] as const) {
      const n = neededCases(delta, psi) ?? 0;
      expect(power(n - 1, delta, psi)).toBeLessThan(0.8);
      for (const more of [0, 1, 2, 3, 5, 8])
        expect(power(n + more, delta, psi)).toBeGreaterThanOrEqual(0.8);
    }
  });

  it('asks for more than the normal approximation, 23 for shares 0.45 and 0.05 (Connor 1987)', () => {
    expect(neededCases(0.4, 0.5)).toBe(25);
  });

  it('needs more cases at a stricter level', () => {
    expect(neededCases(0.2, 0.3, 0.01)).toBeGreaterThan(neededCases(0.2, 0.3) ?? 0);
  });

  it('needs at least six cases, ignores the sign and returns null for no difference', () => {
    expect(neededCases(1, 1)).toBe(6);
    expect(neededCases(0, 0.4)).toBeNull();
    expect(neededCases(-0.4, 0.5)).toBe(25);
  });

  it('needs more cases for a smaller difference', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (delta, psi) => {
          expect(neededCases(delta / 2, psi) ?? 0).toBeGreaterThanOrEqual(
            neededCases(delta, psi) ?? 0,
          );
        },
      ),
    );
  });
});
