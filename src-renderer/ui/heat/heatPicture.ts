import { cellAt, cellSteps } from '../../../src-shared/display/heatCell.ts';

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
  return (cells[index] ?? 0) / cellSteps;
}

export interface HeatColors {
  low: Color;
  high: Color;
  /** Of cells at or above the threshold. */
  flagged: Color;
  /** Of the diagonal. */
  self: Color;
}

/**
 * How much of the high color a value has, from 0 to 1. The exponent flattens the low end, where
 * differences mean little.
 */
export const shadeShare = (value: number): number => value ** 1.4;

function shadeOf(value: number, { low, high }: Pick<HeatColors, 'low' | 'high'>): Color {
  const share = shadeShare(value);
  const part = (at: 0 | 1 | 2): number => Math.round(low[at] + (high[at] - low[at]) * share);
  return [part(0), part(1), part(2)];
}

/**
 * Paints one pixel per cell below the diagonal, and the diagonal; the rest stays transparent. Cells
 * at or above the threshold change their hue.
 */
export function paintCells(
  pixels: Uint8ClampedArray,
  cells: Uint16Array,
  count: number,
  threshold: number,
  colors: HeatColors,
): void {
  const shades = 255;
  const [flagged, self] = [shades + 1, shades + 2];
  const table = new Uint32Array(self + 1);
  const bytes = new DataView(table.buffer);
  for (let value = 0; value <= self; value += 1) {
    const color =
      value === self
        ? colors.self
        : value === flagged
          ? colors.flagged
          : shadeOf(value / shades, colors);
    [...color, 255].forEach((part, at) => bytes.setUint8(value * 4 + at, part));
  }
  const least = cellAt(threshold);
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, count * count);
  for (let row = 0, index = 0; row < count; row += 1) {
    words[row * count + row] = table[self] ?? 0;
    for (let other = row + 1; other < count; other += 1, index += 1) {
      const cell = cells[index] ?? 0;
      words[other * count + row] =
        table[cell >= least ? flagged : Math.round((cell / cellSteps) * shades)] ?? 0;
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

/** A run of rows that belong together: the tools of one server. */
export interface HeatBand {
  name: string;
  start: number;
  size: number;
}

export function bandsOf(groups: readonly string[]): HeatBand[] {
  const bands: HeatBand[] = [];
  groups.forEach((name, start) => {
    const last = bands.at(-1);
    if (last?.name === name) last.size += 1;
    else bands.push({ name, start, size: 1 });
  });
  return bands;
}

/** The square view of the block that a cell is in: its server by the other one. */
export function blockView(cell: HeatCell, bands: readonly HeatBand[], count: number): HeatView {
  const bandAt = (place: number): HeatBand =>
    bands.find(({ start, size }) => place >= start && place < start + size) ?? {
      name: '',
      start: 0,
      size: count,
    };
  const [rows, columns] = [bandAt(cell.row), bandAt(cell.column)];
  return clampView(
    { row: rows.start, column: columns.start, size: Math.max(rows.size, columns.size) },
    count,
  );
}

export function belowDiagonal({ row, column }: HeatCell, count: number): HeatCell {
  const inside = (place: number): number => Math.min(count - 1, Math.max(0, place));
  const [x, y] = [inside(column), inside(row)];
  return x < y
    ? { row: y, column: x }
    : { row: Math.max(x, 1), column: Math.min(y, Math.max(x, 1) - 1) };
}
