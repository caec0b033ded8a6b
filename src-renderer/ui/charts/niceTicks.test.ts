import { describe, expect, it } from 'vitest';
import { niceTicks } from './niceTicks.ts';

describe('niceTicks', () => {
  it.each([
    [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0, 2060, [0, 500, 1000, 1500, 2000, 2500]],
    [0, 7, [0, 2, 4, 6, 8]],
  ])('covers %d to %d in round steps', (low, high, expected) => {
    expect(niceTicks(low, high)).toEqual(expected);
  });

  it('returns finite ticks where all values are equal', () => {
    expect(niceTicks(0, 0).every((tick) => Number.isFinite(tick))).toBe(true);
  });
});
