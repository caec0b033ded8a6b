import { compareText } from '../domain/compareText.ts';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import type { ConfusionMatrix, Metrics, PerTool } from '../domain/metrics.ts';
import type { ConfusionUnit } from '../domain/score.ts';
import { f1, proportion } from './intervals.ts';

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

/** True for a tool's label; false for "no tool" and "phantom". */
export function isTool(label: string): boolean {
  return label !== NO_TOOL && label !== PHANTOM;
}

/**
 * Sums over the cells of tools: diagonal, rows (expected) and columns (selected), in total and by
 * tool.
 */
interface Sums {
  diagonal: number;
  rows: number;
  /** Columns of tools and phantoms: all calls that were made. */
  columns: number;
  byTool: Map<string, { row: number; column: number; diagonal: number }>;
}

function sumCells({ cells }: Confusion): Sums {
  const sums: Sums = { diagonal: 0, rows: 0, columns: 0, byTool: new Map() };
  const tool = (label: string): { row: number; column: number; diagonal: number } => {
    let found = sums.byTool.get(label);
    if (!found) sums.byTool.set(label, (found = { row: 0, column: 0, diagonal: 0 }));
    return found;
  };
  for (const [expected, row] of cells) {
    for (const [selected, count] of row) {
      if (isTool(expected)) {
        sums.rows += count;
        tool(expected).row += count;
      }
      if (selected === NO_TOOL) continue;
      sums.columns += count;
      if (selected === PHANTOM) continue;
      tool(selected).column += count;
      if (expected === selected) {
        sums.diagonal += count;
        tool(selected).diagonal += count;
      }
    }
  }
  return sums;
}

function toolLabels(confusion: Confusion, more: Iterable<string>): string[] {
  const labels = new Set(more);
  for (const [expected, row] of confusion.cells) {
    labels.add(expected);
    for (const selected of row.keys()) labels.add(selected);
  }
  labels.delete(NO_TOOL);
  labels.delete(PHANTOM);
  return [...labels].sort(compareText);
}

/**
 * The square matrix: rows are expected, columns are selected. Labels are tool ids by code unit,
 * then "(no tool)" and "(phantom)", which are always present. `labels` adds tools that no unit
 * names. Row sums are expected calls, column sums are calls made.
 */
export function toMatrix(confusion: Confusion, labels: Iterable<string> = []): ConfusionMatrix {
  const all = [...toolLabels(confusion, labels), NO_TOOL, PHANTOM];
  return {
    labels: all,
    matrix: all.map((row) => all.map((column) => confusion.cells.get(row)?.get(column) ?? 0)),
  };
}

/**
 * Rates by call (docs/rules.md §3, Metrics): selection_precision = Σ diagonal of tools / Σ tool and
 * phantom columns, selection_recall = Σ diagonal / Σ tool rows, selection_f1 = 2·diagonal/(columns
 * + rows). 95% Wilson intervals, for F1 mapped from J. Range 0–1; null without calls.
 */
export function selectionMetrics(
  confusion: Confusion,
): Pick<Metrics, 'selectionPrecision' | 'selectionRecall' | 'selectionF1'> {
  const { diagonal, rows, columns } = sumCells(confusion);
  return {
    selectionPrecision: proportion(diagonal, columns),
    selectionRecall: proportion(diagonal, rows),
    selectionF1: f1(diagonal, columns - diagonal, rows - diagonal),
  };
}

/**
 * One-versus-rest rates of every tool, sorted by id: tp = its diagonal, fp = the rest of its
 * column, fn = the rest of its row.
 */
export function perTool(confusion: Confusion, labels: Iterable<string> = []): PerTool[] {
  const { byTool } = sumCells(confusion);
  return toolLabels(confusion, labels).map((toolId) => {
    const { row, column, diagonal } = byTool.get(toolId) ?? { row: 0, column: 0, diagonal: 0 };
    const [fp, fn] = [column - diagonal, row - diagonal];
    return {
      toolId,
      tp: diagonal,
      fp,
      fn,
      precision: proportion(diagonal, column),
      recall: proportion(diagonal, row),
      f1Score: f1(diagonal, fp, fn),
    };
  });
}
