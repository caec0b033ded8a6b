import { describe, expect, it } from 'vitest';
import { evaluationSettings, type Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import {
  emptyTaskOutcomes,
  storedTaskSettings,
  type TaskEvaluation,
} from '../../../../src-shared/domain/taskEvaluation.ts';
import { emptyOutcomeCounts } from '../../../../src-shared/metrics/outcomes.ts';
import { listedFacts, listedGroups } from './listed.ts';

const shared = {
  number: 1,
  suiteId: 's',
  suiteName: 'S',
  state: 'completed' as const,
  reason: null,
  models: [],
  snapshotId: null,
  startedAt: null,
  completedAt: null,
};
const of = { suiteId: 's', models: [{ provider: 'builtin', model: 'default-v1' }] };
const cases = (id: string, createdAt: string, base: string | null = null): Evaluation => ({
  ...shared,
  id,
  createdAt,
  settings: evaluationSettings.parse(of),
  counts: { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0 },
  outcomes: emptyOutcomeCounts(),
  origin: base === null ? null : { kind: 'what_if', evaluationId: base, number: 1 },
});
const tasks = (id: string, createdAt: string, change: Partial<TaskEvaluation> = {}) => ({
  ...shared,
  id,
  createdAt,
  settings: storedTaskSettings.parse(of),
  outcomes: { ...emptyTaskOutcomes(), succeeded: 3, limit: 1, not_scored: 2 },
  ...change,
});

describe('the list of evaluations', () => {
  it('has both kinds in one order, and derived ones below what they started from', () => {
    const groups = listedGroups(
      [
        cases('new', '2026-01-04T00:00:00Z'),
        cases('old', '2026-01-01T00:00:00Z'),
        cases('tried', '2026-01-03T00:00:00Z', 'old'),
      ],
      [tasks('worked', '2026-01-02T00:00:00Z')],
    );
    expect(
      groups.map(({ lead, derived }) => [
        lead.unit,
        lead.evaluation.id,
        derived.map(({ id }) => id),
      ]),
    ).toEqual([
      ['case', 'new', []],
      ['task', 'worked', []],
      ['case', 'old', ['tried']],
    ]);
  });

  it('counts the scored runs of a task evaluation, and says how far one is', () => {
    const facts = (change: Partial<TaskEvaluation> = {}) =>
      listedFacts({ unit: 'task', evaluation: tasks('a', '', change) });
    expect(facts()).toMatchObject({
      to: '/evaluations/tasks/a',
      result: '3 of 4 runs',
      rate: '75%',
      resumable: false,
    });
    const open = { ...emptyTaskOutcomes(), succeeded: 1, not_run: 4 };
    expect(facts({ state: 'running', outcomes: open })).toMatchObject({
      result: 'Running: 1 of 5',
      rate: '',
    });
    expect(facts({ state: 'cancelled', outcomes: open })).toMatchObject({
      result: 'Stopped at 1 of 5',
      resumable: true,
    });
  });
});
