import { describe, expect, test } from 'vitest';
import { caseFormats } from '../../../src-shared/contract/suites.ts';
import { readCases } from './exchange/readCases.ts';
import { validateSuiteText } from './suiteFile.ts';

const markdown =
  '# Prompts to try\n\nRun these by hand, one by one.\n\n| # | Prompt | Expected tool |\n' +
  '|---|--------|---------------|\n| 1 | "Where is PX-51?" | `track_parcel` |\n';
const typescript =
  'import type { EvalCase } from "./types";\n\n/** Prompts. */\nexport const CASES: EvalCase[] = [\n' +
  '  { name: "a", prompt: "Where is PX-1?", expectedTools: ["track_parcel"] },\n];\n';
const xml =
  '<evaluation>\n  <qa_pair>\n    <question>Which one?</question>\n  </qa_pair>\n</evaluation>\n';
const python =
  'from cases import Case\n\nCASES = [\n    Case(prompt="Where?", expected_tools=["track"]),\n]\n';
const html = '<!doctype html>\n<table><tr><td>Where is PX-1?</td></tr></table>\n';
const notebook = JSON.stringify(
  { cells: [{ cell_type: 'code', source: ['print(1)'] }], nbformat: 4, nbformat_minor: 5 },
  null,
  1,
);

describe.each([
  ['Markdown', markdown, 'CSV'],
  ['a program (TypeScript or JavaScript)', typescript, 'It isn’t run.'],
  ['a program (Python)', python, 'It isn’t run.'],
  ['XML', xml, 'one JSON object'],
  ['HTML', html, 'CSV'],
  ['a Jupyter notebook', notebook, 'It isn’t run.'],
])('a file that is %s', (kind, text, remedy) => {
  const refusal = {
    line: 1,
    column: 1,
    path: '',
    message: expect.stringMatching(
      new RegExp(
        `^It’s ${kind.replace(/[()]/g, '\\$&')}\\. Touchstone reads suites in YAML or JSON, and ` +
          `imports .*promptfoo.*Table \\(CSV\\).*${remedy}`,
      ),
    ) as string,
  };

  // As records, the cases in a table or a constant are read.
  const refused = caseFormats.filter(
    (format) =>
      ['touchstone', 'promptfoo', 'bfcl', 'mcpjam', 'tau-bench', 'csv'].includes(format) ||
      !/Markdown|program/.test(kind),
  );
  test.each(refused)('is refused by name when it is imported as %s', (format) => {
    const input = { fileName: 'x.txt', text, format };
    const { suite, problems, columns } = readCases(input, () => null);
    expect({ suite, problems, columns }).toEqual({
      suite: null,
      problems: [refusal],
      columns: null,
    });
  });

  test('is refused by name when it is validated as a suite', () => {
    expect(validateSuiteText(text).problems).toEqual([refusal]);
  });
});

test('a suite with a problem keeps its problem and place', () => {
  const text = '# My suite\n\nversion: 1\nname: x\ncases:\n  - id: a\n    query: ""\n';
  expect(validateSuiteText(text).problems[0]?.message).toBe('"servers" is required.');
});

test('a table without a column for the query keeps its columns to map', () => {
  const input = { fileName: 'x.csv', text: 'frage,werkzeug\na b,c\n', format: 'csv' as const };
  expect(readCases(input, () => null).columns?.names).toEqual(['frage', 'werkzeug']);
});

describe('plain text', () => {
  test.each([
    'hello world\nthis is a text: about: things\n  - that\n',
    'Dear team,\n\nplease test: the search.\n',
    '\n1. Ask for the weather\n2. Ask: again\n',
  ])('is refused as that, and not by errors of YAML: %j', (text) => {
    const { problems } = validateSuiteText(text);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^This is plain text, not a suite\..*expected tool/) as string,
    ]);
  });

  test.each(['name: x: y\n', '- a\n b: [\n', 'a b: [\n', '{"name": \n', '"name": [\n'])(
    'is not what a suite with a fault is: %j',
    (text) => {
      expect(validateSuiteText(text).problems[0]?.message).not.toMatch(/plain text/);
    },
  );
});
