import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type DrawnView, drawMap, drawView, halveRepeatedly, shows } from './heatDrawing.ts';
import {
  cellValue,
  clampView,
  type HeatCell,
  type HeatView,
  revealCell,
  zoomView,
} from './heatPicture.ts';
import classes from './HeatMap.module.css';

interface HeatMapProps {
  label: string;
  count: number;
  /**
   * Cells above the diagonal, row by row. A value of `cellSteps` is 1; `flaggedBit` marks a cell.
   */
  cells: Uint16Array;
  nameOf: (row: number) => string;
  selected: HeatCell | null;
  onSelect: (cell: HeatCell) => void;
  /** The name of the theme: the map is drawn again in its colors when this changes. */
  theme: string;
}

/**
 * A symmetric map on a canvas. The whole map is painted once at one pixel per cell, so that drawing
 * a frame is one copy, however many cells there are. Arrow keys move the cursor (ten cells with Ctrl
 * or Shift), Home and End go to the ends of the row, plus and minus zoom, 0 shows everything, and
 * Enter selects; the wheel zooms and dragging moves. A status line says what the cursor is on.
 */
export function HeatMap({ label, count, cells, nameOf, selected, onSelect, theme }: HeatMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<HeatView>({ row: 0, column: 0, size: count });
  const [cursor, setCursor] = useState<HeatCell>({ row: 0, column: Math.min(1, count - 1) });
  const [pointed, setPointed] = useState<HeatCell | null>(null);
  const drag = useRef<{ x: number; y: number; view: HeatView; moved: boolean } | null>(null);
  const side = useSide(frame);
  const visible = clampView(view, count);
  const current = pointed ?? {
    row: Math.min(cursor.row, count - 1),
    column: Math.min(cursor.column, count - 1),
  };

  const levels = useRef<readonly HTMLCanvasElement[]>([]);
  const drawn = useRef<DrawnView | null>(null);
  useLayoutEffect(() => {
    const whole = frame.current && drawMap(frame.current, cells, count);
    if (!whole) return;
    levels.current = halveRepeatedly(whole);
    drawn.current = null;
  }, [cells, count, theme]);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || levels.current.length === 0 || side === 0) return;
    const scale = side / visible.size;
    // While only the cursor moves, the map below it is not drawn again.
    const below = shows(drawn.current, visible, side)
      ? drawn.current
      : drawView(levels.current, visible, side, count);
    drawn.current = below;
    context.clearRect(0, 0, side, side);
    context.drawImage(below.canvas, 0, 0);
    const outline = (cell: HeatCell, width: number): void => {
      context.lineWidth = width;
      const size = Math.max(scale, 6);
      context.strokeRect(
        (cell.column - visible.column + 0.5) * scale - size / 2,
        (cell.row - visible.row + 0.5) * scale - size / 2,
        size,
        size,
      );
    };
    context.strokeStyle = getComputedStyle(canvas.current as Element).color;
    outline(current, 2);
    if (selected) outline(selected, 3);
  });

  const cellAt = (event: { clientX: number; clientY: number }): HeatCell => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return { row: 0, column: 0 };
    const indexAt = (offset: number, start: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor(start + (offset / box.width) * visible.size)));
    return {
      row: indexAt(event.clientY - box.top, visible.row),
      column: indexAt(event.clientX - box.left, visible.column),
    };
  };

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // React's own wheel listener is passive, so it could not stop the page from scrolling.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      setView((old) => {
        const from = clampView(old, count);
        return zoomView(
          from,
          event.deltaY > 0 ? 1.25 : 0.8,
          {
            row: from.row + ((event.clientY - box.top) / box.height) * from.size,
            column: from.column + ((event.clientX - box.left) / box.width) * from.size,
          },
          count,
        );
      });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  }, [count]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const step = event.ctrlKey || event.shiftKey ? 10 : 1;
    const moveTo = (row: number, column: number): void => {
      const next = {
        row: Math.min(count - 1, Math.max(0, row)),
        column: Math.min(count - 1, Math.max(0, column)),
      };
      setCursor(next);
      setPointed(null);
      setView(revealCell(visible, next, count));
    };
    const { row, column } = cursor;
    const halfView = Math.round(visible.size / 2);
    const select = (): void => {
      if (row !== column) onSelect(cursor);
    };
    const zoom = (factor: number) => (): void => {
      setView(zoomView(visible, factor, cursor, count));
    };
    const move = (nextRow: number, nextColumn: number) => (): void => {
      moveTo(nextRow, nextColumn);
    };
    const actions: Record<string, () => void> = {
      ArrowDown: move(row + step, column),
      ArrowUp: move(row - step, column),
      ArrowRight: move(row, column + step),
      ArrowLeft: move(row, column - step),
      Home: move(row, 0),
      End: move(row, count - 1),
      PageDown: move(row + halfView, column),
      PageUp: move(row - halfView, column),
      '+': zoom(0.5),
      '=': zoom(0.5),
      '-': zoom(2),
      '0': () => {
        setView({ row: 0, column: 0, size: count });
      },
      Enter: select,
      ' ': select,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const onPointerMove = (event: PointerEvent): void => {
    const from = drag.current;
    if (from && event.buttons === 1) {
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(dx) + Math.abs(dy) > 4) from.moved = true;
      setView(
        clampView(
          {
            ...from.view,
            row: from.view.row - (dy / side) * visible.size,
            column: from.view.column - (dx / side) * visible.size,
          },
          count,
        ),
      );
    } else setPointed(cellAt(event));
  };

  return (
    <div ref={frame} className={classes.frame}>
      <div
        role="application"
        aria-roledescription="heat map"
        aria-label={`${label}: arrow keys move, plus and minus zoom, Enter opens the pair`}
        tabIndex={0}
        className={classes.map}
        onKeyDown={onKeyDown}
      >
        <canvas
          ref={canvas}
          width={side}
          height={side}
          className={classes.canvas}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, y: event.clientY, view: visible, moved: false };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={onPointerMove}
          onPointerUp={(event) => {
            const pressed = drag.current?.moved === false;
            drag.current = null;
            if (!pressed) return;
            const cell = cellAt(event);
            setCursor(cell);
            if (cell.row !== cell.column) onSelect(cell);
          }}
          onPointerLeave={() => {
            setPointed(null);
          }}
        />
      </div>
      <p className={classes.told} role="status" aria-live="polite">
        {cellValue(cells, current, count).toFixed(2)} · <bdi>{nameOf(current.row)}</bdi> ·{' '}
        <bdi>{nameOf(current.column)}</bdi>
      </p>
    </div>
  );
}

function useSide(frame: RefObject<HTMLDivElement | null>): number {
  const [side, setSide] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      setSide(Math.max(160, Math.min(720, Math.floor(entry?.contentRect.width ?? 0))));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [frame]);
  return side;
}
