import type { TaskEvent } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { ServerListing } from '../../../../src-shared/domain/tool.ts';

/** How far a task evaluation is, by its events. */
export interface LiveTasks {
  lastSeq: number;
  /** Runs in the plan; 0 until it is known. */
  planned: number;
  /** Runs that have not ended. */
  open: number;
  servers: readonly ServerListing[];
  /** The current stretch of work: since the tools were listed, or since the last resume. */
  stretch: { since: string; runs: number } | null;
}

export const noLiveTasks: LiveTasks = {
  lastSeq: 0,
  planned: 0,
  open: 0,
  servers: [],
  stretch: null,
};

/**
 * Folds events into a new state. The same events give the same state, whether they arrive one by
 * one or after a reload; events that were folded before change nothing.
 */
export function foldTaskEvents(before: LiveTasks, events: readonly TaskEvent[]): LiveTasks {
  return events.reduce(
    (now, event) => (event.seq <= now.lastSeq ? now : { ...fold(now, event), lastSeq: event.seq }),
    before,
  );
}

function fold(now: LiveTasks, event: TaskEvent): LiveTasks {
  switch (event.type) {
    case 'planned':
      return { ...now, planned: event.runs, open: event.runs };
    case 'ingested':
      return { ...now, servers: event.servers, stretch: { since: event.at, runs: now.open } };
    case 'runs':
      return { ...now, open: Math.max(0, now.open - event.outcomes.length) };
    case 'resumed':
      return { ...now, open: event.runs, stretch: { since: event.at, runs: event.runs } };
    case 'ended':
      return now;
  }
}
