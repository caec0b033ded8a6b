/** A cell of a grid; row −1 is the row of headings. */
export interface Place {
  row: number;
  column: number;
}

interface Size {
  rows: number;
  columns: number;
  /** Rows that are visible at once. */
  page: number;
}

/**
 * The place that a key moves to from `at`, inside the grid; null if the key does not move. Home and
 * End move along the column, as in lists.
 */
export function moveInGrid(key: string, at: Place, { rows, columns, page }: Size): Place | null {
  const to = (row: number, column: number): Place => ({
    row: Math.min(Math.max(row, -1), rows - 1),
    column: Math.min(Math.max(column, 0), Math.max(columns - 1, 0)),
  });
  switch (key) {
    case 'ArrowDown':
      return to(at.row + 1, at.column);
    case 'ArrowUp':
      return to(at.row - 1, at.column);
    case 'ArrowRight':
      return to(at.row, at.column + 1);
    case 'ArrowLeft':
      return to(at.row, at.column - 1);
    case 'PageDown':
      return to(at.row + page, at.column);
    case 'PageUp':
      return to(Math.max(at.row - page, 0), at.column);
    case 'Home':
      return to(0, at.column);
    case 'End':
      return to(rows - 1, at.column);
    default:
      return null;
  }
}
