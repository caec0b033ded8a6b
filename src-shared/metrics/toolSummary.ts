import type { PerTool } from '../domain/metrics.ts';
import type { ConfusionUnit } from '../domain/score.ts';
import { bootstrapRatio, type BootstrapOptions, type Share } from './bootstrap.ts';
import { addUnits, createConfusion, isTool, perTool } from './confusion.ts';
import { mapF1, withInterval, type Interval } from './intervals.ts';
import type { MetricRow } from './summary.ts';

export interface ToolTally {
  tp: number;
  fp: number;
  fn: number;
}

/** By tool, then by case; only cases that involve the tool. */
export type ToolTallies = Map<string, Map<string, ToolTally>>;

/** Adds one unit of the confusion matrix to the tools of its case. */
export function addToolUnit(
  tools: ToolTallies,
  testCaseId: string,
  { expected, selected }: ConfusionUnit,
): void {
  const tally = (toolId: string): ToolTally => {
    let cases = tools.get(toolId);
    if (!cases) tools.set(toolId, (cases = new Map<string, ToolTally>()));
    let found = cases.get(testCaseId);
    if (!found) cases.set(testCaseId, (found = { tp: 0, fp: 0, fn: 0 }));
    return found;
  };
  if (expected === selected) {
    if (isTool(expected)) tally(expected).tp += 1;
    return;
  }
  if (isTool(expected)) tally(expected).fn += 1;
  if (isTool(selected)) tally(selected).fp += 1;
}

/**
 * One-versus-rest rates of every tool (docs/rules.md §3), sorted by id; `labels` adds tools that no
 * run names. Intervals as in `summarize`: Wilson, or a bootstrap over cases if a case has several
 * scored runs.
 */
export function summarizeTools(
  rows: readonly MetricRow[],
  labels: Iterable<string> = [],
  options: BootstrapOptions = {},
): PerTool[] {
  const scored = rows.filter((row) => row.classification !== null);
  const confusion = createConfusion();
  for (const row of scored) addUnits(confusion, row.units);
  const plain = perTool(confusion, labels);
  const runs = new Map<string, number>();
  for (const row of scored) runs.set(row.testCaseId, (runs.get(row.testCaseId) ?? 0) + 1);
  if (![...runs.values()].some((count) => count > 1)) return plain;
  const tallies: ToolTallies = new Map();
  for (const { testCaseId, units } of scored)
    for (const unit of units) addToolUnit(tallies, testCaseId, unit);
  return withCaseIntervals(plain, tallies, runs.size, options);
}

/**
 * The same rates with bootstrap intervals over `allCases` cases, for evaluations in which a case
 * has several scored runs.
 */
export function withCaseIntervals(
  plain: readonly PerTool[],
  tallies: ToolTallies,
  allCases: number,
  options: BootstrapOptions = {},
): PerTool[] {
  return plain.map((tool) => {
    const cases = [...(tallies.get(tool.toolId)?.values() ?? [])];
    const untouchedCases = allCases - cases.length;
    const resample = (denominator: (tally: ToolTally) => number): Interval | null => {
      const shares = cases.map((tally): Share => ({
        numerator: tally.tp,
        denominator: denominator(tally),
      }));
      for (let index = 0; index < untouchedCases; index += 1)
        shares.push({ numerator: 0, denominator: 0 });
      return bootstrapRatio(shares, options);
    };
    return {
      ...tool,
      precision: withInterval(
        tool.precision,
        resample((t) => t.tp + t.fp),
      ),
      recall: withInterval(
        tool.recall,
        resample((t) => t.tp + t.fn),
      ),
      f1Score: withInterval(tool.f1Score, mapF1(resample((t) => t.tp + t.fp + t.fn))),
    };
  });
}
