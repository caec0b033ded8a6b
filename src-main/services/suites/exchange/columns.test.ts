import { describe, expect, test } from 'vitest';
import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import {
  findRole,
  mapFile,
  mapOption,
  withRole,
} from '../../../../src-shared/display/columnRoles.ts';
import { shapeOf } from './columns.ts';
import { json, lines, read } from './shapes.fixture.ts';

const records = json([
  { ask: 'Is Dune there?', want: ['find_book', 'list_loans'], kind: 'a', origin: 'mail 7' },
  { ask: 'Hi!', want: [], kind: 'b' },
]);

describe('columns of records', () => {
  test.each<[what: string, map: ColumnMap, cases: string[]]>([
    [
      'all tools of a list',
      { query: 'ask', expected_calls: 'want', ignore: ['kind', 'origin'] },
      ['Is Dune there? → shelf:find_book + shelf:list_loans', 'Hi! → no tool'],
    ],
    [
      'any tool of a list, and an empty one as no tool',
      { query: 'ask', acceptable_tools: 'want', ignore: ['kind', 'origin'] },
      ['Is Dune there? → shelf:find_book|shelf:list_loans', 'Hi! → no tool'],
    ],
    [
      'several columns as tags, and others as lines of the note',
      { query: 'ask', tool: 'want', tags: ['kind', 'origin'], keep: ['kind', 'origin'] },
      [
        'Is Dune there? → shelf:find_book + shelf:list_loans; #a; #mail 7; note kind: a\norigin: mail 7',
        'Hi! → no tool; #b; note kind: b',
      ],
    ],
  ])('reads %s', (_what, map, cases) => {
    const found = read('a.json', records, { map });
    expect(found.lines).toEqual(cases);
    expect(found.report.exact).toBe(2);
  });

  test('asks what a list means until a person says it', () => {
    const text = lines({ query: 'Is Dune there?', expected_tools: ['find_book', 'list_loans'] });
    expect(read('a.jsonl', text).columns).toMatchObject({ allOf: 'expected_tools' });
    const map = { expected_calls: 'expected_tools' };
    expect(read('a.jsonl', text, { map }).columns).toMatchObject({ allOf: null });
    for (const name of ['expected_trajectory', 'required_tools', 'expected_tool_calls_required'])
      expect(
        read('a.jsonl', lines({ query: 'q', [name]: ['find_book', 'list_loans'] })).columns,
      ).toMatchObject({ allOf: null });
  });

  test('takes the map of an earlier file with the same columns, in any order', () => {
    const map = { query: 'ask', acceptable_tools: 'want', ignore: ['kind', 'origin'] };
    const remembered = { [shapeOf(['origin', 'want', 'kind', 'ask'])]: map };
    const found = read('a.json', records, { remembered });
    expect(found.columns).toMatchObject({ isRemembered: true, mapped: map });
    expect(found.lines[0]).toBe('Is Dune there? → shelf:find_book|shelf:list_loans');
    expect(read('a.json', records, { remembered, map: {} }).columns).toMatchObject({
      isRemembered: false,
    });
  });

  test('shows the first three records and names a mapped column that is missing', () => {
    const text = lines(
      ...[1, 2, 3, 4].map((n) => ({ query: `q${n}`, tool: 'find_book', x: { n } })),
    );
    expect(read('a.jsonl', text).columns).toMatchObject({
      unused: ['x'],
      samples: [1, 2, 3].map((n) => [`q${n}`, 'find_book', `{"n":${n}}`, String(n)]),
    });
    expect(read('a.jsonl', text, { map: { keep: ['x', 'y'] } }).problems).toEqual([
      'The file has no column "y" for keep. Its columns: "query", "tool", "x".',
    ]);
  });
});

describe('the map of columns', () => {
  test('gives a role to one column, and leaves out the one that had it', () => {
    const map: ColumnMap = { query: 'a', expected_calls: 'b', tags: 'c' };
    expect(withRole(map, 'd', 'query')).toEqual({
      query: 'd',
      expected_calls: 'b',
      tags: 'c',
      ignore: 'a',
    });
    expect(withRole(map, 'd', 'tool')).toEqual({ query: 'a', tool: 'd', tags: 'c', ignore: 'b' });
    expect(withRole(map, 'b', 'acceptable_tools')).toEqual({
      query: 'a',
      acceptable_tools: 'b',
      tags: 'c',
    });
    expect(withRole(map, 'd', 'tags')).toEqual({ ...map, tags: ['c', 'd'] });
  });

  test('is written as an option or a file, and read by role or by another word for it', () => {
    expect(mapOption({ query: 'a', keep: ['b', 'c'] })).toBe('query=a,keep=b,keep=c');
    expect(mapOption({ query: 'a,b' })).toBeNull();
    expect(mapFile({ query: 'a, "b"', keep: ['c'] })).toBe('query: "a, \\"b\\""\nkeep: ["c"]\n');
    expect(['request', 'Tools', 'any-of', 'forbidden', 'x'].map(findRole)).toEqual([
      'query',
      'expected_calls',
      'acceptable_tools',
      'forbidden_tools',
      null,
    ]);
  });
});
