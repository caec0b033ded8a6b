export type MatrixMode = 'counts' | 'share';

/** Steps of the color scale; `Matrix.module.css` defines their colors. 0 is a muted dot. */
export const SHADES = 6;

/**
 * The color step of a cell, 0–6. Of counts the largest cell gets 6, of row shares a full row.
 * Anything above 0 gets at least 1, so that one confusion among thousands of calls stays visible.
 */
export function shadeOf(count: number, largest: number): number {
  if (count <= 0 || largest <= 0) return 0;
  return Math.min(SHADES, Math.max(1, Math.ceil((count / largest) * SHADES)));
}
