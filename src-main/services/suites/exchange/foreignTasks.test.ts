import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { exchangeFormats } from './formats.ts';
import { read, readBack } from './readBack.fixture.ts';

const prompt = (text: string) => ({ kind: 'prompt', prompt: text });
const mcpjam = (...steps: object[]) =>
  JSON.stringify({
    schemaVersion: '1',
    suite: { name: 'Shop' },
    target: { servers: [{ name: 'shop' }] },
    cases: [
      {
        id: 'refund',
        title: 'Refund',
        steps,
        checks: [
          { type: 'toolCalledWith', toolName: 'refund', args: { args: { id: 7 } }, minCount: 2 },
          { type: 'toolNeverCalled', toolName: 'delete_order' },
          { type: 'responseContains', needle: 'refunded' },
          { type: 'maxLatency', ms: 5 },
        ],
      },
    ],
  });

describe('a case of MCPJam with several prompts', () => {
  const task = {
    id: 'refund',
    name: 'Refund',
    turns: ['Find order 7.', 'Refund it.'],
    checks: [
      { calls: { must: [{ tool: 'refund', arguments: { id: 7 }, at_least: 2 }] } },
      { calls: { never: ['delete_order'] } },
      { answer: { $contains: 'refunded' } },
    ],
  };

  it('becomes a task, and names every part that is not carried', () => {
    const text = mcpjam(
      prompt('Find order 7.'),
      { kind: 'assert', assertion: { type: 'viewShown' } },
      { kind: 'interact' },
      prompt('Refund it.'),
    );
    const { tasks, suite, report } = read('mcpjam', text);
    expect(tasks).toEqual([task]);
    expect(suite).toMatchObject({ servers: ['shop'], cases: [] });
    expect(report.approximated.map(({ case: key, what }) => [key, what])).toEqual([
      ['refund', 'maxLatency'],
      ['refund', 'viewShown'],
      ['refund', 'Steps'],
      ['refund', 'Checks between prompts'],
    ]);
  });

  it('is exported and read back', () => {
    const { second, losses } = readBack(
      'mcpjam',
      mcpjam(prompt('Find order 7.'), prompt('Refund it.')),
    );
    expect(second.tasks).toEqual([task]);
    expect(losses.filter((loss) => loss.case !== null)).toEqual([]);
  });
});

describe('a conversation of promptfoo', () => {
  const test = (query: string, assert: object[], conversationId: string) => ({
    vars: { query },
    assert,
    metadata: { conversationId },
  });
  const text = stringify({
    prompts: ['Please: {{query}}'],
    providers: [{ id: 'x', config: { mcp: { server: { name: 'shop' } } } }],
    tests: [
      test('find it', [{ type: 'trajectory:tool-used', value: 'find' }], 'a'),
      test('say hello', [{ type: 'llm-rubric', value: 'polite' }], 'b'),
      test(
        'refund it',
        [
          { type: 'trajectory:tool-args-match', value: { name: 'refund', args: { id: 7 } } },
          { type: 'contains', value: 'refunded' },
          { type: 'latency', threshold: 5 },
        ],
        'a',
      ),
    ],
  });

  it('becomes one task with a turn for each test', () => {
    const { tasks, suite, report } = read('promptfoo', text);
    expect(suite?.servers).toEqual(['shop']);
    expect(tasks).toEqual([
      {
        id: 'a',
        name: 'Please: find it',
        turns: ['Please: find it', 'Please: refund it'],
        checks: [
          { calls: { must: ['find', { tool: 'refund', arguments: { id: 7 } }] } },
          { answer: { $contains: 'refunded' } },
        ],
      },
    ]);
    expect(report.approximated.map(({ what }) => what)).toEqual(['Turn 1', 'latency']);
    expect(report.skipped).toMatchObject([{ case: 'b' }]);
  });
});

describe('a simulated user of promptfoo', () => {
  const asserted = [
    { type: 'trajectory:tool-used', value: 'cancel' },
    { type: 'icontains', value: 'canceled' },
  ];
  const file = (parts: object) =>
    stringify({
      prompts: ['You are the assistant of a shop. {{query}}'],
      providers: [{ id: 'x', config: { mcp: { server: { name: 'shop' } } } }],
      ...parts,
    });
  const user = (config: object) => ({ id: 'promptfoo:simulated-user', config });

  it('becomes a task whose user has the instructions, with its limit and first messages', () => {
    const { tasks, report } = read(
      'promptfoo',
      file({
        defaultTest: { provider: user({ maxTurns: 6 }) },
        tests: [
          { vars: { instructions: 'You are Mia. Cancel order 7.' }, assert: asserted },
          {
            description: 'Given at the test',
            vars: { name: 'Ada' },
            provider: user({
              instructions: 'You are {{name}}. Cancel order 8.',
              maxTurns: 100,
              initialMessages: [
                { role: 'user', content: 'Hi, cancel it.' },
                { role: 'assistant', content: 'Which order?' },
              ],
            }),
            assert: asserted,
          },
        ],
      }),
    );
    const checks = [{ calls: { must: ['cancel'] } }, { answer: { $contains: 'canceled' } }];
    expect(tasks).toEqual([
      {
        id: 'tests[0]',
        name: 'You are Mia. Cancel order 7.',
        turns: ['Hello, I need your help.'],
        checks,
        user: { goal: 'You are Mia. Cancel order 7.', max_turns: 6 },
      },
      {
        id: 'tests[1]',
        name: 'Given at the test',
        turns: ['Hi, cancel it.'],
        checks,
        user: { goal: 'You are Ada. Cancel order 8.', max_turns: 50 },
      },
    ]);
    expect(report.approximated.map(({ what }) => what)).toEqual([
      'provider',
      'provider',
      'provider',
      'maxTurns',
      'initialMessages',
    ]);
  });

  it('is skipped where its instructions are in a file, or a template stays open', () => {
    const { tasks, report } = read(
      'promptfoo',
      file({
        tests: ['file://user.txt', 'Cancel {{order}}.', ''].map((instructions) => ({
          provider: user({ instructions }),
          assert: asserted,
        })),
      }),
    );
    expect(tasks).toEqual([]);
    expect(report.skipped.map(({ why }) => why)).toEqual(
      Array.from(
        { length: 3 },
        () => 'Its simulated user has no instructions that can be read here.',
      ),
    );
  });

  it('is written as one test, and read back', () => {
    const task: SuiteFileTask = {
      id: 'cancel',
      name: 'Cancel',
      turns: ['Cancel it.'],
      servers: ['shop'],
      checks: [{ calls: { must: ['cancel'] } }, { answer: { $contains: 'canceled' } }],
      user: { goal: 'Cancel order 7.', max_turns: 4 },
    };
    const { text, losses } = exchangeFormats.promptfoo.write(
      { version: 1, name: 'Shop', servers: ['shop'], cases: [] },
      [task],
    );
    expect(parse(text)).toMatchObject({
      tests: [
        {
          provider: {
            id: 'promptfoo:simulated-user',
            config: {
              instructions: 'Cancel order 7.',
              maxTurns: 4,
              initialMessages: [{ role: 'user', content: 'Cancel it.' }],
            },
          },
        },
      ],
    });
    expect(losses.map(({ what }) => what.replace(/[.:].*/su, ''))).toEqual([
      'promptfoo gives the prompt of this file to the assistant as its system prompt',
      'promptfoo checks its calls only if tracing is turned on',
    ]);
    expect(read('promptfoo', text).tasks).toEqual([task]);
  });
});

describe('a task as a conversation of promptfoo', () => {
  const suite = (...tasks: object[]) => ({
    version: 1 as const,
    name: 'Shop',
    servers: ['shop'],
    cases: [],
    tasks: tasks as SuiteFileTask[],
  });
  const write = (...tasks: object[]) => {
    const { tasks: given, ...file } = suite(...tasks);
    return exchangeFormats.promptfoo.write(file, given);
  };
  const oneTurn = {
    id: 'refund',
    name: 'Refund',
    turns: ['Refund order 7.'],
    tags: ['money'],
    servers: ['shop', 'mail'],
    checks: [
      { calls: { must: ['find', 'refund', 'refund'], ordered: true, never: ['delete_order'] } },
      { answer: { $contains: 'refunded' } },
    ],
  };
  const twoTurns = {
    id: 'talk',
    name: 'Talk',
    turns: ['Find "order 7".', 'Thank you.'],
    checks: [{ calls: { never: ['delete_order'] } }, { answer: { $contains: 'welcome' } }],
  };

  it('is one test for each turn, and is read back as the same task', () => {
    const { text, losses } = write(oneTurn, twoTurns);
    expect(read('promptfoo', text).tasks).toEqual([oneTurn, twoTurns]);
    expect(losses.map((loss) => loss.what)).toEqual([
      'promptfoo checks its calls only if tracing is turned on.',
      'promptfoo checks its calls only if tracing is turned on.',
    ]);
    const { tests } = parse(text) as { tests: { metadata: object; assert: { type: string }[] }[] };
    expect(tests.map(({ metadata, assert }) => [metadata, assert.map(({ type }) => type)])).toEqual(
      [
        [
          { conversationId: 'refund', tags: ['money'], servers: ['shop', 'mail'] },
          ['trajectory:tool-sequence', 'not-trajectory:tool-used', 'icontains'],
        ],
        [{ conversationId: 'talk' }, ['not-trajectory:tool-used']],
        [{ conversationId: 'talk' }, ['not-trajectory:tool-used', 'icontains']],
      ],
    );
  });

  it('counts calls in any order of a single turn, and is read back', () => {
    const task = { ...twoTurns, turns: ['Go.'], checks: [{ calls: { must: ['a', 'b', 'a'] } }] };
    const [back] = read('promptfoo', write(task).text).tasks;
    expect(back?.checks).toEqual([{ calls: { must: ['a', 'a', 'b'] } }]);
  });

  it('names every part that a conversation cannot hold', () => {
    const { losses } = write({
      ...twoTurns,
      turns: ['Use {{name}}.', 'Go on.'],
      setup: [{ server: 'shop', tool: 'fill' }],
      limits: { steps: 3 },
      stub_results: [{ server: 'shop', tool: 'find', result: 1 }],
      checks: [
        { state: { server: 'shop', tool: 'orders', contains: 1 } },
        { answer: { $regex: 'ok' } },
        { calls: { must: ['find'] } },
      ],
    });
    expect(losses.map(({ what }) => what.replace(/:.*/su, ''))).toEqual([
      'The calls that prepare its servers aren’t exported.',
      'Its limits aren’t exported.',
      'Its stub results aren’t exported.',
      'The state check on orders isn’t exported.',
      'An answer check isn’t exported',
      'A turn contains {{, {%, or {#, which promptfoo reads as a template.',
      'The calls that it must make aren’t exported',
    ]);
  });

  it('leaves the history out of tests of cases', () => {
    const { cases } = suite();
    const one = { id: 'c', name: 'C', query: 'List orders', expected_calls: [] };
    const { text } = exchangeFormats.promptfoo.write(
      { version: 1, name: 'Shop', servers: ['shop'], cases: [...cases, one] },
      [twoTurns],
    );
    const back = read('promptfoo', text);
    expect(back.suite?.cases).toMatchObject([{ id: 'c', query: 'List orders' }]);
    expect(back.tasks).toEqual([twoTurns]);
    expect(parse(text)).toMatchObject({
      tests: [{ options: { disableConversationVar: true } }, {}, {}],
    });
  });
});

describe('τ-bench', () => {
  const first = {
    user_id: 'yusuf',
    instruction: 'You are Yusuf. Return order 7.',
    actions: [
      { name: 'find_user', kwargs: { name: 'Yusuf' } },
      { name: 'return_order', kwargs: { id: 7 } },
      { name: 'respond', kwargs: { content: 'Done' } },
    ],
    outputs: ['59.90'],
  };
  const second = {
    id: 'telecom-1',
    user_scenario: {
      persona: 'You are in a hurry.',
      instructions: {
        reason_for_call: 'No signal.',
        known_info: 'Your number is 555-1.\nYou are abroad.',
        task_instructions: 'Be patient.',
      },
    },
    initial_state: { initialization_data: {} },
    evaluation_criteria: {
      actions: [
        { requestor: 'assistant', name: 'check_line', arguments: {} },
        { requestor: 'user', name: 'restart_phone', arguments: {} },
      ],
      communicate_info: [],
      nl_assertions: ['The agent is polite.'],
    },
  };

  it('is read in both shapes, and names every part that is not carried', () => {
    const { tasks, report } = read('tau-bench', JSON.stringify([first, second]), {
      server: 'shop',
    });
    expect(tasks.map(({ turns, checks, user }) => ({ turns, checks, user }))).toEqual([
      {
        turns: ['Hello, I need your help.'],
        user: { goal: 'You are Yusuf. Return order 7.' },
        checks: [
          {
            calls: { must: [{ tool: 'find_user', arguments: { name: { $exact: 'Yusuf' } } }] },
          },
          { calls: { must: [{ tool: 'return_order', arguments: { id: 7 } }] } },
          { answer: { $regex: '(?i)5,*9,*\\.,*9,*0' }, message: 'any' },
        ],
      },
      {
        turns: ['Hello, I need your help.'],
        user: {
          goal: 'No signal.\nBe patient.',
          persona: 'You are in a hurry.',
          knows: ['Your number is 555-1.', 'You are abroad.'],
        },
        checks: [{ calls: { must: ['check_line'] } }],
      },
    ]);
    expect(report.approximated.map(({ what }) => what)).toEqual([
      'instruction',
      'DB',
      'instruction',
      'actions',
      'DB',
      'nl_assertions',
      'reward_basis',
    ]);
  });

  it('is written and read back, with the parts that it cannot hold as losses', () => {
    const { first: one, second: two } = readBack('tau-bench', JSON.stringify([first]), {
      server: 'shop',
    });
    expect(one.tasks[0]?.user).toEqual({ goal: first.instruction });
    expect(two.tasks.map(({ turns, checks, user }) => [turns, checks, user])).toEqual(
      one.tasks.map(({ turns, checks, user }) => [turns, checks, user]),
    );
  });

  it('keeps an instruction of nobody as the request', () => {
    const { user_id: _user, ...request } = first;
    const { first: one, second: two } = readBack('tau-bench', JSON.stringify([request]), {
      server: 'shop',
    });
    expect(one.tasks).toMatchObject([{ turns: [first.instruction] }]);
    expect(one.tasks[0]).not.toHaveProperty('user');
    expect(two.tasks[0]).toMatchObject({ turns: [first.instruction] });
    expect(two.tasks[0]).not.toHaveProperty('user');
  });

  it('writes a simulated user with what it knows as one instruction', () => {
    const { text, losses } = exchangeFormats['tau-bench'].write(
      { version: 1, name: 'Shop', servers: ['shop'], cases: [] },
      [
        {
          id: 'move',
          name: 'Move',
          turns: ['Hi.'],
          checks: [{ calls: { must: ['move'] } }],
          user: { goal: 'Move it.', persona: 'Be short.', knows: ['It is 3 pm.'], max_turns: 4 },
        },
      ],
    );
    expect(JSON.parse(text)).toMatchObject([
      { user_id: 'move', instruction: 'Move it.\nBe short.\nIt is 3 pm.' },
    ]);
    expect(losses.map(({ what }) => what)).toEqual([
      'Its turns aren’t exported: the simulated user speaks.',
      'How its simulated user talks and what it knows become part of the instruction.',
      'The limit of its simulated user isn’t exported.',
    ]);
  });

  it('reports the place of a task that is no object, and of a file without tasks', () => {
    expect(read('tau-bench', '[\n  5\n]').problems).toMatchObject([{ line: 2, column: 3 }]);
    expect(read('tau-bench', '{"a": 1}').problems).toMatchObject([{ line: 1, column: 1 }]);
  });
});
