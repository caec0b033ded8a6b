import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { runCommand, spawnCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input?: string): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
const at = (name: string) => join(folder.path, name);
const sample = ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--quiet'];

/** Words of schemas, procedures and systems that mean nothing to a person. */
const raw =
  /\n {4}at |\(node:|expected (?:number|string)|invalid_|Too (?:small|big)|ENOENT|EEXIST|EISDIR|ENOTDIR|servers\.create|config\.|went wrong inside/;

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(at('file'), 'text');
  await mkdir(at('folder'));
  await run(['suite', 'list']);
});
afterAll(async () => {
  await folder.remove();
});

describe('a message of the command line', () => {
  it.each<[string[], RegExp]>([
    [['nosuch'], /^nosuch: Unknown command\. `touchstone --help`/],
    [['evla', '--suite', 'x'], /^evla: .*Did you mean eval\?/],
    [['--json', 'suit', 'list'], /^suit: .*Did you mean suite\?/],
    [['servers', 'lst'], /unknown command 'lst'.*Did you mean list\?/s],
    [[...sample.slice(0, 3), '--provider', 'bogus'], /^--provider bogus: .*builtin, replay/],
    [[...sample, '--repetitions', '0'], /^--repetitions 0: .*whole number from 1 to 100\.$/m],
    [[...sample, '--repetitions', '101'], /^--repetitions 101: .*from 1 to 100/],
    [[...sample, '--concurrency', 'x'], /^--concurrency x: .*whole number from 1 to 256/],
    [[...sample, '--concurrency', ''], /^--concurrency : .*whole number/],
    [[...sample, '--allow-failed', '-1'], /^--allow-failed -1: .*whole number of 0 or more/],
    [[...sample, '--base-url', 'localhost'], /^--base-url localhost: .*http/],
    [[...sample, '--model', 'm'.repeat(101)], /^--model m+: .*1 to 100 characters/],
    [
      ['tools', '--url', 'ftp://x'],
      /^--url ftp:\/\/x: The address must be an http or https URL\.$/m,
    ],
    [
      ['servers', 'add', 'a:b', '--url', 'http://127.0.0.1:9'],
      /^name a:b: A server name holds no colon/,
    ],
    [['servers', 'add', 'a', '--url', 'nowhere'], /^--url nowhere: /],
    [
      ['eval', '--suite', 'todo-smple', '--provider', 'builtin'],
      /^Suite todo-smple: .*Did you mean todo-sample\?/,
    ],
    [['servers', 'remove', 'tdo'], /^Server tdo: .*Did you mean todo\?/],
    [
      ['eval', '--suite', 'todo-sample', '--provider', 'replay', '--model', 'm'],
      /^--provider replay: .*Give --replay FILE\.$/m,
    ],
    [
      [...sample, '--record', 'a', '--replay', 'b'],
      /--record and --replay together complete one recording\. Give both the same file/,
    ],
    [
      ['eval', '--suite', '-', '--tools', '-', '--provider', 'builtin'],
      /Standard input can be read for one option only/,
    ],
  ])('%j names the option, its value and what is allowed', async (args, expected) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(raw);
    expect([code, stdout]).toEqual([2, '']);
  });

  it.each<[string, () => string[], RegExp]>([
    [
      'a file as workspace',
      () => ['--workspace', at('file'), 'suite', 'list'],
      /file: It exists, but it isn't a folder\. Choose a folder/,
    ],
    [
      'a workspace below a file',
      () => ['--workspace', at('file/below'), 'suite', 'list'],
      /below: Part of its path is a file/,
    ],
    [
      'an export into a folder that is not there',
      () => ['suite', 'export', 'todo-sample', '--out', at('none/x')],
      /none\/x: .*its folder is missing/,
    ],
    [
      'an export over a folder',
      () => ['suite', 'export', 'todo-sample', '--out', at('folder')],
      /folder: It's a folder\. Choose a file/,
    ],
    ['a folder as suite', () => ['suite', 'validate', at('folder')], /folder: It's a folder/],
    [
      'a folder as input of score',
      () => ['score', '--input', at('folder')],
      /folder: It's a folder/,
    ],
    [
      'a missing input of score',
      () => ['score', '--input', at('none')],
      /none: The file or folder doesn't exist/,
    ],
    [
      'a folder without skills as tools',
      () => [...sample, '--tools', at('folder')],
      /folder: .* has no skill: none of its folders has a SKILL\.md/,
    ],
    ['a folder as recording', () => [...sample, '--replay', at('folder')], /folder: It's a folder/],
    [
      'a missing recording',
      () => [...sample, '--replay', at('none')],
      /none: The file or folder doesn't exist/,
    ],
  ])('explains %s without raw system errors', async (_what, args, expected) => {
    const { code, stdout, stderr } = await run(args());
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(raw);
    expect([code, stdout]).toEqual([2, '']);
  });

  // Node's warnings are written by the process, not by the command.
  it('explains something else as recording without raw system errors', async () => {
    const { code, stdout, stderr } = await spawnCommand([...sample, '--replay', at('file')], {
      workspace: at('workspace'),
    });
    expect(stderr).toMatch(
      /(?=[^]*^warning: .*file: line 1 was cut off)[^]*^Recording .*file: It contains no recorded answers/m,
    );
    expect(stderr).not.toMatch(raw);
    expect([code, stdout]).toEqual([2, '']);
  });

  it.runIf(process.platform === 'linux').each<[string[], RegExp, number]>([
    [['suite', 'validate', '/dev/zero'], /^\/dev\/zero: It is a device/, 2],
    [['score', '--input', '/dev/zero'], /^\/dev\/zero: It is a device/, 2],
    [[...sample, '--tools', '/dev/zero'], /^\/dev\/zero: It is a device/, 2],
    [[...sample, '--replay', '/dev/zero'], /^\/dev\/zero: It is a device/, 2],
    [['eval', '--suite', '/dev/zero', '--provider', 'builtin'], /^\/dev\/zero: It is a device/, 2],
    [['--workspace', '/proc/x', 'suite', 'list'], /^\/proc\/x: The file can't be created/, 2],
    [['suite', 'export', 'todo-sample', '--out', '/dev/full'], /^\/dev\/full: Its disk is full/, 3],
  ])('refuses %j by name and does not hang', async (args, expected, expectedCode) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(expected);
    expect([code, stdout]).toEqual([expectedCode, '']);
  });

  it.runIf(process.platform !== 'win32')(
    'reads a shell’s pipe and refuses a named pipe',
    async () => {
      const shell = (line: string) =>
        promisify(execFile)('bash', ['-c', line, 'bash', process.execPath, testedProgram], {
          env: { ...process.env, TOUCHSTONE_HOME: at('workspace') },
        });
      const suite = JSON.stringify({ version: 1, name: 'piped', servers: ['s'], cases: [] });
      expect((await shell(`"$1" "$2" suite validate <(echo '${suite}')`)).stdout).toContain(
        'no problems',
      );
      await promisify(execFile)('mkfifo', [at('fifo')]);
      const named = await run(['suite', 'validate', at('fifo')]);
      expect([named.code, named.stderr]).toEqual([
        2,
        expect.stringContaining('It is a named pipe'),
      ]);
    },
  );

  it('replays a recording from standard input, and says that the provider is not asked', async () => {
    const recording = at('recording.jsonl');
    expect((await run([...sample, '--record', recording])).code).toBe(0);
    const { code, stdout } = await run(
      [...sample, '--replay', '-', '--json'],
      await readFile(recording, 'utf8'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ provider: 'replay', counts: { failed: 0 } });
    const other = await run([
      'eval',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      '--replay',
      recording,
    ]);
    expect(other.stderr).toContain(`The answers come from ${recording}; builtin is not asked.`);
  });

  it('reports an unregistered server once, and nothing that follows from it', async () => {
    const { code, stderr } = await run([
      'eval',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      '--server',
      'todoo',
    ]);
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^--server todoo: No server with this name.*Did you mean todo\?/),
    ]);
    const cases = Array.from({ length: 20 }, (_, index) => ({
      id: `c${index}`,
      name: 'c',
      query: 'q',
      expected_calls: [{ server: 'ghost', tool: 't' }],
    }));
    await writeFile(
      at('ghost.suite.json'),
      JSON.stringify({ version: 1, name: 'ghost', servers: ['ghost'], cases }),
    );
    const named = await run(['eval', '--suite', at('ghost.suite.json'), '--provider', 'builtin']);
    expect(named.code).toBe(2);
    expect(named.stderr.trim().split('\n')).toEqual([
      expect.stringContaining('Server ghost is not registered'),
      expect.stringContaining('touchstone servers add'),
    ]);
  });

  it.each([
    ['cases', { query: 'q', expected_calls: [{ server: 'ghost', tool: 't' }] }],
    ['tasks', { turns: ['q'], checks: [{ answer: { $contains: 'a' } }] }],
  ])('says where a tools file takes its server from (%s)', async (name, entry) => {
    const [suite, tools] = [at(`${name}.suite.json`), at('listed.json')];
    const all = [{ id: 'c', name: 'c', ...entry }];
    await writeFile(suite, JSON.stringify({ version: 1, name, servers: ['ghost'], cases: all }));
    await writeFile(tools, JSON.stringify({ tools: [{ name: 't', inputSchema: {} }] }));
    const wrong = await run(['eval', '--suite', suite, '--tools', tools, '--provider', 'builtin']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/no tools of server ghost .*: listed\. .*Name the file ghost\.json/u),
    ]);
    const renamed = at('ghost.json');
    await writeFile(renamed, await readFile(tools));
    const right = ['eval', '--suite', suite, '--tools', renamed, '--provider', 'builtin'];
    expect((await run([...right, '--estimate'])).stderr).toBe('');
  });

  it('shortens repeated warnings, and shows all of them with --verbose', async () => {
    const tools = at('few.json');
    await writeFile(
      tools,
      JSON.stringify({
        tools: [
          { server: 'todo', name: 'other', description: '', input_schema: { type: 'object' } },
        ],
      }),
    );
    const args = ['eval', '--suite', 'todo-sample', '--tools', tools, '--provider', 'builtin'];
    const warnings = (text: string) =>
      text.split('\n').filter((line) => line.startsWith('warning:')).length;
    const short = await run(args);
    const long = await run([...args, '--verbose']);
    expect(warnings(short.stderr)).toBe(3);
    expect(warnings(long.stderr)).toBeGreaterThan(10);
    expect(short.stderr).toContain(
      `… and ${warnings(long.stderr) - 3} more like these; --verbose shows them.`,
    );
  });

  it('suggests --replace for a suite that exists already', async () => {
    const { stdout } = await run(['suite', 'export', 'todo-sample']);
    const changed = stdout.replace(/query: .+/, 'query: Another request');
    const { code, stderr } = await run(['suite', 'import', '-'], changed);
    expect(code).toBe(2);
    expect(stderr).toMatch(/todo-sample already \(\d+ cases\)\. Give --replace/);
  });

  it('names the host and the cause when nothing is listening at an address', async () => {
    const closed = createServer();
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port)),
    );
    await new Promise((resolve) => closed.close(resolve));
    const dead = await run(['tools', '--url', `http://127.0.0.1:${port}/mcp`]);
    expect([dead.code, dead.stdout]).toEqual([
      3,
      expect.stringContaining(`nothing is listening at 127.0.0.1:${port} (ECONNREFUSED). `),
    ]);
    expect((await run(['tools', '--url', 'http://127.0.0.1:1/mcp'])).stdout).toContain(
      'fetch failed: bad port. ',
    );
  });

  it('shows an example in the help of every group', async () => {
    for (const args of [[], ['servers'], ['suite']])
      expect((await run([...args, '--help'])).stdout).toContain('Example:');
  });

  it.runIf(process.platform === 'linux')(
    'ends with 3 on a full standard output, and quietly on a closed one',
    async () => {
      const shell = (line: string) =>
        promisify(execFile)(
          'bash',
          ['-c', `set -o pipefail; ${line}`, 'bash', process.execPath, testedProgram],
          { env: { ...process.env, TOUCHSTONE_HOME: at('workspace') } },
        );
      await expect(shell('"$1" "$2" suite export todo-sample > /dev/full')).rejects.toMatchObject({
        code: 3,
        stderr: expect.stringContaining("can't be written") as unknown,
      });
      await expect(shell('"$1" "$2" suite export todo-sample | head -1')).resolves.toMatchObject({
        stderr: '',
      });
      expect(await readdir(at('workspace'))).toContain('touchstone.sqlite');
    },
  );
});
