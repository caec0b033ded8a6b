import { describe, expect, test } from 'vitest';
import { json, read } from './shapes.fixture.ts';

const tools = [{ name: 'find_book' }, { type: 'function', function: { name: 'renew_loan' } }];
const find = 'Is Dune there? → shelf:find_book';
const renew = 'Keep Emma longer → shelf:renew_loan';
const none = 'Say hello to my sister → no tool';

describe('a right tool that is a number', () => {
  test('is the one at that place of the tools beside the cases, and -1 is none', () => {
    const { lines, report } = read(
      'a.json',
      json({
        tools,
        cases: [
          { query: 'Is Dune there?', expected_tool_index: 0 },
          { query: 'Keep Emma longer', expected_tool_index: 1 },
          { query: 'Say hello to my sister', expected_tool_index: -1 },
        ],
      }),
    );
    expect(lines).toStrictEqual([find, renew, none]);
    expect(JSON.stringify(report.approximated)).toContain(
      'It is read as the place in the list of tools, from 0: renew_loan.',
    );
  });

  test('is one of the tools of its own record', () => {
    const records = [
      { query: 'Is Dune there?', tools, answer: 0 },
      { query: 'Keep Emma longer', tools: ['renew_loan', 'find_book'], answer: 0 },
    ];
    expect(read('a.json', json(records)).lines).toStrictEqual([find, renew]);
  });

  test('may be several', () => {
    const records = [{ query: 'Is Dune there?', tools, correct_indices: [0, 1] }];
    expect(read('a.json', json(records)).lines).toStrictEqual([`${find} + shelf:renew_loan`]);
  });

  test('is left out with its line where the list has no such place', () => {
    const { lines, report } = read(
      'a.json',
      json({
        tools,
        cases: [
          { query: 'Is Dune there?', expected_tool_index: 0 },
          { query: 'Keep Emma longer', expected_tool_index: 2 },
        ],
      }),
    );
    expect(lines).toStrictEqual([find]);
    expect(report.skipped).toHaveLength(1);
  });
});

test('cases under a name each are read also if no name of their fields is known', () => {
  const text = `dune:\n  frase: Is Dune there?\n  llamada: find_book\nemma:\n  frase: Keep Emma longer please\n  llamada: renew_loan\n`;
  expect(read('a.yaml', text).lines).toStrictEqual([
    find,
    'Keep Emma longer please → shelf:renew_loan',
  ]);
});
