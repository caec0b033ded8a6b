import type { KeyboardEvent } from 'react';
import { belowDiagonal, type HeatCell } from './heatPicture.ts';

interface HeatActions {
  cursor: HeatCell;
  /** Rows that PageUp and PageDown move. */
  page: number;
  count: number;
  moveTo: (cell: HeatCell) => void;
  zoomIn: () => void;
  zoomOut: () => void;
  select: (cell: HeatCell) => void;
}

/** The keys of the heat map. The cursor stays below the diagonal. */
export function heatKeys(event: KeyboardEvent, actions: HeatActions): void {
  if (event.altKey || event.metaKey) return;
  const { cursor, page, count, moveTo } = actions;
  const { row, column } = cursor;
  const step = event.ctrlKey || event.shiftKey ? 10 : 1;
  // A move across the diagonal stops at it, instead of changing the other tool too.
  const rowTo = (to: number) => (): void =>
    moveTo(belowDiagonal({ row: Math.max(column + 1, to), column }, count));
  const columnTo = (to: number) => (): void =>
    moveTo(belowDiagonal({ row, column: Math.min(row - 1, to) }, count));
  const select = (): void => actions.select(cursor);
  const keys: Record<string, () => void> = {
    ArrowDown: rowTo(row + step),
    ArrowUp: rowTo(row - step),
    ArrowRight: columnTo(column + step),
    ArrowLeft: columnTo(column - step),
    Home: columnTo(0),
    End: columnTo(row - 1),
    PageDown: rowTo(row + page),
    PageUp: rowTo(row - page),
    '+': actions.zoomIn,
    '=': actions.zoomIn,
    '-': actions.zoomOut,
    '0': actions.zoomOut,
    Enter: select,
    ' ': select,
  };
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
