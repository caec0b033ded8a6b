import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../../../src-shared/domain/evaluation.ts';
import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import { foldEvents, emptyLiveEvaluation } from './foldEvents.ts';
import { liveNumbers } from './liveNumbers.ts';

const add = 'todo:add_task';
const list = 'todo:list_tasks';
const at = '2026-01-01T00:00:00.000Z';

function run(
  position: number,
  modelSettingsId: string,
  classification: RunOutcome['classification'],
  selected: string,
): RunOutcome {
  return {
    runId: `${modelSettingsId}-${position}`,
    testCaseId: `case-${position}`,
    modelSettingsId,
    position,
    repetition: 1,
    attempt: 1,
    status: classification === null ? 'failed' : 'completed',
    failure: classification === null ? 'provider' : null,
    errorMessage: null,
    classification,
    passed: null,
    units: classification === null ? [] : [{ expected: add, selected }],
    matchedParameters: classification === 'TP' ? 1 : 0,
    expectedParameters: classification === 'TP' ? 2 : 0,
    executionTimeMs: 10 * (position + 1),
  };
}

const live = foldEvents(emptyLiveEvaluation, [
  { seq: 1, at, type: 'planned', runs: 6 },
  {
    seq: 2,
    at,
    type: 'runs',
    outcomes: [
      run(0, 'a', 'TP', add),
      run(1, 'a', 'FN', list),
      run(0, 'b', 'TP', add),
      run(1, 'b', null, add),
    ],
  },
]);

describe('liveNumbers', () => {
  it('leaves failed runs out of the metrics', () => {
    const numbers = liveNumbers(live, null, []);
    expect(numbers.counts).toEqual({ tp: 2, fp: 0, tn: 0, fn: 1, failed: 1, open: 2, total: 6 });
    expect(numbers.recall).toMatchObject({ value: 2 / 3, n: 3 });
    expect(numbers.parameters).toMatchObject({ value: 0.5, n: 4 });
  });

  it('keeps models apart', () => {
    const numbers = liveNumbers(live, { id: 'b', of: 2 }, []);
    expect(numbers.counts).toEqual({ tp: 1, fp: 0, tn: 0, fn: 0, failed: 1, open: 1, total: 3 });
    expect(numbers.precision).toMatchObject({ value: 1, n: 1 });
  });

  it('has all offered tools in the matrix from the start', () => {
    expect(liveNumbers(emptyLiveEvaluation, null, [list, add]).confusion.labels).toEqual([
      add,
      list,
      NO_TOOL,
      PHANTOM,
    ]);
    expect(liveNumbers(live, null, [list, add]).confusion.labels).toEqual([
      add,
      list,
      NO_TOOL,
      PHANTOM,
    ]);
  });

  it('is null before the first run ends', () => {
    const numbers = liveNumbers(emptyLiveEvaluation, null, []);
    expect(numbers.precision.value).toBeNull();
    expect(numbers.parameters.value).toBeNull();
    expect(numbers.latencyMs).toEqual({ p50: null, p95: null });
  });
});
