import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from '../metrics/intervals.ts';
import { formatInterval, formatRate } from './rates.ts';

describe('formatRate and formatInterval', () => {
  it('show 10,000 of 10,000 with a lower bound below 1', () => {
    const interval = wilson(10_000, 10_000);
    expect(interval?.low).toBeGreaterThan(0.999);
    expect(formatInterval(interval?.low, interval?.high)).toBe('[0.99–1.00]');
    expect(formatInterval(0.9994, 1)).toBe('[0.99–1.00]');
    expect(formatInterval(0, 0.0003)).toBe('[0.00–0.01]');
    expect(formatInterval(0.9951, 0.9999)).toBe('[0.99–1.00]');
  });

  it('round an exact hundredth to itself in spite of floating point', () => {
    for (let hundredths = 0; hundredths <= 100; hundredths += 1) {
      const text = (hundredths / 100).toFixed(2);
      expect(formatInterval(hundredths / 100, hundredths / 100)).toBe(`[${text}–${text}]`);
      expect(formatInterval(0.1 * (hundredths / 10), 0.1 * (hundredths / 10))).toBe(
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
            /^\[(.+)–(.+)\]$/.exec(formatInterval(low, high)) ?? [];
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
      formatRate(0.999),
      formatRate(0.001),
      formatRate(1),
      formatRate(0),
      formatRate(null),
      formatRate(Number.NaN),
    ]).toEqual(['>0.99', '<0.01', '1.00', '0.00', '–', '–']);
    expect([
      formatInterval(null, 1),
      formatInterval(0, undefined),
      formatInterval(Number.NaN, 1),
    ]).toEqual(['', '', '']);
  });
});
