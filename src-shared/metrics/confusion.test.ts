import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import { addUnits, createConfusion, perTool, selectionMetrics, toMatrix } from './confusion.ts';

const unit = (expected: string, selected: string) => ({ expected, selected });
const units = [
  unit('b:y', 'b:y'),
  unit('b:y', 'a:x'),
  unit('a:x', NO_TOOL),
  unit('a:x', PHANTOM),
  unit('a:x', 'a:x'),
  unit(NO_TOOL, 'b:y'),
  unit(NO_TOOL, NO_TOOL),
  unit(NO_TOOL, PHANTOM),
];

function filled() {
  const confusion = createConfusion();
  addUnits(confusion, units);
  return confusion;
}

describe('toMatrix', () => {
  it('is square with sorted labels', () => {
    expect(toMatrix(filled(), ['c:never', 'B:z'])).toEqual({
      labels: ['B:z', 'a:x', 'b:y', 'c:never', NO_TOOL, PHANTOM],
      matrix: [
        [0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 1, 1],
        [0, 1, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 1, 1],
        [0, 0, 0, 0, 0, 0],
      ],
    });
  });

  it('keeps the labels for no tool and phantom when it is empty', () => {
    expect(toMatrix(createConfusion())).toEqual({
      labels: [NO_TOOL, PHANTOM],
      matrix: [
        [0, 0],
        [0, 0],
      ],
    });
  });

  it('is empty after all units are subtracted', () => {
    const confusion = filled();
    addUnits(confusion, units.slice(2), -1);
    addUnits(confusion, units.slice(0, 2), -1);
    expect(confusion).toEqual(createConfusion());
  });

  it('is independent of the order and grouping of runs', () => {
    const label = fc.constantFrom('a:x', 'b:y', 'c:z', NO_TOOL);
    const anyUnit = fc.record({ expected: label, selected: fc.oneof(label, fc.constant(PHANTOM)) });
    fc.assert(
      fc.property(fc.array(fc.array(anyUnit)), (runs) => {
        const [forward, backward] = [createConfusion(), createConfusion()];
        for (const run of runs) addUnits(forward, run);
        addUnits(backward, runs.flat().reverse());
        expect(toMatrix(backward)).toEqual(toMatrix(forward));
        const { matrix } = toMatrix(forward);
        expect(matrix.flat().reduce((a, b) => a + b, 0)).toBe(runs.flat().length);
      }),
    );
  });
});

describe('selectionMetrics', () => {
  it('counts wrong tools and phantoms against precision', () => {
    // Diagonal 2; tool and phantom columns: a:x 2, b:y 2, phantom 2; tool rows: a:x 3, b:y 2.
    const { selectionPrecision, selectionRecall, selectionF1 } = selectionMetrics(filled());
    expect(selectionPrecision).toMatchObject({ value: 2 / 6, n: 6 });
    expect(selectionRecall).toMatchObject({ value: 2 / 5, n: 5 });
    expect(selectionF1.value).toBeCloseTo(4 / 11, 12);
  });

  it('returns null when nothing was called and nothing was expected', () => {
    const confusion = createConfusion();
    addUnits(confusion, [unit(NO_TOOL, NO_TOOL)]);
    const metrics = selectionMetrics(confusion);
    expect([
      metrics.selectionPrecision.value,
      metrics.selectionRecall.value,
      metrics.selectionF1.value,
    ]).toEqual([null, null, null]);
  });
});

describe('perTool', () => {
  it('gives one-versus-rest counts for each tool', () => {
    const [x, y, never] = perTool(filled(), ['c:never']);
    expect(x).toMatchObject({
      toolId: 'a:x',
      tp: 1,
      fp: 1,
      fn: 2,
      precision: { value: 0.5 },
      recall: { value: 1 / 3 },
    });
    expect(y).toMatchObject({ toolId: 'b:y', tp: 1, fp: 1, fn: 1, f1Score: { value: 0.5 } });
    expect(never).toMatchObject({
      toolId: 'c:never',
      tp: 0,
      precision: { value: null },
      recall: { value: null },
      f1Score: { value: null },
    });
  });
});
