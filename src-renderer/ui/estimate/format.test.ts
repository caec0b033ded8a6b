import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatInterval,
  formatPercent,
  formatRate,
  formatUsd,
} from './format.ts';

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

  it('chooses the unit of a duration by its size', () => {
    expect(formatDuration(7)).toBe('7 ms');
    expect(formatDuration(2100)).toBe('2.1 s');
    expect(formatDuration(9960)).toBe('10 s');
    expect(formatDuration(59_700)).toBe('1 min 0 s');
    expect(formatDuration(3_725_000)).toBe('1 h 2 min');
  });
});
