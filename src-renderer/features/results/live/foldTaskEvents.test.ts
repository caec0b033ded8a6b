import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../../../src-shared/domain/taskEvaluation.ts';
import { foldTaskEvents, noLiveTasks } from './foldTaskEvents.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const ended = (seq: number, ...runIds: string[]): TaskEvent => ({
  seq,
  at: at(seq),
  type: 'runs',
  outcomes: runIds.map((runId) => ({ runId, outcome: 'succeeded' })),
});
const events: TaskEvent[] = [
  { seq: 1, at: at(1), type: 'planned', runs: 4 },
  { seq: 2, at: at(2), type: 'ingested', snapshotId: 's', tools: 3, servers: [], rejected: [] },
  ended(3, 'a', 'b'),
];

describe('foldTaskEvents', () => {
  it('counts open runs and starts the pace when the tools are listed', () => {
    expect(foldTaskEvents(noLiveTasks, events)).toEqual({
      lastSeq: 3,
      planned: 4,
      open: 2,
      servers: [],
      stretch: { since: at(2), runs: 4 },
    });
  });

  it('gives the same state for repeated and for single events', () => {
    const once = foldTaskEvents(noLiveTasks, events);
    expect(foldTaskEvents(once, events)).toEqual(once);
    expect(events.reduce((now, event) => foldTaskEvents(now, [event]), noLiveTasks)).toEqual(once);
  });

  it('starts a new stretch when the evaluation is resumed', () => {
    const resumed = foldTaskEvents(noLiveTasks, [
      ...events,
      { seq: 4, at: at(4), type: 'resumed', runs: 2 },
      ended(5, 'c'),
    ]);
    expect(resumed).toMatchObject({ open: 1, stretch: { since: at(4), runs: 2 } });
  });
});
