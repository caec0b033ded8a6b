import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCorrectUnit, NO_TOOL, PHANTOM } from '../domain/labels.ts';
import { addUnits, createConfusion, mostConfused, toMatrix } from './confusion.ts';

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

describe('mostConfused', () => {
  it('lists wrong choices only, most frequent first, ties in the order of the matrix', () => {
    const confusion = filled();
    addUnits(confusion, [unit(NO_TOOL, 'b:y'), unit(NO_TOOL, 'b:y')]);
    expect(mostConfused(toMatrix(confusion))).toEqual([
      { expected: NO_TOOL, selected: 'b:y', count: 3 },
      { expected: 'a:x', selected: NO_TOOL, count: 1 },
      { expected: 'a:x', selected: PHANTOM, count: 1 },
      { expected: 'b:y', selected: 'a:x', count: 1 },
      { expected: NO_TOOL, selected: PHANTOM, count: 1 },
    ]);
    expect(mostConfused(toMatrix(confusion), 1)).toHaveLength(1);
  });

  it('leaves out each correct call of a row of alternatives, and keeps its wrong ones', () => {
    const confusion = createConfusion();
    const both = 'a:x | b:y';
    addUnits(confusion, [
      unit(both, 'a:x'),
      unit(both, 'b:y'),
      unit(both, 'c:z'),
      unit(both, NO_TOOL),
      // A server whose name contains the separator.
      unit('a | b:x', 'a | b:x'),
    ]);
    expect(mostConfused(toMatrix(confusion))).toEqual([
      { expected: both, selected: 'c:z', count: 1 },
      { expected: both, selected: NO_TOOL, count: 1 },
    ]);
  });

  it('counts as many calls as the metrics count wrong rows and columns', () => {
    const label = fc.constantFrom('a:x', 'b:y', 'a:x | b:y', NO_TOOL);
    const called = fc.constantFrom('a:x', 'b:y', 'c:z', NO_TOOL, PHANTOM);
    fc.assert(
      fc.property(fc.array(fc.record({ expected: label, selected: called })), (made) => {
        const confusion = createConfusion();
        addUnits(confusion, made);
        const wrong = made.filter(
          (one) => !isCorrectUnit(one) && !(one.expected === NO_TOOL && one.selected === NO_TOOL),
        );
        const counted = mostConfused(toMatrix(confusion)).map(({ count }) => count);
        expect(counted.reduce((a, b) => a + b, 0)).toBe(wrong.length);
      }),
    );
  });

  it('is empty without confusions', () => {
    expect(
      mostConfused({
        labels: [NO_TOOL, PHANTOM],
        matrix: [
          [5, 0],
          [0, 0],
        ],
      }),
    ).toEqual([]);
  });
});
