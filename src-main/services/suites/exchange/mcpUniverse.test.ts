import { expect, test } from 'vitest';
import { json, read } from './shapes.fixture.ts';

const task = {
  category: 'library',
  question: 'Which books are there?',
  mcp_servers: [{ name: 'shelf' }],
  output_format: { titles: ['[Title]'] },
  use_specified_server: true,
  evaluators: [{ func: 'json -> get(titles) -> len', op: '>', value: 1 }],
};

test('a task of MCP-Universe is recognized, and its evaluator becomes a schema of the answer', () => {
  const { tasks, suite, problems } = read('open_books.json', json(task));
  expect(problems).toEqual([]);
  expect(suite?.servers).toEqual(['shelf']);
  expect(tasks).toEqual([
    {
      id: 'open_books',
      name: 'Which books are there?',
      turns: [
        'Which books are there?\n\nAnswer with JSON alone, in this form:\n{\n  "titles": [\n    "[Title]"\n  ]\n}',
      ],
      tags: ['library'],
      checks: [
        {
          answer: { $ignore: true },
          read: 'json',
          schema: {
            type: 'object',
            properties: { titles: { type: 'array', minItems: 2 } },
            required: ['titles'],
          },
        },
      ],
    },
  ]);
});

test('what runs code of the benchmark is named, next to what is imported', () => {
  const { tasks, report } = read(
    'a.json',
    json({
      ...task,
      evaluators: [
        ...task.evaluators,
        { func: 'raw', op: 'google_maps.validate_stops', value: 2 },
        { func: 'json -> get(titles)', op: '=', value: '{{ SECRET }}' },
      ],
      prepares: [{ prepare_func: 'fill_shelf' }],
      cleanups: [],
    }),
  );
  expect(tasks[0]?.checks).toHaveLength(1);
  expect(report.approximated.map(({ what }) => what)).toEqual([
    'evaluators: raw google_maps.validate_stops; json -> get(titles) =',
    'evaluators',
    'prepares',
  ]);
});

test.each([
  ['a variable of an account', { question: 'Whose key is {{ API_KEY }}?' }],
  ['no evaluator that can be imported', { evaluators: [{ func: 'raw', op: 'is_paid' }] }],
])('a task with %s is left out', (_what, change) => {
  const { tasks, report } = read('all.json', json([task, { ...task, ...change }]));
  expect(tasks).toHaveLength(1);
  expect(report.skipped).toHaveLength(1);
});
