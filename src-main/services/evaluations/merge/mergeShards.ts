import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { observation } from '../../../../src-shared/domain/observation.ts';
import { price } from '../../../../src-shared/domain/price.ts';
import { score } from '../../../../src-shared/domain/score.ts';
import type { ShardReport, ShardRun } from '../../../../src-shared/domain/shardContent.ts';
import { caseContent } from '../../../../src-shared/domain/testCase.ts';
import { serverListing, tool } from '../../../../src-shared/domain/tool.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import { frozenSuite } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { commitInChunks } from '../run/commitInChunks.ts';
import { endEvaluation } from '../run/endEvaluation.ts';
import { shardProblems } from './shardProblems.ts';

interface MergeParts {
  store: Store;
  clock: Clock;
  nextId: NextId;
  owner: string;
}

/**
 * Makes one ended evaluation of the reports of all its parts, as if it had run in one piece: with the
 * ids of the first part and the runs of each. Throws INVALID where they are not the parts of one
 * evaluation.
 */
export async function mergeShards(
  parts: MergeParts,
  reports: readonly ShardReport[],
): Promise<string> {
  try {
    return await merge(parts, reports);
  } catch (error) {
    if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
    throw new ServiceError(
      'INVALID',
      {
        thing: 'The reports',
        cause: `One of them was changed after it was written (${errorText(error).slice(0, 200)}).`,
        nextStep: 'Run its part again.',
      },
      { cause: error },
    );
  }
}

async function merge(parts: MergeParts, reports: readonly ShardReport[]): Promise<string> {
  const problems = shardProblems(reports);
  const [first] = [...reports].sort((a, b) => a.shard.index - b.shard.index);
  if (first === undefined || problems.length > 0)
    throw new ServiceError('INVALID', {
      thing: 'The reports',
      cause: ['They are not the parts of one evaluation.', ...problems].join(' '),
      nextStep: 'Give the JSON report of each part, all of the same files and settings.',
    });
  const { store, clock } = parts;
  const id = first.evaluation_id;
  if (store.evaluations.get(id) !== null)
    throw new ServiceError('CONFLICT', {
      thing: `Evaluation ${id}`,
      cause: 'It is in this workspace already.',
      nextStep: 'Merge reports without a workspace, as the command line does.',
    });
  const started = earliest(reports.map(({ started_at }) => started_at));
  const completed = latest(reports.map(({ completed_at }) => completed_at));
  await commitInChunks(parts, insertAll(parts, first, reports), () => {
    store.evaluations.setState(id, {
      state: 'running',
      reason: null,
      owner: parts.owner,
      startedAt: started,
      completedAt: null,
    });
    store.evaluations.setDeleted(id, null);
    store.events.append(id, clock.now(), {
      type: 'planned',
      runs: reports.reduce((sum, { shard }) => sum + shard.runs.length, 0),
    });
    endEvaluation({ store, clock: { ...clock, now: () => completed ?? clock.now() } }, id, {
      endedBy: null,
      stopReason: null,
      haltReasons: haltReasons(reports),
      shard: null,
    });
  });
  return id;
}

/** Inserts the rows of the merged evaluation, one case or run per step. */
function* insertAll(
  { store, clock, nextId, owner }: MergeParts,
  { evaluation_id: id, suite, created_at: created, shard: plan }: ShardReport,
  reports: readonly ShardReport[],
): Generator<undefined, void> {
  const at = clock.now();
  const runs = reports.flatMap(({ shard }) => inFirstPart(shard.runs, shard.models, plan.models));
  const models = plan.models.map(({ settings, price: text }) => {
    const { id: modelId, ...content } = modelSettings.parse(parseJson(settings));
    return {
      id: store.modelSettings.insert(content, modelId).id,
      price: text === null ? null : price.parse(JSON.parse(text)),
    };
  });
  store.evaluations.insert({
    id,
    suiteId: null,
    suiteName: suite,
    settings: { ...evaluationSettings.parse(parseJson(plan.settings)), suiteId: null, shard: null },
    suite: frozenSuite.parse(parseJson(plan.suite)),
    modelSettingsIds: models.map((model) => model.id),
    plannedRuns: runs.length,
    owner,
    createdAt: created ?? at,
  });
  for (const model of models) store.evaluations.setPrice(id, model.id, model.price);
  const snapshot = store.toolSnapshots.freeze({
    servers: z.array(serverListing).parse(parseJson(plan.servers)),
    tools: plan.tools.map(({ tool: text, raw }) => ({
      serverId: null,
      tool: { tool: tool.parse(parseJson(text)), raw },
    })),
  });
  store.evaluations.setSnapshot(id, snapshot.id);
  for (const [position, { id: testCaseId, key, content }] of plan.cases.entries()) {
    const read = caseContent.parse(parseJson(content));
    store.frozenCases.freeze(id, position, { testCaseId, key, content: read });
    yield;
  }
  for (const run of runs.sort((a, b) => a.place - b.place || a.attempt - b.attempt)) {
    store.testRuns.insert({
      id: run.run_id,
      evaluationId: id,
      testCaseId: plan.cases[run.position]?.id ?? '',
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
    store.testRuns.finish({
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
      score: value,
      executionTimeMs: run.execution_time_ms,
      completedAt: at,
    });
    if (value !== null) store.results.put(nextId(), id, value, scorer ?? '', at);
  }
  if (!run.is_current) store.testRuns.supersede(id);
}

type Models = ShardReport['shard']['models'];
const idOf = ({ settings }: Models[number]): string => modelSettings.parse(parseJson(settings)).id;

/** The runs of a part with the model ids of the first one: each workspace gives its own. */
function inFirstPart(runs: readonly ShardRun[], own: Models, first: Models): ShardRun[] {
  const ids = new Map(own.map((model, at) => [idOf(model), first[at]]));
  return runs.map((run) => {
    const model = ids.get(run.model_id);
    return { ...run, model_id: model === undefined ? run.model_id : idOf(model) };
  });
}

/** What kept parts from running all of their cases. */
function haltReasons(reports: readonly ShardReport[]): string {
  const reasons = reports.flatMap(({ reason, shard }) =>
    reason !== null && shard.runs.some(({ status }) => status === 'pending') ? [reason] : [],
  );
  return [...new Set(reasons)].join(' ');
}

const known = (times: readonly (string | null)[]): string[] =>
  times.filter((time) => time !== null).sort();
const earliest = (times: readonly (string | null)[]): string | null => known(times)[0] ?? null;
const latest = (times: readonly (string | null)[]): string | null => known(times).at(-1) ?? null;
