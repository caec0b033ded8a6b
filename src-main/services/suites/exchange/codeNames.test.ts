import { describe, expect, test } from 'vitest';
import { json, read } from './shapes.fixture.ts';

const find = 'Is Dune there? → shelf:find_book';
const renew = 'Keep Emma longer → shelf:renew_loan';
const cases = (a: string, b: string): string =>
  `[{ "query": "Is Dune there?", "expected_tool": ${a} }, { "query": "Keep Emma longer", "expected_tool": ${b} }]`;

describe('a name in the cases of a program', () => {
  test.each<[what: string, fileName: string, text: string]>([
    [
      'constants of TypeScript',
      'a.ts',
      `const FIND = 'find_book';\nconst RENEW: string = "renew_loan";\nexport const cases = ${cases('FIND', 'RENEW')};`,
    ],
    [
      'an object',
      'a.ts',
      `export const TOOLS = { find: 'find_book', renew: 'renew_loan' } as const;\nexport const cases = ${cases('TOOLS.find', 'TOOLS.renew')};`,
    ],
    [
      'an enumeration of TypeScript',
      'a.ts',
      `enum Tool {\n  Find = 'find_book',\n  Renew = 'renew_loan',\n}\nexport const cases = ${cases('Tool.Find', 'Tool.Renew')};`,
    ],
    [
      'an enumeration of Python',
      'a.py',
      `class Tool(str, Enum):\n    FIND = "find_book"\n    RENEW = "renew_loan"\n\nCASES = ${cases('Tool.FIND', 'Tool.RENEW.value')}\n`,
    ],
    [
      'constants of Go',
      'a.go',
      `package a\n\nconst toolFind = "find_book"\nconst toolRenew = "renew_loan"\n\nvar cases = []Case{\n\t{Query: "Is Dune there?", ExpectedTool: toolFind},\n\t{Query: "Keep Emma longer", ExpectedTool: toolRenew},\n}\n`,
    ],
    [
      'a call of dict',
      'a.py',
      `FIND = "find_book"\nCASES = dict(\n  a=dict(query="Is Dune there?", expected_tool=FIND),\n  b=dict(query="Keep Emma longer", expected_tool="renew_loan"),\n)\n`,
    ],
  ])('stands for the text that %s give it', (_what, fileName, text) => {
    expect(read(fileName, text).lines).toStrictEqual([find, renew]);
  });

  test('is left out where the program sets it twice', () => {
    const text = `let find = 'find_book';\nif (isNew) find = 'search_book';\nexport const cases = ${cases('find', "'renew_loan'")};`;
    const { lines, report } = read('a.ts', text);
    expect(lines).toStrictEqual([renew]);
    expect(report.skipped).toHaveLength(1);
  });
});

test('cases in the code of a notebook are read', () => {
  const cell = {
    cell_type: 'code',
    source: ['CASES = [\n', `  *${cases('"find_book"', '"renew_loan"')},\n`, ']'],
  };
  const plain = { cell_type: 'code', source: `CASES = ${cases('"find_book"', '"renew_loan"')}` };
  const notebook = (cells: unknown[]): string => json({ nbformat: 4, cells });
  expect(
    read('a.ipynb', notebook([{ cell_type: 'markdown', source: ['# CASES = [1]'] }, plain])).lines,
  ).toStrictEqual([find, renew]);
  expect(read('a.ipynb', notebook([cell])).lines).toStrictEqual([]);
});

test('an expectation with the arguments below the name of each tool is a list of calls', () => {
  const records = [
    { query: 'Is Dune there?', expected: { find_book: { title: 'Dune' } } },
    { query: 'Keep Emma longer', expected: { list_loans: {}, reserve_book: null } },
  ];
  expect(read('a.json', json(records)).lines).toStrictEqual([
    `${find}{"title":"Dune"}; exact`,
    'Keep Emma longer → shelf:list_loans{} + shelf:reserve_book{}; exact',
  ]);
});

test('a list of requests for which no tool should be called is read beside the cases', () => {
  const document = {
    tool_tests: [{ query: 'Is Dune there?', tool: 'find_book' }],
    negative_cases: ['Say hello to my sister'],
  };
  expect(read('a.json', json(document)).lines).toStrictEqual([
    `${find}; #tool_tests`,
    'Say hello to my sister → no tool; #negative_cases',
  ]);
});
