import { describe, expect, it, test } from 'vitest';
import { json, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const find = `${asked} → shelf:find_book`;
const any = `${asked} → shelf:find_book|shelf:reserve_book`;
const wrappers = ['expect', 'expected', 'assert', 'checks', 'assertions'];
const linesOf = (...records: object[]): string[] => read('a.json', json(records)).lines;

describe('names that say in words of their own what is expected', () => {
  const none = (
    'noToolCall no_tool_call no-tool-calls noFunctionCall expect_no_call expectNoToolCall ' +
    'no_tool_needed noToolsNeeded tool_not_needed no_tools_expected abstain expect_abstain ' +
    'shouldAbstain expectsAbstention abstention should_not_call shouldNotCallTool ' +
    'must_not_call_any_tool never_call skip_tools is_irrelevant irrelevant out_of_scope ' +
    'outOfScope should_refuse expectRefusal'
  ).split(' ');
  test.each(none)('%s: true is no tool', (name) => {
    const plain = linesOf({ query: asked, tool: 'find_book' }, { query: 'Hi', [name]: true });
    expect(plain).toEqual([find, 'Hi → no tool']);
  });
  test.each(wrappers)('%s may hold such a switch', (wrapper) => {
    for (const name of ['abstain', 'noToolCall', 'should_not_call'])
      expect(
        linesOf(
          { query: asked, [wrapper]: { tool: 'find_book' } },
          { query: 'Hi', [wrapper]: { [name]: true } },
        ),
      ).toEqual([find, 'Hi → no tool']);
  });
  it('is a switch where it is true, and a list of forbidden tools where it names them', () => {
    expect(
      linesOf(
        { query: asked, expected_tool: 'find_book', must_not_call: ['renew_loan'] },
        { query: 'Hi', must_not_call: true },
        { query: 'Ho', must_not_call: false, tool: 'renew_loan' },
      ),
    ).toEqual([find, 'Hi → no tool', 'Ho → shelf:renew_loan']);
  });
  it('never expects the tool that it says must not be called', () => {
    const { lines, tasks } = read(
      'a.json',
      json([{ query: asked, tool: 'find_book', must_not_call: true }]),
    );
    expect(lines).toEqual([]);
    expect(tasks.map(({ checks }) => checks)).toEqual([[{ calls: { never: ['find_book'] } }]]);
  });

  const forbidden = (
    'never forbidden not_called notCalled never_call tools_not_called must_not_use ' +
    'mustNotInvoke does_not_call no_calls_to not_expected_tools no_tool_calls excluded avoid ' +
    'banned disallowed prohibited tools_excluded'
  ).split(' ');
  test.each(forbidden)('%s with names alone makes a task that forbids them', (name) => {
    for (const record of [{ [name]: ['renew_loan'] }, { expect: { [name]: ['renew_loan'] } }]) {
      const { lines, tasks } = read('a.json', json([{ query: asked, ...record }]));
      expect(lines).toEqual([]);
      expect(tasks.map(({ checks }) => checks)).toEqual([[{ calls: { never: ['renew_loan'] } }]]);
    }
  });
  it('leaves such a name unread where it is about something else than tools', () => {
    const { lines, report } = read(
      'a.json',
      json([
        {
          query: asked,
          tool: 'find_book',
          avoid: 'long answers',
          never: 'jargon',
          one_of: ['yes'],
        },
        { query: 'Hi', tool: null, out_of_scope: 'weather' },
      ]),
    );
    expect(lines).toEqual([find, 'Hi → no tool']);
    for (const name of ['avoid', 'never', 'one_of', 'out_of_scope'])
      expect(JSON.stringify(report)).toContain(`"${name}"`);
  });

  const called = (
    'tools_called tools_include calls_include must_call must_use uses should_call should_use ' +
    'tools_used invokes has_tool_call'
  ).split(' ');
  test.each(called)('expect.%s names the expected tools', (name) => {
    expect(linesOf({ query: asked, expect: { [name]: ['find_book'] } })).toEqual([find]);
  });

  const alternatives = (
    'one_of oneOf expected_one_of calls_any_of any_of_tools expected_any tools_any tool_options ' +
    'also_acceptable also_ok acceptable_answers accepted_tool_steps acceptableCalls alternate_tools'
  ).split(' ');
  test.each(alternatives)('%s is a list of which one is enough', (name) => {
    const tools = ['find_book', 'reserve_book'];
    expect(linesOf({ query: asked, [name]: tools })).toEqual([any]);
    expect(linesOf({ query: asked, expect: { [name]: tools } })).toEqual([any]);
  });
});

describe('turns that are texts', () => {
  const again = 'Renew it → shelf:renew_loan; user: Is Dune there?';
  test.each([
    ['a list for each turn', { expected: [['find_book'], ['renew_loan']] }],
    ['one tool for each turn', { expected_tools: ['find_book', 'renew_loan'] }],
  ])('are a case each, with %s', (_how, record) => {
    expect(linesOf({ turns: [asked, 'Renew it'], ...record })).toEqual([find, again]);
  });
  test.each(['turns', 'user_turns', 'conversation', 'messages'])(
    'ask with the last of %s what one list answers',
    (name) => {
      expect(linesOf({ [name]: ['Hi', asked], expected_tools: ['find_book'] })).toEqual([
        `${find}; user: Hi`,
      ]);
    },
  );
  it('may be the whole document', () => {
    const document = json({ turns: ['Hi', asked], expected: ['find_book'] });
    expect(read('a.json', document).lines).toEqual([`${find}; user: Hi`]);
  });
});

it('reads cases in Markdown without a heading', () => {
  const text = `User: ${asked}\nTool: find_book\n\nUser: Hi\nTool: none\n`;
  expect(read('a.md', text).lines).toEqual([find, 'Hi → no tool']);
});

describe('shapes that hold what is expected in further ways', () => {
  const exact = `${find}{"title":"Dune"}; exact`;
  const dune = { title: 'Dune' };
  const uses = [{ tool_name: 'find_book', tool_input: dune }];
  const checks = [
    { type: 'tool_called', tool: 'find_book', args: dune },
    { type: 'tool_not_called', tool: 'renew_loan' },
    { type: 'contains', value: 'x' },
  ];
  test.each<[shape: string, document: unknown, cases: string[]]>([
    ['sessions as lists in a list', [[{ query: asked, expected_tool_use: uses }]], [exact]],
    [
      'tools beside the content of a turn',
      [
        {
          eval_id: 'x',
          conversation: [{ user_content: { text: asked }, expected_tool_use: uses }],
        },
      ],
      [exact],
    ],
    [
      'requests of a user as a list, and interactions',
      [{ user_inputs: [asked], reference_data: { reference_tool_interactions: uses } }],
      [exact],
    ],
    [
      'tools called and their order',
      {
        input: asked,
        expected: {
          tools_called: ['find_book', 'reserve_book'],
          tool_call_order: ['find_book', 'reserve_book'],
        },
      },
      [`${asked} → shelf:find_book + shelf:reserve_book; ordered`],
    ],
    [
      'messages of an assistant that name a tool',
      [
        {
          input: { latestMessageText: asked },
          expected: { messages: [{ role: 'assistant-tool', toolCallName: 'find_book' }] },
        },
      ],
      [find],
    ],
    [
      'calls of messages under “tool”',
      {
        cases: [
          {
            expected_messages: [
              { role: 'user', content: asked },
              { role: 'assistant', tool_calls: [{ tool: 'find_book', args: dune }] },
            ],
          },
        ],
      },
      [exact],
    ],
    ['a record below the word for it', [{ case: { input: asked, tool: 'find_book' } }], [find]],
    [
      'checks that say what each is',
      [{ prompt: asked, expectations: checks }],
      [`${find}{"title":"Dune"}; at-least`],
    ],
    [
      'requests by how they are said',
      { test_cases: [{ prompts: { clear: asked, vague: 'Dune?' }, expected_tool: 'find_book' }] },
      [find, 'Dune? → shelf:find_book'],
    ],
    [
      'a version and cases, as ours have',
      { version: 1, cases: [{ case_id: 'c', task: asked, expected_tool_names: ['find_book'] }] },
      [find],
    ],
    [
      'names of tools next to their calls',
      [
        {
          task: asked,
          required_tools: ['find_book'],
          golden_tool_calls: [{ tool: 'find_book', args: dune }],
        },
      ],
      [exact],
    ],
    ['whether a tool is used', [{ query: 'Hi', expected_tool_use: false }], ['Hi → no tool']],
    [
      'whether, and a column of any name with the tool',
      [
        { prompt: asked, should_call: 'yes', choice: 'find_book' },
        { prompt: 'Hi', should_call: 'no', choice: '' },
      ],
      [find, 'Hi → no tool'],
    ],
  ])('%s', (_shape, document, cases) => {
    const { lines, problems } = read('a.json', json(document));
    expect(problems).toEqual([]);
    expect(lines).toEqual(cases);
  });
  it('takes no list of what must be called for no tool where it is empty', () => {
    for (const name of ['must_call_tools', 'required_tools', 'tools_must_include'])
      expect(linesOf({ query: asked, [name]: ['find_book'] }, { query: 'Hi', [name]: [] })).toEqual(
        [find],
      );
    expect(linesOf({ query: 'Hi', must_call_tools: [], no_tool: true })).toEqual(['Hi → no tool']);
  });
  it('reads tools called among criteria of success', () => {
    const criteria = { tools_called_must_include: ['find_book'], score_min: 1 };
    expect(linesOf({ user_message: asked, success_criteria: criteria })).toEqual([find]);
  });
  it('never reads a message with a call that it can’t read as one without calls', () => {
    const messages = [
      { role: 'user', content: asked },
      { role: 'assistant', tool_calls: [{ what: 'find_book' }] },
    ];
    expect(read('a.json', json([{ expected_messages: messages }])).lines).toEqual([]);
  });
  it('reads the list that a function of a program returns', () => {
    const text = `@pytest.fixture\ndef cases():\n    return [\n        {"query": "${asked}", "tool": "find_book"},\n    ]\n`;
    expect(read('a.py', text).lines).toEqual([find]);
  });
});
