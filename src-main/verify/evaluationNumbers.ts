import {
  byText,
  hasPassed,
  hasRightTools,
  isRight,
  isScored,
  isShared,
  isTool,
  noTool,
  sumOf,
  toolsIn,
  type RunRow,
} from './evaluationRows.ts';
import { ratioOf, type Interval } from './intervals.ts';

/**
 * The numbers of a set of runs by docs/rules.md §3: counts, rates, matrix, tools and confidence.
 * `labels` are those of the reported matrix, which also lists offered tools that no run names.
 */
export function numbersOf(runs: readonly RunRow[], labels: readonly string[], high: number) {
  const scored = runs.filter(isScored);
  const cases = [...Map.groupBy(scored, (run) => run.case_id).values()];
  const tools = perTool(cases, labels);
  const times = scored.flatMap((run) => run.execution_time_ms ?? []).sort((a, b) => a - b);
  return {
    counts: countsOf(runs),
    metrics: ratesOf(cases),
    macro: {
      precision: meanOf(tools.map(({ precision }) => precision.value)),
      recall: meanOf(tools.map(({ recall }) => recall.value)),
      f1_score: meanOf(tools.map(({ f1_score }) => f1_score.value)),
    },
    confidence: confidenceOf(scored, high),
    confusion: matrixOf(scored, labels),
    per_tool: tools,
    any_of: sharedRows(cases),
    latency_ms: { p50: nearestRank(times, 0.5), p95: nearestRank(times, 0.95) },
  };
}

function countsOf(runs: readonly RunRow[]) {
  const failed = runs.filter(({ status }) => status === 'failed').length;
  const of = (name: string) =>
    runs.filter((run) => isScored(run) && run.classification === name).length;
  return {
    tp: of('TP'),
    fp: of('FP'),
    tn: of('TN'),
    fn: of('FN'),
    failed,
    open: runs.length - failed - runs.filter(isScored).length,
    total: runs.length,
  };
}

type Cases = readonly (readonly RunRow[])[];

function ratio(
  cases: Cases,
  numerator: (run: RunRow) => number,
  denominator: (run: RunRow) => number,
): Interval {
  return ratioOf(cases.map((runs) => ({ y: sumOf(runs, numerator), x: sumOf(runs, denominator) })));
}

/** F1 from what is right, made and due in each case; its n counts what is right once. */
function f1Of(cases: readonly (readonly [right: number, made: number, due: number])[]): Interval {
  return ratioOf(
    cases.map(([right, made, due]) => ({
      y: 2 * right,
      x: made + due,
      w: 2 * Math.max(made, due),
    })),
    sumOf(cases, ([right, made, due]) => made + due - right),
  );
}

function ratesOf(cases: Cases) {
  const is =
    (...names: string[]) =>
    (run: RunRow) =>
      Number(names.includes(run.classification ?? ''));
  const right = (run: RunRow) => run.units.filter(isRight).length;
  const made = (run: RunRow) => run.units.filter(({ called }) => called !== noTool).length;
  const due = (run: RunRow) => run.units.filter(({ expected }) => isTool(expected)).length;
  const matchedOf = (run: RunRow) =>
    run.classification === 'TP' ? (run.matched_parameters ?? 0) : 0;
  const expectedOf = (run: RunRow) =>
    run.classification === 'TP' ? (run.expected_parameters ?? 0) : 0;
  return {
    pass_rate: ratio(
      cases,
      (run) => Number(hasPassed(run) === true),
      (run) => Number(hasPassed(run) !== null),
    ),
    selection_precision: ratio(cases, right, made),
    selection_recall: ratio(cases, right, due),
    selection_f1: f1Of(
      cases.map((runs) => [sumOf(runs, right), sumOf(runs, made), sumOf(runs, due)]),
    ),
    precision: ratio(cases, is('TP'), is('TP', 'FP')),
    recall: ratio(cases, is('TP'), is('TP', 'FN')),
    f1_score: f1Of(
      cases.map((runs) => [
        sumOf(runs, is('TP')),
        sumOf(runs, is('TP', 'FP')),
        sumOf(runs, is('TP', 'FN')),
      ]),
    ),
    accuracy: ratio(cases, is('TP', 'TN'), () => 1),
    parameter_accuracy: ratio(cases, matchedOf, expectedOf),
  };
}

function matrixOf(scored: readonly RunRow[], labels: readonly string[]) {
  const units = scored.flatMap((run) => run.units);
  const named = new Set([...labels, ...units.flatMap((unit) => [unit.expected, unit.called])]);
  const tools = [...named].filter(isTool).sort(byText);
  const all = [
    ...tools.filter((label) => !isShared(label)),
    ...tools.filter(isShared),
    noTool,
    '(phantom)',
  ];
  const cells = Map.groupBy(units, ({ expected, called }) => JSON.stringify([expected, called]));
  return {
    labels: all,
    matrix: all.map((row) =>
      all.map((column) => cells.get(JSON.stringify([row, column]))?.length ?? 0),
    ),
  };
}

interface ToolTally {
  tp: number;
  anyOf: number;
  fp: number;
  fn: number;
}

function tallyOf(tool: string, runs: readonly RunRow[]): ToolTally {
  const units = runs.flatMap((run) => run.units);
  const mine = units.filter(({ called }) => called === tool);
  return {
    tp: mine.filter(({ expected }) => expected === tool).length,
    anyOf: mine.filter((unit) => unit.expected !== tool && isRight(unit)).length,
    fp: mine.filter((unit) => !isRight(unit)).length,
    fn: units.filter(({ expected, called }) => expected === tool && called !== tool).length,
  };
}

function perTool(cases: Cases, labels: readonly string[]) {
  const units = cases.flat().flatMap((run) => run.units);
  const named = [...labels, ...units.flatMap(({ expected, called }) => [expected, called])];
  const ids = [...new Set(named.filter(isTool).flatMap(toolsIn))].sort(byText);
  return ids.map((tool) => {
    const tallies = cases.map((runs) => tallyOf(tool, runs));
    const total = {
      tp: sumOf(tallies, ({ tp }) => tp),
      any_of: sumOf(tallies, ({ anyOf }) => anyOf),
      fp: sumOf(tallies, ({ fp }) => fp),
      fn: sumOf(tallies, ({ fn }) => fn),
    };
    return {
      tool_id: tool,
      ...total,
      precision: ratioOf(
        tallies.map(({ tp, anyOf, fp }) => ({ y: tp + anyOf, x: tp + anyOf + fp })),
      ),
      recall: ratioOf(tallies.map(({ tp, fn }) => ({ y: tp, x: tp + fn }))),
      f1_score: toolF1(tallies),
    };
  });
}

/** 2PR ÷ (P + R), where calls to one of several right tools count in P only. */
function toolF1(tallies: readonly ToolTally[]): Interval {
  const [made, column, row, tp] = [
    sumOf(tallies, (one) => one.tp + one.anyOf),
    sumOf(tallies, (one) => one.tp + one.anyOf + one.fp),
    sumOf(tallies, (one) => one.tp + one.fn),
    sumOf(tallies, (one) => one.tp),
  ];
  const n = column + row - tp;
  if (made === tp) return f1Of(tallies.map((one) => [one.tp, one.tp + one.fp, one.tp + one.fn]));
  if (row === 0) return { value: null, low: null, high: null, n };
  // 1 ÷ F1 = (column ÷ made + row ÷ tp) ÷ 2. Without a right call of its own row, F1 is 0.
  const inverse = (column / made + row / tp) / 2;
  return ratioOf(
    tallies.map((one) => {
      const [ownMade, ownColumn] = [one.tp + one.anyOf, one.tp + one.anyOf + one.fp];
      const ownRow = one.tp + one.fn;
      const most = Math.max(ownColumn, ownRow);
      if (tp === 0) return { y: 0, x: ownColumn + ownRow, w: 2 * most };
      return {
        y: (ownMade / made) * (column / made) + (one.tp / tp) * (row / tp),
        x: (ownColumn / made + ownRow / tp) * inverse,
        w: (most / made + most / tp) * inverse,
      };
    }),
    n,
  );
}

function sharedRows(cases: Cases) {
  const units = cases.flat().flatMap((run) => run.units);
  const labels = [...new Set(units.map(({ expected }) => expected).filter(isShared))].sort(byText);
  return labels.map((label) => {
    const own = (run: RunRow) => run.units.filter(({ expected }) => expected === label);
    const recall = ratio(
      cases,
      (run) => own(run).filter(isRight).length,
      (run) => own(run).length,
    );
    const all = units.filter(({ expected }) => expected === label);
    const tp = all.filter(isRight).length;
    return { label, tools: toolsIn(label), tp, fn: all.length - tp, recall };
  });
}

/** By the method of most runs; of equal ones the first in this order. */
const methods = ['logprobs', 'agreement', 'self_report', 'margin'];

function confidenceOf(scored: readonly RunRow[], high: number) {
  const byMethod = methods.map((method) => {
    const runs = scored.filter(({ confidence }) => confidence?.method === method);
    const count = (right: boolean, isHigh: boolean) =>
      runs.filter(
        (run) => hasRightTools(run) === right && (run.confidence?.score ?? 0) >= high === isHigh,
      ).length;
    return {
      method,
      robust: count(true, true),
      needs_clarity: count(true, false),
      misleading: count(false, true),
      wrong_low: count(false, false),
      n: runs.length,
    };
  });
  const measured = byMethod.filter(({ n }) => n > 0).sort((a, b) => b.n - a.n);
  const [most, ...others] = measured.map(({ n: _n, ...counts }) => counts);
  return {
    ...(most ?? { method: null, robust: 0, needs_clarity: 0, misleading: 0, wrong_low: 0 }),
    unmeasured: scored.filter(({ confidence }) => confidence === null).length,
    others,
  };
}

function meanOf(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null);
  return {
    value: known.length === 0 ? null : sumOf(known, (value) => value) / known.length,
    tools: known.length,
  };
}

function nearestRank(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(1, Math.ceil(share * sorted.length - 1e-9)) - 1] ?? null;
}
