import { describe, expect, test } from 'vitest';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const second = 'Keep Emma for me';
const dune = { title: 'Dune' };
const find = `${asked} → shelf:find_book`;
const both = `${asked} → shelf:find_book + shelf:reserve_book`;

/** Shapes of files in public repositories, rebuilt: what their checks and remarks say. */
describe('cases with checks of several kinds', () => {
  test.each<[shape: string, fileName: string, text: string, cases: string[]]>([
    [
      'the tool that is selected, or the tools of its steps',
      'a.jsonl',
      lines(
        { message: asked, expected: { selected_tool: 'find_book', arguments: dune, ask: false } },
        {
          message: second,
          expected: {
            selected_tool: null,
            step_tools: [{ tool: 'find_book', arguments: dune }, { tool: 'reserve_book' }],
          },
        },
        { message: 'Hi', expected: { selected_tool: null, step_tools: [] } },
      ),
      [
        `${find}{"title":"Dune"}; exact`,
        `${second} → shelf:find_book{"title":"Dune"} + shelf:reserve_book; exact`,
        'Hi → no tool',
      ],
    ],
    [
      'the first tool and those that must be used',
      'a.yaml',
      `scenarios:
  - {text: ${asked}, expect: {first_tool: find_book, must_use: [reserve_book]}}
  - {text: ${asked}, expect: {first_tool: find_book, must_use: [find_book]}}
  - {text: ${asked}, expect: {must_use: [find_book]}}
  - {text: ${asked}, expect: {first_tool: find_book, must_use: [reserve_book, find_book]}}
  - {text: ${asked}, expect: {first_tool: find_book}}
`,
      [`${both}; ordered`, find, find, `${asked} → shelf:reserve_book + shelf:find_book`, find],
    ],
    [
      'a remark behind the name of a tool',
      'a.json',
      json([{ query: asked, expected_tools: ['find_book (by title)', 'reserve_book'] }]),
      [both],
    ],
    [
      'words that the arguments contain, without the names of these',
      'a.json',
      json([{ prompt: asked, expected_tool: 'find_book', expected_args: ['Dune', 'a shelf'] }]),
      [find],
    ],
    [
      'a switch that says how a tool is called',
      'a.json',
      json([
        { prompt: asked, expected_tool: 'find_book', require_native_tool_call: true },
        { prompt: 'Hi', expected_tool: 'none', require_native_tool_call: true },
      ]),
      [find, 'Hi → no tool'],
    ],
    [
      'lines of JSON with comments of another language',
      'a.jsonl',
      `# Run it with all servers.\n${lines({ prompt: asked, tool: 'find_book' })}\n# The rest is new.\n${lines({ prompt: second, tool: 'reserve_book' })}\n`,
      [find, `${second} → shelf:reserve_book`],
    ],
    [
      'evaluators of Python by their types',
      'a.py',
      `cases = [
    Case(
        name="a",
        inputs="${asked}",
        evaluators=[ToolWasCalled("find_book", min_times=2), ResponseContains("Dune", case_sensitive=False)],
    ),
    Case(name="b", inputs="${second}", evaluators=[ToolSequence(["find_book", "reserve_book"])]),
    Case(name="c", inputs="${asked}", evaluators=[ToolWasCalled(tool_name="find_book")]),
]
`,
      [
        `${asked} → shelf:find_book + shelf:find_book`,
        `${second} → shelf:find_book + shelf:reserve_book; ordered`,
        find,
      ],
    ],
    [
      'a computed text that the answer contains',
      'a.py',
      `TODAY = now()
CASES = [
    Case(question="${asked}", expect_contains=[TODAY], expect_tools=["find_book"]),
]
`,
      [find],
    ],
  ])('%s', (_shape, fileName, text, cases) => {
    const { problems, lines: found, report } = read(fileName, text);
    expect(problems).toEqual([]);
    expect(report.skipped).toEqual([]);
    expect(found).toEqual(cases);
  });

  test.each<[what: string, value: object, named: string]>([
    [
      'a remark',
      { query: asked, expected_tools: ['find_book (by title)'] },
      'find_book (by title)',
    ],
    [
      'words without names of arguments',
      { query: asked, expected_tool: 'find_book', expected_args: ['Dune'] },
      'expected_args',
    ],
  ])('%s that isn’t imported is named in the report', (_what, value, named) => {
    expect(read('a.json', json([value])).report.approximated).toMatchObject([{ what: named }]);
  });

  test.each(['find_book (not reserve_book)', 'find_book (optional)', 'find_book (or nothing)'])(
    '%s is refused, because the remark may change what is right',
    (text) => {
      const { lines: cases, report } = read(
        'a.json',
        json([
          { query: asked, expected_tools: [text] },
          { query: second, expected_tools: ['reserve_book'] },
        ]),
      );
      expect(cases).toEqual([`${second} → shelf:reserve_book`]);
      expect(report.skipped).toHaveLength(1);
    },
  );

  test('a computed name of a tool leaves its case out', () => {
    const { lines: cases, report } = read(
      'a.py',
      `CASES = [
    Case(question="${asked}", expect_tools=[NAME]),
    Case(question="${second}", expect_tools=["reserve_book"]),
]
`,
    );
    expect(cases).toEqual([`${second} → shelf:reserve_book`]);
    expect(report.skipped).toMatchObject([{ line: 2 }]);
  });

  test.each<[what: string, records: object[]]>([
    [
      'switches of a search',
      [
        { question: asked, expected_single_process: true, expected_exact_match: false },
        { question: second, expected_single_process: true, expected_exact_match: true },
      ],
    ],
    [
      'checks of an answer',
      [
        { question: asked, expected: { intent: 'data', chart_present: true, rows_at_least: 6 } },
        { question: second, expected: { intent: 'talk', chart_present: false, rows_at_least: 0 } },
      ],
    ],
  ])('%s with yes and no are no tools', (_what, records) => {
    const { lines: cases, problems } = read('a.json', json(records));
    expect(cases).toEqual([]);
    expect(problems).toMatchObject([
      expect.stringContaining('Which column has the expected tool?'),
    ]);
  });
});
