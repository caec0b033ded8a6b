import { describe, expect, it } from 'vitest';
import { evaluationSettings, type Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import {
  emptyTaskOutcomes,
  storedTaskSettings,
  type TaskEvaluation,
} from '../../../../src-shared/domain/taskEvaluation.ts';
import { emptyOutcomeCounts } from '../../../../src-shared/metrics/outcomes.ts';
import { foldedText, listedFacts } from './listed.ts';
import { originBadge } from '../../../../src-shared/display/originTexts.ts';
import { rateText, resultText } from '../../../../src-shared/display/evaluationTexts.ts';

const shared = {
  number: 1,
  suiteId: 's',
  suiteName: 'S',
  state: 'completed' as const,
  reason: null,
  models: [],
  snapshotId: null,
  toolsFrom: 'servers' as const,
  startedAt: null,
  completedAt: null,
};
const of = { suiteId: 's', models: [{ provider: 'builtin', model: 'default-v1' }] };
const tasks = (id: string, createdAt: string, change: Partial<TaskEvaluation> = {}) => ({
  ...shared,
  id,
  createdAt,
  settings: storedTaskSettings.parse(of),
  outcomes: { ...emptyTaskOutcomes(), succeeded: 3, limit: 1, not_scored: 2 },
  origin: null,
  ...change,
});

describe('the list of evaluations', () => {
  it('counts the scored runs of a task evaluation, and says how far one is', () => {
    const facts = (change: Partial<TaskEvaluation> = {}) =>
      listedFacts({ unit: 'task', evaluation: tasks('a', '', change) });
    expect(facts()).toMatchObject({
      to: '/results/a',
      result: '3 of 4 tasks',
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

const evaluation = (number: number, change: Partial<Evaluation> = {}): Evaluation => ({
  id: `e${number}`,
  number,
  suiteId: 's',
  suiteName: 's',
  state: 'completed',
  reason: null,
  settings: evaluationSettings.parse({
    suiteId: 's',
    models: [{ provider: 'builtin', model: 'default-v1' }],
  }),
  models: [],
  snapshotId: null,
  toolsFrom: 'servers' as const,
  counts: { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0 },
  outcomes: emptyOutcomeCounts(),
  origin: null,
  createdAt: '',
  startedAt: null,
  completedAt: null,
  ...change,
});
const derived = (number: number, base: number, kind: 'what_if' | 'case_rerun' = 'what_if') =>
  evaluation(number, { origin: { kind, evaluationId: `e${base}`, number: base } });

describe('what is folded under a result', () => {
  const list = [derived(3, 1), derived(4, 1), derived(5, 1, 'case_rerun')];
  const lead = { unit: 'case' as const, evaluation: evaluation(1) };
  const folded = (count: number, searches: number) =>
    foldedText({
      ...{ lead, derivedMatches: false },
      derived: list.slice(0, count).map((one) => ({ unit: 'case', evaluation: one })),
      searches: Array.from({ length: searches }, (_, at) => ({
        ...{ id: `${at}`, state: 'accepted', createdAt: '' },
      })),
    });

  it('is counted by kind, and is nothing where there is nothing', () => {
    expect(folded(3, 0)).toBe('2 estimates, 1 case rerun');
    expect(folded(1, 2)).toBe('1 estimate, 2 searches');
    expect(folded(0, 1)).toBe('1 search');
    expect(folded(0, 0)).toBe('');
  });

  it('has a badge each', () => {
    expect(originBadge(list[0]!.origin!)).toEqual({
      label: 'Estimate',
      title: 'The same cases with changed tools. Started from #1.',
    });
  });
});

describe('text of a result in a list', () => {
  const counted = (change: Partial<Evaluation['outcomes']>, more: Partial<Evaluation> = {}) => {
    const outcomes = { ...emptyOutcomeCounts(), ...change };
    const total = Object.values(outcomes).reduce((sum, n) => sum + n, 0);
    const model = { id: 'm' } as Evaluation['models'][number];
    const one = evaluation(1, { outcomes, models: [model], ...more });
    return { ...one, counts: { ...one.counts, total } };
  };

  it('counts passed cases of scored ones', () => {
    const one = counted({ passed: 39, wrong_tool: 22, not_scored: 2 });
    expect([resultText(one), rateText(one)]).toEqual(['39 of 61 cases', '64%']);
    expect(resultText(counted({ not_scored: 2 }))).toBe('No case was scored');
  });

  it('counts runs when a case has several', () => {
    const settings = { ...evaluation(1).settings, repetitions: 2 };
    expect(resultText(counted({ passed: 3, wrong_tool: 1 }, { settings }))).toBe('3 of 4 runs');
  });

  it('says where an unfinished evaluation stopped', () => {
    const stopped = { passed: 11, wrong_tool: 6, not_run: 11 };
    expect(resultText(counted(stopped, { state: 'cancelled' }))).toBe('Stopped at 17 of 28');
    const running = counted(stopped, { state: 'running' });
    expect([resultText(running), rateText(running)]).toEqual(['Running: 17 of 28', '']);
  });
});
