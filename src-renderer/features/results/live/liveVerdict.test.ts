import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../../../src-shared/domain/evaluation.ts';
import { emptyLiveEvaluation, type LiveEvaluation } from './foldEvents.ts';
import { liveVerdict } from './liveVerdict.ts';

const run = (position: number, change: Partial<RunOutcome> = {}): RunOutcome => ({
  runId: `r${position}`,
  testCaseId: `c${position}`,
  modelSettingsId: 'm',
  position,
  repetition: 1,
  attempt: 1,
  status: 'completed',
  failure: null,
  errorMessage: null,
  classification: 'TP',
  passed: true,
  units: [{ expected: 's:a', selected: 's:a' }],
  matchedParameters: 0,
  expectedParameters: 0,
  executionTimeMs: 1,
  ...change,
});
const missed = {
  classification: 'FN' as const,
  passed: false,
  units: [{ expected: 's:a', selected: 's:b' }],
};

const live = (...runs: RunOutcome[]): LiveEvaluation => ({
  ...emptyLiveEvaluation,
  planned: 5,
  outcomes: new Map(runs.map((each) => [each.runId, each])),
});
const shape = { model: null, models: ['m'], repetitions: 1 };

describe('liveVerdict', () => {
  it('counts what has ended and what has not run yet', () => {
    const verdict = liveVerdict(live(run(0), run(1, missed), run(2, missed)), shape);
    expect(verdict).toMatchObject({
      unit: 'cases',
      cases: 5,
      counts: { passed: 1, wrong_tool: 2, not_run: 2 },
      passRate: { value: 1 / 3, n: 3 },
      causes: [{ outcome: 'wrong_tool', expected: 's:a', called: 's:b', runs: 2, cases: 2 }],
    });
  });

  it('counts runs per model where there are several', () => {
    const verdict = liveVerdict(live(run(0), run(1, { ...missed, modelSettingsId: 'n' })), {
      ...shape,
      models: ['m', 'n'],
    });
    expect(verdict.unit).toBe('runs');
    expect(verdict.models.map(({ counts }) => counts.passed)).toEqual([1, 0]);
  });
});
