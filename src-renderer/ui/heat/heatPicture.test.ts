import { describe, expect, it } from 'vitest';
import { cellSteps, flaggedBit } from '../../../src-shared/display/heatCell.ts';
import {
  cellPlace,
  cellValue,
  clampView,
  paintCells,
  revealCell,
  zoomView,
} from './heatPicture.ts';

describe('the picture of a heat map', () => {
  it('would catch cells that are read from another place than they were written to', () => {
    const cells = Uint16Array.from([1, 2, 3, 4, 5 | flaggedBit, 6]);
    expect(cellPlace(1, 3, 4)).toBe(4);
    expect(cellValue(cells, 3, 1, 4)).toBe(5 / cellSteps);
    expect(cellValue(cells, 2, 2, 4)).toBe(1);
  });

  it('would catch a picture that is not symmetric, or marks by the value', () => {
    const pixels = new Uint8ClampedArray(3 * 3 * 4);
    paintCells(pixels, Uint16Array.from([0, cellSteps, 100 | flaggedBit]), 3, {
      low: [255, 255, 255],
      high: [0, 0, 0],
      marked: [9, 8, 7],
    });
    const at = (x: number, y: number) => [...pixels.subarray((x * 3 + y) * 4, (x * 3 + y) * 4 + 4)];
    expect(at(0, 1)).toEqual([255, 255, 255, 255]);
    expect(at(1, 2)).toEqual([9, 8, 7, 255]);
    expect(at(2, 1)).toEqual(at(1, 2));
    expect(at(0, 2)).toEqual([0, 0, 0, 255]);
  });

  it('would catch a view that leaves the map, or a zoom that loses the cell under the pointer', () => {
    expect(clampView({ x: -5, y: 90, size: 50 }, 100)).toEqual({ x: 0, y: 50, size: 50 });
    const near = zoomView({ x: 0, y: 0, size: 100 }, 0.5, { x: 60, y: 20 }, 100);
    expect(near).toEqual({ x: 30, y: 10, size: 50 });
    expect(zoomView(near, 100, { x: 60, y: 20 }, 100)).toEqual({ x: 0, y: 0, size: 100 });
    expect(zoomView({ x: 0, y: 0, size: 2 }, 0.1, { x: 1, y: 1 }, 2).size).toBe(2);
    expect(revealCell({ x: 0, y: 0, size: 10 }, { x: 12, y: 3 }, 100)).toEqual({
      x: 3,
      y: 0,
      size: 10,
    });
  });
});
