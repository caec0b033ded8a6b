import { isDeepStrictEqual } from 'node:util';
import type { EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import type { Score } from '../../../src-shared/domain/score.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationRow } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../clock.ts';
import { maximumGroup } from './groupCommit.ts';
import { FrozenTools } from './offeredTools.ts';
import { serversOf } from './planEvaluation.ts';
import type { Scorer } from './scorer.ts';

/** Scores what was observed once more. No model is called; the old scores move to the history, all or none. */
export async function rescoreEvaluation(
  parts: { store: Store; scorer: Scorer; clock: Clock; nextId: NextId },
  evaluation: EvaluationRow,
  highConfidence: number,
): Promise<EvaluationEvent> {
  const { store, scorer, clock, nextId } = parts;
  const snapshot = evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId);
  if (!snapshot) {
    throw new ServiceError('CONFLICT', { thing: `Evaluation #${evaluation.number}`, cause: 'It has no frozen tools, so nothing was observed.', nextStep: 'Resume it first.' });
  }
  const tools = new FrozenTools(snapshot);
  const rescored: { id: string; score: Score }[] = [];
  let [cursor, runs] = [0, 0];
  for (;;) {
    const page = store.testRuns.observed(evaluation.id, cursor, maximumGroup);
    const scored = await Promise.all(
      page.map(async ({ id, content, observation }) => {
        const offered = tools.offer(serversOf(content, evaluation.settings, evaluation.suite.servers));
        return { id, score: await scorer.score(offered, { content, observation, highConfidence }) };
      }),
    );
    runs += scored.length;
    rescored.push(...scored.filter(({ id, score }) => !isAsBefore(store, id, score, scorer.fingerprint)));
    cursor = page.at(-1)?.rowid ?? cursor;
    if (page.length < maximumGroup) break;
  }
  const at = clock.now();
  return store.transaction(() => {
    for (const { id, score } of rescored) {
      store.results.replace(nextId(), id, score, scorer.fingerprint, at);
      store.testRuns.setClassification(id, score.classification);
    }
    store.evaluations.setScorer(evaluation.id, scorer.fingerprint);
    return store.events.append(evaluation.id, at, { type: 'rescored', scorer: scorer.fingerprint, runs });
  });
}

/** The same score by the same scorer replaces nothing. */
function isAsBefore(store: Store, runId: string, score: Score, scorer: string): boolean {
  const before = store.results.get(runId);
  return before?.scorer === scorer && isDeepStrictEqual(before.score, score);
}
