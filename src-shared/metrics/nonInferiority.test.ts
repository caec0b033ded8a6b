import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { casesToRuleOut, nonInferiorityP } from './nonInferiority.ts';
import { createRandom } from './random.ts';
import { proofLevel } from './candidateProof.ts';

describe('nonInferiorityP', () => {
  it('agrees with the score test where no pair differs: z = √(n·Δ/(1 − Δ))', () => {
    // n = 196, Δ = 0.02: z = √(196 · 0.02 / 0.98) = 2, and 1 − Φ(2) = 0.02275.
    expect(nonInferiorityP({ won: 0, lost: 0, cases: 196 }, 0.02)).toBeCloseTo(0.02275, 5);
    expect(nonInferiorityP({ won: 0, lost: 0, cases: 0 }, 0.02)).toBe(1);
  });

  it('falls with every case won and rises with every case lost', () => {
    const count = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(count, count, (won, lost) => {
        const p = nonInferiorityP({ won, lost, cases: 120 }, 0.02);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(nonInferiorityP({ won: won + 1, lost, cases: 120 }, 0.02)).toBeLessThanOrEqual(p);
        expect(nonInferiorityP({ won, lost: lost + 1, cases: 120 }, 0.02)).toBeGreaterThanOrEqual(
          p,
        );
      }),
    );
  });

  it('calls a loss of exactly 2 points ruled out in about 5% of samples at most', () => {
    const random = createRandom(11);
    const samples = 4000;
    let wrong = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const flips = { won: 0, lost: 0, cases: 300 };
      for (let at = 0; at < flips.cases; at += 1) {
        const draw = random();
        if (draw < 0.05) flips.won += 1;
        else if (draw < 0.12) flips.lost += 1;
      }
      if (nonInferiorityP(flips, 0.02) <= 0.05) wrong += 1;
    }
    expect(wrong / samples).toBeLessThan(0.06);
  });
});

describe('the fewest cases that rule out a loss', () => {
  it('are 173 for 2 points at the level of the first proof', () => {
    expect(casesToRuleOut(0.02, proofLevel(1))).toBe(173);
  });

  it('reach the level, and one fewer does not', () => {
    for (const rank of [1, 2, 5, 20])
      for (const margin of [0.01, 0.02, 0.05]) {
        const level = proofLevel(rank);
        const cases = casesToRuleOut(margin, level);
        expect(nonInferiorityP({ won: 0, lost: 0, cases }, margin)).toBeLessThanOrEqual(level);
        expect(nonInferiorityP({ won: 0, lost: 0, cases: cases - 1 }, margin)).toBeGreaterThan(
          level,
        );
      }
  });
});
