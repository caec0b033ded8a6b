import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tasksOfFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { prepareFolder } from '../../tasks/fixtures/prepareFolder.ts';
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
    ...['files', 'setup', 'metadata'],
    ...['scorer model_graded_fact', 'scorer own/side_effect', 'scorers'],
  ]);
});

test('files and the script of a sample are there before its run', async () => {
  const files = {
    'notes/a.txt': 'Buy milk.\nPay rent.',
    'default:b.txt': 'b',
    '/root/c.txt': 'data:text/plain,c%20c',
    'd.bin': 'data:application/octet-stream;base64,/wA=',
    'e.csv': 'data/e.csv',
    'victim:flag.txt': 'x',
    '../f.txt': 'x',
    'g.html': 'https://example.org/g.html',
  };
  const setup = 'cat notes/a.txt b.txt > all.txt\n[ -f c.txt ] || exit 3';
  const { suite, report } = read(
    JSON.stringify([{ ...sample, choices: ['a', 'b'], target: 'A', files, setup }]),
  );
  const [task] = suite === null ? [] : tasksOfFile(suite);
  expect(task?.files?.slice(0, -1)).toEqual([
    { to: 'notes/a.txt', text: 'Buy milk.\nPay rent.' },
    { to: 'b.txt', text: 'b' },
    { to: 'root/c.txt', text: 'c c' },
    { to: 'd.bin', base64: '/wA=' },
    { from: 'data/e.csv', to: 'e.csv' },
  ]);
  expect(report.approximated.map(({ what }) => what)).toEqual([
    ...['choices', 'files: /root/c.txt', 'files: e.csv', 'files: victim:flag.txt'],
    ...['files: ../f.txt', 'files: g.html', 'setup', 'scorer choice'],
  ]);
  const folder = await temporaryFolder();
  const place = { folder: folder.path, runFolder: folder.path };
  const written = task?.files?.filter((file) => !('from' in file));
  await expect(
    prepareFolder({ files: written }, place, AbortSignal.timeout(30_000)),
  ).rejects.toThrow(/exited with code 3/u);
  await prepareFolder(
    { files: [{ to: 'c.txt', text: '' }, ...(written ?? [])] },
    place,
    AbortSignal.timeout(30_000),
  );
  expect(await readFile(join(folder.path, 'all.txt'), 'utf8')).toBe('Buy milk.\nPay rent.b');
  await folder.remove();
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
