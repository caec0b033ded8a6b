import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neededCases } from './neededCases.ts';

describe('neededCases', () => {
  it('would catch a wrong term: shares 0.45 and 0.05 need 23 pairs at 80 % power (Connor 1987, as powerandsamplesize.com works it out)', () => {
    expect(neededCases(0.4, 0.5)).toBe(23);
  });

  it('would catch a promise that no number of differing pairs could keep, and one for no difference', () => {
    expect(neededCases(1, 1)).toBe(6);
    expect(neededCases(0, 0.4)).toBeNull();
    expect(neededCases(-0.4, 0.5)).toBe(23);
  });

  it('would catch a smaller difference that needs fewer cases', () => {
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
