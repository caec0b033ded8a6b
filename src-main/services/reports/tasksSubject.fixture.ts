import type { Comparison } from '../../../src-shared/domain/comparison.ts';
import type { CheckResult, TaskOutcome } from '../../../src-shared/domain/task.ts';
import {
  emptyTaskOutcomes,
  storedTaskSettings,
  type TaskRunRow,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../src-shared/domain/taskReport.ts';
import { modelSettings } from '../../../src-shared/domain/model.ts';
import { partialCredit } from '../../../src-shared/metrics/partialCredit.ts';
import { groupTasks } from '../../../src-shared/metrics/taskGroups.ts';
import { summarizeTasks } from '../../../src-shared/metrics/taskSummary.ts';
import { judge } from '../results/judge.ts';
import type { Report } from './report.ts';
import { tasksReport } from './subjects/tasksReport.ts';

/** A report of tasks with a run of each kind: two tasks by two models, against a baseline. */
export function tasks(
  untrusted: (text: string) => string,
  generated: string,
  { baseline, candidates: [candidate] }: Comparison,
): Report {
  const check = (
    id: string,
    passed: boolean | null,
    more: Partial<CheckResult> = {},
  ): CheckResult => ({ id, kind: 'calls', passed, reason: untrusted(`reason of ${id}`), ...more });
  const run = (
    task: string,
    model: string,
    outcome: TaskOutcome | null,
    more: Partial<TaskRunRow> = {},
  ): TaskRunRow => ({
    runId: `run-${task}-${model}`,
    taskId: task,
    taskKey: untrusted(task),
    taskName: untrusted(`Task ${task}`),
    modelSettingsId: model,
    position: Number(task.slice(1)),
    repetition: 1,
    attempt: 1,
    status: outcome === null ? 'pending' : 'completed',
    outcome,
    reason: null,
    failedCheck: null,
    checks: [],
    differences: [],
    failure: null,
    facts: null,
    toolUse: null,
    cause: null,
    ...more,
  });
  const facts: NonNullable<TaskRunRow['facts']> = {
    ...{ steps: 3, calls: 2, tokens: 900, cacheRead: 100, cacheWrite: 0, cost: 0.01 },
    ...{ judgeCost: 0.001, spend: { usd: 0.016, unanswered: 0 }, elapsedMs: 1500, neededCalls: 1 },
    ...{ toolErrors: 1, repeatedCalls: 0, unusedCalls: 1, unwantedEffects: 1 },
    user: { model: untrusted('user-model'), turns: 2, tokens: 60, cost: 0.005 },
    callNotes: [untrusted('arguments in a fence')],
    attack: { technique: 'important_message', followed: true, exposed: true },
  };
  const use = (tool: string, more = {}) => ({
    ...{ tool: untrusted(tool), needed: true, calls: 1, errors: 0 },
    ...{ sent: 1, unanswered: 0, crashes: 0, timeMs: 40, ...more },
  });
  const firstWrong = { expected: untrusted('s:add'), called: untrusted('s:drop'), step: 1 };
  const did = {
    kind: 'wrong_tool' as const,
    ...{ tool: firstWrong.expected, called: firstWrong.called },
  };
  const runs = [
    run('t1', 'a', 'succeeded', {
      checks: [check('made', true), check('kind', false, { kind: 'judge', advisory: true })],
      facts,
      toolUse: { tools: [use('s:add')], stepsKnown: true, firstWrong: null },
    }),
    run('t1', 'b', 'check_failed', {
      reason: untrusted('reason of made'),
      failedCheck: 'calls',
      checks: [
        check('made', false, { actual: [untrusted('s:drop')] }),
        check('kind', null, { kind: 'judge', unusable: true }),
      ],
      differences: [
        {
          kind: 'calls_check',
          check: untrusted('made'),
          expected: { must: [untrusted('s:add')], ordered: false, never: [] },
          actual: [untrusted('s:drop')],
          text: untrusted('check made: reason of made; called s:drop'),
        },
      ],
      facts: { ...facts, attack: null },
      toolUse: {
        tools: [use('s:add', { calls: 0, sent: 0 }), use('s:drop', { unanswered: 1, errors: 1 })],
        stepsKnown: true,
        firstWrong: { ...firstWrong, by: 'check' },
      },
      cause: did,
    }),
    run('t2', 'a', 'not_scored', { failure: 'model', reason: untrusted('It is away.') }),
    run('t2', 'b', null),
  ];
  const summaryOf = (own: readonly TaskRunRow[]) =>
    summarizeTasks(
      own.flatMap((row) =>
        row.facts === null
          ? []
          : [
              {
                ...row.facts,
                taskId: row.taskId,
                toolUse: row.toolUse,
                succeeded: row.outcome === 'succeeded',
                credit: partialCredit(row),
              },
            ],
      ),
    );
  const grouped = ['t1', 't2'].map((key) => ({
    ...{ key: untrusted(key), name: untrusted(`Task ${key}`), servers: [untrusted('s')] },
    tags: key === 't1' ? [untrusted('basic'), 'easy'] : [],
  }));
  const outcomes = emptyTaskOutcomes();
  for (const { outcome } of runs) outcomes[outcome ?? 'not_run'] += 1;
  const asked = { provider: 'openai', model: 'm' } as const;
  const models = ['a', 'b'].map((id) => ({
    ...modelSettings.parse({
      ...{ ...asked, id, wireApi: 'openai-responses', systemPrompt: null, sent: {} },
      createdAt: '2026-01-01T00:00:00.000Z',
    }),
    model: untrusted(`model-${id}`),
    ...(id === 'b' && {
      refused: [{ setting: 'temperature', instead: null, said: untrusted('Unknown.') }],
    }),
  }));
  const summary = { ...summaryOf(runs), notScored: outcomes.not_scored };
  const report: TaskReport = {
    evaluation: {
      ...{ id: 'id-9', number: 9, suiteId: null, suiteName: untrusted('todo') },
      ...{ state: 'cancelled', reason: untrusted('stopped'), snapshotId: 'snap', models, outcomes },
      toolsFrom: 'servers',
      settings: storedTaskSettings.parse({ suiteId: null, models: [asked], mode: 'full' }),
      ...{ createdAt: '2026-01-01T00:00:00.000Z', startedAt: null, completedAt: null },
      origin: null,
    },
    summary,
    models: models.map(({ id }) => {
      const own = runs.filter(({ modelSettingsId }) => modelSettingsId === id);
      return {
        ...{ id, label: untrusted(`label ${id}`) },
        summary: { ...summaryOf(own), notScored: id === 'a' ? 1 : 0 },
        groups: groupTasks(own, grouped, ({ reason }) => reason ?? ''),
      };
    }),
    causes: [
      { outcome: 'check_failed', cause: untrusted('calls'), did, runs: 1, runIds: ['run-t1-b'] },
      { outcome: 'not_scored', cause: untrusted('away'), did: null, runs: 1, runIds: ['run-t2-a'] },
    ],
    executed: [{ tool: untrusted('s:drop'), calls: 1, unanswered: 1, destructive: true }],
    tasks: ['t1', 't2'].map((key) => ({
      ...{ key: untrusted(key), request: untrusted(`Do ${key}.`), hash: `hash-${key}` },
      expectsCalls: true,
    })),
    tools: [{ toolId: untrusted('s:add'), hash: 'hash-add', textHash: 'text-add' }],
    sentTools: models.map(({ id }) => ({
      ...{ modelSettingsId: id, label: untrusted(`label ${id}`), published: 2, offered: 1 },
      leftOut: [{ tool: untrusted('s:huge'), reason: untrusted('Its schema is too large.') }],
      ...{ adapted: [], renamed: [] },
      unreadable: [{ tool: untrusted('s:add'), places: [untrusted('/a')] }],
    })),
    judge: {
      ...{ judge: untrusted('judge-model'), counts: false, kappa: null, n: 0 },
      ...{ bothYes: 0, onlyPerson: 0, onlyJudge: 0, bothNo: 0, asked: 2, unusable: 1, cost: 0.002 },
      ...{ interval: null, between: null, prompt: { version: '2c16e63c', text: null } },
      judges: [{ judge: untrusted('judge-model'), yes: 0, no: 1, unusable: 1 }],
    },
    user: { model: untrusted('user-model'), runs: 2, turns: 4, tokens: 120, cost: 0.01 },
    spend: { usd: 0.032, unanswered: 0 },
    askedAgain: null,
    conditions: { a: { temperature: 0.4 }, b: {} },
    previous: {
      a: {
        ...{ evaluationId: 'id-7', number: 7, model: untrusted('label a'), sharedCases: 2 },
        ...{ fixed: 1, broken: 0, passedDifference: 1, withinNoise: true },
      },
    },
    runs,
  };
  if (!candidate) throw new Error('The comparison has a candidate.');
  const of = { unit: 'task', modelSettingsId: 'b', model: untrusted('label b') } as const;
  const [changed] = candidate.regressed;
  const regressed = changed ? [{ ...changed, caseKey: untrusted('t1') }] : [];
  const judgement = judge({
    models: [{ model: null, numbers: { success_rate: summary.successRate } }],
    thresholds: [{ metric: 'success_rate', bound: 'value', side: 'min', limit: 0.9 }],
    unscoredRuns: 2,
    allowFailed: 2,
    unscored: [],
    baseline: {
      ...{ name: untrusted('before.json'), metrics: [], tolerances: new Map(), maxBroken: 0 },
      ...{ kind: 'newest', removedTools: [], renamed: [] },
      comparisons: [
        {
          baseline: { ...baseline, ...of },
          candidate: { ...candidate, ...of, regressed },
          perTool: [],
          changedCases: { changed: null, removedFailing: [], removedPassing: 0 },
        },
      ],
    },
  });
  return tasksReport(report, generated, judgement);
}
