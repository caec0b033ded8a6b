import { describe, expect, test } from 'vitest';
import { json, lines, read } from './shapes.fixture.ts';

const find = 'Is Dune there? → shelf:find_book';
const findDune = `${find}{"title":"Dune"}; exact`;

describe('cases in the shape of another program', () => {
  test.each<[shape: string, fileName: string, text: string, cases: string[]]>([
    [
      'a list in an object with a version',
      'a.json',
      json({
        version: '3',
        testCases: [
          { id: 't', category: 'find', query: 'Is Dune there?', expectedTools: ['find_book'] },
        ],
      }),
      [`${find}; #find`],
    ],
    [
      'an empty list for no tool',
      'a.json',
      json([
        { question: 'Hi!', expectedTools: [] },
        { question: 'Is Dune there?', expectedTools: ['find_book'] },
      ]),
      ['Hi! → no tool', find],
    ],
    [
      'calls in metadata',
      'a.json',
      json([
        {
          scenario: 'Is Dune there?',
          metadata: {
            expectedToolCalls: [{ name: 'find_book', args: { title: 'Dune' } }],
            level: 1,
          },
        },
      ]),
      [findDune],
    ],
    [
      'one tool and its calls',
      'a.json',
      json([
        {
          prompt: 'Is Dune there?',
          expected_tool: 'find_book',
          expected_tool_calls: [{ name: 'find_book', arguments: { title: 'Dune' } }],
        },
      ]),
      [findDune],
    ],
    [
      'arguments by the name of the tool',
      'a.json',
      json([{ prompt: 'Is Dune there?', expected_calls: { find_book: { title: 'Dune' } } }]),
      [findDune],
    ],
    [
      'a call written as code',
      'a.jsonl',
      lines(
        { prompt: 'Is Dune there?', expected: "find_book(title='Dune')" },
        { prompt: 'Hi', expected: 'none' },
      ),
      [findDune, 'Hi → no tool'],
    ],
    [
      'records by name',
      'a.yaml',
      'dune:\n  prompt: Is Dune there?\n  expect_tool: find_book\nhi:\n  prompt: Hi\n  expect_no_tool: true\n',
      [find, 'Hi → no tool'],
    ],
    [
      'lists by category',
      'a.json',
      json({
        finding: [{ query: 'Is Dune there?', tool: 'find_book' }],
        rooms: [{ query: 'A room?', tool: 'find_room' }],
      }),
      [`${find}; #finding`, 'A room? → room-plan:find_room; #rooms'],
    ],
    [
      'lists in lists',
      'a.yaml',
      'suites:\n  - name: Books\n    tests:\n      - {input: Is Dune there?, expected_tool: find_book}\n  - name: Rooms\n    tests:\n      - {input: A room?, expected_tool: find_room}\n',
      [`${find}; #Books`, 'A room? → room-plan:find_room; #Rooms'],
    ],
    [
      'a server and a system prompt around the cases',
      'a.json',
      json({
        server: 'shelf',
        system_prompt: 'You lend books.',
        cases: [{ query: 'Is Dune there?', tool: 'find_book' }],
      }),
      [`${find}; system You lend books.`],
    ],
    [
      'earlier messages by who speaks',
      'a.yaml',
      'cases_to_try:\n  - history: [{user: I like Dune.}, {assistant: Good.}]\n    prompt: Is it there?\n    tool: find_book\n',
      ['Is it there? → shelf:find_book; user: I like Dune.; assistant: Good.'],
    ],
    [
      'what was said before',
      'a.json',
      json([
        { query: 'Try it again.', context: 'The renewal failed.', expected_tool: 'renew_loan' },
      ]),
      ['Try it again. → shelf:renew_loan; user: The renewal failed.'],
    ],
    [
      'a switch for one tool',
      'a.jsonl',
      lines({ query: 'Is Dune there?', tool: 'find_book', should_trigger: true }),
      [find],
    ],
    [
      'required, allowed and prohibited tools',
      'a.yaml',
      'evals:\n  tests:\n    - prompt: A room for 3\n      expected_tool_calls: {required: [book_room], allowed: [find_room]}\n',
      ['A room for 3 → room-plan:book_room; allows find_room'],
    ],
    [
      'examples of inputs and outputs',
      'a.jsonl',
      lines({
        inputs: { question: 'Is Dune there?' },
        outputs: { trajectory: ['find_book', 'reserve_book'] },
        metadata: { split: 'base' },
      }),
      ['Is Dune there? → shelf:find_book + shelf:reserve_book; ordered; #base'],
    ],
    [
      'goldens with what a run called',
      'a.json',
      json([
        {
          input: 'Is Dune there?',
          tools_called: [{ name: 'list_loans' }],
          expected_tools: [{ name: 'find_book', input_parameters: { title: 'Dune' } }],
        },
      ]),
      [findDune],
    ],
    [
      'a chat whose last message is right',
      'a.jsonl',
      lines({
        messages: [
          { role: 'system', content: 'You lend books.' },
          { role: 'user', content: 'What do I have?' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: '1', type: 'function', function: { name: 'list_loans', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: '1', content: '["Dune"]' },
          { role: 'assistant', content: 'Dune.' },
          { role: 'user', content: 'Renew it.' },
          {
            role: 'assistant',
            tool_calls: [{ function: { name: 'renew_loan', arguments: '{"title":"Dune"}' } }],
          },
        ],
      }),
      [
        'Renew it. → shelf:renew_loan{"title":"Dune"}; exact; system You lend books.; user: What do I have?; assistant: (called list_loans {}) (result: ["Dune"]) Dune.',
      ],
    ],
    [
      'a chat of ShareGPT',
      'a.json',
      json([
        {
          conversations: [
            { from: 'human', value: 'Is Dune there?' },
            {
              from: 'function_call',
              value: '{"name": "find_book", "arguments": {"title": "Dune"}}',
            },
          ],
        },
      ]),
      [findDune],
    ],
    [
      'a chat with blocks of Anthropic',
      'a.json',
      json([
        {
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'Is Dune there?' }] },
            {
              role: 'assistant',
              content: [
                {
                  type: 'tool_use',
                  id: 't',
                  name: 'mcp__shelf__find_book',
                  input: { title: 'Dune' },
                },
              ],
            },
          ],
        },
      ]),
      [findDune],
    ],
    [
      'messages of LangChain',
      'a.json',
      json([
        {
          inputs: {
            messages: [
              { type: 'human', content: 'Is Dune there?' },
              {
                type: 'ai',
                content: '',
                tool_calls: [{ name: 'find_book', args: { title: 'Dune' } }],
              },
            ],
          },
        },
      ]),
      [findDune],
    ],
    [
      'an evaluation set of turns',
      'a.json',
      json({
        eval_set_id: 's',
        eval_cases: [
          {
            eval_id: 'e',
            conversation: [
              {
                user_content: { parts: [{ text: 'Is Dune there?' }] },
                intermediate_data: { tool_uses: [{ name: 'find_book', args: { title: 'Dune' } }] },
                final_response: { parts: [{ text: 'Yes.' }] },
              },
              {
                user_content: { parts: [{ text: 'Thanks' }] },
                intermediate_data: { tool_uses: [] },
              },
            ],
          },
        ],
      }),
      [
        findDune,
        'Thanks → no tool; user: Is Dune there?; assistant: (called find_book {"title":"Dune"}) Yes.',
      ],
    ],
    [
      'a table in Markdown',
      'a.md',
      '# Prompts\n\n| # | Prompt | Tool | Arguments |\n|--|:--|---|---|\n| 1 | "Is Dune there?" | `find_book` | `title="Dune"` |\n| 2 | Two things | `find_room` → `book_room` | |\n| 3 | Hi \\| ho | — | |\n\n| Question | Owner |\n|---|---|\n| Why? | Mia |\n',
      [
        findDune,
        'Two things → room-plan:find_room + room-plan:book_room; ordered',
        'Hi | ho → no tool',
      ],
    ],
    [
      'tables by heading',
      'a.md',
      '## Books\n| Prompt | Tool |\n|---|---|\n| Is Dune there? | find_book |\n\n## Rooms\n| Prompt | Tool |\n|---|---|\n| A room? | find_room |\n',
      [`${find}; #Books`, 'A room? → room-plan:find_room; #Rooms'],
    ],
    [
      'XML with attributes',
      'a.xml',
      '<?xml version="1.0"?>\n<cases><case tool="find_book"><query>Is Dune &amp; Emma there?</query></case></cases>\n',
      ['Is Dune & Emma there? → shelf:find_book'],
    ],
    [
      'tables of TOML',
      'a.toml',
      'name = "Books"\n\n[[case]]\nprompt = "Is Dune there?"\nexpected_tool = "find_book"\n\n[case.expected_args]\ntitle = "Dune"\n',
      [findDune],
    ],
    [
      'a constant in TypeScript',
      'a.ts',
      'import type { Case } from "./case";\n/** All. */\nexport const CASES: Case[] = [\n  { prompt: "Is Dune there?", expectedTools: ["find_book"] }, // first\n  { prompt: `Two\nlines`, expectedTools: [] as string[] },\n] as const;\n',
      [find, 'Two\nlines → no tool'],
    ],
    [
      'a constant in Python',
      'a.py',
      "TEST_CASES = [\n    {'query': 'Is Dune '\n              'there?', 'expected_tools': ('find_book',), 'args': None},  # first\n    dict(query='Hi', expected_tools=[]),\n]\n",
      [find, 'Hi → no tool'],
    ],
    [
      'parameters of pytest',
      'test_a.py',
      'import pytest\n\n@pytest.mark.parametrize("query, expected_tool", [\n    ("Is Dune there?", "find_book"),\n    ("Hi", None),\n])\ndef test_tool(query, expected_tool):\n    assert ask(query) == expected_tool\n',
      [find, 'Hi → no tool'],
    ],
    [
      'names that only the values tell',
      'a.csv',
      'Frage,Werkzeug,Preis\nIs Dune there at last?,find_book,3\nWhich rooms are free?,find_room,4\n',
      ['Is Dune there at last? → shelf:find_book', 'Which rooms are free? → room-plan:find_room'],
    ],
    [
      'tests with what is expected of each',
      'a.json',
      json({
        tests: [
          {
            id: 1,
            user_message: 'Is Dune there?',
            expected: { tool_name: 'find_book', params: { title: 'Dune' } },
          },
        ],
      }),
      [findDune],
    ],
    [
      'calls in a list of their own',
      'a.json',
      json([
        {
          question: 'Is Dune there?',
          ground_truth_tools: [{ tool_name: 'find_book', tool_args: { title: 'Dune' } }],
        },
      ]),
      [findDune],
    ],
    [
      'what must and must not be called',
      'a.json',
      json([{ prompt: 'Is Dune there?', must_call: ['find_book'], must_not_call: ['renew_loan'] }]),
      [find],
    ],
    [
      'samples of messages with reference calls',
      'a.json',
      json({
        samples: [
          {
            user_input: [{ type: 'human', content: 'Is Dune there?' }],
            reference_tool_calls: [{ name: 'find_book', args: { title: 'Dune' } }],
          },
        ],
      }),
      [findDune],
    ],
    [
      'an intent with its slots',
      'a.yaml',
      '- utterance: Is Dune there?\n  intent: find_book\n  slots: {title: Dune}\n',
      [findDune],
    ],
    [
      'words in a table',
      'a.csv',
      'prompt,expected_tool\nIs Dune there?,find_book or list_loans\nBoth,find_book; find_room\nHi,N/A\n',
      [
        'Is Dune there? → shelf:find_book|shelf:list_loans',
        'Both → shelf:find_book + room-plan:find_room',
        'Hi → no tool',
      ],
    ],
  ])('%s', (_shape, fileName, text, cases) => {
    const found = read(fileName, text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
  });

  test.each([
    'mcp__shelf__find_book',
    'shelf:find_book',
    'shelf.find_book',
    'shelf/find_book',
    'shelf__find_book',
    'shelf_find_book',
    'find_book',
  ])('finds the server of %s', (name) => {
    expect(read('a.jsonl', lines({ query: 'Is Dune there?', expected_tool: name })).lines).toEqual([
      find,
    ]);
  });

  test('finds a server whose name a client writes with other signs', () => {
    const { lines: found } = read(
      'a.jsonl',
      lines({ query: 'A room?', tool: 'mcp__room_plan__find_room' }),
    );
    expect(found).toEqual(['A room? → room-plan:find_room']);
  });

  test('makes tasks of questions and answers that name no tool', () => {
    const { tasks, lines: cases } = read(
      'a.xml',
      '<evaluation><qa_pair><question>How many?</question><answer>7</answer></qa_pair></evaluation>',
    );
    expect(cases).toEqual([]);
    expect(tasks).toMatchObject([
      { turns: ['How many?'], checks: [{ answer: { $contains: '7' } }] },
    ]);
  });

  test('leaves out a record that other code makes, and nothing else', () => {
    const { lines: found, report } = read(
      'a.ts',
      'export const CASES = [\n  { prompt: "Is Dune there?", tool: "find_book" },\n  { prompt: `A ${kind}?`, tool: "find_room" },\n  { prompt: "B", tool: TOOLS.find },\n  ...more,\n];\n',
    );
    expect(found).toEqual([find]);
    expect(report.skipped).toMatchObject([
      { line: 3, why: expect.stringContaining('isn’t run') as string },
      { line: 4, why: expect.stringContaining('TOOLS.find') as string },
      { line: 5, why: expect.stringContaining('...more') as string },
    ]);
  });

  test('says that an answer alone is no case for no tool', () => {
    const { lines: found, report } = read(
      'a.json',
      json([
        { query: 'Is Dune there?', expected_tools: ['find_book'] },
        { query: 'Late?', expected_tools: null, answer: 'No.' },
      ]),
    );
    expect(found).toEqual([find]);
    expect(report.skipped).toHaveLength(1);
  });

  test.each([
    [
      'a session of a coding agent',
      'a.jsonl',
      lines(
        { type: 'summary', summary: 'x' },
        {
          sessionId: '1',
          type: 'user',
          message: { role: 'user', content: 'Is Dune there?' },
          uuid: 'u',
        },
      ),
    ],
    [
      'a log of spans',
      'a.json',
      json({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'chat' }] }] }] }),
    ],
    [
      'a log of answers',
      'a.jsonl',
      lines({ object: 'chat.completion', model: 'm', choices: [{ message: { content: 'Hi' } }] }),
    ],
  ])('says what %s is, and reads no case from it', (kind, fileName, text) => {
    const { suite, problems } = read(fileName, text);
    expect(suite).toBeNull();
    expect(problems[0]).toContain(`This is ${kind}`);
    expect(problems[0]).toContain('not what is right');
  });

  test('says what a list of tools is', () => {
    expect(
      read('a.json', json([{ name: 'find_book', inputSchema: { type: 'object' } }])).problems[0],
    ).toContain('a list of tools');
  });
});
