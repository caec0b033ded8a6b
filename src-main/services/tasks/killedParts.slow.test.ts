import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createServices } from '../../app/createServices.ts';
import { listProcesses, readCommand } from '../../adapters/process/processTable.ts';
import { removeLeftFolders } from '../../adapters/process/programFolder.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import type { KilledTasks } from '../../testing/killedTasksChild.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { isNightly, sampled } from '../../testing/nightly.ts';
import { todoServer } from '../../testing/taskRuns.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

afterEach(expectNoLeaks);

const child = testProgram('src-main/testing/killedTasksChild.ts');
const ids = ['a', 'b', 'c'];

/** Commands of processes that name the folder. */
async function left(folder: string): Promise<string[]> {
  const rows = await listProcesses();
  const commands = await Promise.all(rows.map(({ pid }) => readCommand(pid)));
  return commands.filter((command) => command.includes(folder));
}

/** A suite of three tasks that have these fields. */
const suiteOf = (fields: object): string =>
  stringify({
    ...{ version: 1, name: 'killed', servers: ['todo'] },
    cases: ids.map((id) => ({
      ...{ id, name: id, turns: ['Add a task "Buy milk" for user u-1.'] },
      checks: [{ id: 'made', calls: { must: ['add_task'] } }],
      ...fields,
    })),
  });

/** A program that notes each start and passes everything; the second one never ends until it may. */
function heldProgram(folder: string, prints = '{"passed": true}'): string[] {
  const file = join(folder, 'held.mjs');
  const [log, go] = ['log', 'go'].map((name) => JSON.stringify(join(folder, name)));
  writeFileSync(
    file,
    `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
     appendFileSync(${log}, 'started\\n');
     const count = readFileSync(${log}, 'utf8').trim().split('\\n').length;
     if (count === 2 && !existsSync(${go})) setInterval(() => {}, 60_000);
     else console.log(${JSON.stringify(prints)});`,
  );
  return [process.execPath, file];
}
const starts = (folder: string): number =>
  existsSync(join(folder, 'log'))
    ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').length
    : 0;

/** Kills the program once it is held, and resumes what it left. */
async function killedAndResumed(folder: string, tasks: KilledTasks, isHeld: () => Promise<void>) {
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(tasks));
  const program = spawn(process.execPath, [child, folder, join(folder, 'tasks.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = once(program, 'exit');
  await Promise.race([
    isHeld(),
    ended.then(() => {
      throw new Error('The program ended before it was killed.');
    }),
  ]);
  program.kill('SIGKILL');
  await ended;
  await expect.poll(() => left(folder)).toEqual([]);
  const startsBefore = starts(folder);
  writeFileSync(join(folder, 'go'), '');
  const opened = await createServices({ host: 'cli', folder });
  try {
    const { evaluations } = opened.services;
    const [found] = await evaluations.list({ unit: 'task', limit: 5, baseId: null });
    const id = found?.id ?? '';
    const page = { id, sort: 'position', descending: false, offset: 0, limit: 500 } as const;
    const runs = async () => (await evaluations.runs({ unit: 'task', ...page })).rows;
    const before = await runs();
    const state = found?.state;
    await evaluations.resume({ unit: 'task', id });
    const { signal } = new AbortController();
    for await (const _ of evaluations.watch({ unit: 'task', id, afterSeq: 0 }, { signal }));
    const after = await runs();
    return { starts: startsBefore, state, before, after };
  } finally {
    await opened.close();
  }
}
type Ended = Awaited<ReturnType<typeof killedAndResumed>>;

/**
 * What was stored is kept, everything else is run again, and each run is there once. Returns how many
 * runs were left: the first one has ended, and may not have been stored yet.
 */
function expectWhole({ state, before, after }: Ended): number {
  expect(state).toBe('interrupted');
  const unstored = before.filter(({ outcome }) => outcome !== 'succeeded');
  for (const { outcome } of unstored) expect([null, 'not_run']).toContain(outcome);
  expect([2, 3]).toContain(unstored.length);
  expect(after.map(({ taskKey, outcome }) => [taskKey, outcome])).toEqual(
    ids.map((id) => [id, 'succeeded']),
  );
  for (const run of before) if (!unstored.includes(run)) expect(after).toContainEqual(run);
  return unstored.length;
}

/** What a killed program left in its temporary folder is removed by the next start. */
async function expectNoFolder(folder: string): Promise<void> {
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    await removeLeftFolders();
  } finally {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('touchstone-run'))).toEqual([]);
}

const servers = { todo: todoServer };
const programs: readonly [string, (command: string[]) => object][] = [
  ['fixtures that a program writes', (command) => ({ files: [{ program: { command } }] })],
  ['a reset by a program', (command) => ({ reset: [{ server: 'todo', command }] })],
  [
    'a check by a program',
    (command) => ({ checks: [{ id: 'held', program: { command, timeout: 60 } }] }),
  ],
];

describe('a program that is killed during a part of a task', () => {
  it.each(sampled(programs, ([name]) => name === 'a check by a program'))(
    'loses and doubles no run, and leaves no process and no folder: %s',
    async (_, fieldsOf) => {
      await using folder = await temporaryFolder();
      const suite = suiteOf(fieldsOf(heldProgram(folder.path)));
      const isHeld = () => expect.poll(() => starts(folder.path)).toBe(2);
      const ended = await killedAndResumed(folder.path, { suite, servers, request: {} }, isHeld);
      expect(starts(folder.path)).toBe(2 + expectWhole(ended));
      await expectNoFolder(folder.path);
    },
  );

  it('asks all judges again about what was cut short, and about no other run', async () => {
    await using folder = await temporaryFolder();
    let isReleased = false;
    const asked: unknown[] = [];
    await using server = await startFakeModelServer({
      rule: ({ body }) => {
        asked.push(body['model']);
        return asked.length === 4 && !isReleased
          ? { does: 'stall before headers' }
          : { does: 'answer', text: '{"verdict":"yes","reason":"Fine."}' };
      },
    });
    const judge = {
      provider: 'openai-compatible',
      baseUrl: `${server.origin}/v1`,
      model: 'judge-1',
    };
    const request = { judge, moreJudges: [{ ...judge, model: 'judge-2' }] };
    const checks = [{ id: 'made', calls: { must: ['add_task'] } }, { judge: 'It is polite.' }];
    const tasks = { suite: suiteOf({ checks }), servers, request };
    const ended = await killedAndResumed(folder.path, tasks, async () => {
      await server.seen(4);
      isReleased = true;
    });
    const runs = 2 + expectWhole(ended);
    expect(asked).toEqual(Array.from({ length: runs }, () => ['judge-1', 'judge-2']).flat());
    await expectNoFolder(folder.path);
  });

  it.runIf(isNightly).each([
    ['state', 1],
    ['unchanged', 2],
  ])('reads 50 MB again for the run that was cut short in it: %s', async (kind, readings) => {
    await using folder = await temporaryFolder();
    const log = join(folder.path, 'log');
    const args = { megabytes: 50, mark: log };
    const read = { server: 'large', tool: 'read_large', arguments: args };
    const check =
      kind === 'state'
        ? { state: { ...read, at: '/meta/count', matches: 50_000 } }
        : { unchanged: { ...read, at: '/records' } };
    const suite = suiteOf({ servers: ['todo', 'large'], checks: [{ id: 'read', ...check }] });
    // Its folder is in its arguments, so that the process is found.
    const plain = fakeStdioServer('large');
    const large = {
      ...{ ...plain, isolated: true as const },
      args: [...plain.args, '--location', '{{run_dir}}'],
    };
    const tasks = { suite, servers: { ...servers, large }, request: {} };
    const isHeld = () =>
      expect.poll(() => starts(folder.path), { interval: 5 }).toBeGreaterThan(readings);
    const ended = await killedAndResumed(folder.path, tasks, isHeld);
    expect(starts(folder.path)).toBe(ended.starts + readings * expectWhole(ended));
    await expectNoFolder(folder.path);
  });
});
