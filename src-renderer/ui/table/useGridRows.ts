import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

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
export function useGridRows({
  count,
  scroller,
  rowHeight,
  active,
}: GridRows): Virtualizer<HTMLDivElement, Element> {
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
