import { describe, expect, it } from 'vitest';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import { evaluationSettings, type Evaluation } from '../../../src-shared/domain/evaluation.ts';
import {
  emptyTaskOutcomes,
  storedTaskSettings,
  type TaskEvaluation,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import { lastResult, nextStep, ownPart, type Workspace } from './nextStep.ts';

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
const server = (
  status: ServerOverview['status'],
  name = 'x',
  toolCount: number | null = null,
): ServerOverview => ({
  id: name,
  name,
  url: '',
  config: { transport: 'sse', url: 'http://127.0.0.1', headers: {} },
  status,
  statusReason: null,
  checking: false,
  lastConnectedAt: null,
  createdAt: '',
  updatedAt: '',
  toolCount,
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
  toolsFrom: 'servers' as const,
  counts: { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0, ...counts },
  outcomes: emptyOutcomeCounts(),
  origin: null,
  createdAt: '',
  startedAt: null,
  completedAt: null,
});
const tasksOf = (state: TaskEvaluation['state'], tasks = 3): TaskEvaluation => ({
  ...(evaluation(state) as Omit<Evaluation, 'byModel'>),
  settings: storedTaskSettings.parse({
    suiteId: 'a',
    models: [{ provider: 'builtin', model: 'default-v1' }],
  }),
  outcomes: { ...emptyTaskOutcomes(), not_run: tasks },
});
const proven = (toolId: string) => ({ toolId, now: 'accepted' }) as Candidate;
const none: Workspace = { servers: [], suites: [], evaluations: [], tasks: [], proven: [] };
const sample = { servers: ['todo', 'mail'], suites: ['todo-sample'] };
const noSample: typeof sample = { servers: [], suites: [] };
const step = (workspace: Partial<Workspace>, sampleEvaluating = false, of = noSample) =>
  nextStep({ ...none, ...workspace }, { sample: of, sampleEvaluating });
const kind = (...given: Parameters<typeof step>) => step(...given)?.kind ?? null;

describe('nextStep', () => {
  it('offers the first run when a suite has cases', () => {
    expect(kind({ suites: [suite('empty', 0), suite('a', 24)], servers: [server('failed')] })).toBe(
      'first-run',
    );
  });

  it('announces the sample evaluation until it is listed, instead of offering a first run', () => {
    const suites = [suite('a', 24)];
    expect(kind({ suites }, true)).toBe('sample');
    expect(kind({ suites, evaluations: [evaluation('running')] }, true)).toBe('watch');
    expect(kind({ suites, evaluations: [evaluation('completed')] }, true)).toBeNull();
  });

  it('offers to add a server, a suite or cases when they are missing', () => {
    expect(kind({})).toBe('add-server');
    expect(kind({ servers: [server('active', 'todo', 5)] }, false, sample)).toBe('add-suite');
    expect(kind({ suites: [suite('empty', 0)] })).toBe('write-cases');
  });

  it('offers the first cases of an own server, or to connect it, before the sample runs', () => {
    const listed = server('active', 'shop', 14);
    expect(step({ servers: [server('failed'), listed] }, true, sample)).toEqual({
      kind: 'first-cases',
      server: listed,
    });
    expect(kind({ servers: [server('failed')] }, false, sample)).toBe('connect');
    expect(kind({ servers: [{ ...server('inactive'), checking: true }] })).toBe('add-suite');
  });

  it('shows a running evaluation first, then a proven fix, then the verdict of the last one', () => {
    const suites = [suite('a', 3)];
    const running = evaluation('running');
    const ended = evaluation('completed', { fn: 2, fp: 1, total: 3 });
    const fix = [proven('shop:find'), proven('shop:pay')];
    expect(kind({ suites, evaluations: [running, ended], proven: fix })).toBe('watch');
    expect(step({ suites, evaluations: [ended], proven: fix })).toEqual({
      kind: 'proven',
      candidate: fix[0],
    });
    expect(kind({ suites, servers: [server('failed')], evaluations: [ended] })).toBeNull();
    // A suite from a file is not in the workspace, but its evaluation is.
    expect(kind({ evaluations: [ended] })).toBeNull();
  });

  it('counts task evaluations: one that runs is shown, and one that ended leads the page', () => {
    const suites = [suite('tasks', 0, 4)];
    expect(kind({ suites })).toBe('first-tasks');
    expect(step({ suites, tasks: [tasksOf('running')] })).toEqual({
      kind: 'watch',
      running: { name: 'Task evaluation #1', suiteName: 'a', left: 3, to: '/results/e' },
    });
    expect(kind({ suites, tasks: [tasksOf('completed')] })).toBeNull();
  });
});

describe('the result that the overview leads with', () => {
  const at = (day: number, cases: number, change: Partial<Evaluation> = {}): Evaluation => ({
    ...evaluation('completed', { total: cases }),
    id: `d${day}`,
    models: [],
    createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
    ...change,
  });
  const tasksAt = (day: number, tasks: number): TaskEvaluation => ({
    ...tasksOf('completed', tasks),
    id: `t${day}`,
    createdAt: at(day, 0).createdAt,
  });
  const last = (evaluations: Evaluation[], tasks: TaskEvaluation[] = []) =>
    lastResult({ evaluations, tasks }, sample)?.evaluation.id ?? null;
  const shard = { part: 1, of: 4 };

  it('is the newest that ended and that a person started, of either unit', () => {
    const origin = { kind: 'what_if' as const, evaluationId: 'e', number: 1 };
    expect(last([at(3, 20, { origin }), at(2, 20)])).toBe('d2');
    expect(last([{ ...at(3, 20), state: 'running' }])).toBeNull();
    expect(last([at(2, 20)], [tasksAt(4, 16)])).toBe('t4');
  });

  it('is no single case or task, no shard and no small part of a suite, while there is another', () => {
    expect(last([at(5, 1), at(2, 20)], [tasksAt(6, 1)])).toBe('d2');
    expect(last([at(5, 9), at(2, 20)])).toBe('d2');
    expect(last([at(5, 10), at(2, 20)])).toBe('d5');
    expect(
      last([at(5, 20, { settings: { ...at(5, 20).settings, shard } as never }), at(2, 20)]),
    ).toBe('d2');
    expect(last([at(5, 9, { suiteName: 'other' }), at(2, 20)])).toBe('d5');
    expect(last([at(5, 1)])).toBe('d5');
  });

  it('is one of an own suite before one of the sample', () => {
    const ofSample = { suiteName: 'todo-sample' };
    expect(last([at(5, 61, ofSample), at(2, 20)])).toBe('d2');
    expect(last([at(5, 61, ofSample)])).toBe('d5');
  });
});

describe('what counts beside the sample', () => {
  const all: Workspace = {
    servers: [server('active', 'todo'), server('active', 'shop')],
    suites: [suite('todo-sample', 61), suite('shop', 3)],
    evaluations: [
      { ...evaluation('completed'), suiteName: 'todo-sample' },
      evaluation('completed'),
    ],
    tasks: [{ ...tasksOf('completed'), suiteName: 'todo-sample' }],
    proven: [proven('todo:add_task'), proven('shop:find')],
  };

  it('is what is not part of it once there is an own server', () => {
    const own = ownPart(all, sample, false);
    expect(own.servers.map(({ name }) => name)).toEqual(['shop']);
    expect(own.suites.map(({ name }) => name)).toEqual(['shop']);
    expect(own.evaluations.map(({ suiteName }) => suiteName)).toEqual(['a']);
    expect(own.tasks).toEqual([]);
    expect(own.proven.map(({ toolId }) => toolId)).toEqual(['shop:find']);
  });

  it('is everything without one, and where a person shows the sample', () => {
    expect(ownPart(all, sample, true)).toBe(all);
    const only = { ...all, servers: [server('active', 'mail')] };
    expect(ownPart(only, sample, false)).toBe(only);
  });
});
