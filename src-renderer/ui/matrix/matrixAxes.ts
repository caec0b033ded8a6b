/** Up to this many columns, their names are level and break after underscores. */
export const maxLevelHeads = 7;

/** A row or column: its label in the grid, its full name on hover, and its group. */
export interface MatrixAxis {
  id: string;
  label: string;
  title: string;
  /** Null without a group; such rows and columns end a run of groups. */
  group: string | null;
  /** Columns that are marked in this row in place of the one with its own id. */
  accepts?: readonly string[];
}

/** Neighbors of the same group. */
export interface AxisSpan {
  group: string | null;
  start: number;
  length: number;
}

/**
 * Joins neighbors of one group, in order; empty if there is only one group, which needs no heading.
 */
export function spansOf(axes: readonly MatrixAxis[]): AxisSpan[] {
  const named = new Set(axes.map((axis) => axis.group).filter((group) => group !== null));
  if (named.size < 2) return [];
  const spans: AxisSpan[] = [];
  axes.forEach((axis, index) => {
    const last = spans.at(-1);
    if (last !== undefined && last.group === axis.group) last.length += 1;
    else spans.push({ group: axis.group, start: index, length: 1 });
  });
  return spans;
}
