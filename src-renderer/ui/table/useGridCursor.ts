import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { dialogIsOpen } from '../keyboard/dialogIsOpen.ts';
import { moveInGrid, type Place } from '../keyboard/gridKeys.ts';

interface GridCursorOptions {
  rows: number;
  columns: number;
  rowHeight: number;
  /** The row that has the cursor, and is in view, when the grid appears. */
  startAt: number;
  /** Whether the grid takes the focus when it appears. */
  takeFocus: boolean;
  onEnter: (place: Place) => void;
  /** Keys of one grid only: true if it handled the key. Called before all others. */
  onOwnKey?: (event: KeyboardEvent, place: Place) => boolean;
}

interface GridCursor {
  /** The cell under the cursor, always inside the grid. */
  active: Place;
  setCursor: (place: Place) => void;
  virtual: Virtualizer<HTMLDivElement, Element>;
  cellId: (row: number, column: number) => string;
  /** Focuses the grid; if it has the focus already, moves the cursor by one row. */
  step: (key: 'ArrowDown' | 'ArrowUp') => void;
  /** Attributes of the element with the role `grid`. */
  gridProps: {
    ref: RefObject<HTMLDivElement | null>;
    role: 'grid';
    tabIndex: 0;
    'aria-activedescendant': string;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

/**
 * The cursor of a grid with one tab stop, and the rows around it: arrow keys, Page Up and Down, Home
 * and End move it, Enter acts on the cell.
 */
export function useGridCursor(options: GridCursorOptions): GridCursor {
  const { rows, columns, rowHeight, startAt, takeFocus, onEnter, onOwnKey } = options;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Place>({ row: startAt, column: 0 });
  const active: Place = {
    row: Math.min(cursor.row, rows - 1),
    column: Math.min(cursor.column, columns - 1),
  };
  const virtual = useGridRows({ count: rows, scroller, rowHeight, active: active.row });
  const cellId = (row: number, column: number): string => `${id}-${row}-${column}`;

  useEffect(() => {
    if (startAt > 0) virtual.scrollToIndex(startAt, { align: 'center' });
    if (takeFocus && !dialogIsOpen()) scroller.current?.focus({ preventScroll: true });
    // Once, when the grid appears; afterwards the cursor belongs to the reader.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  /** False if the key does not move the cursor. */
  const move = (key: string): boolean => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 360) / rowHeight) - 2);
    const next = moveInGrid(key, active, { rows, columns, page });
    if (next === null) return false;
    setCursor(next);
    if (next.row >= 0) virtual.scrollToIndex(next.row, { align: 'auto' });
    return true;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (onOwnKey?.(event, active) === true) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') onEnter(active);
    else if (!move(event.key)) return;
    event.preventDefault();
  };

  const step = (key: 'ArrowDown' | 'ArrowUp'): void => {
    if (document.activeElement === scroller.current) move(key);
    else scroller.current?.focus();
  };

  return {
    active,
    setCursor,
    virtual,
    cellId,
    step,
    gridProps: {
      ref: scroller,
      role: 'grid',
      tabIndex: 0,
      'aria-activedescendant': cellId(active.row, active.column),
      onKeyDown,
    },
  };
}

interface GridRows {
  count: number;
  scroller: RefObject<HTMLDivElement | null>;
  rowHeight: number;
  /** The row under the cursor; negative for the headings. */
  active: number;
}

/**
 * The rows of a grid that are in view, and the one under the cursor wherever it is: the grid must
 * be able to name it as its active descendant.
 */
function useGridRows(props: GridRows): Virtualizer<HTMLDivElement, Element> {
  const { count, scroller, rowHeight, active } = props;
  // The virtualizer returns functions that change with the scroll position; nothing here is
  // memoized over them.
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return active < 0 || visible.includes(active)
        ? visible
        : [...visible, active].sort((a, b) => a - b);
    },
  });
}
