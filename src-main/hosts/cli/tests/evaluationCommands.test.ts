import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseName } from '../../../app/openWorkspace.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';

/** One evaluation of each kind, of cases #1 and of tasks #2, in one workspace. */
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const suite = {
  version: 1,
  name: 'both',
  servers: ['todo'],
  cases: [
    { id: 'list', name: 'List', query: 'List my tasks', expected_calls: [] },
    {
      id: 'add',
      name: 'Add a task',
      turns: ['Add a task "Buy milk" for user u-1.'],
      checks: [{ calls: { must: ['delete_task'] } }],
      stub_results: [{ server: 'todo', tool: 'add_task', result: { id: 7 } }],
    },
  ],
};

const run = (...args: string[]): Promise<Ended> =>
  runCommand(args, { workspace: at('workspace'), env: { GITHUB_STEP_SUMMARY: at('summary.md') } });
const passed = async (...args: string[]): Promise<Ended> => {
  const ended = await run(...args);
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
};

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('both.json'), JSON.stringify(suite));
  await passed('open', '--help');
  await passed('suite', 'import', at('both.json'));
  for (const only of ['cases', 'tasks'])
    await passed('eval', '--suite', 'both', '--provider', 'builtin', '--only', only);
});
afterAll(() => folder.remove());

const kinds = [
  { name: '1', kind: 'cases', entry: /\blist\b/i },
  { name: '2', kind: 'tasks', entry: /\badd\b/ },
] as const;

describe.each(kinds)('an evaluation of $kind', ({ name, kind, entry }) => {
  it('is shown by its number and by its ID as `eval` printed it', async () => {
    const { stdout } = await passed('evaluations', 'show', name, '--json');
    const shown = JSON.parse(stdout) as { evaluation_id: string; number: number };
    expect(`${shown.number}`).toBe(name);
    expect(
      JSON.parse((await passed('evaluations', 'show', shown.evaluation_id, '--json')).stdout),
    ).toEqual(shown);
    const text = (await passed('evaluations', 'show', name)).stdout;
    expect(text).toMatch(kind === 'tasks' ? /0 of 1 task succeeded/ : /of 1 case/);
  });

  it.each(formatsBySubject.evaluation)('is exported as %s', async (format) => {
    const file = at(`${kind}.${format}`);
    await passed('export', name, '--to', format, '--out', file);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(entry);
    if (format === 'json') await passed('verify', file);
  });

  it('is exported without times where a stamp is given', async () => {
    const { stdout } = await passed('export', name, '--to', 'json', '--stamp', 'fixed');
    const timeless = { generated: 'fixed', started_at: null, completed_at: null };
    expect(JSON.parse(stdout)).toMatchObject(timeless);
  });

  it('is written as a step summary with annotations of what failed', async () => {
    writeFileSync(at('summary.md'), '');
    const { stderr } = await run(
      ...['eval', '--suite', 'both', '--provider', 'builtin', '--only', kind],
      ...['--report', 'github'],
    );
    const summary = readFileSync(at('summary.md'), 'utf8');
    expect(summary).toContain(kind === 'tasks' ? '0 of 1 task succeeded' : 'of 1 case');
    const annotation = stderr.split('\n').find((line) => /^::(error|warning|notice) /.test(line));
    expect(annotation).toMatch(entry);
  });
});

it.each(['cases', 'tasks'])('says which tools changed before an evaluation of %s', async (only) => {
  const [name, tools] = [`notes-${only}`, at(`${only}-tools.json`)];
  const listed = (...names: string[]) =>
    writeFileSync(
      tools,
      JSON.stringify({
        tools: names.map((each) => ({ name: each, inputSchema: { type: 'object' } })),
      }),
    );
  listed('note_add');
  writeFileSync(
    at(`${name}.json`),
    JSON.stringify({ ...suite, name, servers: [name] }).replaceAll('delete_task', 'note_add'),
  );
  await passed('suite', 'import', at(`${name}.json`));
  const { command, args } = fakeStdioServer('normal', { tools });
  await passed('servers', 'add', '--list-tools', name, '--stdio', [command, ...args].join(' '));
  listed('note_add', 'note_delete');
  const { stderr } = await passed(
    ...['eval', '--suite', name, '--provider', 'builtin', '--only', only],
  );
  const marked = new RegExp(`Server ${name}: its tools differ from those .*: 1 added`);
  expect(stderr).toMatch(marked);
  const { stdout } = await passed('evaluations', 'list', '--suite', name, '--json');
  const { evaluations } = JSON.parse(stdout) as { evaluations: { id: string }[] };
  const shown = await passed('evaluations', 'show', evaluations[0]?.id ?? '');
  expect(shown.stderr).toMatch(marked);
});

it('names one of tasks by the number that it had while tasks were numbered apart, and says today’s', async () => {
  const db = new Sqlite(join(at('workspace'), databaseName));
  db.exec('UPDATE evaluations SET old_number = 1 WHERE number = 2');
  db.close();
  rmSync(join(at('workspace'), `${databaseName}.checksums`), { force: true });
  const numbers = async (name: string) => {
    const { stdout, stderr } = await passed('evaluations', 'show', name, '--json');
    return { number: (JSON.parse(stdout) as { number: number }).number, stderr };
  };
  expect(await numbers('tasks:1')).toEqual({ number: 2, stderr: 'tasks:1 is #2.\n' });
  expect(await numbers('tasks:2')).toEqual({ number: 2, stderr: '' });
  expect(await numbers('#1')).toEqual({ number: 1, stderr: '' });
});

it('lists cases and tasks in one sequence with their kind, and estimates of both if asked', async () => {
  const listed = async (...more: string[]) => {
    const { stdout } = await passed('evaluations', 'list', '--suite', 'both', '--json', ...more);
    const { evaluations } = JSON.parse(stdout) as {
      evaluations: { number: number; kind: string; mode?: string }[];
    };
    return evaluations;
  };
  const before = await listed();
  const numbers = before.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect(before.slice(-2)).toMatchObject([
    { number: 2, kind: 'tasks', mode: 'stub' },
    { number: 1, kind: 'cases' },
  ]);
  const rows = (await passed('evaluations', 'list', '--suite', 'both')).stdout.trim().split('\n');
  expect(rows.slice(-2)).toEqual([
    expect.stringMatching(/^#2 +tasks +both .* 0 of 1 task +0% /) as string,
    expect.stringMatching(/^#1 +cases +both .* [01] of 1 passed /) as string,
  ]);
  for (const base of ['1', '2']) await run('what-if', base, '--without', 'todo:update_task');
  expect(await listed()).toEqual(before);
  const all = await listed('--derived');
  expect(all).toHaveLength(before.length + 2);
  expect(all.slice(0, 2).map(({ kind }) => kind)).toEqual(['tasks', 'cases']);
  expect(await listed('--derived', '--limit', '1')).toEqual(all.slice(0, 1));
});

it('deletes an evaluation of either kind, and leaves the others', async () => {
  const listed = async (): Promise<string[]> => {
    const { stdout } = await passed('evaluations', 'list', '--json');
    const { evaluations } = JSON.parse(stdout) as {
      evaluations: { kind: string; number: number }[];
    };
    return evaluations.map((each) => `${each.kind} ${each.number}`).sort();
  };
  const before = await listed();
  expect((await passed('evaluations', 'remove', 'tasks:1')).stdout).toContain(
    'Removed Task evaluation #2 of both.',
  );
  expect(await listed()).toEqual(before.filter((each) => each !== 'tasks 2'));
  const { stdout } = await passed('evaluations', 'remove', '1', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    removed: expect.any(String) as string,
    kind: 'cases',
  });
  expect(await listed()).toEqual(before.filter((each) => !/ [12]$/.test(each)));
  for (const [command, name] of [
    ['show', 'tasks:1'],
    ['remove', '1'],
    ['show', 'nobody'],
  ] as const)
    expect((await run('evaluations', command, name)).code).toBe(2);
  expect((await run('export', 'tasks:1', '--to', 'md')).code).toBe(2);
});
