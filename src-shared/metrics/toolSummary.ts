import { compareText } from '../domain/compareText.ts';
import { isAnyOf, isCorrectUnit, isToolLabel, toolsOfLabel } from '../domain/labels.ts';
import type { AnyOfRow, Estimate, PerTool } from '../domain/metrics.ts';
import type { ConfusionUnit } from '../domain/score.ts';
import { callRates, clusteredRatio, mapEach } from './clusteredInterval.ts';
import type { MetricRow } from './summary.ts';

/** The sums of one tool, or of one row of alternatives. */
interface ToolCounts {
  /** Correct calls in its own row. */
  tp: number;
  /** Correct calls to the tool in rows of alternatives. */
  anyOf: number;
  /** The other calls in its column. */
  fp: number;
  /** The other units of its row. */
  fn: number;
}

/** By tool or row of alternatives, then by case; only cases that involve it. */
export type ToolTallies = Map<string, Map<string | number, ToolCounts>>;

/**
 * Adds one unit of the confusion matrix to the tools of its case. A row of alternatives is counted
 * under its own label, and its correct calls also for the precision of the tool that was called.
 */
export function addToolUnit(
  tools: ToolTallies,
  testCaseId: string | number,
  unit: ConfusionUnit,
): void {
  const { expected, selected } = unit;
  const tally = (label: string): ToolCounts => {
    let cases = tools.get(label);
    if (!cases) tools.set(label, (cases = new Map<string | number, ToolCounts>()));
    let found = cases.get(testCaseId);
    if (!found) cases.set(testCaseId, (found = { tp: 0, anyOf: 0, fp: 0, fn: 0 }));
    return found;
  };
  if (isCorrectUnit(unit)) {
    tally(expected).tp += 1;
    if (expected !== selected) tally(selected).anyOf += 1;
    return;
  }
  if (isToolLabel(expected)) tally(expected).fn += 1;
  if (isToolLabel(selected)) tally(selected).fp += 1;
}

function sum(cases: readonly ToolCounts[]): ToolCounts {
  const total = { tp: 0, anyOf: 0, fp: 0, fn: 0 };
  for (const { tp, anyOf, fp, fn } of cases) {
    total.tp += tp;
    total.anyOf += anyOf;
    total.fp += fp;
    total.fn += fn;
  }
  return total;
}

/**
 * F1 = 2PR/(P + R) of a tool with correct calls in rows of alternatives, where P counts more calls
 * than R. It is the ratio of Y = y·X/(Σy)² + a·R/(Σa)² and X = (x/Σy + r/Σa)/F1 over cases, with a
 * and r from its own row, y and x from its column: so the deviations Y − F1·X of the cases are those
 * of the linearized mean. Null without its own row.
 */
function sharedF1(cases: readonly ToolCounts[], untouched: number): Estimate {
  const { tp, anyOf, fp, fn } = sum(cases);
  const [made, column, row] = [tp + anyOf, tp + anyOf + fp, tp + fn];
  const n = column + fn;
  const inverse = column / made + row / tp;
  return clusteredRatio(
    row === 0
      ? []
      : mapEach(cases, (one) => {
          const [oneColumn, oneRow] = [one.tp + one.anyOf + one.fp, one.tp + one.fn];
          if (tp === 0) return { numerator: 0, denominator: oneColumn + oneRow };
          return {
            numerator: ((one.tp + one.anyOf) * column) / made ** 2 + (one.tp * row) / tp ** 2,
            denominator: ((oneColumn / made + oneRow / tp) * inverse) / 2,
          };
        }),
    { untouched, n },
  );
}

/**
 * One-versus-rest counts and rates of every tool, and the recall of every row of alternatives
 * (docs/rules.md §3), each sorted by label; `labels` adds tools that no run names. Calls in rows of
 * alternatives count in precision only, because nothing says which of the tools should have been
 * called. The intervals are clustered over all `scoredCases` cases.
 */
export function summarizeTools(
  tools: ToolTallies,
  scoredCases: number,
  labels: Iterable<string> = [],
): { perTool: PerTool[]; anyOf: AnyOfRow[] } {
  const known = [...new Set([...[...tools.keys()].flatMap(withTools), ...labels])];
  known.sort(compareText);
  const casesOf = (label: string) => [...(tools.get(label)?.values() ?? [])];
  return {
    perTool: known
      .filter((label) => !isAnyOf(label))
      .map((toolId) => {
        const cases = casesOf(toolId);
        const [total, untouched] = [sum(cases), scoredCases - cases.length];
        const { recall, f1 } = callRates(cases, untouched);
        const { precision } = callRates(
          mapEach(cases, ({ tp, anyOf, fp, fn }) => ({ tp: tp + anyOf, fp, fn })),
          untouched,
        );
        const f1Score = total.anyOf === 0 ? f1 : sharedF1(cases, untouched);
        return { toolId, ...total, precision, recall, f1Score };
      }),
    anyOf: known.filter(isAnyOf).map((label) => {
      const cases = casesOf(label);
      const { tp, fn } = sum(cases);
      const { recall } = callRates(cases, scoredCases - cases.length);
      return { label, tools: toolsOfLabel(label), tp, fn, recall };
    }),
  };
}

/** A label with the tools of its row: a tool that was only one of several is listed too. */
function withTools(label: string): string[] {
  return isAnyOf(label) ? [label, ...toolsOfLabel(label)] : [label];
}

/** The same from one row per run, last attempts only. */
export function summarizeToolsOf(
  rows: readonly MetricRow[],
  labels: Iterable<string> = [],
): { perTool: PerTool[]; anyOf: AnyOfRow[] } {
  const tools: ToolTallies = new Map();
  const cases = new Set<string>();
  for (const { testCaseId, classification, units } of rows) {
    if (classification === null) continue;
    cases.add(testCaseId);
    for (const unit of units) addToolUnit(tools, testCaseId, unit);
  }
  return summarizeTools(tools, cases.size, labels);
}
