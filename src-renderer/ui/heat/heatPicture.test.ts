import { describe, expect, it } from 'vitest';
import { cellSteps } from '../../../src-shared/display/heatCell.ts';
import {
  bandsOf,
  belowDiagonal,
  blockView,
  cellIndex,
  cellValue,
  clampView,
  paintCells,
  revealCell,
  zoomView,
} from './heatPicture.ts';

describe('heat map', () => {
  it('reads each cell from the place it was written to', () => {
    const cells = Uint16Array.from([1, 2, 3, 4, 5, 6]);
    expect(cellIndex(1, 3, 4)).toBe(4);
    expect(cellValue(cells, { row: 3, column: 1 }, 4)).toBe(5 / cellSteps);
    expect(cellValue(cells, { row: 2, column: 2 }, 4)).toBe(1);
  });

  it('paints below the diagonal, and changes the hue from the threshold', () => {
    const pixels = new Uint8ClampedArray(3 * 3 * 4);
    const colors = {
      low: [255, 255, 255],
      high: [0, 0, 0],
      flagged: [9, 8, 7],
      self: [1, 2, 3],
    } as const;
    const cells = Uint16Array.from([0, 0.85 * cellSteps, 0.85 * cellSteps - 1]);
    const at = (row: number, column: number) =>
      Array.from(pixels.subarray((row * 3 + column) * 4, (row * 3 + column) * 4 + 4));
    paintCells(pixels, cells, 3, 0.85, colors);
    expect(at(0, 0)).toEqual([1, 2, 3, 255]);
    expect(at(1, 0)).toEqual([255, 255, 255, 255]);
    expect(at(2, 0)).toEqual([9, 8, 7, 255]);
    expect(at(2, 1)).not.toEqual([9, 8, 7, 255]);
    // Above the diagonal nothing is painted.
    expect(at(0, 2)).toEqual([0, 0, 0, 0]);
    paintCells(pixels, cells, 3, 0.84, colors);
    expect(at(2, 1)).toEqual([9, 8, 7, 255]);
  });

  it('finds the bands of the servers and the block of a cell', () => {
    const bands = bandsOf(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c']);
    expect(bands).toEqual([
      { name: 'a', start: 0, size: 5 },
      { name: 'b', start: 5, size: 2 },
      { name: 'c', start: 7, size: 1 },
    ]);
    expect(blockView({ row: 6, column: 1 }, bands, 8)).toEqual({ row: 3, column: 0, size: 5 });
    expect(blockView({ row: 2, column: 1 }, bands, 8)).toEqual({ row: 0, column: 0, size: 5 });
  });

  it('moves any place to the nearest cell below the diagonal', () => {
    expect(belowDiagonal({ row: 3, column: 1 }, 5)).toEqual({ row: 3, column: 1 });
    expect(belowDiagonal({ row: 1, column: 3 }, 5)).toEqual({ row: 3, column: 1 });
    expect(belowDiagonal({ row: 0, column: 0 }, 5)).toEqual({ row: 1, column: 0 });
    expect(belowDiagonal({ row: 9, column: 9 }, 5)).toEqual({ row: 4, column: 3 });
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
