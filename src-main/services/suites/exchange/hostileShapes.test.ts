import { describe, expect, test } from 'vitest';
import { guessFormat } from '../../../../src-shared/display/guessFormat.ts';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const sung = 'Sing a song';
const find = `${asked} → shelf:find_book`;
const none = `${sung} → no tool`;
const exact = `${find}{"title":"Dune"}; exact`;
const dune = { title: 'Dune' };
const cell = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;

describe('cases in an unusual form', () => {
  test.each<[form: string, fileName: string, text: string, cases: string[]]>([
    [
      'a record below a word for it, with a number beside it',
      'a.json',
      json([
        { no: 1, test: { prompt: asked, expected_tool: 'find_book' } },
        { no: 2, test: { prompt: sung, expected_tool: null } },
      ]),
      [find, none],
    ],
    [
      'records by name of which only the values say what is expected',
      'a.json',
      json({ one: { ask: asked, expect: 'find_book' }, two: { ask: sung, expect: 'none' } }),
      [find, none],
    ],
    [
      'lists of different names in one line',
      'a.json',
      JSON.stringify({
        suites: {
          a: { cases: [{ query: asked, expected_tools: ['find_book'] }] },
          b: { tests: [{ question: sung, expected_tools: [] }] },
        },
      }),
      [`${find}; #suites.a.cases`, `${none}; #suites.b.tests`],
    ],
    [
      'a list for the requests that need no tool, and one of the tools',
      'a.json',
      json({
        tool_use_evals: [{ prompt: asked, expected_tool: 'find_book' }],
        abstention_evals: [{ prompt: sung }],
        tools: [{ name: 'find_book', description: 'Finds a book.' }],
      }),
      [`${find}; #tool_use_evals`, `${none}; #abstention_evals`],
    ],
    [
      'conversations as JSON in the cells of a table',
      'a.csv',
      `messages\n${cell([
        { role: 'user', content: asked },
        { role: 'assistant', tool_calls: [{ function: { name: 'find_book', arguments: dune } }] },
      ])}\n`,
      [exact],
    ],
    [
      'objects as JSON in the cells of a table',
      'a.csv',
      `inputs,outputs\n${cell({ question: asked })},${cell({ trajectory: ['find_book'] })}\n`,
      [find],
    ],
    [
      'objects as JSON in the texts of a list',
      'a.json',
      json([
        { inputs: '{"question": "Is Dune there?"}', outputs: '{"trajectory": ["find_book"]}' },
      ]),
      [find],
    ],
    [
      'a name in a client’s form next to its server',
      'a.json',
      json([
        { query: asked, server: 'shelf', tool: 'mcp__shelf__find_book' },
        { query: asked, server: 'shelf', tool: 'shelf.find_book' },
        { query: asked, server: 'shelf', tool: 'shelf/find_book' },
      ]),
      [find, find, find],
    ],
    [
      'a name with that of a server that isn’t registered',
      'a.json',
      json([{ query: asked, server: 'post', tool: 'post__send_letter' }]),
      [`${asked} → post:send_letter`],
    ],
    [
      'alternatives that few records have',
      'a.jsonl',
      lines(
        { frage: asked, werkzeug: 'find_book' },
        {
          frage: 'Which loans are open?',
          werkzeug: 'list_loans',
          acceptable_tools: ['renew_loan'],
        },
        { frage: 'Is a room free?', werkzeug: 'find_room' },
      ),
      [
        find,
        'Which loans are open? → shelf:list_loans|shelf:renew_loan',
        'Is a room free? → room-plan:find_room',
      ],
    ],
    [
      'a call that is null where the answer is a text',
      'a.json',
      json([
        { query: asked, ground_truth: { function_call: { name: 'find_book', arguments: dune } } },
        { query: sung, ground_truth: { function_call: null, text: 'La la.' } },
      ]),
      [exact, none],
    ],
    [
      'arguments of which it only says that they are required',
      'a.json',
      json([
        { query: asked, tool: 'find_book', expected_parameters: { title: 'required' } },
        { query: asked, tool: 'find_book', expected_args: { title: '<the title>' } },
      ]),
      [`${find}{"title":{"$ignore":true}}`, `${find}{"title":{"$ignore":true}}; exact`],
    ],
    [
      'a plan with all of the steps next to its target',
      'a.json',
      json([
        {
          query: asked,
          expected_target: 'reserve_copy',
          expected_plan: ['find_copy', 'reserve_copy'],
        },
      ]),
      [`${asked} → jsonl:find_copy + jsonl:reserve_copy; ordered`],
    ],
    [
      'an answer that is one of the tools that are offered',
      'a.json',
      json([
        { query: asked, tools: ['fetch_copy', 'lend_copy'], answer: 'fetch_copy' },
        { query: sung, tools: ['fetch_copy', 'lend_copy'], answer: 'no tool' },
      ]),
      [`${asked} → jsonl:fetch_copy`, none],
    ],
    [
      'the word for no tool in a criterion for a judge',
      'a.json',
      json([
        {
          query: sung,
          expected_tools: [],
          scoring_criteria: { no_tool_calls: 'No tool of the shelf is called' },
        },
        { query: asked, expected_tools: ['find_book'] },
      ]),
      [none, find],
    ],
    [
      'our fields around cases that name their tool in another way',
      'a.json',
      json({ name: 'x', version: 1, cases: [{ prompt: asked, toolName: 'find_book' }] }),
      [find],
    ],
    [
      'tools under a name that isn’t theirs, of which each record has others',
      'a.json',
      json([
        { utterance: asked, mcp_tools: ['fetch_copy'], success_criteria: 'It is found.' },
        { utterance: sung, mcp_tools: ['sing_song', 'play_song'], success_criteria: 'It sings.' },
      ]),
      [`${asked} → jsonl:fetch_copy`, `${sung} → jsonl:sing_song + jsonl:play_song`],
    ],
    [
      'chains of which each is right',
      'a.json',
      json([{ question: asked, baseline_tool_chains: [['find_book'], ['list_loans']] }]),
      [`${asked} → shelf:find_book|shelf:list_loans`],
    ],
    [
      'steps in a trace that is JSON in a text',
      'a.jsonl',
      lines({
        prompt: asked,
        expected_trace: JSON.stringify({ steps: [{ tool_name: 'find_book', arguments: dune }] }),
      }),
      [exact],
    ],
    [
      'switches and words beside the arguments',
      'a.json',
      json([
        {
          prompt: asked,
          expected_tool: 'find_book',
          expected_params: dune,
          parameter_pattern: 'title',
          scoring: { require_exact_arguments: true, allow_extra_tool_calls: false },
        },
        { prompt: sung, expected_tool: 'none', expected_params: {}, parameter_pattern: 'empty' },
      ]),
      [exact, none],
    ],
    [
      'documents of YAML, each a case',
      'a.yaml',
      `---\nprompt: ${asked}\nexpected_function_calls:\n  - name: find_book\n---\nprompt: ${sung}\nexpected_function_calls: []\n`,
      [find, none],
    ],
    [
      'sessions of tests of agents',
      'a.yaml',
      `providers: [{name: p}]\nagents: [{name: a}]\nsessions:\n  - name: s\n    tests:\n      - prompt: ${asked}\n        assertions:\n          - {type: tool_called, tool: find_book}\n          - {type: tool_called, tool: renew_loan}\n          - {type: tool_param_equals, tool: find_book, params: {title: Dune}}\n          - {type: tool_call_order, sequence: [find_book, renew_loan]}\n          - {type: no_hallucinated_tools}\n`,
      [`${asked} → shelf:find_book{"title":"Dune"} + shelf:renew_loan; ordered; at-least; #s`],
    ],
    [
      'the word for no tool as the name of a call',
      'a.json',
      json([
        { query: asked, expected_function: { name: 'find_book', arguments: '{"title": "Dune"}' } },
        { query: sung, expected_function: { name: 'none' } },
      ]),
      [exact, none],
    ],
    [
      'the reason of a refusal',
      'a.yaml',
      `- {query: '${asked}', expected_tool: find_book}\n- {query: ${sung}, expected_refusal: out_of_scope}\n`,
      [find, none],
    ],
    [
      'a version in three parts around cases with messages',
      'a.yaml',
      `version: 1.0.0\ncases:\n  - name: n\n    input_messages: [{role: user, content: ${sung}}]\n    allowed_tools: []\n`,
      [none],
    ],
    [
      'a program whose lines end in CR and LF',
      'a.ts',
      'export const cases = [\r\n  { query: `Is Dune\r\nthere?`, expected_tool: "find_book" },\r\n];\r\n',
      ['Is Dune\nthere? → shelf:find_book'],
    ],
  ])('%s is read', (_form, fileName, text, cases) => {
    const found = read(fileName, text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
  });

  test.each([
    ['should_be_called', true, false],
    ['is_tool_expected', true, false],
    ['relevant', true, false],
    ['label', 1, 0],
    ['kind', 'positive', 'negative'],
    ['expected_behavior', 'call', 'no_call'],
  ])('“%s” says of the tool next to it whether it should be called', (name, yes, no) => {
    const { lines: cases, tasks } = read(
      'a.jsonl',
      lines(
        { query: asked, tool: 'find_book', [name]: yes },
        { query: sung, tool: 'find_book', [name]: no },
      ),
    );
    expect(cases).toEqual([find]);
    expect(tasks).toMatchObject([{ turns: [sung], checks: [{ calls: { never: ['find_book'] } }] }]);
  });

  test('what is guessed by values is named where no server has the tools', () => {
    const guess = (tools: string[]) =>
      read('a.json', json(tools.map((intent) => ({ query: asked, intent })))).report;
    expect(guess(['fetch_copy', 'lend_copy', 'find_copy']).approximated).toMatchObject([
      { what: 'intent', why: expect.stringContaining('No registered server has it.') },
      {},
      {},
    ]);
    expect(guess(['find_book', 'renew_loan']).exact).toBe(2);
    const slugs = read('a.json', json([{ query: asked, target: 'getting-started/dune' }]));
    expect(slugs.problems).toMatchObject([
      expect.stringContaining('Which column has the expected tool'),
    ]);
  });

  test('an empty cell says nothing in a column of lists that can be empty', () => {
    const { lines: cases, report } = read(
      'a.csv',
      `query,expected_tools\n${asked},"[""find_book""]"\n${sung},[]\nIs it late?,\n`,
    );
    expect(cases).toEqual([find, none]);
    expect(report.skipped).toMatchObject([{ line: 4 }]);
  });

  test('false and an empty text in a list mean no tool once a person says that it is the list', () => {
    const text = json([
      { query: asked, expected_tools: ['find_book'] },
      { query: sung, expected_tools: '' },
      { query: sung, expected_tools: false },
    ]);
    expect(read('a.json', text).report.skipped).toHaveLength(2);
    expect(read('a.json', text, { map: { expected_calls: 'expected_tools' } }).lines).toEqual([
      find,
      none,
      none,
    ]);
  });

  test('records with lists of objects that name no tool are one list, and their tool is asked for', () => {
    const text = json([
      { frage: asked, werkzeuge: [{ title: 'a' }], treffer: [{ text: 'b' }] },
      { frage: sung, werkzeuge: [{ title: 'c' }], treffer: [{ text: 'd' }] },
    ]);
    expect(read('a.json', text).problems).toMatchObject([
      expect.stringContaining('add a column with the expected tool'),
    ]);
  });

  test('the messages of a conversation are no cases', () => {
    const said = lines(
      { role: 'user', content: asked },
      {
        role: 'agent',
        content: 'Yes.',
        tool_calls: [],
        notes_of_quality: 'Polite and to the point',
      },
    );
    expect(read('a.jsonl', said).problems).toMatchObject([
      expect.stringContaining('is a message of a conversation, not a case'),
    ]);
  });

  test('a suite of ours without cases stays one', () => {
    expect(guessFormat('a.json', json({ name: 'x', version: 1, cases: [] }))).toBe('touchstone');
    expect(
      guessFormat(
        'a.yaml',
        'version: 1\nname: x\ncases:\n  - query: a\n    expected_calls:\n      - tool: b\n',
      ),
    ).toBe('touchstone');
  });
});
