export interface Cell {
  row: number;
  column: number;
}

/** Rows that Page Up and Page Down skip. */
export const MATRIX_PAGE = 8;

/**
 * The place that a key moves to from `at`, inside the grid; null if the key does not move. Arrow
 * keys go to the neighbor, Home and End to the ends of the row, with Ctrl to the first and last
 * cell of all, Page Up and Page Down along the column.
 */
export function moveInMatrix(
  key: string,
  ctrl: boolean,
  at: Cell,
  size: { rows: number; columns: number },
): Cell | null {
  const lastRow = Math.max(size.rows - 1, 0);
  const lastColumn = Math.max(size.columns - 1, 0);
  const to = (row: number, column: number): Cell => ({
    row: Math.min(Math.max(row, 0), lastRow),
    column: Math.min(Math.max(column, 0), lastColumn),
  });
  if (ctrl && key !== 'Home' && key !== 'End') return null;
  switch (key) {
    case 'ArrowUp':
      return to(at.row - 1, at.column);
    case 'ArrowDown':
      return to(at.row + 1, at.column);
    case 'ArrowLeft':
      return to(at.row, at.column - 1);
    case 'ArrowRight':
      return to(at.row, at.column + 1);
    case 'Home':
      return ctrl ? to(0, 0) : to(at.row, 0);
    case 'End':
      return ctrl ? to(lastRow, lastColumn) : to(at.row, lastColumn);
    case 'PageUp':
      return to(at.row - MATRIX_PAGE, at.column);
    case 'PageDown':
      return to(at.row + MATRIX_PAGE, at.column);
    default:
      return null;
  }
}
