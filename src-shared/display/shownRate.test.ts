import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from '../metrics/intervals.ts';
import { showInterval, showRate } from './shownRate.ts';

describe('showRate and showInterval', () => {
  it('show 10,000 of 10,000 with a lower bound below 1', () => {
    const interval = wilson(10_000, 10_000);
    expect(interval?.low).toBeGreaterThan(0.999);
    expect(showInterval(interval?.low, interval?.high)).toBe('[0.99–1.00]');
    expect(showInterval(0.9994, 1)).toBe('[0.99–1.00]');
    expect(showInterval(0, 0.0003)).toBe('[0.00–0.01]');
    expect(showInterval(0.9951, 0.9999)).toBe('[0.99–1.00]');
  });

  it('round an exact hundredth to itself in spite of floating point', () => {
    for (let hundredths = 0; hundredths <= 100; hundredths += 1) {
      const text = (hundredths / 100).toFixed(2);
      expect(showInterval(hundredths / 100, hundredths / 100)).toBe(`[${text}–${text}]`);
      expect(showInterval(0.1 * (hundredths / 10), 0.1 * (hundredths / 10))).toBe(
        `[${text}–${text}]`,
      );
    }
  });

  it('round intervals outward and keep them within 0–1', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, other) => {
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          const [, shownLow = '', shownHigh = ''] =
            /^\[(.+)–(.+)\]$/.exec(showInterval(low, high)) ?? [];
          expect(Number(shownLow)).toBeLessThanOrEqual(low + 1e-10);
          expect(Number(shownHigh)).toBeGreaterThanOrEqual(high - 1e-10);
          expect(Number(shownLow)).toBeGreaterThanOrEqual(0);
          expect(Number(shownHigh)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('never round a rate to 0 or 1, and show nothing for a missing number', () => {
    expect([
      showRate(0.999),
      showRate(0.001),
      showRate(1),
      showRate(0),
      showRate(null),
      showRate(Number.NaN),
    ]).toEqual(['>0.99', '<0.01', '1.00', '0.00', '–', '–']);
    expect([
      showInterval(null, 1),
      showInterval(0, undefined),
      showInterval(Number.NaN, 1),
    ]).toEqual(['', '', '']);
  });
});
