import { describe, expect, it } from 'vitest';
import { evenTicks } from './evenTicks.ts';

describe('evenTicks', () => {
  it.each([
    { range: [0.55, 0.85], ticks: [0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85] },
    { range: [0.1, 0.4], ticks: [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4] },
    { range: [0.6, 1], ticks: [0.6, 0.7, 0.8, 0.9, 1] },
    { range: [0, 25], ticks: [0, 5, 10, 15, 20, 25] },
  ] as const)('marks both ends of $range, which are round', ({ range, ticks }) => {
    expect(evenTicks(range)).toEqual(ticks);
  });

  it.each([
    { range: [0, 1.37], ticks: [0, 0.5, 1] },
    { range: [812, 1040], ticks: [850, 900, 950, 1000] },
    { range: [5674, 5725], ticks: [5680, 5690, 5700, 5710, 5720] },
    { range: [0, 33], ticks: [0, 10, 20, 30] },
  ] as const)('leaves out the uneven ends of $range', ({ range, ticks }) => {
    expect(evenTicks(range)).toEqual(ticks);
  });

  it('marks quarters of the whole range of rates', () => {
    expect(evenTicks([0, 1])).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  it('marks whole numbers only, where the positions are whole', () => {
    expect(evenTicks([0, 1], true)).toEqual([0, 1]);
    expect(evenTicks([0, 3], true)).toEqual([0, 1, 2, 3]);
    expect(evenTicks([0, 3])).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3]);
  });

  it('marks the only position of a range without length', () => {
    expect(evenTicks([4, 4])).toEqual([4]);
  });
});
