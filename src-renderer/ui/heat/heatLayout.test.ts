import { describe, expect, it } from 'vitest';
import { heatLayout, legendSize } from './heatLayout.ts';

describe('the legend of the map', () => {
  it.each(
    [200, 260, 300, 400, 520, 700, 1200].flatMap((w) => [2, 5, 12, 40, 300].map((n) => [w, n])),
  )('covers no cell and stays on the drawing at %i px with %i tools', (width = 0, size = 0) => {
    const { left, top, side, height, scale, legend } = heatLayout(
      width,
      { row: 0, column: 0, size },
      16,
    );
    const end = { x: legend.x + legendSize.width, y: legend.y + legendSize.height };
    expect(end.y).toBeLessThanOrEqual(height);
    // Cells are at and below the diagonal.
    const isBeside = legend.x >= left + side;
    const isBelow = legend.y >= top + side;
    const isAbove = end.x <= left + side && legend.x - left >= end.y - top + scale;
    expect([isBeside, isBelow, isAbove]).toContain(true);
  });
});
