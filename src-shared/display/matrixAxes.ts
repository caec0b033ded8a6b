import type { MatrixAxis } from './confusionView.ts';

/** Up to this many columns, their names are level and break after underscores. */
export const maxLevelHeads = 7;

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
