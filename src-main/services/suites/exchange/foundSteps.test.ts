import { describe, expect, test } from 'vitest';
import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { guessFormat } from '../../../../src-shared/display/guessFormat.ts';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const find = `${asked} → shelf:find_book`;
const dune = { title: 'Dune' };
const both = `${asked} → shelf:find_book{"title":"Dune"} + shelf:reserve_book{"title":"Dune"}`;

/** Shapes of whole files in public repositories, in words of our own. */
describe('what is expected in steps and in turns', () => {
  test.each<[shape: string, document: unknown, cases: string[]]>([
    [
      'steps of calls in a graph, some of them optional',
      {
        cases: [
          {
            input: asked,
            expected_graph: {
              steps: [
                { tool: 'find_book', params_contain: dune },
                { tool: 'reserve_book', must_follow: 'find_book', params_contain: dune },
                { tool: 'renew_loan', optional: true },
              ],
              max_steps: 5,
            },
          },
        ],
      },
      [`${both}; ordered; at-least; allows renew_loan`],
    ],
    [
      'steps of a conversation',
      {
        id: 'a',
        conversation: [{ role: 'user', content: asked }],
        steps: [{ label: 'Looks', tool: 'find_book', arguments: dune }],
      },
      [`${find}{"title":"Dune"}; exact`],
    ],
    [
      'steps in words next to a tool',
      [{ prompt: asked, tool: 'find_book', steps: ['Open the page', 'Ask'] }],
      [find],
    ],
    [
      'lists of steps with arguments',
      [
        {
          query: asked,
          expected_tool_calls: [
            [{ tool_name: 'find_book', arguments: dune }],
            [{ tool_name: 'reserve_book', arguments: dune }],
          ],
        },
      ],
      [`${both}; ordered; exact`],
    ],
    ['a list in a list of one', [{ query: asked, expected_tools: [['find_book']] }], [find]],
    [
      'steps with equally good tools',
      [{ task: asked, accepted_tool_steps: [['find_book', 'list_loans'], ['reserve_book']] }],
      [`${asked} → shelf:find_book|shelf:list_loans + shelf:reserve_book; ordered`],
    ],
    [
      'turns that are records, in some of the records',
      {
        cases: [
          { id: 'a', input: asked, expected_tools: ['find_book'] },
          {
            id: 'b',
            turns: [
              { input: 'Hi', expected_tools: [] },
              { input: asked, expected_tools: ['find_book'] },
            ],
          },
        ],
      },
      [find, 'Hi → no tool', `${find}; user: Hi`],
    ],
    [
      'an intent of a user and a trajectory',
      {
        user_intent: asked,
        expected_trajectory: [{ action: 'look', tool: 'find_book', args: dune }],
      },
      [`${find}{"title":"Dune"}; exact`],
    ],
    [
      'cases with checks by type under “assert”',
      {
        name: 'a',
        cases: [{ prompt: asked, assert: [{ type: 'tool_called', value: 'find_book' }] }],
      },
      [find],
    ],
  ])('are read from %s', (_shape, document, cases) => {
    const { lines: found, problems } = read('a.json', json(document));
    expect(problems).toEqual([]);
    expect(found).toEqual(cases);
  });
});

describe('what is expected under “expected”, where no server has the tools', () => {
  const read2 = (...records: object[]) => read('a.jsonl', lines(...records));
  test('is a tool next to arguments, also beside forbidden ones', () => {
    const { lines: found } = read2(
      { prompt: asked, expected: 'seek', arguments: dune },
      { prompt: 'Hi', expected: 'none', forbidden: ['run_it'] },
    );
    expect(found).toEqual([`${asked} → jsonl:seek{"title":"Dune"}; exact`, 'Hi → no tool']);
  });
  test('is a list of tools where their names are written like names', () => {
    for (const name of ['expect', 'correct', 'golden'])
      expect(read2({ prompt: asked, [name]: ['seek_book'] }).lines).toEqual([
        `${asked} → jsonl:seek_book`,
      ]);
  });
  test('is no tool where it is a class or a sentence', () => {
    for (const [name, value] of [
      ['expected', 'spam'],
      ['expected', 'It should look.'],
      ['expected', 7],
      ['label', 'card_arrival'],
    ] as const) {
      const record = { text: asked, [name]: value };
      const { lines: found, problems } = read2(record, { ...record, text: 'Hi' });
      expect(found).toEqual([]);
      expect(problems[0]).toContain('Which column has the expected tool?');
    }
  });
});

test.each<[name: string, answer: string, says: string]>([
  ['expected_output', 'It is.', '"expected_output" may be a right answer'],
  ['ground_truth', 'It is there. '.repeat(20), 'a text of 260 characters'],
])('says of right answers alone what to do with %s', (name, answer, says) => {
  const { problems } = read('a.json', json([{ question: asked, [name]: answer }]));
  expect(problems).toEqual([expect.stringContaining(says)]);
});

test('reads an expected output as a right answer if a person says so', () => {
  const map: ColumnMap = { answer: 'expected_output' };
  const record = { question: asked, expected_output: 'It is.' };
  expect(read('a.json', json([record]), { map }).tasks[0]?.checks).toHaveLength(1);
});

test('has a judge compare a long right answer that a person chose', () => {
  const record = { question: asked, reference_answer: 'It is there. '.repeat(20) };
  const map: ColumnMap = { answer: 'reference_answer' };
  expect(read('a.json', json([record]), { map }).tasks[0]?.checks).toEqual([
    { judge: record.reference_answer.trim() },
  ]);
});

test.each<[text: string, format: ForeignFormat]>([
  ['cases:\n  - prompt: a\n    assert:\n      - type: tool_called\n', 'jsonl'],
  ['tests:\n  - vars: {a: b}\n    assert:\n      - type: equals\n', 'promptfoo'],
  ['- vars: {a: b}\n  assert:\n    - type: equals\n', 'promptfoo'],
])('takes only tests with assertions for those of promptfoo: %j', (text, format) => {
  expect(guessFormat('a.yaml', text)).toBe(format);
});
