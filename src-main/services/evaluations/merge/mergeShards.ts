import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { observation, unreportedSpend } from '../../../../src-shared/domain/observation.ts';
import { score } from '../../../../src-shared/domain/score.ts';
import type { ShardReport, ShardRun } from '../../../../src-shared/domain/shardContent.ts';
import { caseContent } from '../../../../src-shared/domain/testCase.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import { frozenSuite } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { freezeToolsOf, insertModels, runsInOrder } from '../../runs/merge/shardParts.ts';

interface MergeParts {
  store: Store;
  clock: Clock;
  nextId: NextId;
  owner: string;
}

/** Inserts the rows of a merged evaluation, one case or run per step. */
export function* insertMergedCases(
  { store, clock, nextId, owner }: MergeParts,
  { evaluation_id: id, suite, created_at: created, shard: plan }: ShardReport,
  reports: readonly ShardReport[],
): Generator<undefined, void> {
  const at = clock.now();
  const runs = runsInOrder(reports, plan.models);
  const models = insertModels(store, reports);
  store.evaluations.insert('case', {
    id,
    suiteId: null,
    suiteName: suite,
    settings: { ...evaluationSettings.parse(parseJson(plan.settings)), suiteId: null, shard: null },
    suite: frozenSuite.parse(parseJson(plan.suite)),
    models: models.map((model) => ({ modelSettingsId: model.id, price: model.price })),
    plannedRuns: runs.length,
    owner,
    createdAt: created ?? at,
  });
  for (const model of models) store.evaluations.setRefused(id, model.id, model.refused);
  store.evaluations.setSnapshot(id, freezeToolsOf(store, plan));
  for (const [position, { id: sourceId, key, content }] of plan.cases.entries()) {
    const read = caseContent.parse(parseJson(content));
    store.entries.freeze(id, { position, sourceId, key, content: read });
    yield;
  }
  for (const run of runs) {
    store.runs.insert({
      id: run.run_id,
      evaluationId: id,
      sourceId: plan.cases[run.position]?.id ?? '',
      modelSettingsId: run.model_id,
      position: run.position,
      repetition: run.repetition,
      attempt: run.attempt,
      createdAt: at,
    });
    insertResult({ store, nextId }, run, at);
    yield;
  }
}

function insertResult(
  { store, nextId }: Pick<MergeParts, 'store' | 'nextId'>,
  run: ShardRun,
  at: string,
): void {
  const { run_id: id, status, observation: observed, score: scored, scorer } = run;
  if (status === 'completed' || status === 'failed') {
    const value = scored === null ? null : score.parse(parseJson(scored));
    store.runs.finish({
      id,
      status,
      failure: run.failure,
      errorMessage: run.error,
      request: null,
      response: null,
      selectedToolId: null,
      offeredListId: null,
      extractedParameters: null,
      observation: observed === null ? null : observation.parse(parseJson(observed)),
      unreported: run.unreported ? unreportedSpend.parse(parseJson(run.unreported)) : null,
      score: value,
      executionTimeMs: run.execution_time_ms,
      completedAt: at,
    });
    if (value !== null) store.results.put(nextId(), id, value, scorer ?? '', at);
  }
  if (!run.is_current) store.runs.supersede(id);
}
