import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { Action } from '../fields/controls.tsx';
import { PlainText } from '../text/Foreign.tsx';
import { type DrawnView, drawMap, drawView, halveRepeatedly, shows } from './heatDrawing.ts';
import { heatLayout, minNameScale, type HeatMark } from './heatLayout.ts';
import {
  bandsOf,
  belowDiagonal,
  blockView,
  cellValue,
  clampView,
  type HeatCell,
  type HeatView,
  revealCell,
  zoomView,
} from './heatPicture.ts';
import { HeatLegend } from './HeatLegend.tsx';
import { HeatOverlay } from './HeatOverlay.tsx';
import classes from './HeatMap.module.css';

interface HeatMapProps {
  label: string;
  /**
   * What is compared, in the order of the map; equal groups are next to each other. The readout
   * names the one with the lower place first.
   */
  rows: readonly { name: string; group: string; place: number }[];
  /** Cells above the diagonal, row by row, in steps of 1/`cellSteps`. */
  cells: Uint16Array;
  /** Cells at or above it change their hue. */
  threshold: number;
  /** Cells that carry a number, the most important first. */
  marks: readonly HeatMark[];
  /** Number of cells by value in hundredths. */
  histogram: readonly number[];
  legendTitle: string;
  format: (value: number) => string;
  /** Where the cursor is until somebody moves it. */
  start: HeatCell | null;
  selected: HeatCell | null;
  onSelect: (cell: HeatCell) => void;
  /** The name of the theme: the map is drawn again in its colors when this changes. */
  theme: string;
}

/**
 * A symmetric map as its lower triangle, on a canvas. The whole map is painted once at one pixel per
 * cell, so that drawing a frame is one copy, however many cells there are. Arrow keys move the
 * cursor (ten cells with Ctrl or Shift), Home and End go to the ends of the row, plus zooms into a
 * block, minus and 0 zoom out, and Enter selects; the wheel zooms and dragging moves. The line above
 * says what the cursor is on.
 */
export function HeatMap(props: HeatMapProps) {
  const { label, rows, cells, threshold, marks, selected, onSelect, theme } = props;
  const count = rows.length;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const whole: HeatView = { row: 0, column: 0, size: count };
  const [view, setView] = useState<HeatView>(whole);
  const [moved, setCursor] = useState<HeatCell | null>(null);
  const [pointed, setPointed] = useState<HeatCell | null>(null);
  const drag = useRef<{ x: number; y: number; view: HeatView; moved: boolean } | null>(null);
  const visible = clampView(view, count);
  const longestName = useMemo(() => Math.max(...rows.map(({ name }) => name.length)), [rows]);
  const layout = heatLayout(useWidth(frame), visible, longestName);
  const bands = useMemo(() => bandsOf(rows.map(({ group }) => group)), [rows]);
  const opened = selected && belowDiagonal(selected, count);
  const cursor = belowDiagonal(moved ?? opened ?? props.start ?? { row: 1, column: 0 }, count);
  const current = pointed ?? cursor;
  const isWhole = visible.size >= count;

  const levels = useRef<readonly HTMLCanvasElement[]>([]);
  const drawn = useRef<DrawnView | null>(null);
  useLayoutEffect(() => {
    const painted = frame.current && drawMap(frame.current, cells, count, threshold);
    if (!painted) return;
    levels.current = halveRepeatedly(painted);
    drawn.current = null;
  }, [cells, count, threshold, theme]);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || levels.current.length === 0) return;
    // While only the cursor moves, the map below it is not drawn again.
    if (shows(drawn.current, visible, layout.side)) return;
    drawn.current = drawView(levels.current, visible, layout.side, count);
    context.clearRect(0, 0, layout.side, layout.side);
    context.drawImage(drawn.current.canvas, 0, 0);
  });

  // A pair that is opened from the list comes into view.
  const openedKey = opened === null ? null : `${opened.row} ${opened.column}`;
  const [shownKey, setShownKey] = useState(openedKey);
  if (openedKey !== shownKey) {
    setShownKey(openedKey);
    if (opened !== null) {
      setCursor(null);
      setView(revealCell(visible, opened, count));
    }
  }

  const placeAt = (event: { clientX: number; clientY: number }): HeatCell => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return { row: 0, column: 0 };
    const indexAt = (offset: number, start: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor(start + (offset / box.width) * visible.size)));
    return {
      row: indexAt(event.clientY - box.top, visible.row),
      column: indexAt(event.clientX - box.left, visible.column),
    };
  };

  useWheel(canvas, (event, box) =>
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
    }),
  );

  /** Into the block of a cell; inside it, until names fit. */
  const zoomInto = (cell: HeatCell): void => {
    const block = blockView(cell, bands, count);
    setView(
      block.size < visible.size
        ? block
        : zoomView(visible, Math.min(0.5, layout.side / minNameScale / visible.size), cell, count),
    );
  };
  const moveTo = (cell: HeatCell): void => {
    setCursor(cell);
    setPointed(null);
    setView(revealCell(visible, cell, count));
  };
  const press = (cell: HeatCell): void => {
    if (cell.row === cell.column) return;
    setCursor(belowDiagonal(cell, count));
    const isNumbered = marks.some(({ row, column }) => row === cell.row && column === cell.column);
    if (layout.named || isNumbered) onSelect(belowDiagonal(cell, count));
    else zoomInto(cell);
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
            row: from.view.row - dy / layout.scale,
            column: from.view.column - dx / layout.scale,
          },
          count,
        ),
      );
      return;
    }
    const cell = placeAt(event);
    setPointed(cell.row > cell.column ? cell : null);
  };

  return (
    <div ref={frame} className={classes.frame}>
      <Readout {...props} cell={current} />
      <div
        role="application"
        aria-roledescription="heat map"
        aria-label={`${label}: arrow keys move, plus and minus zoom, Enter opens the pair`}
        tabIndex={0}
        className={classes.map}
        onKeyDown={(event) =>
          heatKeys(event, {
            cursor,
            page: Math.max(1, Math.round(visible.size / 2)),
            count,
            moveTo,
            zoomIn: () => zoomInto(cursor),
            zoomOut: () => setView(whole),
            select: onSelect,
          })
        }
      >
        <canvas
          ref={canvas}
          width={layout.side}
          height={layout.side}
          style={{ left: layout.left, top: layout.top }}
          className={classes.canvas}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, y: event.clientY, view: visible, moved: false };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={onPointerMove}
          onPointerUp={(event) => {
            const pressed = drag.current?.moved === false;
            drag.current = null;
            const cell = placeAt(event);
            if (pressed && cell.row > cell.column) press(cell);
          }}
          onPointerLeave={() => setPointed(null)}
        />
        <svg
          data-chart
          aria-hidden
          className={classes.overlay}
          width={layout.width}
          height={layout.height}
        >
          <HeatOverlay
            layout={layout}
            view={visible}
            bands={bands}
            nameOf={(row) => rows[row]?.name ?? ''}
            marks={marks}
            current={current}
            selected={opened}
          />
          {isWhole && (
            <HeatLegend
              histogram={props.histogram}
              threshold={threshold}
              layout={layout}
              title={props.legendTitle}
            />
          )}
        </svg>
      </div>
      <div className={classes.hint}>
        {isWhole ? (
          layout.named ? (
            'Each cell is a pair of tools. Select one to compare its tools.'
          ) : (
            'Each cell is a pair of tools. Select a block to zoom in and see every name.'
          )
        ) : (
          <Action label="Zoom out" size="compact-xs" onClick={() => setView(whole)} />
        )}
      </div>
    </div>
  );
}

function Readout(
  props: Pick<HeatMapProps, 'rows' | 'cells' | 'marks' | 'format'> & { cell: HeatCell },
) {
  const { rows, cells, marks, format, cell } = props;
  const mark = marks.find(({ row, column }) => row === cell.row && column === cell.column);
  const [first = 0, second = 0] = [cell.column, cell.row].sort(
    (x, y) => (rows[x]?.place ?? 0) - (rows[y]?.place ?? 0),
  );
  const name = (row: number) => {
    const one = rows[row];
    return <PlainText text={one === undefined ? '' : `${one.group}:${one.name}`} />;
  };
  return (
    <div className={classes.readout} role="status" aria-live="polite">
      {mark !== undefined && <span className={classes.badge}>{mark.number}</span>}
      <span className={classes.pair}>
        <code>{name(first)}</code> and <code>{name(second)}</code>
      </span>
      <span className={classes.value}>{format(cellValue(cells, cell, rows.length))}</span>
    </div>
  );
}

/** React's own wheel listener is passive, so it could not stop the page from scrolling. */
function useWheel(
  canvas: RefObject<HTMLCanvasElement | null>,
  turn: (event: WheelEvent, box: DOMRect) => void,
): void {
  const latest = useRef(turn);
  useEffect(() => {
    latest.current = turn;
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      latest.current(event, element.getBoundingClientRect());
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  }, [canvas]);
}

function useWidth(frame: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(480);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(300, Math.floor(entry?.contentRect.width ?? 0))),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [frame]);
  return width;
}

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
function heatKeys(event: KeyboardEvent, actions: HeatActions): void {
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
