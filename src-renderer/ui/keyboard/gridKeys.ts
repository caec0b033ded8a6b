/** A cell of a grid; row −1 is the row of headings. */
export interface Place {
  row: number;
  column: number;
}

interface Size {
  rows: number;
  columns: number;
}

/** The neighbors by arrow keys, and the cells that Page Up and Page Down move to. */
const around = ({ row, column }: Place, page: number): Record<string, Place> => ({
  ArrowDown: { row: row + 1, column },
  ArrowUp: { row: row - 1, column },
  ArrowRight: { row, column: column + 1 },
  ArrowLeft: { row, column: column - 1 },
  PageDown: { row: row + page, column },
  PageUp: { row: row - page, column },
});

/** The nearest place inside the grid, whose first row is `first`; null for none. */
const inside = (to: Place | undefined, first: number, { rows, columns }: Size): Place | null =>
  to === undefined
    ? null
    : {
        row: Math.max(first, Math.min(to.row, rows - 1)),
        column: Math.max(0, Math.min(to.column, columns - 1)),
      };

/**
 * The place that a key moves to from `at`, inside the grid; null if the key does not move. Home and
 * End move along the column, as in lists. `page` is the number of rows that are visible at once.
 */
export function moveInGrid(key: string, at: Place, size: Size & { page: number }): Place | null {
  const { row, column } = at;
  const places: Record<string, Place> = {
    ...around(at, size.page),
    PageUp: { row: Math.max(row - size.page, 0), column },
    Home: { row: 0, column },
    End: { row: size.rows - 1, column },
  };
  return inside(places[key], -1, size);
}

/** Rows that Page Up and Page Down skip. */
export const MATRIX_PAGE = 8;

/** The same in a matrix: Home and End go to the ends of the row, with Ctrl to the corners. */
export function moveInMatrix(key: string, ctrl: boolean, at: Place, size: Size): Place | null {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const places: Record<string, Place> = ctrl
    ? { Home: { row: 0, column: 0 }, End: last }
    : {
        ...around(at, MATRIX_PAGE),
        Home: { row: at.row, column: 0 },
        End: { row: at.row, column: last.column },
      };
  return inside(places[key], 0, size);
}
