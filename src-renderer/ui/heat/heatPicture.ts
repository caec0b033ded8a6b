import { cellSteps, flaggedBit } from '../../../src-shared/display/heatCell.ts';

export type Color = readonly [red: number, green: number, blue: number];

/** A place in a symmetric map: both are rows of the list that the map compares with itself. */
export interface HeatCell {
  row: number;
  column: number;
}

/** Index of the cell (row, column), row < column, in a list of the cells above the diagonal. */
export const cellIndex = (row: number, column: number, count: number): number =>
  row * count - (row * (row + 1)) / 2 + (column - row - 1);

/** The value of a cell, from 0 to 1; 1 on the diagonal. */
export function cellValue(cells: Uint16Array, { row, column }: HeatCell, count: number): number {
  if (row === column) return 1;
  const index = cellIndex(Math.min(row, column), Math.max(row, column), count);
  return ((cells[index] ?? 0) & cellSteps) / cellSteps;
}

/**
 * Paints one pixel per cell, from `low` at 0 to `high` at 1; marked cells get the color `marked`.
 */
export function paintCells(
  pixels: Uint8ClampedArray,
  cells: Uint16Array,
  count: number,
  colors: { low: Color; high: Color; marked: Color },
): void {
  const [shades, marked] = [255, 256];
  const table = new Uint32Array(marked + 1);
  const bytes = new DataView(table.buffer);
  for (let value = 0; value <= marked; value += 1) {
    // The exponent flattens the low end, where differences mean little.
    const share = (value / shades) ** 1.4;
    const color =
      value === marked
        ? colors.marked
        : colors.low.map((part, at) => Math.round(part + ((colors.high[at] ?? 0) - part) * share));
    [...color, 255].forEach((part, at) => {
      bytes.setUint8(value * 4 + at, part);
    });
  }
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, count * count);
  for (let row = 0, index = 0; row < count; row += 1) {
    words[row * count + row] = table[shades] ?? 0;
    for (let column = row + 1; column < count; column += 1, index += 1) {
      const cell = cells[index] ?? 0;
      words[row * count + column] = words[column * count + row] =
        table[cell >= flaggedBit ? marked : Math.round((cell / cellSteps) * shades)] ?? 0;
    }
  }
}

/** The visible part of the map: `size` × `size` cells from (`row`, `column`), always inside it. */
export interface HeatView extends HeatCell {
  size: number;
}

const minVisibleCells = 4;

const clampSize = (size: number, count: number): number =>
  Math.min(count, Math.max(Math.min(minVisibleCells, count), size));

/** The nearest view that lies inside a map of `count` rows. */
export function clampView({ row, column, size }: HeatView, count: number): HeatView {
  const clampedSize = clampSize(size, count);
  const inside = (start: number): number => Math.min(Math.max(0, start), count - clampedSize);
  return { row: inside(row), column: inside(column), size: clampedSize };
}

/** Zooms in (factor < 1) or out, and keeps the cell `at` where it is on the screen. */
export function zoomView(view: HeatView, factor: number, at: HeatCell, count: number): HeatView {
  const size = clampSize(view.size * factor, count);
  const scale = size / view.size;
  return clampView(
    {
      row: at.row - (at.row - view.row) * scale,
      column: at.column - (at.column - view.column) * scale,
      size,
    },
    count,
  );
}

/** Moves the view as little as needed to show a cell. */
export function revealCell(view: HeatView, cell: HeatCell, count: number): HeatView {
  const move = (start: number, index: number): number => {
    if (index < start) return index;
    return index + 1 > start + view.size ? index + 1 - view.size : start;
  };
  return clampView(
    { row: move(view.row, cell.row), column: move(view.column, cell.column), size: view.size },
    count,
  );
}
