import type { HeatCell, HeatView } from './heatPicture.ts';

/** From this size of a cell, every row and column has its name. */
export const minNameScale = 11;
/** From this size of a cell, the number of a pair fits into it. */
export const minNumberScale = 20;
const maxSide = 440;
const maxCell = 56;
const minSide = 150;
/** Of a letter in the fonts of the axes, in pixels. */
export const characterWidth = 6.7;
export const maxColumnName = 170;

export interface HeatLayout {
  /** Edge of the square that the cells fill, in pixels. */
  side: number;
  /** Place of that square in the drawing. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels per cell. */
  scale: number;
  /** True if rows and columns have their names; otherwise only servers do. */
  named: boolean;
  /** Where the legend begins: beside the map, in its empty corner, or below the names. */
  legend: { x: number; y: number };
}

/** Where the cells and the axes are in a drawing of this width. */
export function heatLayout(width: number, view: HeatView, longestName: number): HeatLayout {
  const sideFor = (left: number): number =>
    Math.floor(Math.max(minSide, Math.min(maxSide, width - left - 28, view.size * maxCell)));
  const named = sideFor(190) / view.size >= minNameScale;
  const nameWidth = longestName * characterWidth;
  const left = named ? Math.min(Math.max(190, width * 0.34), Math.max(60, nameWidth + 20)) : 104;
  const side = sideFor(left);
  const top = 6;
  const scale = side / view.size;
  // The names of columns are turned by 55°.
  const end = top + side + (named ? 24 + Math.min(maxColumnName, nameWidth) * 0.82 : 34);
  const right = left + side;
  const { width: legendWidth, height: legendHeight } = legendSize;
  const isBeside = right + legendGap + legendWidth + legendGap / 2 <= width;
  // Above the diagonal, which a legend there must not reach.
  const isInCorner = legendWidth + legendHeight + 8 + scale <= side;
  return {
    side,
    left,
    top,
    width,
    height: isBeside || isInCorner ? end : end + legendHeight + legendGap / 2,
    scale,
    named,
    legend: isBeside
      ? { x: right + legendGap, y: top + 8 }
      : isInCorner
        ? { x: right - legendWidth, y: top + 8 }
        : { x: Math.max(8, Math.min(left, width - legendWidth - 8)), y: end + legendGap / 2 },
  };
}

/** Size of the legend; its height includes the numbers below. */
export const legendSize = { width: 172, height: 84 };
/** Between the map and a legend at its right. */
const legendGap = 28;

/** True if a text of this length next to the block of a server is on the drawing and not on the legend. */
export function fitsBeside(layout: HeatLayout, x: number, y: number, length: number): boolean {
  const end = x + length * characterWidth;
  return (
    end <= layout.width &&
    (y > layout.legend.y + legendSize.height + 4 ||
      y < layout.legend.y - 14 ||
      end < layout.legend.x)
  );
}

export interface HeatMark extends HeatCell {
  number: number;
}

/** Where the number of a cell stands: in a circle next to it, with a line to the cell. */
export interface Callout {
  mark: HeatMark;
  /** Center of the cell. */
  x: number;
  y: number;
  /** Center of the circle; that of the cell if the number fits into it. */
  atX: number;
  atY: number;
}

export const calloutRadius = 8.5;
/** More would cover the cells that they point at. */
const maxCallouts = 10;
const offsets = [
  [22, 0],
  [20, -14],
  [20, 14],
  [-22, 0],
  [-20, 14],
  [38, -6],
  [38, 10],
  [6, -24],
  [-6, 24],
  [52, 0],
] as const;

/** Places for the numbers of the first marks in view, none on top of another. */
export function placeCallouts(
  marks: readonly HeatMark[],
  view: HeatView,
  layout: HeatLayout,
): Callout[] {
  const placed: Callout[] = [];
  const { left, top, side, scale } = layout;
  const isFree = (x: number, y: number): boolean =>
    y > calloutRadius &&
    y < top + side + calloutRadius &&
    x < layout.width - calloutRadius &&
    placed.every((one) => Math.hypot(one.atX - x, one.atY - y) > 2 * calloutRadius + 1);
  for (const mark of marks.slice(0, maxCallouts)) {
    const x = left + (mark.column - view.column + 0.5) * scale;
    const y = top + (mark.row - view.row + 0.5) * scale;
    if (x < left || y < top || x > left + side || y > top + side) continue;
    if (scale >= minNumberScale) {
      placed.push({ mark, x, y, atX: x, atY: y });
      continue;
    }
    const free = offsets.find(([dx, dy]) => isFree(x + dx, y + dy));
    if (free) placed.push({ mark, x, y, atX: x + free[0], atY: y + free[1] });
  }
  return placed;
}
