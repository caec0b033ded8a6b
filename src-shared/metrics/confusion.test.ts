import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import { addUnits, createConfusion, toMatrix } from './confusion.ts';

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

  it('lists rows of alternatives after the tools, counted in the columns of the tools called', () => {
    const confusion = createConfusion();
    const both = 'a:x | b:y';
    addUnits(confusion, [unit(both, 'a:x'), unit(both, 'c:z'), unit('a:x', 'b:y')]);
    expect(toMatrix(confusion)).toEqual({
      labels: ['a:x', 'b:y', 'c:z', both, NO_TOOL, PHANTOM],
      matrix: [
        [0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
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
