import { isDeepStrictEqual } from 'node:util';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { observation, unreportedSpend } from '../../../../src-shared/domain/observation.ts';
import { score } from '../../../../src-shared/domain/score.ts';
import type {
  ShardEntry,
  ShardHead,
  ShardRun,
} from '../../../../src-shared/domain/shardContent.ts';
import { caseContent } from '../../../../src-shared/domain/testCase.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import type { Store } from '../../../store/store.ts';
import type { PartOf } from '../../runs/merge/partFile.ts';
import { insertMerged, snapshotOf } from '../../runs/merge/shardParts.ts';
import { caseOrder } from '../plan/evaluationOrder.ts';
import { frozenSuite } from '../../../store/evaluations/evaluations.ts';
import { serversOf } from '../plan/planEvaluation.ts';
import type { Scorer } from '../score/scorer.ts';
import { FrozenTools } from '../tools/offeredTools.ts';

/**
 * Scores the stored answers of all parts again. Returns the runs whose score is another one, one
 * sentence each. The choice of an external retriever is known to its part alone, so that runs with
 * one are left out.
 */
export async function recheckCases(
  scorer: Scorer,
  reports: readonly PartOf<ShardHead, ShardRun>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const { shard, eachRun } of reports) {
    const settings = evaluationSettings.parse(parseJson(shard.settings));
    const suite = frozenSuite.parse(parseJson(shard.suite));
    const tools = new FrozenTools(snapshotOf(shard), () => null, settings.client);
    const cases = new Map(
      shard.cases.map(({ position, key, content }) => [
        position,
        { key, content: caseContent.parse(parseJson(content)) },
      ]),
    );
    const check = async (run: ShardRun): Promise<string | null> => {
      const asked = cases.get(run.position);
      const name = `Part ${shard.index}: the score of ${asked?.key ?? run.run_id}`;
      if (asked === undefined) return `${name} has no case.`;
      const { content } = asked;
      if (run.score === null) return run.status === 'completed' ? `${name} is missing.` : null;
      if (run.scorer !== scorer.fingerprint)
        return `${name} is by other rules than those of this version.`;
      const servers = serversOf(content, settings, suite.servers);
      if (!tools.isRanked(content.query, servers, settings)) return null;
      const again = await scorer.score(tools.offerFor(content.query, servers, settings), {
        content,
        observation: observation.parse(parseJson(run.observation ?? 'null')),
        ...settings,
      });
      return isDeepStrictEqual(again, score.parse(parseJson(run.score)))
        ? null
        : `${name} doesn’t follow from its answer.`;
    };
    let waiting: Promise<string | null>[] = [];
    const settle = async (): Promise<void> => {
      for (const problem of await Promise.all(waiting))
        if (problem !== null) problems.push(problem);
      waiting = [];
    };
    for (const run of eachRun()) {
      waiting.push(check(run));
      if (waiting.length >= atOnce) await settle();
    }
    await settle();
  }
  return problems;
}

/** Scored at once: enough for all threads of the scorer, and little in memory. */
const atOnce = 64;

export type ShardPart = PartOf<ShardHead, ShardRun>;

interface MergeParts {
  store: Store;
  clock: Clock;
  nextId: NextId;
  owner: string;
}

/** Inserts the rows of a merged evaluation, one case or run per step. */
export function insertMergedCases(
  { store, clock, nextId, owner }: MergeParts,
  { created_at: created, shard: plan }: ShardPart,
  reports: readonly ShardPart[],
  entries: readonly ShardEntry[],
): Generator<undefined, void> {
  const at = clock.now();
  const settings = evaluationSettings.parse(parseJson(plan.settings));
  return insertMerged({ store, owner }, reports, {
    unit: 'case',
    createdAt: created ?? at,
    settings,
    entries,
    order: (repetition) => caseOrder(entries.length, settings, repetition),
    content: caseContent,
    end: (run) => {
      insertResult({ store, nextId }, run, at);
    },
  });
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
}
