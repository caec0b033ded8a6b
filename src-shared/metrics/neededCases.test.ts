import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neededCases } from './neededCases.ts';

describe('neededCases', () => {
  it('needs 23 pairs for shares 0.45 and 0.05 at 80% power (Connor 1987)', () => {
    expect(neededCases(0.4, 0.5)).toBe(23);
  });

  it('needs at least six cases, ignores the sign and returns null for no difference', () => {
    expect(neededCases(1, 1)).toBe(6);
    expect(neededCases(0, 0.4)).toBeNull();
    expect(neededCases(-0.4, 0.5)).toBe(23);
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
