import { describe, expect, it } from 'vitest';
import { moveInGrid } from './gridKeys.ts';

describe('moveInGrid', () => {
  const size = { rows: 100, columns: 3, page: 10 };
  it('keeps the cursor inside the grid', () => {
    expect(moveInGrid('ArrowUp', { row: -1, column: 0 }, size)).toEqual({ row: -1, column: 0 });
    expect(moveInGrid('ArrowDown', { row: 99, column: 2 }, size)).toEqual({ row: 99, column: 2 });
    expect(moveInGrid('ArrowRight', { row: 0, column: 2 }, size)).toEqual({ row: 0, column: 2 });
    expect(moveInGrid('PageDown', { row: 95, column: 1 }, size)).toEqual({ row: 99, column: 1 });
    expect(moveInGrid('PageUp', { row: 4, column: 1 }, size)).toEqual({ row: 0, column: 1 });
    expect(moveInGrid('End', { row: 4, column: 1 }, size)).toEqual({ row: 99, column: 1 });
    expect(moveInGrid('Home', { row: 4, column: 1 }, size)).toEqual({ row: 0, column: 1 });
  });

  it('stays on the headings of an empty table', () => {
    expect(
      moveInGrid('ArrowDown', { row: -1, column: 0 }, { rows: 0, columns: 1, page: 5 }),
    ).toEqual({ row: -1, column: 0 });
    expect(moveInGrid('End', { row: -1, column: 0 }, { rows: 0, columns: 1, page: 5 })).toEqual({
      row: -1,
      column: 0,
    });
  });

  it('returns null for letters, which are shortcuts of the screen', () => {
    expect(moveInGrid('j', { row: 0, column: 0 }, size)).toBeNull();
  });
});
