export type MatrixMode = 'counts' | 'share';

/** Steps of the one-hue scale; `Matrix.module.css` gives each its colours. 0 is the quiet dot. */
export const SHADES = 6;

/**
 * The step of a cell, 0–6. In counts the largest cell is 6, in row shares a full row is; anything
 * above nothing is at least 1, so that a single confusion among thousands of calls never looks like
 * none.
 */
export function shadeOf(count: number, whole: number): number {
  if (count <= 0 || whole <= 0) return 0;
  return Math.min(SHADES, Math.max(1, Math.ceil((count / whole) * SHADES)));
}
