import { describe, expect, it } from 'vitest';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { evaluationSettings, type Evaluation } from '../../../src-shared/domain/evaluation.ts';
import {
  emptyTaskOutcomes,
  storedTaskSettings,
  type TaskEvaluation,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import { lastEvaluation, nextStep } from './nextStep.ts';

const suite = (id: string, caseCount: number, taskCount = 0): Suite => ({
  id,
  name: id,
  system: null,
  messages: [],
  servers: [],
  caseCount,
  taskCount,
  judgedTaskCount: 0,
  executedTaskCount: 0,
  simulatedTaskCount: 0,
  createdAt: '',
  updatedAt: '',
});
const server = (status: ServerOverview['status']): ServerOverview => ({
  id: 'x',
  name: 'x',
  url: '',
  config: { transport: 'sse', url: 'http://127.0.0.1', headers: {} },
  status,
  statusReason: null,
  checking: false,
  lastConnectedAt: null,
  createdAt: '',
  updatedAt: '',
  toolCount: null,
  listedAt: null,
  changedTools: 0,
  changedItems: 0,
  unresolved: [],
});
const evaluation = (
  state: Evaluation['state'],
  counts: Partial<Evaluation['counts']> = {},
): Evaluation => ({
  id: 'e',
  number: 1,
  suiteId: 'a',
  suiteName: 'a',
  state,
  reason: null,
  settings: {
    ...evaluationSettings.parse({
      suiteId: 'a',
      concurrency: 1,
      models: [{ provider: 'builtin', model: 'default-v1' }],
    }),
    models: [],
  },
  models: [],
  snapshotId: null,
  counts: { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0, ...counts },
  outcomes: emptyOutcomeCounts(),
  origin: null,
  createdAt: '',
  startedAt: null,
  completedAt: null,
});
const none: Parameters<typeof nextStep>[0] = {
  servers: [],
  suites: [],
  evaluations: [],
  tasks: [],
  sampleEvaluating: false,
};
const kind = (workspace: Partial<typeof none>) => nextStep({ ...none, ...workspace })?.kind ?? null;

describe('nextStep', () => {
  it('offers the first run when a suite has cases', () => {
    expect(kind({ suites: [suite('empty', 0), suite('a', 24)], servers: [server('failed')] })).toBe(
      'first-run',
    );
  });

  it('announces the sample evaluation until it is listed, instead of offering a first run', () => {
    const sample = { suites: [suite('a', 24)], sampleEvaluating: true };
    expect(kind(sample)).toBe('sample');
    expect(kind({ ...sample, evaluations: [evaluation('running')] })).toBe('watch');
    expect(kind({ ...sample, evaluations: [evaluation('completed')] })).toBeNull();
  });

  it('offers to add a server, a suite or cases when they are missing', () => {
    expect(kind({})).toBe('add-server');
    expect(kind({ servers: [server('active')] })).toBe('add-suite');
    expect(kind({ suites: [suite('empty', 0)] })).toBe('write-cases');
  });

  it('shows a running evaluation first, then the verdict of the last one', () => {
    const suites = [suite('a', 3)];
    const running = evaluation('running');
    const ended = evaluation('completed', { fn: 2, fp: 1, total: 3 });
    expect(kind({ suites, evaluations: [running, ended] })).toBe('watch');
    expect(kind({ suites, servers: [server('failed')], evaluations: [ended] })).toBeNull();
    // A suite from a file is not in the workspace, but its evaluation is.
    expect(kind({ evaluations: [ended] })).toBeNull();
  });

  it('counts task evaluations: one that runs is shown, and one that ended leads the page', () => {
    const tasks = (state: TaskEvaluation['state']) => [
      {
        ...evaluation(state),
        settings: storedTaskSettings.parse({
          suiteId: 'a',
          models: [{ provider: 'builtin', model: 'default-v1' }],
        }),
        outcomes: { ...emptyTaskOutcomes(), not_run: 3 },
      },
    ];
    const suites = [suite('tasks', 0, 4)];
    expect(kind({ suites })).toBe('first-tasks');
    expect(nextStep({ ...none, suites, tasks: tasks('running') })).toEqual({
      kind: 'watch',
      running: {
        name: 'Task evaluation #1',
        suiteName: 'a',
        left: 3,
        to: '/results/e',
      },
    });
    expect(kind({ suites, tasks: tasks('completed') })).toBeNull();
  });

  it('takes no derived evaluation for the last one', () => {
    const ended = evaluation('completed');
    const origin = { kind: 'what_if' as const, evaluationId: 'e', number: 1 };
    expect(lastEvaluation([{ ...ended, id: 'derived', origin }, ended])).toBe(ended);
    expect(lastEvaluation([evaluation('running')])).toBeNull();
  });
});
