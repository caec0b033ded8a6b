import { outcomes } from '../../../src-shared/domain/outcome.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type {
  LastOutcome,
  LastOutcomes,
  LastOutcomesOfModel,
} from '../../../src-shared/domain/lastOutcomes.ts';
import { taskContent, taskOutcomes, type TaskContent } from '../../../src-shared/domain/task.ts';
import { emptyTaskOutcomes } from '../../../src-shared/domain/taskEvaluation.ts';
import { caseContent, type CaseContent } from '../../../src-shared/domain/testCase.ts';
import { clusteredRatio } from '../../../src-shared/metrics/clusteredInterval.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import type { AlikeRuns, EndedResult } from '../../store/runs/lastRuns.ts';
import { remember } from '../../runtime/remember.ts';
import { contentHash } from '../../store/evaluations/entries.ts';
import type { Store } from '../../store/store.ts';
import { questionHash } from '../evaluations/read/questionOf.ts';
import { taskHash } from '../tasks/taskHash.ts';

/** A case or task of the suite as it is now. */
interface Current {
  content: CaseContent | TaskContent;
  hash: string;
}
type Known = Map<string, { last: LastOutcome; runs: AlikeRuns[] }>;
type Counted = Record<string, number>;

/**
 * For each case and task of a suite and each model, the runs of the newest ended result in which it
 * ran (docs/rules.md §3, Last outcome). Runs that never took place are skipped. Runs of a case or task
 * whose question has changed since are shown, and counted nowhere.
 */
export function readLastOutcomes(store: Store, suiteId: string): LastOutcomes {
  const { results, total } = store.lastRuns.ended(suiteId);
  const current: Record<EvaluationUnit, Map<string, Current>> = {
    case: currentOf(
      store.testCases.listBySuite(suiteId).map((one) => ({ id: one.id, content: one })),
    ),
    task: currentOf(store.tasks.listBySuite(suiteId)),
  };
  const read = (unit: EvaluationUnit) =>
    ofUnit(
      store,
      unit,
      results.filter((one) => one.unit === unit),
      current[unit],
    );
  const units = [read('case'), read('task')];
  return {
    results: total,
    models: units.flatMap(({ models }) => models),
    entries: units.flatMap(({ entries }) => entries),
  };
}

const currentOf = (
  entries: readonly { id: string; content: CaseContent | TaskContent }[],
): Map<string, Current> =>
  new Map(entries.map(({ id, content }) => [id, { content, hash: contentHash(content) }]));

function ofUnit(
  store: Store,
  unit: EvaluationUnit,
  results: readonly EndedResult[],
  current: ReadonlyMap<string, Current>,
): Pick<LastOutcomes, 'models' | 'entries'> {
  const byModel = new Map<string, Known>();
  const isChanged = changeReader(store, unit);
  for (const { id, number } of results) {
    const models = store.lastRuns.models(id);
    const missing = new Set<string>();
    for (const model of models) {
      const known = byModel.get(model) ?? new Map();
      byModel.set(model, known);
      for (const entry of current.keys()) if (!known.has(entry)) missing.add(entry);
    }
    if (missing.size === 0 || !store.lastRuns.holds(id, [...missing])) continue;
    const found = Map.groupBy(
      store.lastRuns.read(id).filter(({ outcome }) => outcome !== 'not_run'),
      ({ model, sourceId }) => `${model}\n${sourceId}`,
    );
    for (const runs of found.values()) {
      const [first] = runs;
      const now = first && current.get(first.sourceId);
      const known = first && byModel.get(first.model);
      if (first === undefined || now === undefined || known?.has(first.sourceId) !== false)
        continue;
      const changed = isChanged(now, first.contentHash);
      known.set(first.sourceId, { last: lastOf(runs, { id, number }, changed), runs });
    }
  }
  return {
    models: [...byModel].map(([model, known]) => ofModel(unit, model, known)),
    entries: [...current.keys()].flatMap((id) => {
      const last = [...byModel.values()].flatMap((known) => known.get(id)?.last ?? []);
      return last.length === 0 ? [] : [{ id, unit, last }];
    }),
  };
}

const isPassed = (outcome: string): boolean => outcome === 'passed' || outcome === 'succeeded';
const sum = (runs: readonly AlikeRuns[]): number => runs.reduce((all, one) => all + one.runs, 0);

function lastOf(
  runs: readonly AlikeRuns[],
  result: { id: string; number: number },
  changed: boolean,
): LastOutcome {
  const scored = runs.filter(({ outcome }) => outcome !== 'not_scored');
  const passed = scored.filter(({ outcome }) => isPassed(outcome));
  const failed = scored.filter(({ outcome }) => !isPassed(outcome));
  const shown = failed[0] ?? passed[0] ?? runs[0];
  const name = [...outcomes, ...taskOutcomes].find((one) => one === shown?.outcome);
  return {
    model: shown?.model ?? '',
    evaluationId: result.id,
    number: result.number,
    runId: shown?.runId ?? '',
    outcome: name ?? 'not_scored',
    passed: sum(passed),
    scored: sum(scored),
    changed,
  };
}

function ofModel(unit: EvaluationUnit, model: string, known: Known): LastOutcomesOfModel {
  const counted: Counted = {};
  const all = [...known.values()];
  const unchanged = all.filter(({ last }) => !last.changed);
  for (const { outcome, runs } of unchanged.flatMap((one) => one.runs))
    counted[outcome] = (counted[outcome] ?? 0) + runs;
  const results = new Map(unchanged.map(({ last }) => [last.number, last.evaluationId]));
  const shared = {
    model,
    results: [...results]
      .map(([number, id]) => ({ id, number }))
      .sort((a, b) => b.number - a.number),
    entries: unchanged.length,
    changed: all.length - unchanged.length,
    rate: clusteredRatio(
      unchanged.map(({ last }) => ({ numerator: last.passed, denominator: last.scored })),
    ),
  };
  return unit === 'case'
    ? { unit, ...shared, outcomes: { ...emptyOutcomeCounts(), ...counted } }
    : { unit, ...shared, outcomes: { ...emptyTaskOutcomes(), ...counted } };
}

/** Whether a frozen content asks something else than the case or task does now. */
function changeReader(store: Store, unit: EvaluationUnit) {
  const frozen = remember((hash: string): string => {
    const stored = store.resultQueries.caseText(hash);
    if (stored === null) return hash;
    const value = parseJson(stored.content);
    return unit === 'case'
      ? questionHash(caseContent.parse(value))
      : taskHash(taskContent.parse(value));
  });
  return ({ content, hash }: Current, frozenHash: string): boolean =>
    hash !== frozenHash &&
    frozen(frozenHash) !== ('turns' in content ? taskHash(content) : questionHash(content));
}
