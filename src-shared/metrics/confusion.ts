import { compareText } from '../domain/compareText.ts';
import { isAnyOf, isCorrectUnit, isToolLabel, NO_TOOL, PHANTOM } from '../domain/labels.ts';
import type { ConfusionMatrix } from '../domain/metrics.ts';
import type { ConfusionUnit } from '../domain/score.ts';

/** Unit counts by row and column; cells of 0 are not stored. */
export interface Confusion {
  cells: Map<string, Map<string, number>>;
}

export function createConfusion(): Confusion {
  return { cells: new Map() };
}

/** Adds units. With `times` −1 it removes them again, for a run that was repeated or re-scored. */
export function addUnits(confusion: Confusion, units: Iterable<ConfusionUnit>, times = 1): void {
  for (const { expected, selected } of units) {
    let row = confusion.cells.get(expected);
    if (!row) confusion.cells.set(expected, (row = new Map<string, number>()));
    const count = (row.get(selected) ?? 0) + times;
    if (count === 0) row.delete(selected);
    else row.set(selected, count);
    if (row.size === 0) confusion.cells.delete(expected);
  }
}

/**
 * The square matrix: rows are expected, columns are selected. Labels are tool ids by code unit,
 * then rows of alternatives, then "(no tool)" and "(phantom)", which are always present. `labels` adds tools that no unit
 * names. Row sums are expected calls, column sums are calls made.
 */
export function toMatrix(confusion: Confusion, labels: Iterable<string> = []): ConfusionMatrix {
  const occurring = [...confusion.cells].flatMap(([row, columns]) => [row, ...columns.keys()]);
  const known = [...new Set([...labels, ...occurring])].filter(isToolLabel).sort(compareText);
  const tools = known.filter((label) => !isAnyOf(label));
  const all = [...tools, ...known.filter(isAnyOf), NO_TOOL, PHANTOM];
  return {
    labels: all,
    matrix: all.map((row) => all.map((column) => confusion.cells.get(row)?.get(column) ?? 0)),
  };
}

/** A cell of the matrix that counts wrong choices. */
export interface ConfusedPair {
  expected: string;
  selected: string;
  /** Calls, > 0. */
  count: number;
}

/**
 * The cells with wrong choices, largest first; ties follow the order of the matrix. Left out are the
 * diagonal and, in rows of alternatives, the columns of their tools (docs/rules.md §3, Confusion
 * matrix): every list of confusions is this one.
 */
export function mostConfused(
  { labels, matrix }: ConfusionMatrix,
  limit = Number.POSITIVE_INFINITY,
): ConfusedPair[] {
  const pairs = matrix.flatMap((row, at) =>
    row.flatMap((count, column): ConfusedPair[] => {
      const [expected, selected] = [labels[at], labels[column]];
      if (count === 0 || at === column || expected === undefined || selected === undefined)
        return [];
      return isCorrectUnit({ expected, selected }) ? [] : [{ expected, selected, count }];
    }),
  );
  return pairs.sort((a, b) => b.count - a.count).slice(0, limit);
}
