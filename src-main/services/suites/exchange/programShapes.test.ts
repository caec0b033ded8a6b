import { describe, expect, test } from 'vitest';
import { read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const thanks = 'Say hello to my sister';
const find = `${asked} → shelf:find_book`;
const none = `${thanks} → no tool`;

describe('cases in a program', () => {
  test.each<[language: string, fileName: string, text: string, cases: string[]]>([
    [
      'Go, by names of fields',
      'picks_test.go',
      `package evals\n\nvar picks = []Pick{\n\t{Query: "${asked}", Tool: "find_book", Args: map[string]any{"title": "Dune"}},\n\t{Query: "${thanks}", Tool: ""},\n}\n`,
      [`${find}{"title":"Dune"}; exact`, none],
    ],
    [
      'Go, by the order of fields',
      'picks_test.go',
      `package evals\n\nfunc TestPicks(t *testing.T) {\n\ttests := []struct {\n\t\tname, query string\n\t\twantTool string // none: ""\n\t}{\n\t\t{"book", "${asked}", "find_book"},\n\t\t{"none", \`${thanks}\`, "none"},\n\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) { pick(tt.query) })\n\t}\n}\n`,
      [find, none],
    ],
    [
      'Go, requests by tool',
      'picks_test.go',
      `package evals\n\nvar queries = map[string][]string{\n\t"find_book": {"${asked}", "Look for Emma"},\n\t"renew_loan": {"Keep Emma longer"},\n}\n`,
      [find, 'Look for Emma → shelf:find_book', 'Keep Emma longer → shelf:renew_loan'],
    ],
    [
      'Rust, with options and owned texts',
      'picks.rs',
      `use evals::Case;\n\nfn cases() -> Vec<Case<'static>> {\n    vec![\n        Case { query: "${asked}".to_string(), expected_tool: Some("find_book"), ..Default::default() },\n        Case { query: String::from(r#"${thanks}"#), expected_tool: None },\n    ]\n}\n`,
      [find, none],
    ],
    [
      'Rust, as tuples',
      'picks.rs',
      `const PICKS: &[(&str, &str)] = &[\n    ("${asked}", "find_book"), // a title\n    ("Keep Emma longer", "renew_loan"),\n];\n`,
      [find, 'Keep Emma longer → shelf:renew_loan'],
    ],
    [
      'Java, as a record',
      'Picks.java',
      `package evals;\n\nclass Picks {\n  record Pick(String query, List<String> expectedTools) {}\n\n  static final List<Pick> PICKS = List.of(\n      new Pick("${asked}", List.of("find_book", "reserve_book")),\n      new Pick("${thanks}", List.of()));\n}\n`,
      [`${asked} → shelf:find_book + shelf:reserve_book`, none],
    ],
    [
      'Java, as arguments of a test',
      'PicksTest.java',
      `import java.util.stream.Stream;\n\nclass PicksTest {\n  static Stream<Arguments> picks() {\n    return Stream.of(\n        Arguments.of("${asked}", "find_book"),\n        Arguments.of("Keep Emma longer", "renew_loan"));\n  }\n}\n`,
      [find, 'Keep Emma longer → shelf:renew_loan'],
    ],
    [
      'Kotlin, with a data class and pairs',
      'Picks.kt',
      `package evals\n\ndata class Pick(val query: String, val tool: String?, val args: Map<String, String> = emptyMap())\n\nval picks = listOf(\n    Pick("${asked}", "find_book", mapOf("title" to "Dune")),\n    Pick(query = "${thanks}", tool = null),\n)\n`,
      [`${find}{"title":"Dune"}; exact`, none],
    ],
    [
      'C#, with initializers',
      'Picks.cs',
      `using System;\n\nstatic class Picks {\n  public static readonly List<Pick> All = new() {\n    new Pick { Query = "${asked}", ExpectedTool = "find_book" },\n    new Pick { Query = @"${thanks}", ExpectedTool = null },\n  };\n}\n`,
      [find, none],
    ],
    [
      'C#, with the data of a theory',
      'PicksTests.cs',
      `using Xunit;\n\npublic class PicksTests {\n  [Theory]\n  [InlineData("${asked}", "find_book")]\n  [InlineData("Keep Emma longer", "renew_loan")]\n  public async Task PicksTheTool(string prompt, string expectedTool) { await Ask(prompt); }\n}\n`,
      [find, 'Keep Emma longer → shelf:renew_loan'],
    ],
    [
      'Swift',
      'Picks.swift',
      `let picks: [Pick] = [\n  Pick(query: "${asked}", expectedTool: "find_book"),\n  .init(query: "${thanks}", expectedTool: nil),\n]\n`,
      [find],
    ],
    [
      'Ruby',
      'picks.rb',
      `# frozen_string_literal: true\nPICKS = [\n  { query: "${asked}", tool: :find_book, args: { title: "Dune" } },\n  { :query => '${thanks}', :tool => nil },\n].freeze\n`,
      [`${find}{"title":"Dune"}; exact`, none],
    ],
    [
      'PHP',
      'picks.php',
      `<?php\nreturn [\n  ['query' => '${asked}', 'expected_tool' => 'find_book'],\n  ['query' => 'Keep ' . 'Emma longer', 'expected_tool' => 'renew_loan'],\n];\n`,
      [find, 'Keep Emma longer → shelf:renew_loan'],
    ],
    [
      'C++, by the order of fields',
      'picks.cpp',
      `#include <string>\nstruct Pick { std::string query; std::string tool; };\nstd::vector<Pick> picks = {\n  {"${asked}", "find_book"},\n  {"Keep Emma longer", "renew_loan"},\n};\n`,
      [find, 'Keep Emma longer → shelf:renew_loan'],
    ],
    [
      'TypeScript, in a table of a template',
      'picks.test.ts',
      `import { it } from 'vitest';\nit.each\`\n  query | expectedTool | args\n  \${'${asked}'} | \${'find_book'} | \${{ title: 'Dune' }}\n  \${'${thanks}'} | \${null} | \${undefined}\n\`('picks for $query', async ({ query }) => { await ask(query); });\n`,
      [`${find}{"title":"Dune"}; exact`, none],
    ],
    [
      'TypeScript, in the tables of each',
      'picks.test.ts',
      `test.concurrent.each([\n  { query: '${asked}', tool: 'find_book' },\n] as const)('picks', check);\ndescribe.each([['Keep Emma longer', 'renew_loan']])('%s', (query, tool) => {});\n`,
      [find],
    ],
    [
      'a snapshot of Vitest',
      'picks.test.ts.snap',
      `// Vitest Snapshot v1\n\nexports[\`picks > book 1\`] = \`\n{\n  "args": {\n    "title": "Dune",\n  },\n  "query": "${asked}",\n  "tool": "find_book",\n}\n\`;\n\nexports[\`picks > none 1\`] = \`\nObject {\n  "query": "${thanks}",\n  "tool": null,\n}\n\`;\n`,
      [`${find}{"title":"Dune"}; exact`, none],
    ],
    [
      'a snapshot of syrupy',
      'test_picks.ambr',
      `# serializer version: 1\n# name: test_picks[book]\n  dict({\n    'query': '${asked}',\n    'expected_tools': list([\n      'find_book',\n      'reserve_book',\n    ]),\n  })\n# ---\n# name: test_picks[none]\n  dict({\n    'query': '${thanks}',\n    'expected_tools': list([\n    ]),\n  })\n# ---\n`,
      [`${asked} → shelf:find_book + shelf:reserve_book`, none],
    ],
  ])('is read from %s', (_language, fileName, text, cases) => {
    expect(read(fileName, text).lines).toStrictEqual(cases);
  });

  test('is left out with its line where other code makes a value of it', () => {
    const text = `var picks = []Pick{\n\t{Query: "${asked}", Tool: "find_book"},\n\t{Query: fmt.Sprintf("Is %s there?", title), Tool: "find_book"},\n}\n`;
    const { lines, report } = read('picks_test.go', text);
    expect(lines).toStrictEqual([find]);
    expect(report.skipped).toMatchObject([
      { line: 3, why: expect.stringContaining('It is made by other code (fmt.Sprintf') },
    ]);
  });

  test('is nowhere in a program that computes all of them, and what it is, is said', () => {
    const { problems } = read('picks.rs', 'fn cases() -> Vec<Case> { load("cases.json") }\n');
    expect(problems).toStrictEqual([
      expect.stringContaining('It isn’t run; only constants that are written out are read.'),
    ]);
  });
});

describe('a scenario of a feature', () => {
  test('says in its steps what is asked, which tools are called and with what', () => {
    const text = `@shelf
Feature: Picks
  Background:
    Given the server "shelf" is running
  Scenario: Book
    When the user asks "${asked}"
    Then the agent calls "find_book" with the arguments
      | title | Dune |
    And it does not call "renew_loan"
  Scenario: Both
    When I say:
      """
      Find Dune and keep it for me
      """
    Then the tools "find_book" and "reserve_book" are used
  Scenario: None
    When the user asks "${thanks}"
    Then no tool is called
`;
    const { lines, report } = read('picks.feature', text);
    expect(lines).toStrictEqual([
      `${find}{"title":"Dune"}; exact; #shelf`,
      'Find Dune and keep it for me → shelf:find_book + shelf:reserve_book; #shelf',
      `${none}; #shelf`,
    ]);
    expect(JSON.stringify(report.approximated)).toContain('steps');
  });

  test('is one for each row of its examples', () => {
    const text = `Feature: Picks
  Scenario Outline: <tool>
    Given the user asks "<request>"
    Then the agent calls <tool>
    Examples:
      | request | tool |
      | ${asked} | find_book |
      | Keep Emma longer | renew_loan |
`;
    expect(read('picks.feature', text).lines).toStrictEqual([
      find,
      'Keep Emma longer → shelf:renew_loan',
    ]);
  });
});
