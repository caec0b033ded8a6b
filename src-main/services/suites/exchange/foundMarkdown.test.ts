import { describe, expect, test } from 'vitest';
import { json, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const second = 'Keep Emma for me';
const find = `${asked} → shelf:find_book`;
const exact = `${find}{"title":"Dune"}; exact`;
const reserve = `${second} → shelf:reserve_book`;

describe('tables and headings of Markdown', () => {
  test.each<[shape: string, text: string, cases: string[]]>([
    [
      'a table with requests and arguments below each tool',
      `# Tests\n\n## find_book\n\n| Prompt | Arguments |\n| --- | --- |\n| ${asked} | {"title": "Dune"} |\n\n## \`reserve_book\`\n\n| Prompt | Arguments |\n| --- | --- |\n| ${second} | |\n`,
      [exact, reserve],
    ],
    [
      'a table below a heading with a number and the word tool',
      `## 1. Tool: find_book\n\n| Prompt |\n| --- |\n| ${asked} |\n\n## 2. Tool: reserve_book\n\n| Prompt |\n| --- |\n| ${second} |\n`,
      [find, reserve],
    ],
    [
      'lists below headings with the word tool',
      `## find_book tool\n\n- ${asked}\n\n## Tool: reserve_book\n\n- ${second}\n`,
      [find, reserve],
    ],
    [
      'several requests in the cell of a tool, one a line',
      `| Tool | Example prompts |\n| --- | --- |\n| find_book | ${asked}<br>- Is Emma there? |\n| reserve_book | ${second} |\n`,
      [find, 'Is Emma there? → shelf:find_book', reserve],
    ],
    [
      'several requests in the cell of a tool, each in quotes',
      `| Tool | Prompt |\n| --- | --- |\n| find_book | "${asked}", "Is Emma there?" |\n| reserve_book | Keep "Emma" or "Dune" |\n`,
      [find, 'Is Emma there? → shelf:find_book', 'Keep "Emma" or "Dune" → shelf:reserve_book'],
    ],
  ])('are cases: %s', (_shape, text, cases) => {
    const found = read('a.md', text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
  });

  test.each<[shape: string, text: string]>([
    [
      'with a line for the tool',
      `# Evals\n\n## ${asked}\n\nExpected tool: \`find_book\`\n\n## ${second}\n\nExpected tool: reserve_book\n`,
    ],
    [
      'with a number and what is expected',
      `## 1. ${asked}\n\n**Expected**: find_book\n\n## 2. ${second}\n\n**Expected**: reserve_book\n`,
    ],
    [
      'in quotes, with a list',
      `### "${asked}"\n- **Tool:** find_book\n\n### "${second}"\n- **Tool:** reserve_book\n`,
    ],
    [
      'behind the word prompt',
      `### Prompt 1: ${asked}\n\n- Tool: find_book\n\n### Prompt 2: ${second}\n\n- Tool: reserve_book\n`,
    ],
    [
      'with the name of the tool alone',
      `## ${asked}\n\n\`find_book\`\n\n## ${second}\n\n- reserve_book\n`,
    ],
  ])('says that headings are read as requests: %s', (_shape, text) => {
    const { lines, report } = read('a.md', text);
    expect(lines).toEqual([find, reserve]);
    expect(report.approximated).toMatchObject([
      { what: 'Heading', why: 'It is read as what is asked.' },
      { what: 'Heading', why: 'It is read as what is asked.' },
    ]);
  });

  test.each<[shape: string, text: string]>([
    [
      'names of cases',
      '## Test case 1: finds a book\n\n**Expected tool**: find_book\n\n## Case 2: keeps it\n\n**Expected tool**: reserve_book\n',
    ],
    ['a list of tools', '# A shelf of books\n\n## Available tools\n\n- find_book\n- list_loans\n'],
    ['tools with what they do', '## Tools of this server\n\n- find_book: finds\n'],
  ])('takes no heading for a request: %s', (_shape, text) => {
    expect(read('a.md', text).suite).toBeNull();
  });
});

describe('arguments without any', () => {
  const emptyOnes = ['""', 'null', '[]'] as const;
  const inCall = (given: string) =>
    `[{"query": "${asked}", "expected_tools": [{"name": "find_book", "arguments": ${given}}]}]`;
  const inField = (given: string) =>
    `[{"query": "${asked}", "expected_tool": "find_book", "expected_args": ${given}}]`;

  test.each(emptyOnes)('%s accepts any, in a call and in a field', (given) => {
    expect(read('a.json', inCall(given)).lines).toEqual([find]);
    expect(read('a.json', inField(given)).lines).toEqual([find]);
  });

  test('an empty object accepts a call without arguments alone', () => {
    expect(read('a.json', inCall('{}')).lines).toEqual([`${find}{}; exact`]);
    expect(read('a.json', inField('{}')).lines).toEqual([`${find}{}; exact`]);
  });

  test('an empty cell accepts any, and an object in a cell what it holds', () => {
    const text = `query,tool,arguments\n${asked},find_book,\n${second},reserve_book,{}\n`;
    expect(read('a.csv', text).lines).toEqual([find, `${reserve}{}; exact`]);
  });
});

describe('the configuration of a client with cases in it', () => {
  const mcpServers = { shelf: { command: 'node', args: ['shelf.js'], env: { KEY: 'x' } } };
  const cases = [{ prompt: asked, expected_tool: 'find_book' }];
  test.each<[shape: string, fileName: string, text: string, unread: string[]]>([
    ['beside its servers', 'a.json', json({ mcpServers, cases }), ['mcpServers']],
    [
      'beside servers and inputs',
      'mcp.json',
      json({
        servers: mcpServers,
        inputs: [{ type: 'promptString', id: 'key', description: 'The key of the shelf' }],
        tests: cases,
      }),
      ['servers', 'inputs'],
    ],
    [
      'beside a list of servers',
      'a.json',
      json({ servers: [{ name: 'shelf', command: 'node', args: ['shelf.js'] }], evals: cases }),
      ['servers'],
    ],
    [
      'inside of a server',
      'a.json',
      json({ mcpServers: { shelf: { ...mcpServers.shelf, evals: cases } } }),
      ['mcpServers.shelf.command', 'mcpServers.shelf.args', 'mcpServers.shelf.env'],
    ],
    [
      'in YAML',
      'a.yaml',
      `mcp_servers:\n  shelf:\n    command: node\n    args: [shelf.js]\ntest_cases:\n  - prompt: ${asked}\n    expected_tool: find_book\n`,
      ['mcp_servers'],
    ],
    [
      'in TOML',
      'a.toml',
      `[mcp_servers.shelf]\ncommand = "node"\nargs = ["shelf.js"]\n\n[[cases]]\nprompt = "${asked}"\nexpected_tool = "find_book"\n`,
      ['mcp_servers'],
    ],
  ])('is read, and the servers are named as left out: %s', (_shape, fileName, text, unread) => {
    const found = read(fileName, text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual([find]);
    expect(found.report.unreadFields).toEqual(unread);
  });
});
