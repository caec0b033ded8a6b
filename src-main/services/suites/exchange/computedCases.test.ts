import { expect, it, test } from 'vitest';
import { read } from './readBack.fixture.ts';

const code = (what: string): string =>
  `It is made by other code (${what}), which isn’t run. Write its values out, or let the program print its cases as JSON.`;

const readProgram = (fileName: string, lines: readonly string[]) => {
  const { suite, report, problems } = read('jsonl', lines.join('\n'), { server: 's', fileName });
  return {
    queries: suite?.cases.map(({ query }) => query) ?? [],
    skipped: report.skipped.map(({ line, why }) => ({ line, why })),
    problems: problems.map(({ message }) => message),
  };
};

test.each<[string, string[], string]>([
  [
    'cases.py',
    [
      'CASES = [{"query": "Where is it now?", "expected_tool": "track"}]',
      'CASES.append({"query": "Find the blue book", "expected_tool": "find"})',
      'for q in QUERIES:',
      '    CASES.append({"query": q, "expected_tool": "find"})',
      'CASES.extend([{"query": "Find the red book", "expected_tool": "find"}])',
    ],
    'q',
  ],
  [
    'cases.ts',
    [
      'const cases: Case[] = [{ query: "Where is it now?", expectedTool: "track" }];',
      'cases.push({ query: "Find the blue book", expectedTool: "find" });',
      'for (const q of queries)',
      '  cases.push({ query: q, expectedTool: "find" });',
      'cases.push({ query: "Find the red book", expectedTool: "find" });',
      'export default cases;',
    ],
    'q',
  ],
])('%s: cases that are added to a list are read, and those of a loop are counted', (...given) => {
  const [fileName, lines, what] = given;
  expect(readProgram(fileName, lines)).toEqual({
    queries: ['Where is it now?', 'Find the blue book', 'Find the red book'],
    skipped: [{ line: 4, why: code(what) }],
    problems: [],
  });
});

it('counts records of a call that are added to a list', () => {
  const { queries, skipped } = readProgram('cases.py', [
    'CASES = [{"query": "Where is it now?", "expected_tool": "track"}]',
    'CASES.append(make("b"))',
    'CASES.extend(load_cases())',
  ]);
  expect(queries).toEqual(['Where is it now?']);
  expect(skipped.map(({ why }) => why)).toEqual([code('make("b")'), code('load_cases()')]);
});

test.each([
  ['cases.ts', 'export const cases = queries.map((q) => ({ query: q, expectedTool: "find" }));'],
  ['cases.py', 'def cases():\n    for q in QUERIES:\n        yield make(q)\n'],
])('%s: a program that computes all of its cases is told to print them', (fileName, text) => {
  expect(readProgram(fileName, [text])).toEqual({
    queries: [],
    skipped: [],
    problems: [
      'No list of cases is written out in this program, and it isn’t run. Let it print its cases as JSON, and import what it prints.',
    ],
  });
});

it('reads a case whose answer a function checks, and names the function', () => {
  const { suite, report } = read(
    'jsonl',
    'export const cases = [{ prompt: "Where is it now?", expectedTool: "track", assertions: (args) => args.id === 1 }];',
    { server: 's', fileName: 'cases.ts' },
  );
  expect(suite?.cases.map(({ query }) => query)).toEqual(['Where is it now?']);
  expect(JSON.stringify(report.approximated)).toContain('"assertions"');
});
