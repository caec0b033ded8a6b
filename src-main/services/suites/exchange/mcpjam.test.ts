import { describe, expect, test } from 'vitest';
import { read, readBack } from './readBack.fixture.ts';

const mcpjamFile = {
  schemaVersion: '1',
  mode: 'agentWorkflow',
  reportingMode: 'standard',
  suite: { id: 's_shop', name: 'Shop' },
  target: { servers: [{ name: 'shop' }] },
  defaults: {
    model: 'any/model',
    systemPrompt: 'Be brief.',
    repetitions: 1,
    passThreshold: 0.8,
    validity: {},
  },
  cases: [
    {
      id: 'c_closed',
      title: 'Refund',
      steps: [{ id: '1', kind: 'prompt', prompt: 'Refund order 7' }],
      checks: [
        {
          type: 'toolCalledWith',
          toolName: 'refund',
          args: { args: { id: 7, reason: 'Late', note: 'any' } },
        },
        { type: 'onlyToolsCalled', toolNames: ['refund'] },
      ],
    },
    {
      id: 'c_open',
      title: 'Track',
      steps: [
        { id: '1', kind: 'prompt', prompt: 'Where is it?' },
        {
          id: '2',
          kind: 'assert',
          assertion: { type: 'toolCalledAtLeastOnce', toolName: 'track' },
        },
      ],
      assertions: [{ type: 'responseContains', needle: 'parcel' }],
    },
    {
      id: 'c_none',
      title: 'Hello',
      steps: [{ id: '1', kind: 'prompt', prompt: 'Hello' }],
      isNegativeTest: true,
    },
    {
      id: 'c_turns',
      title: 'Two turns',
      steps: [
        { id: '1', kind: 'prompt', prompt: 'A' },
        { id: '2', kind: 'prompt', prompt: 'B' },
      ],
      isNegativeTest: true,
    },
    {
      id: 'c_direct',
      title: 'Without a model',
      steps: [{ id: '1', kind: 'toolCall', serverName: 'shop', toolName: 'track', arguments: {} }],
    },
    {
      id: 'c_never',
      title: 'Never',
      steps: [{ id: '1', kind: 'prompt', prompt: 'Wait' }],
      checks: [{ type: 'toolNeverCalled', toolName: 'refund' }],
    },
  ],
};

describe('MCPJam', () => {
  test('reads checks as expected calls and reports what is approximated or skipped', () => {
    const { suite, tasks, report, problems } = read('mcpjam', JSON.stringify(mcpjamFile));
    expect(problems).toEqual([]);
    expect(suite).toEqual({
      version: 1,
      name: 'Shop',
      servers: ['shop'],
      system: 'Be brief.',
      cases: [
        {
          id: 'c_closed',
          name: 'Refund',
          query: 'Refund order 7',
          expected_calls: [
            {
              server: 'shop',
              tool: 'refund',
              parameters: { id: 7, reason: { $exact: 'Late' }, note: { $ignore: true } },
            },
          ],
        },
        {
          id: 'c_open',
          name: 'Track',
          query: 'Where is it?',
          expected_calls: [{ server: 'shop', tool: 'track' }],
        },
        { id: 'c_none', name: 'Hello', query: 'Hello', expected_calls: [] },
      ],
    });
    expect(report.exact).toBe(3);
    expect(report.approximated).toEqual([
      {
        case: 'c_open',
        what: 'Other calls',
        why: expect.stringContaining('other calls') as string,
      },
      {
        case: 'c_open',
        what: 'responseContains',
        why: expect.stringContaining('checks the answer') as string,
      },
    ]);
    expect(report.skipped.map((each) => each.case)).toEqual(['c_direct', 'c_never']);
    expect(tasks).toMatchObject([
      { id: 'c_turns', checks: [{ calls: { total: { at_most: 0 } } }] },
    ]);
  });

  test('allows the tool on any of several servers', () => {
    const { suite } = read(
      'mcpjam',
      JSON.stringify({ ...mcpjamFile, target: { servers: [{ name: 'a' }, { name: 'b' }] } }),
    );
    expect(suite?.cases[1]?.expected_calls).toEqual([
      {
        any_of: [
          { server: 'a', tool: 'track' },
          { server: 'b', tool: 'track' },
        ],
      },
    ]);
  });

  test('reads its own export back and reports what the user must fill in', () => {
    const { first, second, losses } = readBack('mcpjam', JSON.stringify(mcpjamFile));
    expect(second.suite).toEqual(first.suite);
    expect(second.tasks).toEqual(first.tasks);
    expect(losses).toEqual([
      { case: null, what: expect.stringContaining('needs a model') as string },
    ]);
  });
});

test('reads the flat list of tests of the command line', () => {
  const tests = [
    {
      title: 'Refund',
      query: 'Refund order 7',
      runs: 2,
      model: 'a',
      provider: 'b',
      expectedToolCalls: [{ toolName: 'refund', arguments: { id: 7, reason: 'Late' } }],
      advancedConfig: { system: 'Be brief.' },
    },
    {
      title: 'Track',
      query: 'Where is it?',
      expectedToolCalls: ['track', { toolName: 'find', arguments: {} }],
      advancedConfig: { system: 'Be brief.' },
    },
    {
      title: 'Greeting',
      query: 'Hello',
      expectedToolCalls: [],
      isNegativeTest: true,
      advancedConfig: { system: 'Be brief.' },
    },
    { title: 'Nothing', query: 'Hm', advancedConfig: { system: 'Be brief.' } },
  ];
  for (const file of [tests, { tests }]) {
    const { suite, problems, report } = read('mcpjam', JSON.stringify(file), { server: 'shop' });
    expect(problems).toEqual([]);
    expect(suite?.system).toBe('Be brief.');
    expect(suite?.cases.map(({ name, expected_calls }) => [name, expected_calls])).toEqual([
      [
        'Refund',
        [{ server: 'shop', tool: 'refund', parameters: { id: 7, reason: { $exact: 'Late' } } }],
      ],
      [
        'Track',
        [
          { server: 'shop', tool: 'track' },
          { server: 'shop', tool: 'find' },
        ],
      ],
      ['Greeting', []],
    ]);
    expect(report.skipped.map((each) => each.case)).toEqual(['Nothing']);
  }
});

test('reads a list of names as all calls that are accepted, as the published command line does', () => {
  const settings = { runs: 1, model: 'anthropic/claude-3.7-sonnet', provider: 'openrouter' };
  const tests = [
    {
      title: 'Users',
      query: 'Who is in the workspace?',
      ...settings,
      expectedToolCalls: ['list_workspaces', 'get_users', 'get_users'],
    },
    { title: 'Greeting', query: 'Hello', ...settings, expectedToolCalls: [] },
    {
      title: 'Judged',
      query: 'Which one?',
      ...settings,
      expectedToolCalls: ['list_workspaces'],
      judgeRequirement: 'It names the workspace.',
    },
  ];
  const { suite, report } = read('mcpjam', JSON.stringify(tests), { server: 'shop' });
  const calls = (...names: string[]) => names.map((tool) => ({ server: 'shop', tool }));
  expect(suite?.cases.map(({ expected_calls }) => expected_calls)).toEqual([
    calls('list_workspaces', 'get_users', 'get_users'),
    [],
    calls('list_workspaces'),
  ]);
  expect(report).toMatchObject({
    exact: 2,
    unreadFields: ['runs', 'model', 'provider'],
    skipped: [],
    approximated: [{ case: 'judged', what: 'judgeRequirement' }],
  });
});
