import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  cellValue,
  clampView,
  paintCells,
  revealCell,
  zoomView,
  type Colour,
  type HeatView,
} from './heatPicture.ts';
import classes from './HeatMap.module.css';

export interface HeatCell {
  /** Rows of the map. */
  x: number;
  y: number;
}

interface HeatMapProps {
  label: string;
  count: number;
  /** Cells above the diagonal, row by row: `cellSteps` is 1, and `markedBit` marks. */
  cells: Uint16Array;
  nameOf: (row: number) => string;
  selected: HeatCell | null;
  onSelect: (cell: HeatCell) => void;
  /** Changes with the theme, whose colours are read anew. */
  theme: string;
}

function readColour(element: Element, name: string): Colour {
  const [, found = '000000'] =
    /#([0-9a-f]{6}|[0-9a-f]{3})\b/iu.exec(getComputedStyle(element).getPropertyValue(name)) ?? [];
  // A build shortens #ffffff to #fff.
  const hex = found.length === 3 ? found.replace(/./gu, '$&$&') : found;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Colour;
}

interface Background {
  view: HeatView;
  side: number;
  canvas: HTMLCanvasElement;
}

/**
 * A picture that holds several cells a pixel is drawn from one whose pixels are means of theirs:
 * from the whole one, each frame would read every cell.
 */
function halvesOf(whole: HTMLCanvasElement): HTMLCanvasElement[] {
  const levels = [whole];
  for (let last = whole; last.width > 256;) {
    const half = document.createElement('canvas');
    half.width = half.height = Math.ceil(last.width / 2);
    half.getContext('2d')?.drawImage(last, 0, 0, half.width, half.height);
    levels.push(half);
    last = half;
  }
  return levels;
}

function sameView(known: Background | null, view: HeatView, side: number): Background | null {
  return known !== null &&
    known.side === side &&
    known.view.x === view.x &&
    known.view.y === view.y &&
    known.view.size === view.size
    ? known
    : null;
}

function drawView(
  levels: readonly HTMLCanvasElement[],
  view: HeatView,
  side: number,
  count: number,
): Background {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  const level = Math.min(levels.length - 1, Math.max(0, Math.floor(Math.log2(view.size / side))));
  const from = levels[level];
  if (context && from) {
    const factor = from.width / count;
    context.imageSmoothingEnabled = view.size > side;
    // Rows go down and columns across: y of a cell is its column.
    context.drawImage(
      from,
      view.y * factor,
      view.x * factor,
      view.size * factor,
      view.size * factor,
      0,
      0,
      side,
      side,
    );
  }
  return { view, side, canvas };
}

/**
 * A symmetric map on a canvas, a pixel a cell underneath: drawing it is one copy however many cells
 * there are. Arrows move the cursor (with Ctrl ten cells), Home and End go along the row, plus and
 * minus zoom, 0 shows all, Enter chooses; the wheel zooms and a drag moves. What the cursor is on
 * is told in words.
 */
export function HeatMap({ label, count, cells, nameOf, selected, onSelect, theme }: HeatMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<HeatView>({ x: 0, y: 0, size: count });
  const [cursor, setCursor] = useState<HeatCell>({ x: 0, y: Math.min(1, count - 1) });
  const [pointed, setPointed] = useState<HeatCell | null>(null);
  const drag = useRef<{ x: number; y: number; view: HeatView; moved: boolean } | null>(null);
  const side = useSide(frame);
  const held = clampView(view, count);
  const current = pointed ?? { x: Math.min(cursor.x, count - 1), y: Math.min(cursor.y, count - 1) };

  /** The whole picture, then halves of halves of it. */
  const levels = useRef<readonly HTMLCanvasElement[]>([]);
  const background = useRef<Background | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    const drawn = document.createElement('canvas');
    const context = drawn.getContext('2d');
    if (!element || !context) return;
    drawn.width = drawn.height = count;
    const image = context.createImageData(count, count);
    paintCells(image.data, cells, count, {
      low: readColour(element, '--ts-raised'),
      high: readColour(element, '--ts-heat'),
      marked: readColour(element, '--ts-fn-fill'),
    });
    context.putImageData(image, 0, 0);
    levels.current = halvesOf(drawn);
    background.current = null;
  }, [cells, count, theme]);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || levels.current.length === 0 || side === 0) return;
    const scale = side / held.size;
    // While only the cursor moves, the map below it stays as it is.
    background.current =
      sameView(background.current, held, side) ?? drawView(levels.current, held, side, count);
    context.clearRect(0, 0, side, side);
    context.drawImage(background.current.canvas, 0, 0);
    const outline = (cell: HeatCell, width: number): void => {
      context.lineWidth = width;
      const size = Math.max(scale, 6);
      context.strokeRect(
        (cell.y - held.y + 0.5) * scale - size / 2,
        (cell.x - held.x + 0.5) * scale - size / 2,
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
    if (!box) return { x: 0, y: 0 };
    const place = (offset: number, start: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor(start + (offset / box.width) * held.size)));
    return {
      x: place(event.clientY - box.top, held.x),
      y: place(event.clientX - box.left, held.y),
    };
  };

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // React listens passively, and the page must not scroll under the wheel.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      setView((old) => {
        const from = clampView(old, count);
        return zoomView(
          from,
          event.deltaY > 0 ? 1.25 : 0.8,
          {
            x: from.x + ((event.clientY - box.top) / box.height) * from.size,
            y: from.y + ((event.clientX - box.left) / box.width) * from.size,
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
    const by = event.ctrlKey || event.shiftKey ? 10 : 1;
    const to = (x: number, y: number): void => {
      const next = {
        x: Math.min(count - 1, Math.max(0, x)),
        y: Math.min(count - 1, Math.max(0, y)),
      };
      setCursor(next);
      setPointed(null);
      setView(revealCell(held, next, count));
    };
    const { x, y } = cursor;
    const acts: Record<string, () => void> = {
      ArrowDown: () => {
        to(x + by, y);
      },
      ArrowUp: () => {
        to(x - by, y);
      },
      ArrowRight: () => {
        to(x, y + by);
      },
      ArrowLeft: () => {
        to(x, y - by);
      },
      Home: () => {
        to(x, 0);
      },
      End: () => {
        to(x, count - 1);
      },
      PageDown: () => {
        to(x + Math.round(held.size / 2), y);
      },
      PageUp: () => {
        to(x - Math.round(held.size / 2), y);
      },
      '+': () => {
        setView(zoomView(held, 0.5, cursor, count));
      },
      '=': () => {
        setView(zoomView(held, 0.5, cursor, count));
      },
      '-': () => {
        setView(zoomView(held, 2, cursor, count));
      },
      '0': () => {
        setView({ x: 0, y: 0, size: count });
      },
      Enter: () => {
        if (x !== y) onSelect(cursor);
      },
      ' ': () => {
        if (x !== y) onSelect(cursor);
      },
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
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
            x: from.view.x - (dy / side) * held.size,
            y: from.view.y - (dx / side) * held.size,
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
            drag.current = { x: event.clientX, y: event.clientY, view: held, moved: false };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={onPointerMove}
          onPointerUp={(event) => {
            const pressed = drag.current?.moved === false;
            drag.current = null;
            if (!pressed) return;
            const cell = cellAt(event);
            setCursor(cell);
            if (cell.x !== cell.y) onSelect(cell);
          }}
          onPointerLeave={() => {
            setPointed(null);
          }}
        />
      </div>
      <p className={classes.told} role="status" aria-live="polite">
        {cellValue(cells, current.x, current.y, count).toFixed(2)} · <bdi>{nameOf(current.x)}</bdi>{' '}
        · <bdi>{nameOf(current.y)}</bdi>
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
