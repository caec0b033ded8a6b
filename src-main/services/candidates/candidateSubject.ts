import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { CandidateSubject } from '../../../src-shared/domain/candidate.ts';
import type { EvaluationRow, TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { offeredNow } from './offeredNow.ts';

/** Evaluations among which the latest one of a tool is looked for. */
const maxLookedAt = 100;

type AnyRow = (EvaluationRow | TaskEvaluationRow) & { unit: EvaluationUnit };

interface Asked {
  toolId: string;
  evaluationId: string | null;
  modelSettingsId: string | null;
}

/** What a tool is edited from. Nothing that was asked for and is gone is an error. */
export function candidateSubject(store: Store, asked: Asked): CandidateSubject {
  const { server, tool } = splitToolId(asked.toolId);
  const offered = offeredNow(store)(server)?.find(({ name }) => name === tool) ?? null;
  const given = asked.evaluationId === null ? null : rowOf(store, asked.evaluationId);
  const latest = latestWith(store, asked.toolId);
  const chosen =
    given !== null && hasEnded(given.state) && offers(store, given, asked.toolId) ? given : latest;
  return {
    offered,
    suites: suitesOf(store, server, tool),
    result: chosen && resultOf(store, chosen, asked),
    newer:
      chosen === null || latest === null || latest.createdAt <= chosen.createdAt
        ? null
        : { evaluationId: latest.id, unit: latest.unit, number: latest.number },
  };
}

function rowOf(store: Store, id: string): AnyRow | null {
  const unit = store.evaluations.unitOf(id);
  const row = unit === null ? null : store.evaluations.get(unit, id);
  return unit === null || row === null ? null : { ...row, unit };
}

const offers = (store: Store, { snapshotId }: AnyRow, toolId: string): boolean =>
  snapshotId !== null &&
  store.resultQueries
    .toolHashes(snapshotId)
    .some(({ server, name }) => idOf(server, name) === toolId);

/** Of cases, because they say which tool was expected; of tasks where no cases were run. */
function latestWith(store: Store, toolId: string): AnyRow | null {
  const rows = function* (): Iterable<AnyRow> {
    for (const row of store.evaluations.listOriginals(maxLookedAt))
      if (row.origin === null && row.settings.whatIf === null) yield { ...row, unit: 'case' };
    for (const row of store.evaluations.listWhole(maxLookedAt)) yield { ...row, unit: 'task' };
  };
  for (const row of rows()) if (hasEnded(row.state) && offers(store, row, toolId)) return row;
  return null;
}

function suitesOf(store: Store, server: string, tool: string): CandidateSubject['suites'] {
  const suites = new Map<string, CandidateSubject['suites'][number]>();
  for (const { suiteId: id, suiteName: name } of store.serverCases.ofTool(server, tool))
    suites.set(id, { id, name, cases: (suites.get(id)?.cases ?? 0) + 1 });
  return [...suites.values()].sort((a, b) => b.cases - a.cases);
}

/** How each model did with a tool: over the runs of cases that expected it, or all runs of tasks. */
function modelsOf(
  store: Store,
  row: AnyRow,
  toolId: string,
): NonNullable<CandidateSubject['result']>['models'] {
  const counts = new Map<string, { scored: number; passed: number }>();
  if (row.unit === 'case')
    for (const { modelSettingsId, outcome } of store.serverCases.runsOfTool(row.id, toolId)) {
      const before = counts.get(modelSettingsId) ?? { scored: 0, passed: 0 };
      counts.set(modelSettingsId, {
        scored: before.scored + 1,
        passed: before.passed + Number(outcome === 'passed'),
      });
    }
  else
    for (const { modelSettingsId, scored, passed } of store.serverCases.passedByModel(row.id))
      counts.set(modelSettingsId, { scored, passed });
  return row.modelSettingsIds.flatMap((id) => {
    const settings = store.modelSettings.of(row, id);
    return settings === null
      ? []
      : [{ id, name: modelLabel(settings), ...(counts.get(id) ?? { scored: 0, passed: 0 }) }];
  });
}

function resultOf(store: Store, row: AnyRow, asked: Asked): CandidateSubject['result'] {
  const models = modelsOf(store, row, asked.toolId);
  const rate = ({ scored, passed }: (typeof models)[number]): number =>
    scored === 0 ? 1 : passed / scored;
  const [worst] = [...models].sort((a, b) => rate(a) - rate(b));
  const model = models.find(({ id }) => id === asked.modelSettingsId) ?? worst;
  if (model === undefined) return null;
  return {
    evaluationId: row.id,
    unit: row.unit,
    number: row.number,
    suiteName: row.suiteName,
    modelSettingsId: model.id,
    models,
  };
}
