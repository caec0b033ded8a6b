import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { localDate } from '../../../../src-shared/domain/runValues.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('suite'));
});
afterAll(() => folder.remove());

interface Run {
  task: string;
  outcome: string;
  failure: string | null;
  reason: string | null;
  differences: { expected: unknown; text: string }[];
}
const runs = (): Run[] => (JSON.parse(readFileSync(at('r.json'), 'utf8')) as { runs: Run[] }).runs;
const of = (id: string) => runs().find(({ task }) => task === id);
const write = (cases: object[]) =>
  writeFileSync(
    at('suite/s.yaml'),
    stringify({ version: 1, name: 'prepared', servers: ['todo'], cases }),
  );
const add = (title: string) => `Add a task "${title}" for user u-1.`;
const task = <Own extends object>(id: string, own: Own) => ({
  ...{ id, name: id, turns: [add('Buy milk')] },
  ...own,
});
const play = (...options: string[]) =>
  run(
    ...['eval', '--suite', at('suite/s.yaml'), '--provider', 'builtin', '--only', 'tasks'],
    ...['--execute', 'full', '--yes', '--report', at('r.json'), ...options],
  );
const list = { server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' } };

describe('values of a run', () => {
  const dated = task('dated', {
    turns: [add('Pay on {{today + 3d}}')],
    before: { count: { ...list, at: '/count' } },
    setup: [
      { server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'On {{today}}' } },
    ],
    solution: [
      {
        server: 'todo',
        tool: 'add_task',
        arguments: { user_id: 'u-1', title: 'Pay on {{today+3d}}' },
      },
    ],
    checks: [
      { id: 'one-more', state: { ...list, at: '/count', matches: '{{before.count + 1}}' } },
      { id: 'today', state: { ...list, at: '/tasks/0/title', matches: 'On {{today}}' } },
      { calls: { must: [{ tool: 'add_task', arguments: { title: 'Pay on {{today + 3d}}' } }] } },
      { answer: { $contains: '{{today + 3d}}' } },
      { end_state: { ...list, at: '/tasks', ignore: ['created_at', 'updated_at'] } },
    ],
  });

  it('are read and filled in, and a replay judges by those of its recording', async () => {
    write([
      dated,
      task('wrong', {
        ...{ turns: dated.turns, before: dated.before, setup: dated.setup },
        checks: [{ state: { ...list, at: '/count', matches: '{{before.count + 2}}' } }],
      }),
    ]);
    const ended = await play('--record', at('rec.jsonl'));
    expect(ended.code).toBe(0);
    expect(of('dated')).toMatchObject({ outcome: 'succeeded' });
    expect(of('wrong')).toMatchObject({
      outcome: 'check_failed',
      reason: expect.stringContaining('expected 3, got 2') as string,
      differences: [{ expected: 3 }],
    });
    expect((await run('verify', at('r.json'))).code).toBe(0);
    const recorded = readFileSync(at('rec.jsonl'), 'utf8');
    const today = localDate(new Date());
    expect(recorded).toContain(`"today":"${today}"`);
    // Another day, and another balance: the recording says what was used.
    const replayed = await run(
      ...['eval', '--suite', at('suite/s.yaml'), '--replay', at('rec.jsonl'), '--only', 'tasks'],
      ...['--report', at('r.json')],
    );
    expect(replayed.code).toBe(0);
    expect(runs().map(({ outcome }) => outcome)).toEqual(['succeeded', 'check_failed']);
    writeFileSync(at('rec.jsonl'), recorded.replaceAll('"before.count":1', '"before.count":0'));
    await run(
      ...['eval', '--suite', at('suite/s.yaml'), '--replay', at('rec.jsonl'), '--only', 'tasks'],
      ...['--report', at('r.json')],
    );
    expect(runs().map(({ outcome }) => outcome)).toEqual(['check_failed', 'succeeded']);
  });

  it('are refused with line and suggestion where a task reads none of that name', async () => {
    write([
      task('typo', {
        before: { count: { ...list, at: '/count' } },
        checks: [{ state: { ...list, at: '/count', matches: '{{before.cuont + 1}}' } }],
      }),
      task('unit', { checks: [{ answer: '{{today + 3w}}' }] }),
    ]);
    expect((await play()).code).toBe(2);
    const { stdout, stderr } = await run('suite', 'validate', at('suite/s.yaml'));
    const said = `${stdout}${stderr}`;
    expect(said).toMatch(
      /s\.yaml:\d+:\d+: \S+ \{\{before\.cuont\}\} is not read.*Did you mean count\?/u,
    );
    expect(said).toContain('{{today + 3w}} is not a value');
  });

  it('leave a run unscored that can’t calculate with what it reads', async () => {
    write([
      task('object', {
        before: { all: list },
        checks: [{ state: { ...list, at: '/count', matches: '{{before.all}}' } }],
      }),
      task('text', {
        before: { user: { ...list, at: '/user_id' } },
        checks: [{ state: { ...list, at: '/count', matches: '{{before.user + 1}}' } }],
      }),
    ]);
    expect((await play()).code).toBe(3);
    expect(of('object')).toMatchObject({ outcome: 'not_scored', failure: 'setup' });
    expect(of('object')?.reason).toContain('Point "at" to a text or a number in it.');
    expect(of('text')).toMatchObject({ outcome: 'not_scored' });
  });
});

describe('fixtures', () => {
  it('are there when the servers of a run start', async () => {
    await run('suite', 'list');
    write([task('seed', { checks: [{ state: { ...list, at: '/count', matches: 1 } }] })]);
    const seed = `
      const { execFileSync } = require('node:child_process');
      const fs = require('node:fs');
      fs.writeFileSync(process.env.TOUCHSTONE_RUN_DIR + '/made.txt', 'made');`;
    writeFileSync(at('suite/make.cjs'), seed);
    mkdirSync(at('suite/notes'));
    writeFileSync(at('suite/notes/a.txt'), 'a note');
    const check = `
      const { readFileSync } = require('node:fs');
      const text = ['notes/a.txt', 'made.txt']
        .map((name) => readFileSync(process.env.TOUCHSTONE_RUN_DIR + '/' + name, 'utf8')).join();
      console.log(JSON.stringify({ passed: text === 'a note,made', reason: text }));`;
    writeFileSync(at('suite/check.cjs'), check);
    const node = (name: string) => ({ command: [process.execPath, name] });
    write([
      task('files', {
        files: [{ from: 'notes' }, { program: node('make.cjs') }],
        checks: [{ id: 'there', program: node('check.cjs') }],
      }),
      task('missing', {
        files: [{ from: 'nowhere' }],
        checks: [{ calls: { must: ['add_task'] } }],
      }),
      task('reset', {
        reset: [
          { server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'First' } },
        ],
        setup: [
          { server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'Second' } },
        ],
        checks: [{ state: { ...list, at: '/tasks/0/title', matches: 'First' } }],
      }),
    ]);
    expect((await play('--allow-programs')).code).toBe(3);
    expect(of('files')).toMatchObject({ outcome: 'succeeded' });
    expect(of('reset')).toMatchObject({ outcome: 'succeeded' });
    expect(of('missing')).toMatchObject({ outcome: 'not_scored', failure: 'setup' });
    expect(of('missing')?.reason).toContain('nowhere: There is no such file or folder');
  });

  it('are found where an imported suite came from', async () => {
    write([
      task('files', {
        files: [{ from: 'notes' }],
        checks: [{ calls: { must: ['add_task'] } }],
      }),
    ]);
    mkdirSync(at('suite/notes'), { recursive: true });
    expect((await run('suite', 'import', at('suite/s.yaml'))).code).toBe(0);
    const ended = await run(
      ...['eval', '--suite', 'prepared', '--provider', 'builtin', '--only', 'tasks'],
      ...['--execute', 'full', '--yes', '--report', at('r.json')],
    );
    expect([ended.code, of('files')?.outcome]).toEqual([0, 'succeeded']);
  });

  it.each(['../out', '/etc/passwd', 'C:/x', 'a\\b', 'a/../../b'])(
    'are refused with their line where a path leads out: %s',
    async (from) => {
      write([task('out', { files: [{ from }], checks: [{ calls: { must: ['add_task'] } }] })]);
      const { code, stderr } = await play();
      expect([code, stderr]).toEqual([2, expect.stringMatching(/s\.yaml:\d+:\d+: A path/u)]);
    },
  );
});

describe('the calls of a run that succeeded', () => {
  const solved = task('solved', {
    checks: [{ id: 'one', state: { ...list, at: '/count', matches: 1 } }],
  });
  const evaluate = (...options: string[]) =>
    run(
      ...['eval', '--suite', 'prepared', '--provider', 'builtin', '--only', 'tasks'],
      ...['--report', at('r.json'), ...options],
    );
  const latest = () =>
    String((JSON.parse(readFileSync(at('r.json'), 'utf8')) as { number: number }).number);

  it('become the solution of its task, after passing its checks without a model', async () => {
    write([solved, task('never', { checks: [{ calls: { must: ['delete_task'] } }] })]);
    await run('suite', 'import', at('suite/s.yaml'), '--replace');
    expect((await evaluate('--execute', 'full', '--yes')).code).toBe(0);
    const kept = await run('suite', 'solution', latest(), 'solved', '--json');
    const title = { user_id: 'u-1', title: 'Buy milk' };
    const solution = [{ server: 'todo', tool: 'add_task', arguments: title }];
    expect(JSON.parse(kept.stdout)).toMatchObject({ task: 'solved', kept: true, solution });
    const exported = await run('suite', 'export', 'prepared', '--format', 'json');
    expect(JSON.parse(exported.stdout)).toMatchObject({ cases: [{ id: 'solved', solution }, {}] });
    const failed = await run('suite', 'solution', latest(), 'never');
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining('None of its 1 run')]);
    const typo = await run('suite', 'solution', latest(), 'slved');
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('mean solved?')]);
  });

  it('are refused where the task is another one now, or nothing was executed', async () => {
    write([solved]);
    await run('suite', 'import', at('suite/s.yaml'), '--replace');
    await evaluate('--execute', 'full', '--yes');
    write([{ ...solved, checks: [{ id: 'two', state: { ...list, at: '/count', matches: 2 } }] }]);
    await run('suite', 'import', at('suite/s.yaml'), '--replace');
    const refused = await run('suite', 'solution', latest(), 'solved');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("It doesn't pass the check two.");
    write([task('solved', { checks: [{ calls: { must: ['add_task'] } }] })]);
    await run('suite', 'import', at('suite/s.yaml'), '--replace');
    await evaluate();
    const stub = await run('suite', 'solution', latest(), 'solved');
    expect(stub.code).not.toBe(0);
    expect(stub.stderr).toContain('The run executed no call without an error.');
  });

  it('are printed for a suite that is a file', async () => {
    write([solved]);
    await play();
    const printed = await run('suite', 'solution', latest(), 'solved');
    expect(printed.stdout).toContain('solution:\n  - server: todo\n    tool: add_task');
  });
});
