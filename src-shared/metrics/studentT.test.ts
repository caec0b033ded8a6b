import { describe, expect, it } from 'vitest';
import { studentT95, Z95 } from './studentT.ts';

describe('studentT95', () => {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.10 (F = 0.975).
  it.each([
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [4, 2.776],
    [5, 2.571],
    [10, 2.228],
    [19, 2.093],
    [30, 2.042],
    [60, 2.0],
    [120, 1.98],
  ])('gives the published point for %i degrees of freedom', (degrees, point) => {
    expect(studentT95(degrees)).toBeCloseTo(point, 3);
  });

  it('decreases toward the normal point without a step where the expansion takes over', () => {
    const points = Array.from({ length: 400 }, (_, at) => studentT95(at + 1));
    for (const [at, point] of points.entries())
      if (at > 0) expect(point).toBeLessThan(points[at - 1] ?? 0);
    expect((points[198] ?? 0) - (points[199] ?? 0)).toBeCloseTo(
      (points[199] ?? 0) - (points[200] ?? 0),
      5,
    );
    expect(studentT95(10_000_000)).toBeCloseTo(Z95, 6);
  });
});
