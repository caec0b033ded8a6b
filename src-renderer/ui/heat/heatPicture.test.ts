import { describe, expect, it } from 'vitest';
import { cellSteps, flaggedBit } from '../../../src-shared/display/heatCell.ts';
import {
  cellIndex,
  cellValue,
  clampView,
  paintCells,
  revealCell,
  zoomView,
} from './heatPicture.ts';

describe('heat map', () => {
  it('reads each cell from the place it was written to', () => {
    const cells = Uint16Array.from([1, 2, 3, 4, 5 | flaggedBit, 6]);
    expect(cellIndex(1, 3, 4)).toBe(4);
    expect(cellValue(cells, { row: 3, column: 1 }, 4)).toBe(5 / cellSteps);
    expect(cellValue(cells, { row: 2, column: 2 }, 4)).toBe(1);
  });

  it('paints a symmetric map and colors marked cells by their mark, not their value', () => {
    const pixels = new Uint8ClampedArray(3 * 3 * 4);
    paintCells(pixels, Uint16Array.from([0, cellSteps, 100 | flaggedBit]), 3, {
      low: [255, 255, 255],
      high: [0, 0, 0],
      marked: [9, 8, 7],
    });
    const at = (row: number, column: number) =>
      Array.from(pixels.subarray((row * 3 + column) * 4, (row * 3 + column) * 4 + 4));
    expect(at(0, 1)).toEqual([255, 255, 255, 255]);
    expect(at(1, 2)).toEqual([9, 8, 7, 255]);
    expect(at(2, 1)).toEqual(at(1, 2));
    expect(at(0, 2)).toEqual([0, 0, 0, 255]);
  });

  it('keeps the view inside the map and the zoomed cell in place', () => {
    expect(clampView({ row: -5, column: 90, size: 50 }, 100)).toEqual({
      row: 0,
      column: 50,
      size: 50,
    });
    const near = zoomView({ row: 0, column: 0, size: 100 }, 0.5, { row: 60, column: 20 }, 100);
    expect(near).toEqual({ row: 30, column: 10, size: 50 });
    expect(zoomView(near, 100, { row: 60, column: 20 }, 100)).toEqual({
      row: 0,
      column: 0,
      size: 100,
    });
    expect(zoomView({ row: 0, column: 0, size: 2 }, 0.1, { row: 1, column: 1 }, 2).size).toBe(2);
    expect(revealCell({ row: 0, column: 0, size: 10 }, { row: 12, column: 3 }, 100)).toEqual({
      row: 3,
      column: 0,
      size: 10,
    });
  });
});
