import { describe, expect, test } from 'vitest';
import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import { listLabel, mapFile, withSetting } from '../../../../src-shared/display/columnRoles.ts';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const find = `${asked} → shelf:find_book`;
const later = 'Then reserve it.';

const sessions = json({
  title: 'Desk',
  groups: [
    {
      desk: 'north',
      sessions: [
        { id: 's1', steps: [{ says: asked, does: 'find_book' }] },
        { id: 's2', steps: [{ says: 'Hi!', does: 'none' }] },
      ],
    },
  ],
});

describe('what a map says besides roles', () => {
  test.each<[what: string, fileName: string, text: string, map: ColumnMap, cases: string[]]>([
    [
      'lists in lists, with what is said around them',
      'a.json',
      sessions,
      { list: 'groups[].sessions[].steps', query: 'says', tool: 'does', tags: 'desk', name: 'id' },
      [`${find}; #north`, 'Hi! → no tool; #north'],
    ],
    [
      'lists in each line',
      'a.jsonl',
      lines(
        { id: 'a', steps: [{ says: asked, does: 'find_book' }] },
        { id: 'b', steps: [{ says: 'Hi!', does: 'none' }] },
      ),
      { list: '[].steps', query: 'says', tool: 'does' },
      [find, 'Hi! → no tool'],
    ],
    [
      'the members of an object',
      'a.json',
      json({ routes: { find_book: { saying: asked }, none: { saying: 'Hi there' } }, v: { a: 1 } }),
      { list: 'routes{}', query: 'saying', tool: 'id' },
      [find, 'Hi there → no tool'],
    ],
    [
      'a member of any depth',
      'a.json',
      json([{ ask: asked, output: { result: { api: 'find_book', with: { title: 'Dune' } } } }]),
      { query: 'ask', tool: 'output.result.api', parameters: 'output.result.with' },
      [`${find}{"title":"Dune"}; exact`],
    ],
    [
      'a member of each entry of a list',
      'a.json',
      json([{ ask: asked, output: { used: [{ api: 'find_book' }, { api: 'reserve_book' }] } }]),
      { query: 'ask', expected_calls: 'output.used[].api' },
      [`${find} + shelf:reserve_book`],
    ],
    [
      'a member of the entries of one kind',
      'a.json',
      json([
        {
          ask: asked,
          outcome: [
            { type: 'said', what: 'Yes' },
            { type: 'did', what: 'find_book' },
          ],
        },
      ]),
      { query: 'ask', tool: 'outcome[type=did].what' },
      [find],
    ],
    [
      'words for no tool in the place of a tool',
      'a.json',
      json([
        { ask: asked, goes_to: 'find_book' },
        { ask: 'Sing!', goes_to: 'Front Desk' },
      ]),
      { query: 'ask', tool: 'goes_to', none: 'front desk' },
      [find, 'Sing! → no tool'],
    ],
    [
      'a column of kinds of which some mean no tool',
      'a.json',
      json([
        { ask: asked, api: 'find_book', kind: 'lookup' },
        { ask: 'Sing!', api: '', kind: 'chitchat' },
      ]),
      { query: 'ask', tool: 'api', no_tool: 'kind', none: ['chitchat'] },
      [find, 'Sing! → no tool'],
    ],
    [
      'each text of a list as a request',
      'a.json',
      json([{ tool: 'find_book', ways: [asked, 'Find Dune'] }]),
      { query: 'ways', tool: 'tool' },
      [find, 'Find Dune → shelf:find_book'],
    ],
    [
      'a table whose first line is a case',
      'a.csv',
      `${asked},find_book\nHi!,\n`,
      { header: 'no', query: 'column 1', tool: 'column 2' },
      [find, 'Hi! → no tool'],
    ],
    [
      'turns of one conversation',
      'a.csv',
      `talk,ask,tool\na,${asked},find_book\nb,Hi!,\na,${later},reserve_book\n`,
      { conversation: 'talk', query: 'ask', tool: 'tool' },
      [find, 'Hi! → no tool', `${later} → shelf:reserve_book; user: ${asked}`],
    ],
  ])('reads %s', (_what, fileName, text, map, cases) => {
    const found = read(fileName, text, { map });
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
    // As a file of the command line, a map says the same.
    expect(mapFile(found.columns?.mapped ?? {})).toContain(mapFile(map).split('\n')[0]);
  });

  test('offers the lists of a file, and the paths into what nothing reads', () => {
    const { columns } = read('a.json', sessions);
    expect(columns?.lists).toEqual([
      { path: 'groups', entries: 1 },
      { path: 'groups[].sessions', entries: 2 },
      { path: 'groups[].sessions[].steps', entries: 2 },
    ]);
    expect(columns?.lists.map(listLabel).at(-1)).toBe('groups[].sessions[].steps (2)');
    const open = json([{ ask: asked, outcome: [{ type: 'did', what: { api: 'find_book' } }] }]);
    expect(read('a.json', open).columns?.names).toEqual([
      'ask',
      'outcome',
      'outcome[type=did].what',
      'outcome[type=did].what.api',
      'outcome[].type',
      'outcome[].what',
      'outcome[].what.api',
    ]);
  });

  test('remembers a map with a list for the next file of the same columns', () => {
    const map: ColumnMap = { list: 'groups[].sessions[].steps', query: 'says', tool: 'does' };
    const { columns } = read('a.json', sessions, { map });
    const remembered = { [columns?.shape ?? '']: map };
    const found = read('b.json', sessions, { remembered });
    expect(found.columns).toMatchObject({ isRemembered: true, list: map.list });
    expect(found.lines).toEqual([find, 'Hi! → no tool']);
  });

  test('names a list that the file doesn’t have, and those that it has', () => {
    const { problems } = read('a.json', sessions, { map: { list: 'cases' } });
    expect(problems[0]).toContain('"groups[].sessions[].steps"');
  });

  test('never reads an empty list of one kind as no tool', () => {
    const text = json([{ ask: asked, checks: [{ type: 'said', what: 'Yes' }] }]);
    const map = { query: 'ask', expected_calls: 'checks[type=did].what' };
    expect(read('a.json', text, { map }).lines).toEqual([]);
  });

  test('replaces and removes a setting', () => {
    const map = withSetting({ query: 'a' }, 'none', ['x', 'y']);
    expect(map).toEqual({ query: 'a', none: ['x', 'y'] });
    expect(withSetting(map, 'none', [])).toEqual({ query: 'a' });
  });
});

describe('without a map', () => {
  test.each<[what: string, fileName: string, text: string, cases: string[]]>([
    [
      'a table without a header',
      'a.csv',
      `${asked},find_book\nRenew all of my loans.,renew_loan\n`,
      [find, 'Renew all of my loans. → shelf:renew_loan'],
    ],
    [
      'turns of a conversation with their numbers',
      'a.jsonl',
      lines(
        { conversation_id: 'a', turn: 1, query: asked, expected_tool: 'find_book' },
        { conversation_id: 'a', turn: 2, query: later, expected_tool: 'reserve_book' },
      ),
      [find, `${later} → shelf:reserve_book; user: ${asked}`],
    ],
    [
      'one message a record',
      'a.jsonl',
      lines(
        { conversation_id: 'a', role: 'user', content: asked, expected_tool: 'find_book' },
        { conversation_id: 'a', role: 'assistant', content: 'Yes.' },
        { conversation_id: 'a', role: 'user', content: later, expected_tool: 'reserve_book' },
      ),
      [find, `${later} → shelf:reserve_book; user: ${asked}; assistant: Yes.`],
    ],
    [
      'what another list says of the same ID',
      'a.json',
      json({
        questions: [
          { id: 'a', question: asked },
          { id: 'b', question: 'Hi there!' },
        ],
        answers: [
          { question_id: 'a', expected_tool: 'find_book' },
          { question_id: 'b', expected_tool: 'none' },
        ],
      }),
      [find, 'Hi there! → no tool'],
    ],
    [
      'what an object says of each ID',
      'a.json',
      json({
        questions: [
          { id: 'a', question: asked },
          { id: 'b', question: 'Hi there!' },
        ],
        gold: { a: ['find_book'], b: [] },
      }),
      [find, 'Hi there! → no tool'],
    ],
    [
      'checks with a key and an object of arguments',
      'a.json',
      json([
        {
          query: asked,
          checks: [
            { key: 'tool_called', args: { tool: 'find_book', min: 1 } },
            { key: 'answer_length', args: { min: 10 } },
          ],
        },
      ]),
      [find],
    ],
    [
      'checks in an object of what is expected, also of one of several tools',
      'a.json',
      json([
        {
          query: asked,
          expect: {
            checks: [
              { grader: 'tool_called', tool: 'find_book' },
              { grader: 'tool_called', any_of: ['list_loans', 'renew_loan'] },
            ],
          },
        },
      ]),
      [`${find} + shelf:list_loans|shelf:renew_loan`],
    ],
    [
      'dataclasses without names of arguments',
      'a.py',
      [
        'class Scenario:',
        '    said: str',
        '    tool: str',
        '',
        'SCENARIOS = [',
        `    Scenario("${asked}", "find_book"),`,
        '    Scenario("Renew all of my loans.", "renew_loan"),',
        ']',
      ].join('\n'),
      [find, 'Renew all of my loans. → shelf:renew_loan'],
    ],
    [
      'the body of a mail next to its subject',
      'a.json',
      json([
        {
          name: 'a',
          subject: 'Question on a book',
          description: asked + ' I need it.',
          expected_tool: 'find_book',
        },
        {
          name: 'b',
          subject: 'My own loans',
          description: 'Please renew all of them.',
          expected_tool: 'renew_loan',
        },
      ]),
      [`${asked} I need it. → shelf:find_book`, 'Please renew all of them. → shelf:renew_loan'],
    ],
    [
      'words for a request that no tool is for',
      'a.json',
      json([
        { query: asked, expected_tool: 'find_book' },
        { query: 'Sing!', expected_tool: 'unsupported' },
        { query: 'Dance!', expected_tool: 'none_of_these' },
      ]),
      [find, 'Sing! → no tool', 'Dance! → no tool'],
    ],
    [
      'an order in words',
      'a.json',
      json([
        { query: asked, expected_tools: ['find_book', 'reserve_book'], order: 'in_order' },
        { query: later, expected_tools: ['find_book', 'reserve_book'], order: 'any' },
      ]),
      [`${find} + shelf:reserve_book; ordered`, `${later} → shelf:find_book + shelf:reserve_book`],
    ],
  ])('reads %s', (_what, fileName, text, cases) => {
    const found = read(fileName, text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
  });

  test('says that the first line of a table is read as a case', () => {
    const { columns, report } = read('a.csv', `${asked},find_book\nIs it new?,find_book\n`);
    expect(columns?.hasHeader).toBe(false);
    expect(report.approximated.map(({ what }) => what)).toContain('First line');
    expect(
      read('a.csv', 'What is asked here,goal\nIs it new?,find_book\n').columns?.hasHeader,
    ).toBe(true);
  });
});
