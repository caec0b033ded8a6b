import { expect, it } from 'vitest';
import { defaultTaskLimits, type SuiteTask } from '../../../src-shared/domain/task.ts';
import type { LastOutcome } from '../../../src-shared/domain/lastOutcomes.ts';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import { filterRows, isChosen, type RowChoice, suiteRows, tagsOf } from './suiteRows.ts';

const saved = { suiteId: 's', position: 0, createdAt: '', updatedAt: '' };
const make = (key: string, part: Partial<TestCase>): TestCase => ({
  ...saved,
  id: key,
  key,
  origin: null,
  name: key,
  query: '',
  tags: [],
  servers: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
  stubResults: [],
  ...part,
});
const task: SuiteTask = {
  ...saved,
  id: 'three',
  key: 'three',
  content: {
    name: 'Read the list',
    turns: ['List my tasks', 'Mark the first one'],
    tags: ['easy'],
    servers: [],
    setup: [],
    checks: [
      { id: 'a', kind: 'calls', must: ['list_tasks', 'complete_task'], ordered: false, never: [] },
      { id: 'b', kind: 'answer', expected: 'Done' },
    ],
    limits: defaultTaskLimits,
    stubs: [],
    injection: null,
  },
};
const outcome = (passed: number, part: Partial<LastOutcome> = {}): LastOutcome => ({
  model: 'm',
  evaluationId: 'e',
  number: 1,
  runId: 'r',
  outcome: passed === 1 ? 'passed' : 'wrong_tool',
  passed,
  scored: 1,
  changed: false,
  ...part,
});
const rows = suiteRows(
  [
    make('one', {
      query: 'Buy Milk',
      tags: ['easy', 'add'],
      expectedCalls: [
        {
          server: 'todo',
          tool: 'add_task',
          parameters: { title: { $contains: 'milk' }, user: 'ada' },
        },
      ],
    }),
    make('two', { name: 'buy nothing', query: 'buy nothing', tags: ['easy'] }),
  ],
  [task],
  {
    entries: [
      { id: 'one', unit: 'case', last: [outcome(1), outcome(0, { model: 'n' })] },
      { id: 'two', unit: 'case', last: [outcome(0, { changed: true })] },
    ],
  },
);

it('lists cases and tasks with their calls and arguments', () => {
  expect(
    rows.map(({ unit, request, name, expected, arguments: args }) => [
      unit,
      request,
      name,
      expected,
      args,
    ]),
  ).toEqual([
    ['case', 'Buy Milk', 'one', 'add_task', 'title contains "milk", user ada'],
    ['case', 'buy nothing', null, 'no tool', ''],
    ['task', 'List my tasks', 'Read the list', 'list_tasks +1', 'answer, calls'],
  ]);
});

it.each<[RowChoice, string[]]>([
  ['all', ['one', 'two', 'three']],
  ['failed', ['one']],
  ['cases', ['one', 'two']],
  ['tasks', ['three']],
])('shows %s', (choice, ids) => {
  expect(rows.filter((row) => isChosen(row, choice)).map(({ id }) => id)).toEqual(ids);
});

it.each([
  ['MILK buy', [], ['one']],
  [' ', [], ['one', 'two', 'three']],
  ['todo:add', [], ['one']],
  ['mark first', [], ['three']],
  ['complete_task', [], ['three']],
  ['', ['easy'], ['one', 'two', 'three']],
  ['', ['easy', 'add'], ['one']],
])('finds all words of “%s” in any case, with the tags %j', (search, tags, ids) => {
  expect(filterRows(rows, { search, tags }).map(({ id }) => id)).toEqual(ids);
  expect(tagsOf(rows)).toEqual(['add', 'easy']);
});
