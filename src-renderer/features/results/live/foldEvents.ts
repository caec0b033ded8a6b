import type { EvaluationEvent, RunOutcome } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../../src-shared/domain/evaluationState.ts';
import type { TaskEvent } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { RejectedTool, ServerListing } from '../../../../src-shared/domain/tool.ts';

/**
 * An evaluation as reported by its events. The same events give the same state, whether they arrive
 * one by one or after a reload.
 */
export interface LiveEvaluation {
  lastSeq: number;
  /** Runs in the plan; 0 until it is known. */
  planned: number;
  /** Runs that have not ended. */
  open: number;
  snapshotId: string | null;
  tools: number | null;
  servers: readonly ServerListing[];
  rejected: readonly RejectedTool[];
  /** Of cases: the last attempt of every run that has ended, by case, model and repetition. */
  outcomes: ReadonlyMap<string, RunOutcome>;
  /**
   * The current stretch of work (since the start or the last resume): when it began and how many
   * runs it had to do.
   */
  stretch: { since: string; runs: number } | null;
  ended: { state: EvaluationState; reason: string | null } | null;
}

export const emptyLiveEvaluation: LiveEvaluation = {
  lastSeq: 0,
  planned: 0,
  open: 0,
  snapshotId: null,
  tools: null,
  servers: [],
  rejected: [],
  outcomes: new Map(),
  stretch: null,
  ended: null,
};

function keyOf(outcome: RunOutcome): string {
  return JSON.stringify([
    outcome.position,
    outcome.testCaseId,
    outcome.modelSettingsId,
    outcome.repetition,
  ]);
}

/**
 * Folds events into a new state. Events that were folded before (a resumed stream repeats some)
 * change nothing.
 */
export function foldEvents(
  before: LiveEvaluation,
  events: readonly (EvaluationEvent | TaskEvent)[],
): LiveEvaluation {
  const fresh = events.filter((event) => event.seq > before.lastSeq);
  if (fresh.length === 0) return before;
  const outcomes = new Map(before.outcomes);
  const now: LiveEvaluation = { ...before, outcomes };
  for (const event of fresh) {
    if (event.seq <= now.lastSeq) continue;
    now.lastSeq = event.seq;
    fold(now, outcomes, event);
  }
  return now;
}

function fold(
  now: LiveEvaluation,
  outcomes: Map<string, RunOutcome>,
  event: EvaluationEvent | TaskEvent,
): void {
  switch (event.type) {
    case 'planned':
      now.planned = event.runs;
      now.open = event.runs;
      return;
    case 'ingested':
      now.snapshotId = event.snapshotId;
      now.tools = event.tools;
      now.servers = event.servers;
      now.rejected = event.rejected;
      now.stretch = { since: event.at, runs: now.open };
      return;
    case 'runs':
      for (const outcome of event.outcomes) {
        if (!('position' in outcome)) {
          now.open = Math.max(0, now.open - 1);
          continue;
        }
        const key = keyOf(outcome);
        const known = outcomes.get(key);
        if (known !== undefined && known.attempt > outcome.attempt) continue;
        if (known === undefined || known.attempt < outcome.attempt)
          now.open = Math.max(0, now.open - 1);
        outcomes.set(key, outcome);
      }
      return;
    case 'resumed':
      now.open = event.runs;
      now.ended = null;
      now.stretch = { since: event.at, runs: event.runs };
      return;
    case 'ended':
      now.ended = { state: event.state, reason: event.reason };
      return;
    case 'rescored':
      return;
  }
}

/** Finished runs of the current stretch, for its pace. */
export function stretchProgress(live: Pick<LiveEvaluation, 'stretch' | 'open'>): {
  done: number;
  total: number;
  since: string | null;
} {
  if (live.stretch === null) return { done: 0, total: live.open, since: null };
  return {
    done: live.stretch.runs - live.open,
    total: live.stretch.runs,
    since: live.stretch.since,
  };
}
