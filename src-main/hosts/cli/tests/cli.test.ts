import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import {
  runCommand,
  spawnCommand,
  startCommand,
  type Ended,
} from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input?: string): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
const file = async (name: string, content: string): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, content);
  return path;
};

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder.remove();
});

const suite = {
  version: 1,
  name: 'files',
  servers: ['s'],
  cases: [
    {
      id: 'a',
      name: 'a',
      query: 'add a task called milk',
      expected_calls: [{ server: 's', tool: 'add_task' }],
    },
  ],
};
const tools = {
  tools: [
    {
      server: 's',
      name: 'add_task',
      description: 'Adds a new task',
      input_schema: { type: 'object' },
    },
    {
      server: 's',
      name: 'delete_task',
      description: 'Deletes a task',
      input_schema: { type: 'object' },
    },
  ],
};

describe('the command line', () => {
  it('runs the sample evaluation in a new workspace and prints one JSON document', async () => {
    const { code, stdout, stderr } = await spawnCommand(
      ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--json'],
      { workspace: join(folder.path, 'workspace') },
    );
    expect(stderr).toMatch(/\d+\/\d+ runs/);
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as {
      counts: Record<string, number>;
      confusion: { labels: string[]; matrix: number[][] };
      metrics: Record<string, { n: number }>;
      provider: string;
    };
    expect(document.counts['total']).toBeGreaterThanOrEqual(24);
    expect(document.counts['failed']).toBe(0);
    expect(document.provider).toBe('builtin');
    expect(document.confusion.labels).toEqual([
      'todo:add_task',
      'todo:complete_task',
      'todo:delete_task',
      'todo:list_tasks',
      'todo:update_task',
      'todo:complete_task | todo:delete_task',
      '(no tool)',
      '(phantom)',
    ]);
    const rows = document.confusion.matrix
      .slice(0, 6)
      .flat()
      .reduce((sum, n) => sum + n, 0);
    expect(rows).toBe(document.metrics['selection_recall']?.n);
  });

  it('opens no workspace when tools and suite are files', async () => {
    const suiteFile = await file('files.suite.json', JSON.stringify(suite));
    const toolsFile = await file('tools.json', JSON.stringify(tools));
    const command = ['eval', '--suite', suiteFile, '--tools', toolsFile, '--provider', 'builtin'];
    const workspace = join(folder.path, 'untouched');
    const { code, stdout, stderr } = await runCommand([...command, '--json'], { workspace });
    expect(code).toBe(0);
    // No later command could find it, so it has no number and no id.
    expect(JSON.parse(stdout)).toMatchObject({
      evaluation_id: null,
      number: null,
      counts: { tp: 1, total: 1 },
    });
    expect(stderr).toContain('was not saved in a workspace');
    expect((await runCommand(command, { workspace })).stdout).toMatch(
      /^1 of 1 case passed .*\n\nEvaluation · /,
    );
    await expect(readFile(join(folder.path, 'untouched', 'touchstone.sqlite'))).rejects.toThrow(
      'ENOENT',
    );
  });

  it('records an evaluation and replays it with the same results', async () => {
    const suiteFile = await file('record.suite.json', JSON.stringify(suite));
    const toolsFile = await file('record.tools.json', JSON.stringify(tools));
    const recording = join(folder.path, 'recording.jsonl');
    const base = [
      'eval',
      '--suite',
      suiteFile,
      '--tools',
      toolsFile,
      '--provider',
      'builtin',
      '--json',
    ];
    const recorded = await run([...base, '--record', recording]);
    const replayed = await run([...base, '--replay', recording]);
    expect([recorded.code, replayed.code]).toEqual([0, 0]);
    const pick = (text: string) => {
      const { counts, metrics, confusion, per_tool, confidence } = JSON.parse(text) as Record<
        string,
        unknown
      >;
      return JSON.stringify({ counts, metrics, confusion, per_tool, confidence });
    };
    expect(pick(replayed.stdout)).toBe(pick(recorded.stdout));
  });

  it.each([
    ['--min', 'selection_f1=0.99', 1],
    ['--max', 'selection_f1=0.99', 0],
    ['--min', 'selection_f1.low=0.1', 0],
    ['--min', 'nonsense=1', 2],
    ['--min', 'selection_f1=', 2],
  ])('the threshold %s %s ends with %i', async (option, value, expected) => {
    const { code } = await run([
      'eval',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      option,
      value,
      '--quiet',
    ]);
    expect(code).toBe(expected);
  });

  it('checks all servers with one command and says the status of each in words', async () => {
    const exits = `${process.execPath} -e process.exit(3)`;
    await run(['servers', 'add', 'gone', '--stdio', exits]);
    const { code, stdout } = await run(['servers', 'check', '--all']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^gone +Unreachable: .*exit code 3/m);
    expect(stdout).toMatch(/^todo +Reachable +\d+$/m);
    expect((await run(['servers', 'check', '--all', 'todo'])).code).toBe(2);
    await run(['servers', 'remove', 'gone']);
  });

  it('names a server that provides no tools and ends with 3, not with 1', async () => {
    const added = await run([
      'servers',
      'add',
      'dead',
      '--stdio',
      `${process.execPath} -e process.exit(3)`,
      '--json',
    ]);
    expect(JSON.parse(added.stdout)).toMatchObject({ name: 'dead', status: 'failed' });
    const { code, stderr, stdout } = await run([
      'eval',
      '--suite',
      'todo-sample',
      '--server',
      'todo',
      'dead',
      '--provider',
      'builtin',
      '--min',
      'selection_f1=0.99',
      '--json',
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain('dead');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'incomplete' });
    expect((await run(['tools', '--server', 'dead'])).code).toBe(3);
    expect((await run(['servers', 'check', 'dead'])).code).toBe(3);
    expect((await run(['servers', 'remove', 'dead'])).code).toBe(0);
  });

  it.each([
    [['eval', '--suite', 'nowhere', '--provider', 'builtin'], 'nowhere'],
    [['eval', '--suite', 'missing.yaml', '--provider', 'builtin'], 'missing.yaml'],
    [['eval', '--suite', 'todo-sample', '--server', 'unknown', '--provider', 'builtin'], 'unknown'],
    [['eval', '--suite', 'todo-sample', '--provider', 'openai', '--model', 'gpt'], 'key'],
    [['eval', '--suite', 'todo-sample', '--provider', 'oracle', '--model', 'x'], 'provider'],
    [
      ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--min', 'pass_rate=80'],
      'a rate from 0 to 1',
    ],
    [
      ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--record', '.'],
      "It's a folder.",
    ],
    [['suite', 'list', '--workspace', ''], '--workspace'],
    [['servers', 'remove', 'nobody'], 'nobody'],
    [['servers', 'add', 'x'], '--stdio'],
    [['suite', 'export', 'nobody'], 'nobody'],
    [['rescore', '4711'], '4711'],
    [['serve-todo', '--http', 'abc'], 'abc'],
    [['frobnicate'], 'frobnicate'],
  ])('ends %j with 2 and names the bad input', async (args, named) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('reports line and column of an error in a suite file and imports nothing', async () => {
    const bad = await file(
      'bad.suite.yaml',
      'version: 1\nname: bad\nservers: [todo]\ncases:\n  - id: a\n    name: a\n    query: q\n    expected_calls:\n      - server: todo\n        tool: add_task\n        parameters: { title: { $regexp: x } }\n',
    );
    const checked = await run(['suite', 'validate', bad, '--json']);
    expect(checked.code).toBe(2);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      valid: false,
      problems: [{ line: 11, message: expect.stringContaining('$regexp') as string }],
    });
    const imported = await run(['suite', 'import', bad]);
    expect(imported.code).toBe(2);
    expect(imported.stderr).toContain(`${bad}:11:`);
    expect((await run(['suite', 'list'])).stdout).not.toContain('bad');
  });

  it('imports an exported suite from standard input without changing it', async () => {
    const exported = await run(['suite', 'export', 'todo-sample']);
    const again = await run(['suite', 'import', '-', '--replace', '--json'], exported.stdout);
    expect(again.code).toBe(0);
    expect((await run(['suite', 'export', 'todo-sample'])).stdout).toBe(exported.stdout);
    const same = await run(['suite', 'import', '-', '--json'], exported.stdout);
    expect(same.code).toBe(0);
    expect(JSON.parse(same.stdout)).toMatchObject({ nothing_new: true });
  });

  it('scores recorded calls in order and names a line that it cannot read', async () => {
    const line = (id: string, name: string) =>
      JSON.stringify({
        id,
        query: 'q',
        tools: [
          {
            name: 'f',
            description: '',
            inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
          },
          { name: 'g' },
        ],
        expected_calls: [{ name: 'f', arguments: { a: 1 } }],
        actual_calls: [{ name, arguments: { a: 1 } }],
      });
    const { code, stdout } = await run(
      ['score', '--input', '-'],
      [line('1', 'f'), '', line('2', 'g'), line('3', 'h')].join('\n'),
    );
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { id: string; classification: string; passed: boolean });
    expect(lines.map(({ id, classification, passed }) => [id, classification, passed])).toEqual([
      ['1', 'TP', true],
      ['2', 'FN', false],
      ['3', 'FN', false],
    ]);
    const broken = await run(['score', '--input', '-'], `${line('1', 'f')}\n{"id":`);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('-:2');
    expect(broken.stdout.trim().split('\n')).toHaveLength(1);
  });

  it('counts lines that no schema can decide, and says why in each', async () => {
    let deep: object = {};
    for (let level = 0; level < 150; level += 1) deep = { properties: { deeper: deep } };
    const line = (id: string, inputSchema: object) =>
      JSON.stringify({
        id,
        tools: [{ server: 's', name: 'f', inputSchema }],
        expected_calls: [{ name: 'f' }],
        actual_calls: [{ name: 'f', arguments: { a: 1 } }],
      });
    const { code, stdout, stderr } = await run(
      ['score', '--input', '-'],
      [line('1', { properties: { a: deep } }), line('2', { properties: { a: {} } })].join('\n'),
    );
    expect(code).toBe(0);
    expect(stderr).toBe('1 line is not scored; “not_scored” says why.\n');
    const lines = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    expect(lines).toMatchObject([
      {
        id: '1',
        passed: null,
        not_scored: expect.stringMatching(/^The input schema of s:f .* at \/properties\/a\.$/u),
      },
      { id: '2', passed: true },
    ]);
    expect(lines[1]).not.toHaveProperty('not_scored');
  });

  it('scores by named rules, prints both verdicts and refuses what suite validate refuses', async () => {
    const line = (change: object = {}) =>
      JSON.stringify({
        id: '1',
        query: 'q',
        tools: [
          {
            name: 'f',
            inputSchema: {
              type: 'object',
              properties: { a: { type: 'string', enum: ['x'] } },
              required: ['a'],
            },
          },
        ],
        expected_calls: [{ name: 'f', arguments: { a: 'x' } }],
        actual_calls: [{ name: 'f', arguments: { a: 'y' } }],
        acceptable: [{ f: { a: ['x', 'y'] } }],
        ...change,
      });
    const score = async (text: string, ...options: string[]) => {
      const { code, stdout, stderr } = await run(['score', '--input', '-', ...options], text);
      const shape = stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>);
      return { code, passed: shape['passed'], accepted: shape['accepted'], stderr };
    };
    expect(await score(line())).toMatchObject({ code: 0, passed: false, accepted: true });
    expect(await score(line(), '--rules', 'bfcl')).toMatchObject({ passed: true, accepted: true });
    const plain = line({
      acceptable: undefined,
      actual_calls: [{ name: 'f', arguments: { a: 'X.' } }],
    });
    expect(await score(plain)).toMatchObject({ passed: false, accepted: undefined });
    expect(await score(plain, '--rules', 'bfcl')).toMatchObject({ passed: true });
    const absent = line({ expected_calls: [{ name: 'f', arguments: { a: { $absent: true } } }] });
    const refused = await score(absent);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('-:1: expected_calls.0'),
    ]);
    expect((await score(line(), '--rules', 'other')).code).toBe(2);
  });

  it('rescores an evaluation by number and keeps its counts', async () => {
    const first = await run([
      'eval',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      '--json',
      '--quiet',
    ]);
    const { number, counts } = JSON.parse(first.stdout) as { number: number; counts: unknown };
    const { code, stdout } = await run(['rescore', String(number), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ counts });
  });

  it('T54: writes through a running window and reads the workspace directly', async () => {
    const workspace = join(folder.path, 'shared');
    const window = startCommand(['open', '--host', 'loopback', '--no-browser', '--port', '0'], {
      workspace,
    });
    const ended = once(window, 'exit');
    await once(window.stdout, 'data');
    const written = await runCommand(
      ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--json', '--quiet'],
      { workspace },
    );
    expect(written.code).toBe(0);
    expect((await runCommand(['suite', 'list'], { workspace })).stdout).toContain('todo-sample');
    window.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  it('prints a cancelled evaluation on Ctrl-C and ends with 3', async () => {
    const cases = Array.from({ length: 20_000 }, (_, index) => ({
      ...suite.cases[0],
      id: `c${index}`,
    }));
    const suiteFile = await file('long.suite.json', JSON.stringify({ ...suite, cases }));
    const toolsFile = await file('long.tools.json', JSON.stringify(tools));
    const child = startCommand(
      ['eval', '--suite', suiteFile, '--tools', toolsFile, '--provider', 'builtin', '--json'],
      { workspace: join(folder.path, 'cancelled') },
    );
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled' });
  });

  it('T51: refuses a damaged workspace without changing it, and salvages what is readable', async () => {
    const workspace = join(folder.path, 'damaged');
    expect((await runCommand(['suite', 'list'], { workspace })).code).toBe(0);
    const database = join(workspace, 'touchstone.sqlite');
    const good = await readFile(database);
    const bad = Buffer.from(good);
    bad.fill(0xff, 4096 * 3, 4096 * 4);
    await writeFile(database, bad);
    const refused = await runCommand(['suite', 'list'], { workspace });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(database);
    expect(refused.stderr).toContain('touchstone salvage');
    const salvaged = await runCommand(['salvage', '--out', join(folder.path, 'saved'), '--json'], {
      workspace,
    });
    expect(JSON.parse(salvaged.stdout)).toMatchObject({
      tables: expect.arrayContaining([expect.objectContaining({ table: 'settings' })]) as unknown[],
      missing: [expect.stringContaining('The database is damaged: ')],
    });
    expect([salvaged.code, salvaged.stderr]).toEqual([3, '']);
    expect((await readFile(database)).equals(bad)).toBe(true);
    await writeFile(database, good);
    const whole = await runCommand(['salvage', '--out', join(folder.path, 'whole'), '--json'], {
      workspace,
    });
    expect([whole.code, JSON.parse(whole.stdout)]).toMatchObject([0, { missing: [] }]);
  });

  it('shows an example in the help of every command', async () => {
    for (const args of [
      ['open'],
      ['servers', 'list'],
      ['servers', 'add'],
      ['servers', 'remove'],
      ['servers', 'check'],
      ['servers', 'import'],
      ['servers', 'export'],
      ['tools'],
      ['suite', 'list'],
      ['suite', 'import'],
      ['suite', 'export'],
      ['suite', 'validate'],
      ['eval'],
      ['check'],
      ['evaluations', 'list'],
      ['init'],
      ['score'],
      ['rescore'],
      ['serve-todo'],
      ['serve-sample'],
      ['restore'],
      ['salvage'],
    ]) {
      const { code, stdout } = await run([...args, '--help']);
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).toContain('Example:');
    }
  });

  it('prints only its version', async () => {
    expect((await run(['--version'])).stdout).toBe(`${programFiles.version}\n`);
  });
});
