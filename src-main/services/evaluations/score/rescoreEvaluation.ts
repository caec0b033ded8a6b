import { isDeepStrictEqual } from 'node:util';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import type { Score } from '../../../../src-shared/domain/score.ts';
import type { ArgumentsMode, CaseContent } from '../../../../src-shared/domain/testCase.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import { maxGroupSize } from '../../runs/groupCommit.ts';
import { FrozenTools } from '../tools/offeredTools.ts';
import { unscoredReason } from '../../runs/endRuns.ts';
import { unusableReply } from '../run/unusableReply.ts';
import { serversOf } from '../plan/planEvaluation.ts';
import type { Scorer } from './scorer.ts';

export interface RescoreWith {
  highConfidence: number;
  argumentsMode: ArgumentsMode;
  /** Cases with a new expectation, by position. */
  expectations: ReadonlyMap<number, CaseContent>;
}

/**
 * Scores the stored observations again without calling a model. A reply that today's rules can't
 * judge loses its score, and a resume asks for it again. All changes are written in one
 * transaction; old scores move to the history with the expectation, threshold and mode
 * they were made with. Throws CONFLICT when nothing was observed.
 */
export async function rescoreEvaluation(
  parts: { store: Store; scorer: Scorer; clock: Clock; nextId: NextId },
  evaluation: EvaluationRow,
  { highConfidence, argumentsMode, expectations }: RescoreWith,
): Promise<EvaluationEvent> {
  const { store, scorer, clock, nextId } = parts;
  const snapshot =
    evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId);
  if (!snapshot) {
    throw new ServiceError('CONFLICT', {
      thing: `Evaluation #${evaluation.number}`,
      cause: 'It has no stored tools, so nothing was recorded.',
      nextStep: 'Resume it first.',
    });
  }
  const tools = new FrozenTools(
    snapshot,
    (servers, query) => store.caseRankings.get(evaluation.id, servers, query),
    evaluation.settings.client,
  );
  const rescored: { id: string; position: number; score: Score }[] = [];
  const unusable: { id: string; position: number; message: string }[] = [];
  let [cursor, runs] = [0, 0];
  for (;;) {
    const page = store.runs.observed(evaluation.id, cursor, maxGroupSize);
    const scored = await Promise.all(
      page.map(async ({ id, position, modelSettingsId, content: frozen, observation }) => {
        const content = expectations.get(position) ?? frozen;
        const offered = tools.offerFor(
          content.query,
          serversOf(content, evaluation.settings, evaluation.suite.servers),
          evaluation.settings,
        );
        const message = unusableReply(observation, content.expectedCalls.length > 0, {
          tools: offered.shown,
          sent: store.modelSettings.get(modelSettingsId)?.sent ?? {},
        });
        if (message !== null) {
          unusable.push({ id, position, message });
          return null;
        }
        return {
          id,
          position,
          score: await scorer.score(offered, {
            content,
            observation,
            highConfidence,
            argumentsMode,
          }),
        };
      }),
    );
    runs += scored.length;
    rescored.push(
      ...scored
        .filter((each) => each !== null)
        .filter(({ id, score }) => !isUnchanged(store, id, score, scorer.fingerprint)),
    );
    cursor = page.at(-1)?.rowid ?? cursor;
    if (page.length < maxGroupSize) break;
  }
  const at = clock.now();
  const { settings } = evaluation;
  const old = {
    highConfidence: settings.highConfidence === highConfidence ? null : settings.highConfidence,
    argumentsMode: settings.argumentsMode === argumentsMode ? null : settings.argumentsMode,
  };
  return store.transaction(() => {
    const oldCases = new Map(
      [...expectations].map(([position, content]) => [
        position,
        store.entries.replace(evaluation.id, position, content),
      ]),
    );
    const madeWith = (position: number) => ({
      caseHash: oldCases.get(position) ?? null,
      ...old,
    });
    for (const { id, position, score } of rescored) {
      store.results.replace(nextId(), id, score, scorer.fingerprint, at, madeWith(position));
      store.runs.setScore(id, score);
    }
    for (const { id, position, message } of unusable) {
      store.results.retire(id, at, madeWith(position));
      store.runs.withdrawScore(id, 'model', message);
    }
    if (unusable.length > 0 && evaluation.state === 'completed')
      store.evaluations.setState(evaluation.id, {
        state: 'incomplete',
        reason: unscoredReason(unusable.length, store.resultQueries.unscored(evaluation.id)),
        owner: null,
        startedAt: null,
        completedAt: evaluation.completedAt,
      });
    if (old.highConfidence !== null || old.argumentsMode !== null)
      store.evaluations.setSettings(evaluation.id, { ...settings, highConfidence, argumentsMode });
    store.evaluations.setScorer(evaluation.id, scorer.fingerprint);
    return store.events.append(evaluation.id, at, {
      type: 'rescored',
      scorer: scorer.fingerprint,
      runs,
    });
  });
}

/** An identical score by the same scorer is not written, so that the history only holds changes. */
function isUnchanged(store: Store, runId: string, score: Score, scorer: string): boolean {
  const before = store.results.get(runId);
  return before?.scorer === scorer && isDeepStrictEqual(before.score, score);
}
