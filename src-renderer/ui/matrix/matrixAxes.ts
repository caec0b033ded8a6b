/**
 * A row or a column: its label in the grid, its full name on hover, and the group that it stands
 * in.
 */
export interface MatrixAxis {
  id: string;
  label: string;
  title: string;
  /** Null for those that belong to no group; they close a run of groups. */
  group: string | null;
}

/** A run of neighbours of the same group. */
export interface AxisSpan {
  group: string | null;
  start: number;
  length: number;
}

/**
 * Neighbours of one group joined, in order; empty where there is but one group, which then needs no
 * heading.
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
