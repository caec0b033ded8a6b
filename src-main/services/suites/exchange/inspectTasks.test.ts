import { expect, test } from 'vitest';
import { tasksOfFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { exchangeFormats } from './formats.ts';

const read = (text: string) =>
  exchangeFormats.inspect.read(text, {
    ...{ fileName: 'log.json', map: null, server: 'todo', name: null },
    schemaOf: () => null,
  });
const log = (scorers: JsonObject[], samples: JsonObject[]): string =>
  JSON.stringify({ version: 2, eval: { task: 'pack/open_tasks', scorers }, samples });
const sample = { id: 1, epoch: 1, input: 'Which task is open?', target: 'Milk; rent' };

test('a log becomes tasks whose checks are its scorers, once for all epochs', () => {
  const { suite, problems, report } = read(
    log(
      [
        { name: 'includes' },
        { name: 'model_graded_fact', options: {} },
        { name: 'own/side_effect' },
      ],
      [
        { ...sample, files: ['a.txt'], setup: 'touch b', metadata: { level: 1 } },
        { ...sample, epoch: 2 },
        { ...sample, id: 2, input: [{ role: 'user', content: 'And now?' }], target: ['x', 'y'] },
        { ...sample, id: 3, target: '' },
      ],
    ),
  );
  expect(problems).toEqual([]);
  expect(suite?.name).toBe('open_tasks');
  expect(suite === null ? [] : tasksOfFile(suite)).toMatchObject([
    {
      id: '1',
      turns: ['Which task is open?'],
      checks: [
        { answer: { $regex: '(?i)(?:Milk; rent)' } },
        { judge: 'The answer says this, in any words: Milk; rent' },
      ],
    },
    { id: '2', turns: ['And now?'], checks: [{ answer: { $regex: '(?i)(?:x|y)' } }, {}] },
  ]);
  expect(report.skipped).toMatchObject([{ case: '3', why: 'It has no target.' }]);
  expect(report.approximated.filter((each) => each.case === '1').map(({ what }) => what)).toEqual([
    ...['setup', 'files', 'metadata'],
    ...['scorer model_graded_fact', 'scorer own/side_effect', 'scorers'],
  ]);
});

test.each([
  ['own/side_effect', {}, /no check here: own\/side_effect/u],
  ['match', { numeric: true }, /no check here: match/u],
  ['f1', {}, /no check here: f1/u],
])('a sample that only %s %j scores is left out, and named', (name, options, why) => {
  const { suite, problems } = read(log([{ name, options }], [sample]));
  expect(suite).toBeNull();
  expect(problems[0]?.message).toMatch(why);
});

test('a log without scorers or samples says so', () => {
  expect(read(log([], [sample])).problems[0]?.message).toContain('names no scorer');
  expect(read(log([{ name: 'match' }], [])).problems[0]?.message).toContain('no samples');
});

test('questions with choices become tasks that ask for the letter', () => {
  const lines = [
    { input: 'Open?', choices: ['Rent', 'Milk'], target: 'B' },
    { input: 'Done?', choices: ['Rent', 'Milk'], target: 'A' },
  ];
  const { suite, problems } = read(lines.map((each) => JSON.stringify(each)).join('\n'));
  expect(problems).toEqual([]);
  const [first] = suite === null ? [] : tasksOfFile(suite);
  expect(first?.turns[0]).toMatch(/^Open\?\n\nA\) Rent\nB\) Milk\n\nEnd with a line "ANSWER: "/u);
  expect(first?.checks).toEqual([{ answer: { $regex: '(?i)ANSWER\\s*:\\s*(?:B)(?:\\W|$)' } }]);
});

test('samples whose scorer isn’t in the file stay cases', () => {
  const { suite } = exchangeFormats.inspect.read(
    JSON.stringify([{ input: 'Find it', target: 'find' }]),
    {
      ...{ fileName: 'a.json', map: { tool: 'target' }, server: 'shop', name: null },
      schemaOf: () => null,
    },
  );
  expect(suite?.cases).toMatchObject([{ query: 'Find it' }]);
});
