import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate } from './calibration.ts';

describe('calibrate', () => {
  it('gives the documented torchmetrics value for two bins', () => {
    const confidences = [0.25, 0.25, 0.55, 0.75, 0.75];
    const { ece, bins, n } = calibrate(
      confidences.map((confidence, at) => ({ confidence, right: at >= 2 })),
      2,
    );
    expect(ece).toBeCloseTo(0.29, 4);
    expect(n).toBe(5);
    expect(bins.map((bin) => bin.n)).toEqual([2, 3]);
    expect(bins[0]).toMatchObject({ right: 0, confidence: 0.25 });
  });

  it('returns null when nothing was measured', () => {
    expect(calibrate([]).ece).toBeNull();
    expect(calibrate([{ confidence: 1, right: true }]).bins.map(({ right }) => right)).toEqual([
      ...new Array<null>(9).fill(null),
      1,
    ]);
  });

  it('puts each run in one bin, an edge in the bin above, and the error within 0–1', () => {
    expect(calibrate([{ confidence: 0.3, right: true }]).bins[3]?.n).toBe(1);
    expect(calibrate([{ confidence: 0.7, right: true }]).bins[7]?.n).toBe(1);
    const runs = fc.array(
      fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), right: fc.boolean() }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(runs, (list) => {
        const { bins, ece, n } = calibrate(list);
        expect(bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(list.length);
        expect(n).toBe(list.length);
        expect(ece).toBeGreaterThanOrEqual(0);
        expect(ece).toBeLessThanOrEqual(1);
      }),
    );
  });
});
