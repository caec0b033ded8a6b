import { describe, expect, it } from 'vitest';
import { moveInGrid } from './gridKeys.ts';
import { minWidth, track } from './tableTracks.ts';
import { compareValues, nextSort, sortable, type SortValue } from './tableSort.ts';

describe('sorting of tables', () => {
  const order = (values: SortValue[]): SortValue[] => [...values].sort(compareValues);

  it('tool10 before tool2, or 9 after 10, would not be how a person counts', () => {
    expect(order(['tool10', 'tool2', 'Tool1'])).toEqual(['Tool1', 'tool2', 'tool10']);
    expect(order([10, 9, 0.5])).toEqual([0.5, 9, 10]);
    expect(order([true, false])).toEqual([false, true]);
  });

  it('a missing value that sorts as 0 or as the text “null” would pass for data', () => {
    expect(sortable(null)).toBeUndefined();
    expect(sortable(Number.NaN)).toBeUndefined();
    expect(sortable(0)).toBe(0);
    expect(sortable('')).toBe('');
    expect(sortable(false)).toBe(false);
  });

  it('a heading that can’t get back to the given order would lose the order of the file', () => {
    const first = nextSort(null, 'name');
    const second = nextSort(first, 'name');
    expect(first).toEqual({ column: 'name', descending: false });
    expect(second).toEqual({ column: 'name', descending: true });
    expect(nextSort(second, 'name')).toBeNull();
    expect(nextSort(second, 'tags')).toEqual({ column: 'tags', descending: false });
  });
});

describe('widths of columns', () => {
  it('a least width read wrongly would scroll a table that fits, or squeeze one that does not', () => {
    expect([90, 'minmax(160px, 2fr)', undefined, '1fr'].map(minWidth)).toEqual([90, 160, 120, 120]);
    expect([90, 'minmax(160px, 2fr)', undefined].map(track)).toEqual([
      '90px',
      'minmax(160px, 2fr)',
      'minmax(120px, 1fr)',
    ]);
  });
});

describe('keys in a grid', () => {
  const size = { rows: 100, columns: 3, page: 10 };
  it('a key that leaves the grid would lose the cursor', () => {
    expect(moveInGrid('ArrowUp', { row: -1, column: 0 }, size)).toEqual({ row: -1, column: 0 });
    expect(moveInGrid('ArrowDown', { row: 99, column: 2 }, size)).toEqual({ row: 99, column: 2 });
    expect(moveInGrid('ArrowRight', { row: 0, column: 2 }, size)).toEqual({ row: 0, column: 2 });
    expect(moveInGrid('PageDown', { row: 95, column: 1 }, size)).toEqual({ row: 99, column: 1 });
    expect(moveInGrid('PageUp', { row: 4, column: 1 }, size)).toEqual({ row: 0, column: 1 });
    expect(moveInGrid('End', { row: 4, column: 1 }, size)).toEqual({ row: 99, column: 1 });
    expect(moveInGrid('Home', { row: 4, column: 1 }, size)).toEqual({ row: 0, column: 1 });
  });

  it('an empty table would have a cursor outside of itself', () => {
    expect(
      moveInGrid('ArrowDown', { row: -1, column: 0 }, { rows: 0, columns: 1, page: 5 }),
    ).toEqual({ row: -1, column: 0 });
    expect(moveInGrid('End', { row: -1, column: 0 }, { rows: 0, columns: 1, page: 5 })).toEqual({
      row: -1,
      column: 0,
    });
  });

  it('letters taken as moves would swallow the shortcuts of the screen', () => {
    expect(moveInGrid('j', { row: 0, column: 0 }, size)).toBeNull();
  });
});
