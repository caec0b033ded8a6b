import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assign, type Worth } from './assignment.ts';

/** All ways to pair rows with columns, pairs that can't be left out; for small inputs only. */
function bestByTrying(table: (Worth | null)[][], columns: number): { value: number; rank: number } {
  let best = { value: 0, rank: 0 };
  const walk = (row: number, taken: ReadonlySet<number>, value: number, rank: number): void => {
    if (row === table.length) {
      if (value > best.value || (value === best.value && rank < best.rank)) best = { value, rank };
      return;
    }
    walk(row + 1, taken, value, rank);
    for (let column = 0; column < columns; column += 1) {
      const worth = table[row]?.[column];
      if (worth && !taken.has(column))
        walk(row + 1, new Set(taken).add(column), value + worth.value, rank + worth.rank);
    }
  };
  walk(0, new Set(), 0, 0);
  return best;
}

const worth = fc.option(
  fc.record({ value: fc.integer({ min: 1, max: 30 }), rank: fc.integer({ min: 0, max: 8 }) }),
  { freq: 3 },
);
const table = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([rows, columns]) =>
    fc.tuple(
      fc.array(fc.array(worth, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
      fc.constant(columns),
    ),
  );

describe('assign', () => {
  it('finds the best assignment of up to 5 × 5, compared with every possible one', () => {
    fc.assert(
      fc.property(table, ([cells, columns]) => {
        const result = assign(cells.length, columns, (row, column) => cells[row]?.[column] ?? null);
        const pairs = result.flatMap((column, row) => (column === null ? [] : [{ row, column }]));
        expect(new Set(pairs.map(({ column }) => column)).size).toBe(pairs.length);
        const sum = { value: 0, rank: 0 };
        for (const { row, column } of pairs) {
          const found = cells[row]?.[column];
          expect(found).toBeTruthy();
          sum.value += found?.value ?? 0;
          sum.rank += found?.rank ?? 0;
        }
        expect(sum).toEqual(bestByTrying(cells, columns));
      }),
      { numRuns: 1500 },
    );
  });

  it('assigns 120 × 120 equal rows and columns in polynomial time', () => {
    const result = assign(120, 120, (row, column) => ({
      value: 1 + ((row * 7 + column * 13) % 11),
      rank: row + column,
    }));
    expect(new Set(result).size).toBe(120);
    expect(result).not.toContain(null);
  });

  it('leaves rows unassigned when there are no columns or no allowed pairs', () => {
    expect(assign(0, 3, () => null)).toEqual([]);
    expect(assign(2, 0, () => null)).toEqual([null, null]);
    expect(assign(2, 2, () => null)).toEqual([null, null]);
  });
});
