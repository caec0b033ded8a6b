import { compareText } from '../domain/compareText.ts';
import { isAnyOf, isCorrectUnit, isToolLabel, toolsOfLabel } from '../domain/labels.ts';
import type { AnyOfRow, Estimate, PerTool } from '../domain/metrics.ts';
import type { ConfusionUnit } from '../domain/score.ts';
import { callRates, clusteredRatio, mapEach } from './clusteredInterval.ts';
import { SharedSums, type Shared } from './sharedSums.ts';
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

const noCalls: ToolCounts = { tp: 0, anyOf: 0, fp: 0, fn: 0 };
const countNames = ['tp', 'anyOf', 'fp', 'fn'] as const;

/** Sums by tool or row of alternatives, then by case; only cases that involve it. */
export class ToolTallies {
  readonly #shared = new SharedSums(noCalls);
  readonly #tools = new Map<string, Map<string | number, Shared<ToolCounts>>>();

  /**
   * Adds one unit of the confusion matrix to the tools of its case. A row of alternatives is counted
   * under its own label, and its correct calls also for the precision of the tool that was called.
   */
  add(testCaseId: string | number, unit: ConfusionUnit): void {
    const { expected, selected } = unit;
    if (isCorrectUnit(unit)) {
      this.#count(expected, testCaseId, 'tp');
      if (expected !== selected) this.#count(selected, testCaseId, 'anyOf');
      return;
    }
    if (isToolLabel(expected)) this.#count(expected, testCaseId, 'fn');
    if (isToolLabel(selected)) this.#count(selected, testCaseId, 'fp');
  }

  labels(): Iterable<string> {
    return this.#tools.keys();
  }

  /** The sums of each case that involves the tool. */
  casesOf(label: string): Iterable<ToolCounts> {
    return mapEach(this.#tools.get(label) ?? [], ([, { sums }]) => sums);
  }

  #count(label: string, testCaseId: string | number, name: keyof ToolCounts): void {
    let cases = this.#tools.get(label);
    if (!cases) this.#tools.set(label, (cases = new Map<string | number, Shared<ToolCounts>>()));
    const before = cases.get(testCaseId) ?? this.#shared.none;
    cases.set(
      testCaseId,
      this.#shared.after(before, countNames.indexOf(name), (counts) => {
        counts[name] += 1;
      }),
    );
  }
}

function sum(cases: Iterable<ToolCounts>): ToolCounts {
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
 * than R: m of c calls of its column and t of r units of its row are right, M, C, T and R in total.
 * It is the ratio of Y = m·C/M² + t·R/T² and X = (c/M + r/T)/F1 over cases, with W = max(c, r)·(1/M +
 * 1/T)/F1 (docs/rules.md §3, Intervals): so the deviations Y − F1·X are those of the linearized mean.
 * Null without its own row.
 */
function sharedF1(cases: Iterable<ToolCounts>): Estimate {
  const { tp, anyOf, fp, fn } = sum(cases);
  const [made, column, row] = [tp + anyOf, tp + anyOf + fp, tp + fn];
  const n = column + fn;
  const inverse = (column / made + row / tp) / 2;
  return clusteredRatio(
    row === 0
      ? []
      : mapEach(cases, (one) => {
          const [oneColumn, oneRow] = [one.tp + one.anyOf + one.fp, one.tp + one.fn];
          const most = Math.max(oneColumn, oneRow);
          if (tp === 0) return { numerator: 0, denominator: oneColumn + oneRow, whole: 2 * most };
          return {
            numerator: ((one.tp + one.anyOf) * column) / made ** 2 + (one.tp * row) / tp ** 2,
            denominator: (oneColumn / made + oneRow / tp) * inverse,
            whole: most * (1 / made + 1 / tp) * inverse,
          };
        }),
    { n },
  );
}

/**
 * One-versus-rest counts and rates of every tool, and the recall of every row of alternatives
 * (docs/rules.md §3), each sorted by label; `labels` adds tools that no run names. Calls in rows of
 * alternatives count in precision only, because nothing says which of the tools should have been
 * called. The intervals are clustered over the cases that have a call or an expected call of the rate.
 */
export function summarizeTools(
  tools: ToolTallies,
  labels: Iterable<string> = [],
): { perTool: PerTool[]; anyOf: AnyOfRow[] } {
  const known = [...new Set([...[...tools.labels()].flatMap(withTools), ...labels])];
  known.sort(compareText);
  return {
    perTool: known
      .filter((label) => !isAnyOf(label))
      .map((toolId) => {
        const cases = tools.casesOf(toolId);
        const total = sum(cases);
        const { recall, f1 } = callRates(cases);
        const { precision } = callRates(
          mapEach(cases, ({ tp, anyOf, fp, fn }) => ({ tp: tp + anyOf, fp, fn })),
        );
        const f1Score = total.anyOf === 0 ? f1 : sharedF1(cases);
        return { toolId, ...total, precision, recall, f1Score };
      }),
    anyOf: known.filter(isAnyOf).map((label) => {
      const cases = tools.casesOf(label);
      const { tp, fn } = sum(cases);
      const { recall } = callRates(cases);
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
  const tools = new ToolTallies();
  for (const { testCaseId, classification, units } of rows) {
    if (classification === null) continue;
    for (const unit of units) tools.add(testCaseId, unit);
  }
  return summarizeTools(tools, labels);
}
