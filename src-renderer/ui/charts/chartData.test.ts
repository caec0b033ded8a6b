import { describe, expect, it } from 'vitest';
import { errorOf, mergeSeries } from './chartData.ts';

describe('mergeSeries', () => {
  it('puts series with different positions on one axis in ascending order', () => {
    const rows = mergeSeries([
      { name: 'a', points: [point(3, 0.3), point(1, 0.1)] },
      { name: 'b', points: [point(2, 0.2), point(3, 0.9)] },
    ]);
    expect(rows.map(({ x, points }) => [x, ...points.map((each) => each?.y ?? null)])).toEqual([
      [1, 0.1, null],
      [2, null, 0.2],
      [3, 0.3, 0.9],
    ]);
  });

  it('keeps both points of a vertical step in their order', () => {
    const rows = mergeSeries([{ name: 'a', points: [point(1, 0.2), point(1, 0.8)] }]);
    expect(rows.map(({ points }) => points[0]?.y)).toEqual([0.2, 0.8]);
  });

  it('keeps a gap as a point without a value', () => {
    expect(mergeSeries([{ name: 'a', points: [point(1, null)] }])[0]?.points).toEqual([
      point(1, null),
    ]);
  });
});

describe('errorOf', () => {
  it('gives distances from the value, and nothing without an interval', () => {
    expect(errorOf({ ...point(0, 0.5), low: 0.25, high: 1 })).toEqual([0.25, 0.5]);
    expect(errorOf(point(0, 0.5))).toBeNull();
    expect(errorOf({ ...point(0, null), low: 0, high: 1 })).toBeNull();
  });
});

function point(x: number, y: number | null) {
  return { x, y };
}
