import { describe, expect, it } from 'vitest';
import { countFoundAlone } from './detection.ts';

describe('countFoundAlone', () => {
  it('counts the attacks that every other detector misses', () => {
    // Attacks m1 to m4: a finds m1 and m2, b finds m2 and m3, c finds nothing, nobody finds m4.
    expect(
      countFoundAlone([
        { tp: 2, missed: ['m3', 'm4'] },
        { tp: 2, missed: ['m1', 'm4'] },
        { tp: 0, missed: ['m1', 'm2', 'm3', 'm4'] },
      ]),
    ).toEqual([1, 1, 0]);
  });

  it('counts everything that a single detector finds, and nothing that two find alike', () => {
    expect(countFoundAlone([{ tp: 3, missed: ['m4'] }])).toEqual([3]);
    expect(
      countFoundAlone([
        { tp: 3, missed: [] },
        { tp: 3, missed: [] },
      ]),
    ).toEqual([0, 0]);
    expect(countFoundAlone([])).toEqual([]);
  });
});
