import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import { shardReason, type Shard } from '../../../src-shared/domain/shard.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { EarlyEnd, RunTables } from './runTables.ts';

export const programEnded = 'Touchstone exited while this evaluation was running.';

/**
 * How many runs have no score, and why most of those have none that a model or an agent failed: what it
 * returns is the same for each of them, so that nobody looks for it in a tool.
 */
export function unscoredReason(unscored: number, groups: readonly UnscoredGroup[]): string {
  const reply = groups.find(
    ({ failure, message }) =>
      message !== null && (failure === 'model' || failure === 'provider' || failure === 'agent'),
  );
  return (
    `${formatCount(unscored)} of the runs could not be scored.` +
    (reply === undefined ? '' : ` ${counted(reply.runs, 'run')}: ${reply.message}`)
  );
}

/** What a run says that was in progress when its model was given up, or its evaluation ended. */
export const abandonedText = (reason: string | null): string =>
  reason === null
    ? 'The evaluation stopped while this run was in progress.'
    : `It was abandoned while in progress. ${reason}`;

/**
 * Stores the final state of an evaluation with its reason and fails the runs still under way.
 * Returns the last event, to be published. The first reason that applies is stored: what stopped
 * the evaluation, halted models, the end of the program, runs that could not be scored, or that it
 * is a part of an evaluation.
 */
export function endRuns<Event extends { seq: number; type: string }>(
  { store, clock }: { store: Store; clock: Pick<Clock, 'now'> },
  tables: RunTables<Event>,
  id: string,
  {
    endedBy,
    stopReason,
    haltReasons,
    shard,
  }: {
    endedBy: EarlyEnd | null;
    stopReason: string | null;
    haltReasons: string;
    shard: Shard | null;
  },
): Event {
  const at = clock.now();
  return store.transaction(() => {
    tables.failRunning(
      id,
      endedBy ?? 'cancelled',
      abandonedText(endedBy === null ? stopReason : null),
      at,
    );
    const { failed, open } = tables.left(id);
    const state: EvaluationState =
      endedBy ??
      (failed + open > 0 || stopReason !== null || shard !== null ? 'incomplete' : 'completed');
    const unscored =
      failed > 0 && endedBy === null ? unscoredReason(failed, tables.unscored(id)) : null;
    const reason =
      stopReason ??
      (haltReasons !== '' ? haltReasons : endedBy === 'interrupted' ? programEnded : unscored) ??
      (shard !== null && endedBy === null ? shardReason(shard) : null);
    tables.evaluations.setState(id, {
      state,
      reason,
      owner: null,
      startedAt: null,
      completedAt: at,
    });
    return tables.events.append(id, at, { type: 'ended', state, reason });
  });
}
