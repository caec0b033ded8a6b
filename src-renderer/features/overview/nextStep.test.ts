import { describe, expect, it } from 'vitest';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { evaluationSettings, type Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { nextStep } from './nextStep.ts';

const suite = (id: string, caseCount: number, servers: string[] = []): Suite => ({
  id,
  name: id,
  system: null,
  messages: [],
  servers,
  caseCount,
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
  createdAt: '',
  startedAt: null,
  completedAt: null,
});
const kind = (workspace: Partial<Parameters<typeof nextStep>[0]>) =>
  nextStep({ servers: [], suites: [], evaluations: [], ...workspace }).kind;

describe('nextStep', () => {
  it('offers the first run when a suite has cases', () => {
    expect(kind({ suites: [suite('empty', 0), suite('a', 24)], servers: [server('failed')] })).toBe(
      'first-run',
    );
  });

  it('offers to add a server, a suite or cases when they are missing', () => {
    expect(kind({})).toBe('add-server');
    expect(kind({ servers: [server('active')] })).toBe('add-suite');
    expect(kind({ suites: [suite('empty', 0)] })).toBe('write-cases');
  });

  it('puts a running evaluation first, then a failed server, then failures', () => {
    const suites = [suite('a', 3)];
    const wrong = evaluation('completed', { fn: 2, fp: 1, total: 3 });
    expect(
      kind({ suites, servers: [server('failed')], evaluations: [evaluation('running')] }),
    ).toBe('watch');
    expect(kind({ suites, servers: [server('failed')], evaluations: [wrong] })).toBe('fix-server');
    // A server that no suite needs keeps nobody from running what can be run.
    expect(
      kind({
        suites: [suite('a', 3, ['other'])],
        servers: [server('failed')],
        evaluations: [wrong],
      }),
    ).toBe('review-failures');
    expect(nextStep({ suites, servers: [server('active')], evaluations: [wrong] })).toMatchObject({
      kind: 'review-failures',
      misses: 3,
    });
    expect(kind({ suites, servers: [], evaluations: [evaluation('completed')] })).toBe('run-again');
  });
});
