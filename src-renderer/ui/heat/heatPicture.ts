import { cellSteps, flaggedBit } from '../../../src-shared/display/heatCell.ts';

export type Colour = readonly [number, number, number];

/** Place of cell (x, y), x < y, in a list of the cells above the diagonal, row by row. */
export const cellPlace = (x: number, y: number, count: number): number =>
  x * count - (x * (x + 1)) / 2 + (y - x - 1);

/** The value 0–1 of two rows of a symmetric map; 1 on the diagonal. */
export function cellValue(cells: Uint16Array, x: number, y: number, count: number): number {
  return x === y
    ? 1
    : ((cells[cellPlace(Math.min(x, y), Math.max(x, y), count)] ?? 0) & cellSteps) / cellSteps;
}

/** A pixel a cell: from `low` at 0 to `high` at 1; what is marked takes the colour `marked`. */
export function paintCells(
  pixels: Uint8ClampedArray,
  cells: Uint16Array,
  count: number,
  colours: { low: Colour; high: Colour; marked: Colour },
): void {
  const [shades, marked] = [255, 256];
  const table = new Uint32Array(marked + 1);
  const view = new DataView(table.buffer);
  for (let value = 0; value <= marked; value += 1) {
    // Small differences at the low end carry nothing: the eye is led to what is alike.
    const share = (value / shades) ** 1.4;
    const colour =
      value === marked
        ? colours.marked
        : colours.low.map((part, at) =>
            Math.round(part + ((colours.high[at] ?? 0) - part) * share),
          );
    [...colour, 255].forEach((part, at) => {
      view.setUint8(value * 4 + at, part);
    });
  }
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, count * count);
  for (let x = 0, at = 0; x < count; x += 1) {
    words[x * count + x] = table[shades] ?? 0;
    for (let y = x + 1; y < count; y += 1, at += 1) {
      const cell = cells[at] ?? 0;
      words[x * count + y] = words[y * count + x] =
        table[cell >= flaggedBit ? marked : Math.round((cell / cellSteps) * shades)] ?? 0;
    }
  }
}

/** Which part of the map is in view: `size` cells from (`x`, `y`), always inside it. */
export interface HeatView {
  x: number;
  y: number;
  size: number;
}

const minCells = 4;

export function clampView({ x, y, size }: HeatView, count: number): HeatView {
  const held = Math.min(count, Math.max(Math.min(minCells, count), size));
  const inside = (start: number): number => Math.min(Math.max(0, start), count - held);
  return { x: inside(x), y: inside(y), size: held };
}

/** Larger (factor < 1) or smaller, keeping the cell at (`atX`, `atY`) where it is. */
export function zoomView(
  view: HeatView,
  factor: number,
  at: { x: number; y: number },
  count: number,
): HeatView {
  const size = Math.min(count, Math.max(Math.min(minCells, count), view.size * factor));
  const scale = size / view.size;
  return clampView(
    { x: at.x - (at.x - view.x) * scale, y: at.y - (at.y - view.y) * scale, size },
    count,
  );
}

/** Moved as little as needed for a cell to be in view. */
export function revealCell(
  view: HeatView,
  cell: { x: number; y: number },
  count: number,
): HeatView {
  const move = (start: number, place: number): number =>
    place < start ? place : place + 1 > start + view.size ? place + 1 - view.size : start;
  return clampView({ x: move(view.x, cell.x), y: move(view.y, cell.y), size: view.size }, count);
}
