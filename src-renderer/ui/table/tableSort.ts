export type SortValue = string | number | boolean | null | undefined;

export interface Sort {
  column: string;
  descending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Ascending order of two present values of one column: numbers by size, text in natural order
 * (tool2 before tool10).
 */
export function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return collator.compare(String(a), String(b));
}

/** Null, undefined and NaN become undefined, which always sorts last. */
export function sortable(value: SortValue): string | number | boolean | undefined {
  return value === null || value === undefined || Number.isNaN(value) ? undefined : value;
}

/** The sort state after a click on a heading: ascending, then descending, then unsorted. */
export function nextSort(current: Sort | null, column: string): Sort | null {
  if (current?.column !== column) return { column, descending: false };
  return current.descending ? null : { column, descending: true };
}
