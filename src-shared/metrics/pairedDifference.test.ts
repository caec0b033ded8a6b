import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairedDifference } from './pairedDifference.ts';

describe('pairedDifference', () => {
  it.each([
    // Altman, Machin, Bryant and Gardner, Statistics with Confidence (2000), table 6.2.
    [{ bothPassed: 14, won: 5, lost: 0, bothFailed: 22 }, 0.122, 0.011, 0.226],
    // Newcombe 1998, table II, method 10.
    [{ bothPassed: 36, won: 12, lost: 2, bothFailed: 0 }, 0.2, 0.0569, 0.3404],
    // Fagerland, Lydersen and Laake, Stat. Med. 33 (2014): airway hyper-responsiveness.
    [{ bothPassed: 1, won: 1, lost: 7, bothFailed: 12 }, -0.286, -0.507, -0.026],
  ])('gives the published interval for %j', (pairs, value, low, high) => {
    const difference = pairedDifference(pairs);
    expect(difference?.value).toBeCloseTo(value, 3);
    expect(difference?.low).toBeCloseTo(low, 3);
    expect(difference?.high).toBeCloseTo(high, 3);
  });

  it('returns null for no pairs, contains its value and mirrors when the sides are swapped', () => {
    expect(pairedDifference({ bothPassed: 0, won: 0, lost: 0, bothFailed: 0 })).toBeNull();
    const count = fc.nat(200);
    fc.assert(
      fc.property(count, count, count, count, (bothPassed, won, lost, bothFailed) => {
        const there = pairedDifference({ bothPassed, won, lost, bothFailed });
        if (there === null) return;
        expect(there.low).toBeLessThanOrEqual(there.value + 1e-12);
        expect(there.high).toBeGreaterThanOrEqual(there.value - 1e-12);
        expect(there.low).toBeGreaterThanOrEqual(-1);
        expect(there.high).toBeLessThanOrEqual(1);
        // Seen from the other side it is the same interval, mirrored.
        const back = pairedDifference({ bothPassed, won: lost, lost: won, bothFailed });
        expect(back?.low).toBeCloseTo(-there.high, 9);
        expect(back?.high).toBeCloseTo(-there.low, 9);
      }),
    );
  });
});
