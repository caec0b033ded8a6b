import type {
  FailingRequest,
  ParameterRecord,
  Rewrite,
  ToolProblem,
} from '../../../src-shared/domain/rewrite.ts';
import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { RunRow } from '../../../src-shared/domain/evaluation.ts';
import type { Score } from '../../../src-shared/domain/score.ts';
import { expectedCall } from '../../../src-shared/domain/testCase.ts';
import { advise, type AdvisedFailure } from '../../analysis/advice/advise.ts';
import type { Store } from '../../store/store.ts';
import { adviceForTool } from './adviceForTool.ts';
import type { OpenTarget } from './openTarget.ts';
import { caseOutcomes, concerns, readHalf, type HalfCase } from './halfCases.ts';
import { planProof } from './proofPlan.ts';

/** More than a person reads while editing one tool. */
const maxListed = 100;

interface Failing {
  row: RunRow;
  score: Score | null;
}

/**
 * The failures of a tool in the search half with advice, and what the proof half can decide. Advice
 * is made from the search half alone: what was written for a case can't be proved by it.
 */
export function readToolProblem(
  store: Store,
  target: OpenTarget,
  toolId: string,
  rewrite: Rewrite | null,
  openSignals: ReadonlySet<string>,
): ToolProblem {
  const { evaluation, model, tool, tools } = target;
  const [search, proof] = [
    readHalf(store, evaluation, model.id, 'search'),
    readHalf(store, evaluation, model.id, 'proof'),
  ];
  const failsHere = ({ wrong, toolLabels }: HalfCase): boolean =>
    wrong && concerns(toolLabels, toolId);
  const wrong = search.filter(failsHere);
  const failing = wrong.slice(0, maxListed).flatMap(({ position }): Failing[] => {
    const runId = store.resultQueries.glance(
      evaluation.id,
      position,
      model.id,
      evaluation.settings.passedWhen,
      false,
    )?.runId;
    const row = runId === undefined ? null : store.runQueries.row(runId);
    return row ? [{ row, score: store.results.get(row.runId)?.score ?? null }] : [];
  });
  const after = rewrite === null ? null : estimated(store, rewrite);
  return {
    unit: 'case',
    execution: null,
    tool,
    modelName: modelLabel(model),
    evaluationNumber: evaluation.number,
    suiteName: evaluation.suiteName,
    suiteId: evaluation.suiteId,
    failing: failing.map(({ row }) => toRequest(row, after)),
    moreFailing: wrong.length - failing.length,
    expecting: search.filter(({ expected }) => concerns(expected, toolId)).length,
    hiddenFailing: proof.filter(failsHere).length,
    advice: adviceForTool(
      advise({
        tools,
        failures: failing.flatMap((one) => failuresOf(one, store, evaluation.id)),
        openSignals,
      }),
      toolId,
    ),
    parameters: parameterRecords(store.resultQueries.parameters(evaluation.id, model.id), toolId),
    plan: planProof(store, target, toolId, { search, proof }),
  };
}

/** How each case of the search half came out with a candidate; null before its estimate. */
function estimated(store: Store, rewrite: Rewrite): Map<number, FailingRequest['after']> | null {
  const made = store.evaluations.get(rewrite.searchEvaluationId ?? '');
  if (!made || rewrite.search === null) return null;
  const outcomes = caseOutcomes(
    store,
    made.id,
    made.modelSettingsIds[0] ?? '',
    made.settings.passedWhen,
  );
  return new Map(
    (made.settings.whatIf?.positions ?? []).map((position, place) => {
      const found = outcomes.get(place);
      return [position, found === 'passed' || found === 'failed' ? found : 'not_scored'];
    }),
  );
}

function toRequest(
  row: RunRow,
  after: ReadonlyMap<number, FailingRequest['after']> | null,
): FailingRequest {
  const { runId, position, query, outcome, selected } = row;
  return {
    runId,
    position,
    query,
    outcome,
    called: selected.find(isToolLabel) ?? null,
    after: after?.get(position) ?? null,
  };
}

/** The wrong choices of a run, or the wrong arguments of its correct calls. */
function failuresOf({ row, score }: Failing, store: Store, evaluationId: string): AdvisedFailure[] {
  const calls = store.frozenCases.get(evaluationId, row.position)?.expectedCalls ?? [];
  const values = calls
    .map((one) => JSON.stringify(expectedCall.parse(one).parameters ?? {}))
    .join(' ');
  const labelOf = (label: string): string | null =>
    isToolLabel(label) ? (toolsOfLabel(label)[0] ?? null) : null;
  const choices = row.units
    .filter((unit) => !isCorrectUnit(unit))
    .map(({ expected, selected }) => ({
      query: row.query,
      values,
      expected: labelOf(expected),
      called: labelOf(selected),
      wrongArguments: [],
    }));
  if (choices.length > 0 || score === null) return choices;
  const wrongOf = new Map<string, { name: string }[]>();
  for (const { toolId, name, verdict } of score.parameters)
    if (verdict === 'wrong_value' || verdict === 'missing')
      wrongOf.set(toolId, [...(wrongOf.get(toolId) ?? []), { name }]);
  return [...wrongOf].map(([toolId, wrongArguments]) => ({
    query: row.query,
    values,
    expected: toolId,
    called: toolId,
    wrongArguments,
  }));
}

function parameterRecords(
  tallies: ReturnType<Store['resultQueries']['parameters']>,
  toolId: string,
): ParameterRecord[] {
  const byName = new Map<string, ParameterRecord>();
  for (const { name, cases, matched, wrongValue, missing, ...tally } of tallies) {
    if (tally.toolId !== toolId) continue;
    const record = byName.get(name) ?? { name, matched: 0, judged: 0 };
    byName.set(name, {
      name,
      matched: record.matched + cases * matched,
      judged: record.judged + cases * (matched + wrongValue + missing),
    });
  }
  return [...byName.values()];
}
