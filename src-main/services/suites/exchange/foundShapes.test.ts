import { describe, expect, test } from 'vitest';
import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const find = `${asked} → shelf:find_book`;
const exact = `${find}{"title":"Dune"}; exact`;
const partly = `${find}{"title":"Dune"}; at-least`;
const both = `${asked} → shelf:find_book + shelf:reserve_book`;
const dune = { title: 'Dune' };

/** Shapes of files in public repositories, rebuilt: their names of fields and their nesting. */
describe('cases in a shape found in a repository', () => {
  test.each<[shape: string, fileName: string, text: string, cases: string[]]>([
    [
      'a sequence with required arguments in criteria',
      'a.json',
      json({
        tasks: [
          {
            question: asked,
            eval_criteria: {
              expected_tool_sequence: [
                { tool_name: 'find_book', required_args: dune },
                { tool_name: 'reserve_book', required_args: {} },
              ],
            },
          },
        ],
      }),
      [`${asked} → shelf:find_book{"title":"Dune"} + shelf:reserve_book{}; ordered; at-least`],
    ],
    [
      'checks of a golden set',
      'a.json',
      json({ test_cases: [{ query: asked, checks: { expectedTools: ['find_book'], ms: 9 } }] }),
      [find],
    ],
    [
      'tools and their sequence',
      'a.jsonl',
      lines({
        inputs: { query: asked },
        outputs: {
          expected_tools: ['find_book', 'reserve_book'],
          expected_tool_sequence: ['find_book', 'reserve_book'],
        },
      }),
      [`${both}; ordered`],
    ],
    [
      'a goal with forbidden tools',
      'a.jsonl',
      lines(
        { id: 't', goal: asked, expectedTools: ['find_book'], forbiddenTools: [], readOnly: true },
        { id: 'h', goal: 'Hi', expectedTools: [], forbiddenTools: ['renew_loan'] },
      ),
      [find, 'Hi → no tool'],
    ],
    [
      'inputs of several turns',
      'a.yaml',
      `- {inputs: ['Hi', '${asked}'], expected_tools: [find_book]}`,
      [`${find}; user: Hi`],
    ],
    [
      'the first tool next to all of them',
      'a.json',
      json([
        {
          query: asked,
          expected_tools: ['find_book', 'reserve_book'],
          expected_first_tool: 'find_book',
          expected_args: { find_book: dune },
        },
        { query: 'Hi', expected_tools: [], expected_first_tool: null },
      ]),
      [`${asked} → shelf:find_book{"title":"Dune"} + shelf:reserve_book; exact`, 'Hi → no tool'],
    ],
    [
      'a list with the arguments of each tool',
      'a.py',
      `OFFERED = make()\nCASES = [{"prompt": "${asked}", "tools": [OFFERED], "task_id": "t1",
        "expected_tool": ["find_book", "find_book"],
        "expected_params": [{"title": "Dune"}, {"title": "Emma"}]}]\n`,
      [`${asked} → shelf:find_book{"title":"Dune"} + shelf:find_book{"title":"Emma"}; exact`],
    ],
    [
      'one case as a file of its own',
      'a.json',
      json({
        user_query: asked,
        ground_truth_tool_calls: [{ tool_name: 'find_book', args: dune }],
      }),
      [exact],
    ],
    [
      'a gold tool, or null',
      'a.jsonl',
      lines(
        { query: asked, gold_tool: 'find_book', gold_answer: 'x' },
        { query: 'Hi', gold_tool: null, gold_answer: 'x' },
      ),
      [find, 'Hi → no tool'],
    ],
    [
      'behavior with arguments that a call contains',
      'a.json',
      json([
        {
          user_message: asked,
          expected_behavior: {
            expected_tool_calls: [{ tool_name: 'find_book', args_contains: dune }],
            forbidden_tool_calls: ['renew_loan'],
          },
        },
      ]),
      [partly],
    ],
    [
      'calls that are forbidden with some arguments',
      'a.json',
      json([
        {
          question: asked,
          expectTools: [{ name: 'find_book', argsInclude: dune }],
          forbidTools: [{ name: 'find_room', argsInclude: { size: 2 } }],
        },
      ]),
      [partly],
    ],
    [
      'calls that should and should not be made in one list',
      'a.json',
      json([
        {
          prompt: asked,
          expected_tool_calls: [
            { name: 'find_book', should_call: true },
            { name: 'renew_loan', should_call: false },
          ],
        },
      ]),
      [find],
    ],
    [
      'scenarios with tools, messages and calls',
      'a.json',
      json({
        scenarios: [
          {
            tools: [{ type: 'function', function: { name: 'find_book', parameters: {} } }],
            messages: [{ role: 'user', content: asked }],
            expected_tool_calls: [{ name: 'find_book', arguments: dune }],
          },
        ],
      }),
      [exact],
    ],
    [
      'a table of tools and test prompts',
      'a.md',
      `# Prompts\n\n| Tool Name | Test Prompt |\n|:---|:---|\n| find_book | ${asked} |\n`,
      [find],
    ],
    [
      'prompts by tool',
      'a.json',
      json({ find_book: [asked, 'Do you have Emma?'], find_room: ['Is a room free?'] }),
      [find, 'Do you have Emma? → shelf:find_book', 'Is a room free? → room-plan:find_room'],
    ],
    [
      'tools by prompt',
      'a.json',
      json({ [asked]: 'find_book', 'How are you today?': null }),
      [find, 'How are you today? → no tool'],
    ],
    [
      'positive and negative prompts',
      'a.json',
      json({
        positive: [{ prompt: asked, tool: 'find_book' }],
        negative: [{ prompt: 'Write a poem' }],
      }),
      [`${find}; #positive`, 'Write a poem → no tool; #negative'],
    ],
    [
      'turns of a dialog, each with its calls',
      'a.json',
      json({
        dataset: [
          {
            turns: [
              { user: asked, expected_tool_calls: [{ name: 'find_book', args: dune }] },
              { user: 'Reserve it', expected_tool_calls: [{ name: 'reserve_book', args: {} }] },
            ],
          },
        ],
      }),
      [exact, `Reserve it → shelf:reserve_book{}; exact; user: ${asked}`],
    ],
    [
      'workflows of steps',
      'a.json',
      json({
        server: { transport: 'stdio', command: 'node' },
        workflows: [{ name: 'books', steps: [{ user: asked, expectTools: ['find_book'] }] }],
      }),
      [`${find}; #books`],
    ],
    [
      'tasks of a generator with tool parameters',
      'a.jsonl',
      lines({
        id: '1',
        goal: asked,
        tool_calls: [{ tool_name: 'find_book', tool_parameters: dune }],
      }),
      [exact],
    ],
    [
      'answers as JSON in a text',
      'a.json',
      json([
        {
          query: asked,
          answers: '[{"name": "find_book", "arguments": {"title": "Dune"}}]',
          tools: '[{"name": "find_book", "parameters": {}}]',
        },
      ]),
      [exact],
    ],
    [
      'chats whose calls stand in tags',
      'a.jsonl',
      lines({
        conversations: [
          { from: 'human', value: asked },
          {
            from: 'gpt',
            value:
              '<tool_call>\n{"name": "find_book", "arguments": {"title": "Dune"}}\n</tool_call>',
          },
        ],
      }),
      [exact],
    ],
    [
      'a reference trajectory next to a predicted one',
      'a.jsonl',
      lines({
        prompt: asked,
        reference_trajectory: [{ tool_name: 'find_book', tool_input: dune }],
        predicted_trajectory: [{ tool_name: 'list_loans', tool_input: {} }],
      }),
      [exact],
    ],
    [
      'calls with the definitions of tools',
      'a.jsonl',
      lines({
        query: asked,
        tool_calls: [{ type: 'tool_call', tool_call_id: 'c', name: 'find_book', arguments: dune }],
        tool_definitions: [{ name: 'find_book', parameters: {} }],
      }),
      [exact],
    ],
    [
      'names that only values and schemas tell',
      'a.json',
      json([{ user_says: asked, should_use: 'find_book', with_these: dune }]),
      [exact],
    ],
    [
      'a table with words between the names',
      'a.csv',
      `Prompt,Expected MCP Tool,Pass/Fail\n${asked},shelf.find_book,\nHi,(none),\nAny?,find_book / list_loans,\n`,
      [find, 'Hi → no tool', 'Any? → shelf:find_book|shelf:list_loans'],
    ],
    [
      'intents with entities',
      'a.tsv',
      `utterance\tintent\tentities\n${asked}\tfind_book\ttitle=Dune\nHi\tnone\t\n`,
      [exact, 'Hi → no tool'],
    ],
    [
      'expectations of elements in XML',
      'a.xml',
      `<tests><test id="1"><input>${asked}</input><expected><tool>find_book</tool><args><title>Dune</title></args></expected></test></tests>`,
      [exact],
    ],
    [
      'a case by its name, with a call by its tool',
      'a.yaml',
      `test_1:\n  question: ${asked}\n  tools_expected:\n    - find_book:\n        title: Dune\n`,
      [exact],
    ],
    [
      'a list in Markdown with arrows',
      'a.md',
      `# Eval\n\n1. **${asked}** → \`find_book\`\n2. **Hi** → none\n`,
      [find, 'Hi → no tool'],
    ],
    [
      'rows of a constant in TypeScript',
      'a.ts',
      `const cases: Case[] = [\n  ["${asked}", "find_book", { title: "Dune" }],\n  ["Hi", null, {}],\n];\n`,
      [exact, 'Hi → no tool'],
    ],
    [
      'positional arguments of a dataclass',
      'a.py',
      `CASES = [\n    Case("${asked}", "find_book"),\n    Case("What do I have?", "list_loans"),\n]\n`,
      [find, 'What do I have? → shelf:list_loans'],
    ],
    [
      'dataclasses with named arguments',
      'a.py',
      `CASES = [\n    Case(\n        query="${asked}",\n        expected_tool="find_book",\n        expected_args={"title": "Dune"},\n    ),\n]\n`,
      [exact],
    ],
    [
      'cases that a suite is given by calls',
      'a.py',
      `suite.add_case(\n    name="find",\n    user_message="${asked}",\n    expected_tool_calls=[ExpectedToolCall(func=find_book, args={"title": "Dune"})],\n)\n`,
      [exact],
    ],
    [
      'parameters of pytest with ids',
      'test_a.py',
      `@pytest.mark.parametrize("case", [\n    {"q": "${asked}", "tool": "find_book"},\n    pytest.param({"q": "Hi", "tool": None}, id="hi"),\n])\ndef test_it(case): ...\n`,
      [find, 'Hi → no tool'],
    ],
  ])('%s', (_shape, fileName, text, cases) => {
    const found = read(fileName, text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
  });

  test('makes tasks for a judge of prompts with an expected result in words', () => {
    const { tasks, problems, report } = read(
      'a.yaml',
      `evals:\n  - name: dune\n    prompt: ${asked}\n    expectedResult: Should say that it is there\n`,
    );
    expect(problems).toEqual([]);
    expect(tasks).toMatchObject([
      { id: 'dune', turns: [asked], checks: [{ judge: 'Should say that it is there' }] },
    ]);
    expect(report.approximated.map(({ what }) => what)).toEqual(['expectedResult']);
  });

  test('reads no case from a list that only forbids tools', () => {
    const { lines: cases, tasks } = read(
      'a.json',
      json([{ prompt: asked, expected_tool_calls: [{ name: 'renew_loan', should_call: false }] }]),
    );
    expect(cases).toEqual([]);
    expect(tasks).toMatchObject([{ checks: [{ calls: { never: ['renew_loan'] } }] }]);
  });

  test.each(['x}', '{)', 'a]', '{;', "f(a=']"])('never hangs on arguments such as %s', (text) => {
    const { problems, report } = read(
      'a.csv',
      `prompt,tool,args\n${asked},find_book,"${text}"\nWhere?,find_room,\n`,
    );
    expect(problems.length + report.skipped.length).toBeGreaterThan(0);
  });

  test('lets a person map the columns of a program whose roles nothing tells', () => {
    const text = `const rows = [\n  { aa: "${asked}", bb: "find_a_book" },\n];\n`;
    const { columns, problems } = read('a.ts', text);
    expect(columns?.names).toEqual(['aa', 'bb']);
    expect(problems).toEqual(['Which column has the expected tool? Choose one of "aa", "bb".']);
    const mapped = read('a.ts', text, { map: { query: 'aa', tool: 'bb' } });
    expect(mapped.lines).toEqual([`${asked} → jsonl:find_a_book`]);
  });

  const second = 'Keep Emma for me';
  /** Read with no correction, or with the given roles. */
  test.each<[shape: string, fileName: string, text: string, cases: string[], map?: ColumnMap]>([
    [
      'queries by tool in records',
      'a.json',
      json([
        { tool: 'find_book', queries: [asked] },
        { tool: 'reserve_book', queries: [second] },
      ]),
      [find, `${second} → shelf:reserve_book`],
    ],
    [
      'a right answer that is written as a call',
      'a.jsonl',
      lines({ question: asked, ground_truth: 'find_book(title="Dune")' }),
      [exact],
    ],
    [
      'calls of an interface',
      'a.jsonl',
      lines(
        { nl_query: asked, gold_calls: [{ api: 'find_book', params: dune }] },
        { nl_query: 'Hi', gold_calls: [] },
      ),
      [exact, 'Hi → no tool'],
    ],
    [
      'a list of calls as texts, by one correction',
      'a.jsonl',
      lines({ question: asked, answer: ["find_book(title='Dune')", 'reserve_book()'] }),
      [`${find}{"title":"Dune"} + shelf:reserve_book{}; exact`],
      { expected_calls: 'answer' },
    ],
    [
      'a step of behavior, by one correction',
      'a.yaml',
      `- given: A shelf\n  when: ${asked}\n  then:\n    tool_called: find_book\n`,
      [find],
      { expected_calls: 'then' },
    ],
    [
      'slots of an intent',
      'a.json',
      json([{ utterance: asked, intent: 'find_book', slots: dune }]),
      [exact],
    ],
    [
      'an expectation in an input and its expected output',
      'a.json',
      json({
        dataset: { items: [{ input: asked, expectedOutput: { tool_names: ['find_book'] } }] },
      }),
      [find],
    ],
    [
      'a table of TOML in a table',
      'a.toml',
      `[[test]]\nprompt = "${asked}"\n[test.expect]\ntool = "find_book"\n`,
      [find],
    ],
    [
      'steps of a task',
      'a.json',
      json([{ task: asked, steps: [{ tool: 'find_book', args: dune }, { tool: 'reserve_book' }] }]),
      [`${find}{"title":"Dune"} + shelf:reserve_book; ordered; exact`],
    ],
    [
      'constructors in a list of Python',
      'a.py',
      `CASES = [\n  EvalCase(prompt="${asked}", expected_tools=["find_book"]),\n  EvalCase(prompt="Hi", expected_tools=[]),\n]\n`,
      [find, 'Hi → no tool'],
    ],
    [
      'rules of a rubric',
      'a.json',
      json([{ prompt: asked, rubric: { required_tools: ['find_book'], max_steps: 3 } }]),
      [find],
    ],
    [
      'answers of a function-calling set as texts',
      'a.json',
      json([
        {
          ...{ id: 0, query: asked, tools: '[]' },
          answers: '[{"name": "find_book", "arguments": {"title": "Dune"}}]',
        },
      ]),
      [exact],
    ],
  ])('%s is read with at most one correction', (_shape, fileName, text, cases, map) => {
    const result = read(fileName, text, { ...(map && { map }) });
    expect(result.problems).toEqual([]);
    expect(result.lines).toEqual(cases);
  });
});
