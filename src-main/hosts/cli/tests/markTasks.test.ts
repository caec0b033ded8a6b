import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

/** A task in a folder of its own, as MCPMark keeps them: without a script if none is given. */
async function writeTask(
  id: string,
  { mcp = 'filesystem', script, state }: { mcp?: string; script?: string; state?: string },
): Promise<void> {
  const place = at('tasks', 'notes', id);
  await mkdir(place, { recursive: true });
  const meta = {
    ...{ task_id: id, task_name: `Task ${id}`, category_id: 'notes', difficulty: 'L1' },
    ...{ mcp: [mcp], tags: ['text'], meta_data: { stateType: 'text', stateUrl: state ?? '' } },
  };
  await writeFile(join(place, 'meta.json'), JSON.stringify(meta));
  await writeFile(join(place, 'description.md'), 'Add a task "Buy milk" for user u-1.\n');
  if (script !== undefined) await writeFile(join(place, 'verify.py'), script);
}
const reads = (name: string): string =>
  `import os, sys\ntext = open(os.path.join(os.environ["FILESYSTEM_TEST_DIR"], "${name}")).read()\nprint("It says " + text)\nsys.exit(0 if text == "yes" else 1)\n`;

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeTask('first', {
    script: reads('a.txt'),
    state: 'https://example.com/files/notes.zip',
  });
  await writeTask('second', {
    script: reads('b.txt'),
    state: 'https://example.com/files/notes.zip',
  });
  await writeTask('account', { mcp: 'github', script: 'exit(0)' });
  await writeTask('silent', {});
  await writeFile(at('tasks', 'meta.json'), '{"a": 1}');
});
afterAll(() => folder.remove());

it('imports the tasks of a folder of MCPMark, and names those that need more than files', async () => {
  const made = await run('suite', 'import', at('tasks'), '--name', 'marks', '--server', 'todo');
  expect([made.code, made.stdout.trim()]).toEqual([0, 'Imported marks: 2 tasks.']);
  for (const said of [
    'It needs an account of GitHub (github).',
    'It has no verify.py',
    'Put notes.zip next to the suite',
    'meta.json: It isn’t a task of MCPMark',
  ])
    expect(made.stderr).toContain(said);
  const shown = await run('suite', 'export', 'marks', '--format', 'json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    servers: ['todo'],
    cases: [
      {
        id: 'first',
        name: 'Task first',
        turns: ['Add a task "Buy milk" for user u-1.'],
        tags: ['notes', 'L1', 'text'],
        files: [{ from: 'notes.zip' }],
        checks: [
          {
            program: {
              command: [
                ...['env', 'FILESYSTEM_TEST_DIR={{run_dir}}/notes', 'python3'],
                './notes/first/verify.py',
              ],
              timeout: 300,
              exit_code: true,
            },
          },
        ],
      },
      { id: 'second' },
    ],
  });
});

it('imports one task by its meta.json', async () => {
  const file = at('tasks', 'notes', 'second', 'meta.json');
  const made = await run('suite', 'import', file, '--name', 'one', '--server', 'todo');
  expect([made.code, made.stdout.trim()]).toEqual([0, 'Imported one: 1 task.']);
  const shown = await run('suite', 'export', 'one', '--format', 'json');
  expect(shown.stdout).toContain('"./verify.py"');
});

it('refuses a folder without such tasks, and says what to give', async () => {
  const refused = await run('suite', 'import', at('workspace'));
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('It is a folder without tasks of MCPMark'),
  ]);
});

const hasPython = process.platform !== 'win32' && spawnSync('python3', ['-c', 'pass']).status === 0;
it.skipIf(!hasPython)('lets verify.py decide over the files of the run', async () => {
  await mkdir(at('packed', 'notes'), { recursive: true });
  await writeFile(at('packed', 'notes', 'a.txt'), 'yes');
  await writeFile(at('packed', 'notes', 'b.txt'), 'no');
  const packed = spawnSync('python3', ['-m', 'zipfile', '-c', at('tasks', 'notes.zip'), 'notes'], {
    cwd: at('packed'),
  });
  expect(packed.status).toBe(0);
  const played = await run(
    ...['eval', '--suite', 'marks', '--provider', 'builtin', '--only', 'tasks'],
    ...['--execute', 'full', '--yes', '--allow-programs', '--report', at('r.json')],
  );
  const report = JSON.parse(await readFile(at('r.json'), 'utf8')) as {
    runs: { task: string; outcome: string; checks: { reason: string }[] }[];
  };
  expect(
    report.runs.map(({ task, outcome, checks }) => [task, outcome, checks[0]?.reason]),
    played.stderr,
  ).toEqual([
    ['first', 'succeeded', 'The program exited with code 0. It wrote: It says yes'],
    ['second', 'check_failed', 'The program exited with code 1. It wrote: It says no'],
  ]);
});
