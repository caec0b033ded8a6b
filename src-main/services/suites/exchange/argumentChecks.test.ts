import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { json, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const any = { $any: [{ $contains: 'Dune' }, { $contains: 'Emma' }] };

/** What a case of the tool find_book, whose only argument is the text `title`, makes of arguments. */
function argumentsOf(given: JsonObject, tool = 'find_book'): JsonObject | undefined {
  const { suite, problems } = read(
    'a.json',
    json([{ query: asked, expected_tool: tool, expected_args: given }]),
  );
  expect(problems).toEqual([]);
  const [only] = suite?.cases ?? [];
  return only !== undefined && 'expected_calls' in only
    ? only.expected_calls[0]?.parameters
    : undefined;
}

describe('a check in the name of an argument', () => {
  test.each<[name: string, operand: JsonObject[string], title: JsonObject]>([
    ['title_must_include_any', ['Dune', 'Emma'], any],
    ['titleMustIncludeAny', ['Dune', 'Emma'], any],
    ['title-contains-any', ['Dune', 'Emma'], any],
    ['title_must_include', 'Dune', { $contains: 'Dune' }],
    ['title_must_contain', ['Dune'], { $contains: 'Dune' }],
    ['title_contains', 'Dune', { $contains: 'Dune' }],
    ['titleIncludes', 'Dune', { $contains: 'Dune' }],
    ['title_any', ['Dune', 'Emma'], { $any: ['Dune', 'Emma'] }],
    ['title_one_of', ['Dune', 'Emma'], { $any: ['Dune', 'Emma'] }],
    ['title_in', ['Dune', 'Emma'], { $any: ['Dune', 'Emma'] }],
    ['title_min', 3, { $gte: 3 }],
    ['title_at_most', 3, { $lte: 3 }],
    ['title_gte', 3, { $gte: 3 }],
    ['title_matches', '^D', { $regex: '^D' }],
    ['title_pattern', '^D', { $regex: '^D' }],
    ['title_starts_with', 'D.', { $regex: String.raw`^D\.` }],
    ['title_equals', 'Dune', 'Dune' as unknown as JsonObject],
    ['title_present', true, { $ignore: true }],
    ['title_must_not_include', 'Dune', { $ignore: true }],
    ['title_must_be_absent', true, { $absent: true }],
  ])('%s is one of the argument that its tool has', (name, operand, title) => {
    expect(argumentsOf({ [name]: operand })).toEqual({ title });
  });
  it('joins those of one argument, and says what is read as a check', () => {
    const { lines, report } = read(
      'a.json',
      json([{ query: asked, tool: 'find_book', args: { title_min: 1, title_max: 5 } }]),
    );
    expect(lines).toEqual([`${asked} → shelf:find_book{"title":{"$gte":1,"$lte":5}}; at-least`]);
    expect(report.approximated.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      'args: title_min: It is read as a check of title.',
      'args: title_max: It is read as a check of title.',
    ]);
  });
  it('leaves names that the tool has, or that nothing tells, as they are', () => {
    expect(argumentsOf({ genre_min: 3, size_contains: 'x' })).toEqual({
      genre_min: 3,
      size_contains: 'x',
    });
    expect(argumentsOf({ price_min: 3, owner_in: ['a'] }, 'elsewhere')).toEqual({
      price_min: 3,
      owner_in: ['a'],
    });
  });
  it('follows the names that can only be checks where the tool isn’t known', () => {
    expect(argumentsOf({ price_min: 3, name_must_include: 'x' }, 'elsewhere')).toEqual({
      price: { $gte: 3 },
      name: { $contains: 'x' },
    });
  });
  it('compares each of several parts of a text', () => {
    const title = argumentsOf({ title_contains: ['Dune', 'II.'] })?.['title'];
    expect(title).toEqual({ $regex: String.raw`(?i)^(?=[^]*Dune)(?=[^]*II\.)` });
  });
});

describe('an object in the place of an argument', () => {
  test.each<[check: JsonObject, title: JsonObject]>([
    [{ contains: 'Dune' }, { $contains: 'Dune' }],
    [{ contains_any: ['Dune', 'Emma'] }, any],
    [{ regex: '^D' }, { $regex: '^D' }],
    [
      { gte: 1, lte: 3 },
      { $gte: 1, $lte: 3 },
    ],
    [
      { min: 1, max: 3 },
      { $gte: 1, $lte: 3 },
    ],
    [{ any_of: ['Dune', 'Emma'] }, { $any: ['Dune', 'Emma'] }],
    [
      { approx: 4, tolerance: 0.5 },
      { $gte: 3.5, $lte: 4.5 },
    ],
    [{ approx: 4 }, { $ignore: true }],
    [{ type: 'contains', value: 'Dune' }, { $contains: 'Dune' }],
    [{ op: 'gte', value: 3 }, { $gte: 3 }],
  ])('%j is a check', (check, title) => {
    expect(argumentsOf({ title: check })).toEqual({ title });
  });
  it.each<JsonObject>([
    { contains: { a: 1 } },
    { match: { title: 'Dune' } },
    { gte: '2026-01-01' },
    { contains: 'x', other: 1 },
    { $contains: 'Dune' },
  ])('%j is none', (value) => {
    const given = argumentsOf({ filter: value }, 'elsewhere');
    expect(given).toEqual({ filter: value });
  });
  it('reads one where the arguments are listed by tool, and one inside a list', () => {
    const { lines } = read(
      'a.json',
      json([
        {
          query: asked,
          expected_tools: ['find_book'],
          expected_args: { find_book: { title: { contains: 'Dune' } } },
        },
        { query: 'Hi', expected_tools: [{ name: 'find_book', args: { ids: [{ gte: 3 }] } }] },
      ]),
    );
    expect(lines).toEqual([
      `${asked} → shelf:find_book{"title":{"$contains":"Dune"}}; exact`,
      'Hi → shelf:find_book{"ids":[{"$gte":3}]}; exact',
    ]);
  });
});

describe('how often a call is expected', () => {
  const twice = `${asked} → shelf:find_book + shelf:find_book`;
  const once = `${asked} → shelf:find_book`;
  test.each<[what: string, expected: unknown, line: string]>([
    ['a text', { find_book: 'invocations >= 1' }, once],
    ['a number', { find_book: 2, renew_loan: 0 }, twice],
    ['bounds', { find_book: { min: 2, max: 3 } }, twice],
    ['more than one', { find_book: '> 1' }, twice],
    ['in a list by tool', [{ find_book: '2+' }], twice],
    ['a member of the call', [{ tool: 'find_book', min_calls: 1 }], once],
    ['times', [{ tool: 'find_book', times: 2 }], twice],
    ['never', [{ tool: 'find_book' }, { tool: 'renew_loan', count: 0 }], once],
    [
      'perhaps',
      [{ tool: 'find_book' }, { tool: 'renew_loan', max_calls: 1 }],
      `${once}; allows renew_loan`,
    ],
    [
      'not required',
      [{ tool: 'find_book' }, { tool: 'renew_loan', required: false }],
      `${once}; allows renew_loan`,
    ],
    [
      'optional',
      [
        { tool: 'find_book', optional: false },
        { tool: 'renew_loan', optional: true },
      ],
      `${once}; allows renew_loan`,
    ],
  ])('is read from %s', (_what, expected, line) => {
    const { lines, problems } = read('a.json', json([{ query: asked, expected_tools: expected }]));
    expect(problems).toEqual([]);
    expect(lines).toEqual([line]);
  });
});

describe('what is expected in words', () => {
  test.each('answer reply respond text chat direct direct_answer no_response'.split(' '))(
    '“%s” in the place of a tool is an answer without one, which is said',
    (word) => {
      for (const name of ['expected', 'expected_tool', 'tool']) {
        const { lines, report } = read(
          'a.json',
          json([
            { message: asked, [name]: 'find_book' },
            { message: 'Hi', [name]: word },
          ]),
        );
        expect(lines).toEqual([`${asked} → shelf:find_book`, 'Hi → no tool']);
        expect(JSON.stringify(report.approximated)).toContain('an answer in words');
      }
    },
  );
  it('says that all calls of a list under “expect” are expected', () => {
    const expected = [{ tool: 'find_book' }, { tool: 'reserve_book', args: { title: 'Dune' } }];
    const { report } = read('a.json', json([{ ask: asked, expect: expected }]));
    expect(report.approximated).toEqual([
      expect.objectContaining({
        what: 'expect',
        why: 'All of its calls are expected, in any order.',
      }),
    ]);
  });
  it('takes required arguments of the tools that should be called, and no list of their names', () => {
    const linesOf = (required: unknown): string[] =>
      read(
        'a.json',
        json([{ query: asked, should_call_tools: ['find_book'], required_tool_args: required }]),
      ).lines;
    const found = [`${asked} → shelf:find_book{"title":"Dune"}; at-least`];
    expect(linesOf({ find_book: { title: 'Dune' } })).toEqual(found);
    expect(linesOf({ title: 'Dune' })).toEqual(found);
    expect(linesOf(['title'])).toEqual([`${asked} → shelf:find_book`]);
    expect(linesOf({ find_book: ['title'] })).toEqual([`${asked} → shelf:find_book`]);
  });
});

describe('turns before an answer', () => {
  test.each(['canonical_turns', 'sampleTurns', 'user-dialogue'])('may be under %s', (name) => {
    const turns = [{ user: 'Hi' }, { user: asked }];
    expect(read('a.json', json([{ [name]: turns, expected_tools: ['find_book'] }])).lines).toEqual([
      `${asked} → shelf:find_book; user: Hi`,
    ]);
  });
  it('are judged by the last one where the record says so', () => {
    const record = { inputs: ['Hi', asked], expected_tools: ['find_book', 'reserve_book'] };
    expect(read('a.json', json([{ ...record, check_turn: 'last' }])).lines).toEqual([
      `${asked} → shelf:find_book + shelf:reserve_book; user: Hi`,
    ]);
    expect(read('a.json', json([record])).lines).toHaveLength(2);
  });
});

describe('assertions on arguments in a list of their own', () => {
  const linesOf = (record: JsonObject): string[] =>
    read('a.json', json([{ query: asked, ...record }])).lines;
  const both = ['find_book', 'reserve_book'];
  test.each<[what: string, record: JsonObject, line: string]>([
    [
      'by the place of the call and a path',
      {
        expected_tools: both,
        argument_assertions: [
          { call: 0, path: '$.title', operator: 'equals', value: 'Dune' },
          { call: 1, path: '$.days', operator: 'gte', value: 7 },
        ],
      },
      `shelf:find_book{"title":"Dune"} + shelf:reserve_book{"days":{"$gte":7}}; at-least`,
    ],
    [
      'by steps that count from 1',
      {
        expected_tools: both,
        expected_args: [
          { step: 1, arg: 'title', contains: 'Dune' },
          { step: 2, arg: 'days', min: 1 },
          { step: 2, arg: 'days', max: 9 },
        ],
      },
      `shelf:find_book{"title":{"$contains":"Dune"}} + shelf:reserve_book{"days":{"$gte":1,"$lte":9}}; at-least`,
    ],
    [
      'by the name of the tool',
      { expected_tools: both, expected_args: [{ tool: 'reserve_book', param: 'days', value: 7 }] },
      'shelf:find_book + shelf:reserve_book{"days":7}; at-least',
    ],
    [
      'with the check as a name',
      {
        expect: {
          tool: 'find_book',
          args: [
            { arg: 'title', contains: 'Dune' },
            { arg: 'days', absent: true },
          ],
        },
      },
      'shelf:find_book{"title":{"$contains":"Dune"},"days":{"$absent":true}}; at-least',
    ],
  ])('are read %s', (_what, record, line) => {
    expect(linesOf(record)).toEqual([`${asked} → ${line}`]);
  });
  it('names those that a case can’t say: of results, inside arguments, and unknown ones', () => {
    const { lines, report } = read(
      'a.json',
      json([
        {
          query: asked,
          expected_tools: ['find_book'],
          argument_assertions: [
            { call: 0, path: '$.a', operator: 'equals', value: '$CALL[0].result.id' },
            { call: 0, path: '$.list[0].b', operator: 'equals', value: 'x' },
            { call: 0, path: '$.c', operator: 'comes_from', value: 'x' },
            { call: 4, path: '$.d', operator: 'equals', value: 'x' },
          ],
        },
      ]),
    );
    expect(lines).toEqual([`${asked} → shelf:find_book`]);
    expect(report.approximated.map(({ what }) => what)).toEqual([
      '$.a equals',
      '$.list[0].b equals',
      '$.c comes_from',
      '$.d equals',
    ]);
  });
  it('never forbids a tool of which only some arguments are forbidden', () => {
    const checks = [
      { kind: 'must_call', tool: 'find_book' },
      { kind: 'must_not_call_matching', tool: 'find_book', field: 'title', pattern: '^x' },
    ];
    const { lines, report } = read('a.json', json([{ prompt: asked, assertions: checks }]));
    expect(lines).toEqual([`${asked} → shelf:find_book`]);
    expect(JSON.stringify(report)).toContain('assertions');
  });
  it.each([
    ['.*Dune.*', { $regex: 'Dune' }],
    ['(?s).*Dune.*', { $regex: 'Dune' }],
    ['Dune.*', { $regex: 'Dune' }],
    ['.*', { $ignore: true }],
    ['src/*.ts', 'src/*.ts'],
    ['Hm...', 'Hm...'],
  ])('reads the text %s of an argument as %j', (text, title) => {
    expect(argumentsOf({ title: text })).toEqual({ title });
  });
});
