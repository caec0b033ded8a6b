import { describe, expect, it } from 'vitest';
import { compareValues, nextSort, sortable, type SortValue } from './tableSort.ts';

describe('sorting', () => {
  const order = (values: SortValue[]): SortValue[] => [...values].sort(compareValues);

  it('sorts numbers inside text by value, and ignores case', () => {
    expect(order(['tool10', 'tool2', 'Tool1'])).toEqual(['Tool1', 'tool2', 'tool10']);
    expect(order([10, 9, 0.5])).toEqual([0.5, 9, 10]);
    expect(order([true, false])).toEqual([false, true]);
  });

  it('treats null and NaN as missing, but not 0, false or an empty text', () => {
    expect(sortable(null)).toBeUndefined();
    expect(sortable(Number.NaN)).toBeUndefined();
    expect(sortable(0)).toBe(0);
    expect(sortable('')).toBe('');
    expect(sortable(false)).toBe(false);
  });

  it('returns to the original order with the third press of a heading', () => {
    const first = nextSort(null, 'name');
    const second = nextSort(first, 'name');
    expect(first).toEqual({ column: 'name', descending: false });
    expect(second).toEqual({ column: 'name', descending: true });
    expect(nextSort(second, 'name')).toBeNull();
    expect(nextSort(second, 'tags')).toEqual({ column: 'tags', descending: false });
  });
});
