import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neededRepetitions, type PassShare } from './neededRepetitions.ts';
import { binomial, createRandom } from './random.ts';
import { signFlip } from './signFlip.ts';

const level = 0.05;
const shared = (
  cases: number,
  baseline: number,
  candidate: number,
  [baselineRuns, candidateRuns]: [number, number] = [10, 10],
): PassShare => ({ cases, baseline, candidate, baselineRuns, candidateRuns });

describe('neededRepetitions', () => {
  it('solves the equation of 80% power, computed by hand', () => {
    // All alike, so the rates are the chances: D = 4, Σ(q−p)² = 0.4, V = 40·(0.24 + 0.25) = 19.6.
    // 4 − 1.96·√(0.4 + 19.6/r) ≥ 0.8416·√(19.6/r): r = 10 gives 4 − 3.011 < 1.178, r = 11 gives
    // 4 − 2.895 < 1.123, r = 12 gives 4 − 2.795 = 1.205 ≥ 1.076.
    expect(neededRepetitions([shared(40, 0.4, 0.5)], level)).toBe(12);
    // Twice as many cases take about half as many: 8 − 1.96·√(0.8 + 39.2/r) ≥ 0.8416·√(39.2/r), but
    // never fewer than there are.
    expect(neededRepetitions([shared(80, 0.4, 0.5, [2, 2])], level)).toBe(6);
    expect(neededRepetitions([shared(80, 0.4, 0.5)], level)).toBe(11);
  });

  it('finds what was measured in 4 of 5 samples of the paired test with so many, and not with half', () => {
    const shares = [shared(20, 0.25, 0.5, [4, 4]), shared(20, 0.75, 0.75, [4, 4])];
    const needed = neededRepetitions(shares, level) ?? 0;
    expect(needed).toBeGreaterThan(5);
    const means = { before: 0.5, now: 0.625 };
    const chances = shares.flatMap((one) =>
      new Array<[number, number]>(one.cases).fill([
        (one.baseline * 4 + means.before) / 5,
        (one.candidate * 4 + means.now) / 5,
      ]),
    );
    const random = createRandom(7);
    const found = (runs: number): number => {
      let count = 0;
      for (let sample = 0; sample < 100; sample += 1) {
        const test = signFlip(
          chances.map(([p, q]) => (binomial(random, runs, q) - binomial(random, runs, p)) / runs),
        );
        if (test !== null && test.p <= level && test.value > 0) count += 1;
      }
      return count / 100;
    };
    const share = found(needed);
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.9);
    expect(found(Math.ceil(needed / 2))).toBeLessThan(0.6);
  });

  it('returns null where no number decides: no difference, too few cases, or cases that disagree', () => {
    expect(neededRepetitions([shared(40, 0.5, 0.5)], level)).toBeNull();
    expect(neededRepetitions([shared(40, 1, 1)], level)).toBeNull();
    // Five cases can't be significant: 2 · ½⁵ = 0.0625.
    expect(neededRepetitions([shared(5, 0, 1)], level)).toBeNull();
    expect(neededRepetitions([shared(6, 0, 1, [1, 1])], level)).not.toBeNull();
    // 11 cases improve fully, 9 get as much worse: other runs of them would show the same again.
    expect(neededRepetitions([shared(11, 0, 1), shared(9, 1, 0)], level)).toBeNull();
  });

  it('takes no fewer for a stricter level, and doesn’t depend on which side is the better one', () => {
    const one = fc.record({
      cases: fc.integer({ min: 1, max: 30 }),
      baseline: fc.integer({ min: 0, max: 5 }).map((c) => c / 5),
      candidate: fc.integer({ min: 0, max: 5 }).map((c) => c / 5),
      baselineRuns: fc.constant(5),
      candidateRuns: fc.constant(5),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), (shares) => {
        const needed = neededRepetitions(shares, level);
        const strict = neededRepetitions(shares, level / 5);
        expect(strict ?? Infinity).toBeGreaterThanOrEqual(needed ?? Infinity);
        const turned = shares.map((each) => ({
          ...each,
          baseline: each.candidate,
          candidate: each.baseline,
        }));
        expect(neededRepetitions(turned, level)).toBe(needed);
      }),
    );
  });
});
