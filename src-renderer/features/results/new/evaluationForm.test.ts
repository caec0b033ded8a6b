import { describe, expect, it } from 'vitest';
import type { Suite } from '../../../../src-shared/domain/testCase.ts';
import { builtinModelName } from '../../../../src-shared/domain/provider.ts';
import { defaultAppSettings } from '../../../../src-shared/domain/settings.ts';
import { metricsOf } from '../../../../src-shared/domain/gate.ts';
import {
  emptyForm,
  parseForm,
  requestsOf,
  shownEntries,
  shownMode,
  suiteToRun,
  taskSettings,
  withoutCaseFields,
} from './evaluationForm.ts';
import { emptyGate, gateChoices, withMetric } from './gateRow.ts';
import { emptyRow, wordsOf } from './modelRow.ts';

const form = emptyForm({ ...defaultAppSettings, repetitions: 3, timeout: 45 }, 's1');

describe('suite of a new evaluation', () => {
  const suite = (id: string, day: number, held: Partial<Suite> = {}): Suite =>
    ({
      ...{ id, name: id, caseCount: 3, taskCount: 0, createdAt: `2026-11-0${day}T10:00:00.000Z` },
      ...held,
    }) as Suite;
  const sample = { suites: ['office'], evaluation: { id: 'first', number: 1 } };
  const suites = [
    suite('mail', 2),
    suite('office', 1),
    suite('parcels', 3),
    suite('empty', 4, { caseCount: 0 }),
    suite('jobs', 1, { caseCount: 0, taskCount: 2 }),
  ];
  const ofSample = { id: 'first', suiteId: 'office' };
  const asked = { tasksWanted: false, latest: ofSample };

  it('is the newest own one while only the sample was evaluated, and not one without cases', () => {
    expect(suiteToRun(suites, asked, sample)?.id).toBe('parcels');
    expect(suiteToRun(suites, { ...asked, latest: null }, sample)?.id).toBe('parcels');
    expect(suiteToRun(suites, { ...asked, tasksWanted: true }, sample)?.id).toBe('jobs');
  });

  it('is that of the latest evaluation that a person started, also of the sample', () => {
    const started = (suiteId: string) => ({ ...asked, latest: { id: 'second', suiteId } });
    expect(suiteToRun(suites, started('mail'), sample)?.id).toBe('mail');
    expect(suiteToRun(suites, started('office'), sample)?.id).toBe('office');
    expect(suiteToRun(suites, started('deleted'), sample)?.id).toBe('parcels');
  });

  it('is of the sample where a person has no other', () => {
    const own = suites.filter(({ id }) => id === 'office');
    expect(suiteToRun(own, asked, sample)?.id).toBe('office');
    expect(suiteToRun([suite('empty', 1, { caseCount: 0 })], asked, sample)?.id).toBe('empty');
    expect(suiteToRun([], asked, sample)).toBeUndefined();
  });
});

describe('form of a new evaluation', () => {
  it('starts with the defaults of the workspace', () => {
    const { settings } = parseForm(form);
    expect(settings).toMatchObject({
      suiteId: 's1',
      servers: null,
      repetitions: 3,
      concurrency: 8,
      models: [
        {
          provider: 'builtin',
          model: builtinModelName,
          timeout: 45,
          temperature: 0.4,
          maxRetries: 3,
          replayFile: null,
        },
      ],
    });
  });

  it('starts with what the environment sets in place of the settings of the workspace', () => {
    const environment = { model: 'gpt-5', timeout: 60, baseUrl: 'http://127.0.0.1:9/v1' };
    const started = emptyForm({ ...defaultAppSettings, timeout: 45 }, 's1', environment);
    expect(started).toMatchObject({ timeout: 60, temperature: 0.4, maxRetries: 3 });
    expect(emptyRow(2, 'openai', environment)).toMatchObject({ model: 'gpt-5', baseUrl: '' });
    expect(emptyRow(2, 'openai-compatible', environment)).toMatchObject({
      model: 'gpt-5',
      baseUrl: 'http://127.0.0.1:9/v1',
    });
  });

  it('asks for an evaluation for each client, or for one as providers take tools', () => {
    const { settings } = parseForm(form);
    const clientsOf = (clients: (typeof form)['clients'], mode: 'stub' | null = null) =>
      requestsOf({ ...form, clients }, settings, mode).map(({ unit, client }) => [unit, client]);
    expect(clientsOf([])).toEqual([['case', undefined]]);
    expect(clientsOf(['generic', 'codex'])).toEqual([
      ['case', undefined],
      ['case', 'codex'],
    ]);
    expect(clientsOf(['codex', 'claude-code'], 'stub')).toEqual([
      ['task', 'codex'],
      ['task', 'claude-code'],
    ]);
    expect(requestsOf({ ...form, clients: ['codex'] }, null, null)).toEqual([]);
  });

  it.each([null, 'stub'] as const)(
    'asks for one evaluation as no client where an agent is chosen, in mode %s',
    (mode) => {
      const agent = { ...emptyRow(1, 'agent'), model: 'sample' };
      const models = [emptyRow(2, 'builtin'), agent];
      const chosen = { ...form, models, clients: ['codex' as const, 'claude-code' as const] };
      const requests = requestsOf(chosen, parseForm(chosen).settings, mode);
      expect(requests.map(({ client }) => client)).toEqual([undefined]);
      const withoutAgent = { ...chosen, models: [emptyRow(2, 'builtin')] };
      expect(
        requestsOf(withoutAgent, parseForm(withoutAgent).settings, mode).map(
          ({ client }) => client,
        ),
      ).toEqual(['codex', 'claude-code']);
    },
  );

  it('reports an emptied number field', () => {
    const parsed = parseForm({ ...form, repetitions: '', timeout: '' });
    expect(parsed.settings).toBeNull();
    expect([...(parsed.faults ?? [])]).toEqual([
      ['timeout', 'Enter a number.'],
      ['repetitions', 'Enter a number.'],
    ]);
  });

  it('reads additions to requests from lines, and sends no temperature where it is empty', () => {
    const row = {
      ...emptyRow(1, 'openai-compatible'),
      model: 'm',
      headers: 'X-Tier: fast\n\napi-key: ${env:KEY}',
      query: 'api-version=2024-10-21',
      body: 'top_p=0.5\nservice_tier=flex\nthinking={"type":"disabled"}',
      stream: true,
    };
    expect(
      parseForm({ ...form, temperature: '', models: [row] }).settings?.models[0],
    ).toMatchObject({
      temperature: null,
      headers: { 'X-Tier': 'fast', 'api-key': '${env:KEY}' },
      query: { 'api-version': '2024-10-21' },
      body: { top_p: 0.5, service_tier: 'flex', thinking: { type: 'disabled' } },
      stream: true,
    });
    const faultsOf = (more: Partial<typeof row>) =>
      Object.fromEntries(parseForm({ ...form, models: [{ ...row, ...more }] }).faults ?? []);
    expect(faultsOf({ headers: 'no colon' })).toEqual({
      'models.0.headers': 'Each line needs the form Name: value.',
    });
    expect(faultsOf({ body: 'a={broken' })).toEqual({
      'models.0.body': 'Each line needs the form key=JSON.',
    });
    expect(faultsOf({ body: 'messages=[]' })['models.0.body']).toMatch(/^messages is decided by/);
  });

  it('reports a number out of range at its field', () => {
    expect([
      ...(
        parseForm({ ...form, concurrency: 1000, temperature: 3 }).faults ??
        new Map<string, string>()
      ).keys(),
    ]).toEqual(['temperature', 'concurrency']);
  });

  it('requires a file for a replay', () => {
    const parsed = parseForm({
      ...form,
      models: [{ ...emptyRow(1, 'replay'), model: 'gpt', replayFile: ' ' }],
    });
    expect(parsed.faults?.get('models.0.replayFile')).toBe('Enter the path of the recording.');
  });

  it('requires a suite and a server', () => {
    const parsed = parseForm({ ...form, suiteId: null, servers: [] });
    expect(parsed.faults?.has('suiteId')).toBe(true);
    expect(parsed.faults?.has('servers')).toBe(true);
  });

  it('requires a model name and an endpoint address', () => {
    const parsed = parseForm({
      ...form,
      models: [
        emptyRow(1, 'openai'),
        { ...emptyRow(2, 'openai-compatible'), model: 'llama', baseUrl: ' ' },
      ],
    });
    expect([...(parsed.faults ?? new Map<string, string>()).keys()]).toEqual([
      'models.0.model',
      'models.1.baseUrl',
    ]);
  });

  it('submits the chosen model options that the provider supports', () => {
    const row = {
      ...emptyRow(1, 'anthropic'),
      model: ' claude-haiku-4-5 ',
      reasoningEffort: 'low' as const,
      deferTools: true,
      contextTokens: 50_000,
      maxWait: 120,
      api: 'chat' as const,
    };
    const { settings } = parseForm({
      ...form,
      models: [row],
      seed: 7,
      toolOrder: 'shuffled',
      maxTurns: 3,
      spendLimitUsd: 2.5,
      systemPrompt: 'Be brief.',
    });
    expect(settings).toMatchObject({
      seed: 7,
      toolOrder: 'shuffled',
      maxTurns: 3,
      spendLimitUsd: 2.5,
      systemPrompt: 'Be brief.',
    });
    expect(settings?.models).toMatchObject([
      {
        provider: 'anthropic',
        model: 'claude-haiku-4-5',
        baseUrl: null,
        reasoningEffort: 'low',
        deferTools: true,
        contextTokens: 50_000,
        requestsPerMinute: null,
        maxWait: 120,
        api: null,
      },
    ]);
  });

  it('requires a limit within the range of the metric', () => {
    const gate = emptyGate(1);
    expect(parseForm({ ...form, gates: [gate] }).faults?.get('gates.0.limit')).toBe(
      'Enter the limit of the gate.',
    );
    expect(
      parseForm({ ...form, gates: [{ ...gate, limit: 80 }] }).faults?.get('gates.0.limit'),
    ).toBe('Enter a rate from 0 to 1.');
    const { settings } = parseForm({
      ...form,
      gates: [
        { ...gate, bound: 'low', limit: 0.8 },
        { ...withMetric(emptyGate(2), 'cost_usd'), limit: '2' },
      ],
    });
    expect(settings?.gates).toEqual([
      { metric: 'pass_rate', bound: 'low', side: 'min', limit: 0.8 },
      { metric: 'cost_usd', bound: 'value', side: 'max', limit: 2 },
    ]);
  });

  it('resets the bound when the chosen metric has no interval', () => {
    const low = { ...emptyGate(1), bound: 'low' as const };
    expect(withMetric(low, 'latency_ms.p95')).toMatchObject({ bound: 'value', side: 'max' });
    expect(withMetric(low, 'accuracy')).toMatchObject({ bound: 'low', side: 'min' });
    expect(gateChoices.flatMap(({ items }) => items.map(({ value }) => value)).sort()).toEqual(
      [...metricsOf.case].sort(),
    );
  });
});

describe('form of a task evaluation', () => {
  it.each([
    ['stub', null, undefined],
    ['stub', null, { executedTaskCount: 0 }],
    ['full', null, { executedTaskCount: 1 }],
    ['stub', 'stub', { executedTaskCount: 1 }],
    ['read-only', 'read-only', { executedTaskCount: 0 }],
  ] as const)('starts in mode %s where %s is chosen in the suite %o', (mode, chosen, suite) => {
    expect(emptyForm(defaultAppSettings, 's1').mode).toBeNull();
    expect(shownMode(chosen, suite)).toBe(mode);
  });

  it('agrees to nothing before a person does', () => {
    const { settings } = parseForm(form);
    expect(settings && taskSettings(settings, 'full', form)).toMatchObject({
      suiteId: 's1',
      mode: 'full',
      agreedServers: [],
      repetitions: 3,
    });
  });

  it('is not stopped by fields that only test cases have', () => {
    const broken = { ...form, seed: '', maxTurns: '', highConfidence: '', gates: [emptyGate(1)] };
    expect(parseForm(broken).settings).toBeNull();
    expect(parseForm(withoutCaseFields(broken, defaultAppSettings)).faults).toBeNull();
  });
});

it.each([
  ['no suite yet', undefined, 'tasks', 'cases'],
  ['a suite of cases only', { caseCount: 3, taskCount: 0 }, 'tasks', 'cases'],
  ['a suite of tasks only', { caseCount: 0, taskCount: 2 }, 'cases', 'tasks'],
  ['a suite of both', { caseCount: 3, taskCount: 2 }, 'tasks', 'tasks'],
] as const)('runs what there is: %s', (_what, suite, wanted, shown) => {
  expect(shownEntries(suite, wanted)).toBe(shown);
});

it('splits the command of a program into words', () => {
  expect(wordsOf('/bin/node  "my model.mjs" --fast ""')).toEqual([
    '/bin/node',
    'my model.mjs',
    '--fast',
    '',
  ]);
});

it('asks for the name and the command of a program', () => {
  const row = { ...emptyRow(1, 'command'), model: 'local' };
  expect(parseForm({ ...form, models: [row] }).faults?.get('models.0.command')).toBe(
    'Enter the command to run.',
  );
  const { settings } = parseForm({ ...form, models: [{ ...row, command: '/bin/ask --fast' }] });
  expect(settings?.models).toMatchObject([
    { provider: 'command', model: 'local', command: ['/bin/ask', '--fast'] },
  ]);
});
