import { compareText } from '../../../src-shared/domain/compareText.ts';
import type {
  EvaluationAnalysis,
  FlakyCase,
  MethodCalibration,
  ParameterTally,
  RepeatedNumbers,
  ServerCapture,
} from '../../../src-shared/domain/analysis.ts';
import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { isAnyOf, isToolLabel, splitToolId } from '../../../src-shared/domain/labels.ts';
import { confidenceMethods } from '../../../src-shared/domain/observation.ts';
import { clusteredRatio } from '../../../src-shared/metrics/clusteredInterval.ts';
import { calibrate, type ScoredConfidence } from '../../../src-shared/metrics/calibration.ts';
import {
  endsOf,
  passAllK,
  passAtK,
  type RepeatedCase,
} from '../../../src-shared/metrics/passAtK.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { ParameterVerdicts, RepeatedRow } from '../../store/runs/resultQueries.ts';
import type { Store } from '../../store/store.ts';

/** Listed flaky cases; all are counted. */
const maxListedFlakyCases = 500;

/**
 * The details behind the numbers of an evaluation, or of one of its models: parameters,
 * calibration, repetitions and calls captured by other servers.
 */
export function analyzeEvaluation(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): EvaluationAnalysis {
  return {
    evaluationId: evaluation.id,
    modelSettingsId,
    parameters: tallyParameters(store, evaluation.id, modelSettingsId),
    calibrations: calibrations(store, evaluation.id, modelSettingsId),
    repeated: {
      selection: repetitionsOf(store, evaluation.id, modelSettingsId, 'selection'),
      selection_and_parameters: repetitionsOf(
        store,
        evaluation.id,
        modelSettingsId,
        'selection_and_parameters',
      ),
    },
    crossServer: crossServer(store.runQueries.cells(evaluation.id, modelSettingsId)),
  };
}

/** Sums the verdicts on each parameter of each tool over cases. */
function tallyParameters(
  store: Store,
  evaluationId: string,
  modelSettingsId: string | null,
): ParameterTally[] {
  const groups = Map.groupBy(
    store.resultQueries.parameters(evaluationId, modelSettingsId),
    ({ toolId, name }) => JSON.stringify([toolId, name]),
  );
  return [...groups.values()]
    .flatMap((rows) => tallyParameter(rows))
    .sort((a, b) => compareText(a.toolId + a.name, b.toolId + b.name));
}

type ParameterRow = ReturnType<Store['resultQueries']['parameters']>[number];

/** Calls in which a value was expected, or expected to be absent. */
const judged = (row: ParameterVerdicts): number =>
  row.matched + row.wrongValue + row.missing + row.unexpected + row.unreadable;

function tallyParameter(rows: readonly ParameterRow[]): ParameterTally[] {
  const [first] = rows;
  if (!first) return [];
  const sum = (count: (row: ParameterVerdicts) => number): number =>
    rows.reduce((total, row) => total + row.cases * count(row), 0);
  const shares = rows.map((row) => ({
    numerator: row.matched,
    denominator: judged(row),
    count: row.cases,
  }));
  return [
    {
      toolId: first.toolId,
      name: first.name,
      n: sum(judged),
      accuracy: clusteredRatio(shares),
      matched: sum(({ matched }) => matched),
      wrongValue: sum(({ wrongValue }) => wrongValue),
      missing: sum(({ missing }) => missing),
      unexpected: sum(({ unexpected }) => unexpected),
      hallucinated: sum(({ hallucinated }) => hallucinated),
      unreadable: sum(({ unreadable }) => unreadable),
      notScored: sum(({ notScored }) => notScored),
    },
  ];
}

/**
 * Calibration for each method by which confidence was measured; methods are never mixed, because
 * their scales differ.
 */
function calibrations(
  store: Store,
  evaluationId: string,
  modelSettingsId: string | null,
): MethodCalibration[] {
  const rows = store.resultQueries.confidences(evaluationId, modelSettingsId);
  const each = function* (method: string): Generator<ScoredConfidence> {
    for (const row of rows)
      if (row.method === method)
        for (let i = 0; i < row.n; i += 1) yield { confidence: row.score, right: row.right === 1 };
  };
  return confidenceMethods
    .filter((method) => rows.some((row) => row.method === method))
    .map((method) => ({ method, ...calibrate(each(method)) }));
}

/** pass@k, pass^k and flaky cases of each model, the most evenly split first. */
function repetitionsOf(
  store: Store,
  evaluationId: string,
  modelSettingsId: string | null,
  when: PassedWhen,
): RepeatedNumbers {
  const counts: RepeatedCase[] = [];
  const flaky: RepeatedRow[] = [];
  let [repetitions, repeatedCases] = [0, 0];
  for (const row of store.resultQueries.repeated(evaluationId, modelSettingsId, when)) {
    const { n, passed, position } = row;
    counts.push({ n, passed, cluster: position });
    repetitions = Math.max(repetitions, n);
    if (n > 1) repeatedCases += 1;
    if (passed > 0 && passed < n) flaky.push(row);
  }
  const ks = Array.from({ length: repetitions }, (_, index) => index + 1);
  return {
    repetitions,
    // With many repetitions, only the first ten values of k and the last one are returned.
    passRates: ks
      .filter((k) => k <= 10 || k === repetitions)
      .map((k) => {
        const [atLeastOnce, always] = [passAtK(counts, k), passAllK(counts, k)];
        return {
          k,
          passAtK: atLeastOnce.value,
          passAtKInterval: endsOf(atLeastOnce),
          passAllK: always.value,
          passAllKInterval: endsOf(always),
          cases: atLeastOnce.cases,
        };
      }),
    flaky: flaky
      .toSorted(
        (a, b) =>
          Math.abs(2 * a.passed - a.n) / a.n - Math.abs(2 * b.passed - b.n) / b.n ||
          a.position - b.position,
      )
      .slice(0, maxListedFlakyCases)
      .flatMap(({ position, modelSettingsId: model, n, passed }): FlakyCase[] => {
        const placed = store.resultQueries.caseAt(evaluationId, position);
        const run = store.resultQueries.glance(evaluationId, position, model, when, false);
        if (!placed || !run) return [];
        const name = store.resultQueries.caseText(placed.hash)?.name ?? '';
        return [
          {
            testCaseId: placed.testCaseId,
            caseKey: placed.caseKey ?? placed.testCaseId,
            name,
            modelSettingsId: model,
            n,
            passed,
            runId: run.runId,
          },
        ];
      }),
    flakyTotal: flaky.length,
    repeatedCases,
  };
}

/** Counts the calls expected of one server that went to a tool of another server. */
function crossServer(
  cells: readonly { expected: string; selected: string; n: number }[],
): ServerCapture[] {
  const expectedOf = new Map<string, number>();
  const captured = new Map<string, ServerCapture>();
  for (const { expected, selected, n } of cells) {
    // Equally right tools may belong to several servers, so none is deprived of the call.
    if (!isToolLabel(expected) || isAnyOf(expected)) continue;
    const from = splitToolId(expected).server;
    expectedOf.set(from, (expectedOf.get(from) ?? 0) + n);
    const to = isToolLabel(selected) ? splitToolId(selected).server : from;
    if (to === from) continue;
    const key = JSON.stringify([from, to]);
    const known = captured.get(key);
    if (known) known.count += n;
    else captured.set(key, { expected: from, selected: to, count: n, of: 0 });
  }
  return [...captured.values()]
    .map((capture) => ({ ...capture, of: expectedOf.get(capture.expected) ?? 0 }))
    .sort((a, b) => b.count - a.count);
}
