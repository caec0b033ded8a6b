import { describe, expect, it } from 'vitest';
import type { EvaluationEvent, RunOutcome } from '../../../../src-shared/domain/evaluation.ts';
import type { TaskEvent } from '../../../../src-shared/domain/taskEvaluation.ts';
import { foldEvents, emptyLiveEvaluation, stretchProgress } from './foldEvents.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function outcome(position: number, more: Partial<RunOutcome> = {}): RunOutcome {
  return {
    runId: `run-${position}-${more.attempt ?? 1}`,
    testCaseId: `case-${position}`,
    modelSettingsId: 'm1',
    position,
    repetition: 1,
    attempt: 1,
    status: 'completed',
    failure: null,
    errorMessage: null,
    classification: 'TP',
    passed: true,
    units: [{ expected: 'todo:add_task', selected: 'todo:add_task' }],
    matchedParameters: 1,
    expectedParameters: 1,
    executionTimeMs: 5,
    ...more,
  };
}

const failed: Partial<RunOutcome> = {
  status: 'failed',
  failure: 'interrupted',
  classification: null,
  passed: null,
  units: [],
};
const events: EvaluationEvent[] = [
  { seq: 1, at: at(0), type: 'planned', runs: 3 },
  { seq: 2, at: at(1), type: 'ingested', snapshotId: 's1', tools: 5, servers: [], rejected: [] },
  { seq: 3, at: at(2), type: 'runs', outcomes: [outcome(0), outcome(1, failed)] },
  { seq: 4, at: at(3), type: 'ended', state: 'interrupted', reason: 'The program ended.' },
  { seq: 5, at: at(9), type: 'resumed', runs: 2 },
  {
    seq: 6,
    at: at(10),
    type: 'runs',
    outcomes: [outcome(1, { attempt: 2, classification: 'FN' })],
  },
  { seq: 7, at: at(11), type: 'runs', outcomes: [outcome(2)] },
  { seq: 8, at: at(12), type: 'ended', state: 'completed', reason: null },
];

describe('foldEvents', () => {
  it('gives the same state for any split of the events', () => {
    const live = events.reduce((state, event) => foldEvents(state, [event]), emptyLiveEvaluation);
    expect(foldEvents(emptyLiveEvaluation, events)).toEqual(live);
    for (let cut = 0; cut <= events.length; cut += 1) {
      expect(foldEvents(foldEvents(emptyLiveEvaluation, events.slice(0, cut)), events)).toEqual(
        live,
      );
    }
  });

  it('ignores events that arrive twice', () => {
    const once = foldEvents(emptyLiveEvaluation, events.slice(0, 3));
    expect(foldEvents(once, events.slice(1, 3))).toBe(once);
    expect(foldEvents(emptyLiveEvaluation, [...events.slice(0, 3), ...events.slice(0, 3)])).toEqual(
      once,
    );
  });

  it('counts only the last attempt of a run', () => {
    const done = foldEvents(emptyLiveEvaluation, events);
    expect(
      [...done.outcomes.values()].map((one) => [one.position, one.attempt, one.classification]),
    ).toEqual([
      [0, 1, 'TP'],
      [1, 2, 'FN'],
      [2, 1, 'TP'],
    ]);
    expect(done.open).toBe(0);
    const late = foldEvents(done, [
      { seq: 9, at: at(13), type: 'runs', outcomes: [outcome(1, failed)] },
    ]);
    expect([...late.outcomes.values()][1]?.attempt).toBe(2);
    expect(late.open).toBe(0);
  });

  it('is no longer ended after a resume', () => {
    expect(foldEvents(emptyLiveEvaluation, events.slice(0, 4)).ended).toEqual({
      state: 'interrupted',
      reason: 'The program ended.',
    });
    const resumed = foldEvents(emptyLiveEvaluation, events.slice(0, 5));
    expect(resumed.ended).toBeNull();
    expect(resumed.open).toBe(2);
  });

  it('measures progress since the resume', () => {
    expect(stretchProgress(foldEvents(emptyLiveEvaluation, events.slice(0, 6)))).toEqual({
      done: 1,
      total: 2,
      since: at(9),
    });
    expect(stretchProgress(foldEvents(emptyLiveEvaluation, events.slice(0, 1)))).toEqual({
      done: 0,
      total: 3,
      since: null,
    });
  });

  it('counts open runs of tasks, which come without their numbers', () => {
    const ended = (seq: number, ...runIds: string[]): TaskEvent => ({
      seq,
      at: at(seq),
      type: 'runs',
      outcomes: runIds.map((runId) => ({ runId, outcome: 'succeeded' })),
    });
    const ofTasks = [...events.slice(0, 2), ended(3, 'a', 'b')];
    const once = foldEvents(emptyLiveEvaluation, ofTasks);
    expect(once).toMatchObject({ lastSeq: 3, planned: 3, open: 1, stretch: { since: at(1) } });
    expect(foldEvents(once, ofTasks)).toEqual(once);
    const resumed: TaskEvent = { seq: 4, at: at(4), type: 'resumed', runs: 2 };
    expect(foldEvents(once, [resumed, ended(5, 'c')])).toMatchObject({
      open: 1,
      stretch: { since: at(4), runs: 2 },
    });
  });

  it('does not mutate the previous state', () => {
    const before = foldEvents(emptyLiveEvaluation, events.slice(0, 3));
    const size = before.outcomes.size;
    foldEvents(before, events.slice(3));
    expect(before.outcomes.size).toBe(size);
    expect(before.ended).toBeNull();
    expect(emptyLiveEvaluation.outcomes.size).toBe(0);
  });
});
