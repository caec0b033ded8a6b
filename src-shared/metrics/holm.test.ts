import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from './holm.ts';

describe('holm', () => {
  it('equals p.adjust(method = "holm") of R', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(10)))).toEqual([
      0.03, 0.06, 0.06, 0.02,
    ]);
    expect(holm([0.01, 0.02, 0.03, 0.04]).map((p) => Number(p.toFixed(10)))).toEqual([
      0.04, 0.06, 0.06, 0.06,
    ]);
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });

  it('never lowers a p-value, never exceeds Bonferroni and keeps the order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (values) => {
          const adjusted = holm(values);
          values.forEach((p, at) => {
            expect(adjusted[at]).toBeGreaterThanOrEqual(p);
            expect(adjusted[at]).toBeLessThanOrEqual(Math.min(1, p * values.length) + 1e-12);
            values.forEach((other, place) => {
              if (p < other) expect(adjusted[at]).toBeLessThanOrEqual(adjusted[place] ?? 0);
            });
          });
        },
      ),
    );
  });
});
