import { type Color, type HeatView, paintCells } from './heatPicture.ts';

/** The last drawing of the map, without the cursor. */
export interface DrawnView {
  view: HeatView;
  side: number;
  canvas: HTMLCanvasElement;
}

function readColor(element: Element, name: string): Color {
  const [, found = '000000'] =
    /#([0-9a-f]{6}|[0-9a-f]{3})\b/iu.exec(getComputedStyle(element).getPropertyValue(name)) ?? [];
  // A build shortens #ffffff to #fff.
  const hex = found.length === 3 ? found.replace(/./gu, '$&$&') : found;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Color;
}

/** Draws the whole map at one pixel per cell, in the colors of the theme that `element` has. */
export function drawMap(
  element: Element,
  cells: Uint16Array,
  count: number,
  threshold: number,
): HTMLCanvasElement | null {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return null;
  canvas.width = canvas.height = count;
  const image = context.createImageData(count, count);
  paintCells(image.data, cells, count, threshold, {
    low: readColor(element, '--ts-neutral-cell'),
    high: readColor(element, '--ts-heat-high'),
    flagged: readColor(element, '--ts-fn-fill'),
    self: readColor(element, '--ts-line'),
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * The map at its full size, at half of it, and so on. A view with several cells per pixel is drawn
 * from a smaller level, because from the full size each frame would read every cell.
 */
export function halveRepeatedly(whole: HTMLCanvasElement): HTMLCanvasElement[] {
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

/** True if `drawn` already shows this view at this size. */
export function shows(drawn: DrawnView | null, view: HeatView, side: number): drawn is DrawnView {
  return (
    drawn?.side === side &&
    drawn.view.row === view.row &&
    drawn.view.column === view.column &&
    drawn.view.size === view.size
  );
}

/** Draws a view from the level whose resolution fits best. */
export function drawView(
  levels: readonly HTMLCanvasElement[],
  view: HeatView,
  side: number,
  count: number,
): DrawnView {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  const level = Math.min(levels.length - 1, Math.max(0, Math.floor(Math.log2(view.size / side))));
  const from = levels[level];
  if (context && from) {
    const factor = from.width / count;
    context.imageSmoothingEnabled = view.size > side;
    context.drawImage(
      from,
      view.column * factor,
      view.row * factor,
      view.size * factor,
      view.size * factor,
      0,
      0,
      side,
      side,
    );
    drawGaps(context, view, side);
  }
  return { view, side, canvas };
}

/** Below this size of a cell, gaps would hide more than they separate. */
const minGapScale = 4;

function drawGaps(context: CanvasRenderingContext2D, view: HeatView, side: number): void {
  const scale = side / view.size;
  if (scale < minGapScale) return;
  context.globalCompositeOperation = 'destination-out';
  const width = Math.max(1, Math.min(2, scale / 12));
  for (let place = 0; place <= view.size + 1; place += 1) {
    context.fillRect(
      (Math.ceil(view.column) - view.column + place) * scale - width,
      0,
      width,
      side,
    );
    context.fillRect(0, (Math.ceil(view.row) - view.row + place) * scale - width, side, width);
  }
  context.globalCompositeOperation = 'source-over';
}
