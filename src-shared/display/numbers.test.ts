import {
  counted,
  formatBytes,
  formatCount,
  formatDecimal,
  formatDuration,
  formatLimit,
  formatExact,
  formatInterval,
  namedInterval,
  percentInterval,
  rateInterval,
  formatPercent,
  formatPrice,
  formatRate,
  formatShare,
  formatSigned,
  formatUsd,
} from './numbers.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from '../metrics/intervals.ts';

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

describe('number formats', () => {
  it.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])(
    'shows a missing number (%s) as a dash',
    (value) => {
      expect(formatRate(value)).toBe('–');
      expect(formatPercent(value)).toBe('–');
      expect(formatCount(value)).toBe('–');
      expect(formatDuration(value)).toBe('–');
      expect(formatUsd(value)).toBe('–');
    },
  );

  it('shows zero as a number', () => {
    expect(formatRate(0)).toBe('0.00');
    expect(formatPercent(0)).toBe('0%');
    expect(formatCount(0)).toBe('0');
    expect(formatUsd(0)).toBe('$0');
  });

  it('never rounds to 0 or 1 what is neither', () => {
    expect(formatRate(0.999)).toBe('>0.99');
    expect(formatRate(1)).toBe('1.00');
    expect(formatRate(0.001)).toBe('<0.01');
    expect(formatRate(0.995)).not.toBe('1.00');
    expect(formatPercent(0.9999)).toBe('>99%');
    expect(formatPercent(0.0001)).toBe('<1%');
  });

  it('shows no interval if one end is missing', () => {
    expect(formatInterval(0.584, 0.919)).toBe('[0.58–0.92]');
    expect(formatInterval(null, 0.9)).toBe('');
    expect(formatInterval(0.5, null)).toBe('');
  });

  it('says that cases are too few where a rate has no interval', () => {
    const [known, few, none] = [
      { value: 0.8, low: 0.584, high: 0.919 },
      { value: 0.8, low: null, high: null },
      { value: null, low: null, high: null },
    ];
    expect([known, few, none].map(rateInterval)).toEqual(['[0.58–0.92]', '[too few to say]', '']);
    expect([known, few, none].map(percentInterval)).toEqual(['58–92%', 'too few to say', '']);
    expect([known, few, none].map((rate) => namedInterval(rate))).toEqual([
      '95% CI 58–92%',
      'too few to say',
      '',
    ]);
  });

  it('chooses the unit of a duration by its size', () => {
    expect(formatDuration(7)).toBe('7 ms');
    expect(formatDuration(2100)).toBe('2.1 s');
    expect(formatDuration(9960)).toBe('10 s');
    expect(formatDuration(59_700)).toBe('1 min 0 s');
    expect(formatDuration(3_725_000)).toBe('1 h 2 min');
    expect([1, 500, 1_500, 45_500, 90_000, 86_400_000].map(formatLimit)).toEqual([
      ...['1 ms', '500 ms', '1.5 s', '45.5 s', '90 s', '86,400 s'],
    ]);
  });

  it('groups digits and writes a minus sign', () => {
    expect(counted(1, 'case')).toBe('1 case');
    expect(counted(12_040, 'query', 'queries')).toBe('12,040 queries');
    expect(formatCount(-1204)).toBe('−1,204');
    expect(formatDecimal(-1.5, 2)).toBe('−1.50');
    expect(formatDecimal(-0.001, 2)).toBe('0.00');
    expect(formatSigned(-0.0101)).toBe('−0.010');
    expect(formatSigned(0.5, 2)).toBe('+0.50');
    expect(formatExact(0.639_344_26)).toBe('0.6393');
    expect(formatExact(12)).toBe('12');
  });

  it('keeps a small price apart from nothing', () => {
    expect(formatUsd(0.001_234)).toBe('$0.0012');
    expect([0.0144, 0.01, 0.0994, 0.0996, 0.1].map(formatUsd)).toEqual([
      ...['$0.014', '$0.01', '$0.099', '$0.10', '$0.10'],
    ]);
    expect(formatUsd(0.000_000_1)).toBe('<$0.000001');
    expect(formatUsd(1204.5)).toBe('$1,204.50');
    expect(formatPrice(0.075)).toBe('$0.075');
    expect(formatPrice(3)).toBe('$3.00');
  });

  it('never shows a part as all, nor a saving below zero without its sign', () => {
    expect(formatShare(0.9973)).toBe('>99%');
    expect(formatShare(-0.072)).toBe('−7.2%');
    expect(formatShare(null)).toBe('–');
  });

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [999_499, '999 kB'],
    [999_600, '1 MB'],
    [3_200_000, '3.2 MB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('shows %d bytes as "%s"', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
