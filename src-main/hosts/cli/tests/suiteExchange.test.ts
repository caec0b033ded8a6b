import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { smallDisk } from '../../../testing/smallDisk.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { UsageError } from '../exitCodes.ts';
import { lossLines, readMap } from '../input/suiteExchange.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input?: string): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder.remove();
});

describe('suites of other programs', () => {
  it('joins the leaderboard’s questions and answers, and offers each case its own functions', async () => {
    const at = (name: string): string => join(folder.path, name);
    const area = (unit: string) => ({
      name: 'geometry.area',
      description: `Calculates the area of a circle in ${unit}.`,
      parameters: { type: 'dict', properties: { radius: { type: 'float' } }, required: ['radius'] },
    });
    const questions = [
      {
        id: 'multiple_0',
        question: [[{ role: 'user', content: 'Area of a circle of radius 2' }]],
        function: [area('meters')],
      },
      {
        id: 'multiple_1',
        question: [[{ role: 'user', content: 'Area of a circle of radius 3' }]],
        function: [area('miles')],
      },
      {
        id: 'irrelevance_2',
        question: [[{ role: 'user', content: 'Who wrote Hamlet?' }]],
        function: [area('feet')],
      },
      { id: 'multiple_3', question: [[{ role: 'user', content: 'No answer' }]], function: [] },
    ];
    const answers = [2, 3].map((radius, index) => ({
      id: `multiple_${index}`,
      ground_truth: [{ 'geometry.area': { radius: [radius] } }],
    }));
    const jsonLines = (values: readonly unknown[]): string =>
      values.map((each) => `${JSON.stringify(each)}\n`).join('');
    await writeFile(at('multiple.json'), jsonLines(questions));
    await writeFile(at('answers.json'), jsonLines([...answers, { id: 'other', ground_truth: [] }]));
    const command = ['suite', 'import', at('multiple.json'), '--from', 'bfcl'];
    const files = ['--answers', at('answers.json'), '--tools-out', at('tools.json')];
    const { code, stdout, stderr } = await run([...command, ...files, '--json']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'multiple',
      cases: 3,
      report: { exact: 3, skipped: [{ case: 'multiple_3' }], assumed_server: null },
    });
    expect(stderr).toContain('answers.json: 1 answer to no question of the file: other.');

    const ended = await run([
      'eval',
      '--suite',
      'multiple',
      '--tools',
      at('tools.json'),
      '--provider',
      'builtin',
      '--json',
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      counts: { total: 3, tp: 2, tn: 1 },
    });

    for (const [args, message] of [
      [['suite', 'import', at('multiple.json'), '--from', 'csv', ...files], '--tools-out is for'],
      [[...command, ...files, '--server', 'x'], 'Leave out --server.'],
      [[...command, '--answers', at('multiple.json')], 'multiple.json: line 1: It isn’t an answer'],
    ] as const) {
      const refused = await run(args);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain(message);
    }
  });

  it('joins right answers of another file, and results of a batch, by their IDs', async () => {
    const at = (name: string): string => join(folder.path, name);
    await writeFile(
      at('asked.csv'),
      'id,question\na,Add a task to buy milk\nb,Good morning to you\n',
    );
    await writeFile(at('right.json'), '[{"id":"a","tool":"add_task"},{"id":"b","tool":null}]');
    const answers = ['--answers', at('right.json')];
    const command = ['suite', 'import', at('asked.csv'), '--server', 'todo', '--json'];
    const { code, stdout, stderr } = await run([...command, ...answers]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'asked', cases: 2 });

    const body = { messages: [{ role: 'user', content: 'Add a task to buy milk' }] };
    const call = { type: 'function', id: 'c', function: { name: 'add_task', arguments: '{}' } };
    const said = { choices: [{ message: { role: 'assistant', tool_calls: [call] } }] };
    const response = { status_code: 200, body: said };
    await writeFile(
      at('requests.jsonl'),
      JSON.stringify({ custom_id: 'r', method: 'POST', url: '/v1/chat/completions', body }),
    );
    await writeFile(at('results.jsonl'), JSON.stringify({ custom_id: 'r', response }));
    const batch = ['suite', 'import', at('requests.jsonl'), '--server', 'todo', '--json'];
    const log = await run([...batch, '--answers', at('results.jsonl')]);
    expect(log.code, log.stderr).toBe(0);
    expect(JSON.parse(log.stdout)).toMatchObject({
      cases: [{ query: 'Add a task to buy milk', expected_calls: [{ tool: 'add_task' }] }],
    });
  });

  it('opens the data that a configuration of promptfoo names in its folder, and nothing else', async () => {
    const place = join(folder.path, 'promptfoo');
    await mkdir(join(place, 'tests'), { recursive: true });
    const at = (name: string): string => join(place, name);
    const expecting = (tool: string) => [{ type: 'tool-call-f1', value: [tool] }];
    await writeFile(join(folder.path, 'secret.txt'), 'not for a model');
    await symlink(join(folder.path, 'secret.txt'), at('link.txt'));
    await writeFile(at('make.mjs'), `import('node:fs').then((fs) => fs.writeFileSync('ran', ''))`);
    await writeFile(at('defaults.yaml'), 'vars: { when: file://when.txt }\n');
    await writeFile(at('when.txt'), 'today\n');
    await writeFile(
      at('tests/a.json'),
      JSON.stringify([{ vars: { q: 'Oslo' }, assert: expecting('a') }]),
    );
    await writeFile(at('tests/b.csv'), 'q,__expected\nBern,tool-call-f1:b\n');
    await writeFile(
      at('promptfooconfig.yaml'),
      JSON.stringify(
        {
          description: 'files',
          prompts: ['{{q}} {{when}}'],
          defaultTest: 'file://defaults.yaml',
          tests: [
            'file://tests/*.json',
            'tests/b.csv',
            'file://gone.yaml',
            'file://make.mjs',
            ...['../secret.txt', 'link.txt'].map((secret) => ({
              vars: { q: `file://${secret}` },
              assert: expecting('c'),
            })),
          ],
        },
        null,
        2,
      ),
    );
    const { code, stdout, stderr } = await run([
      ...['suite', 'import', at('promptfooconfig.yaml'), '--server', 's', '--json'],
    ]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      cases: 2,
      report: {
        skipped: [
          { case: 'tests[2]' },
          { case: 'tests[3]' },
          { why: 'Its variable q is in file://../secret.txt, which isn’t opened.' },
          { why: 'Its variable q is in file://link.txt, which isn’t opened.' },
        ],
      },
    });
    expect(stderr).toContain('gone.yaml doesn’t exist, and isn’t opened.');
    expect(stderr).toContain('../secret.txt is outside of its folder, and isn’t opened.');
    expect(stderr).toContain('link.txt is outside of its folder, and isn’t opened.');
    const shown = await run(['suite', 'show', 'files', '--json']);
    const { cases } = JSON.parse(shown.stdout) as { cases: { query: string }[] };
    expect(cases.map(({ query }) => query)).toEqual(['Oslo today', 'Bern today']);
    expect((await readdir(place)).includes('ran')).toBe(false);
  });

  it('reports what an import approximated and skipped, in one document', async () => {
    const file = join(folder.path, 'shop.yaml');
    await writeFile(
      file,
      'tests:\n  - { description: A, vars: { query: Find it }, assert: [{ type: tool-call-f1, value: [find] }, { type: contains, value: x }] }\n  - { vars: { query: x }, assert: [{ type: javascript, value: process.exit(7) }] }\n',
    );
    const { code, stdout, stderr } = await run([
      'suite',
      'import',
      file,
      '--from',
      'promptfoo',
      '--server',
      'shop',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'shop',
      cases: 1,
      unknown_servers: ['shop'],
      report: {
        converter: 'promptfoo/1',
        source_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        exact: 0,
        approximated: [{ case: 'a', what: 'contains' }],
        skipped: [{ case: 'tests[1]', line: expect.any(Number) as number }],
        assumed_server: null,
      },
    });
    expect(stderr).toMatch(
      /approximated: a: contains: .*\nskipped: tests\[1\], line \d+: javascript: .*never run.*\n0 exact, 1 approximated, 1 skipped\./,
    );
    const again = await run(['suite', 'import', file, '--from', 'promptfoo']);
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect((await run(['suite', 'import', file, '--from', 'promptfoo', '--replace'])).code).toBe(0);
  });

  it('reads a table from standard input by its map, and reports the place of an error', async () => {
    const args = [
      'suite',
      'import',
      '-',
      '--from',
      'csv',
      '--name',
      'table',
      '--map',
      'query=ask,tool=want',
    ];
    const { code, stderr } = await run(args, 'ask,want\n"\'=q",todo:add\n');
    expect(code).toBe(0);
    expect(stderr).toContain('1 exact, 0 approximated, 0 skipped.');
    expect((await run(['suite', 'export', 'table', '--to', 'csv'])).stdout).toContain("'=q");
    const bad = await run([...args, '--replace'], 'ask,want\nq,a,b\n');
    expect([bad.code, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('-:2:5:');
  });

  it('says of chats without tools how to review them, and of records how to name the column', async () => {
    const chats = join(folder.path, 'chats.jsonl');
    const said = [
      { role: 'user', content: 'Is Dune there?' },
      { role: 'assistant', content: 'Yes.' },
    ];
    await writeFile(chats, `${JSON.stringify({ messages: said })}\n`);
    const refused = await run(['suite', 'import', chats]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /a set of requests or chats without tools.*`touchstone suite import \S+chats\.jsonl --from log --out log\.suite\.yaml` does it/,
    );
    const { code, stderr } = await run(
      ['suite', 'import', '-', '--from', 'jsonl'],
      '{"query": "Is Dune there?", "choice": "it is"}\n',
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/Columns not used: choice\. --map ROLE=COLUMN assigns one/);
    expect(stderr).toContain(
      'Which column has the expected tool? Choose one of "query", "choice".',
    );
  });

  it('refuses a lossy export without --yes', async () => {
    const out = join(folder.path, 'sample.json');
    const refused = await run(['suite', 'export', 'todo-sample', '--to', 'mcpjam', '--out', out]);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/lost: .*\n.*--yes/s);
    await expect(readFile(out)).rejects.toThrow('ENOENT');
    const written = await run([
      'suite',
      'export',
      'todo-sample',
      '--to',
      'mcpjam',
      '--out',
      out,
      '--yes',
    ]);
    expect(written.code).toBe(0);
    expect(written.stderr).toContain('lost: ');
    expect((await run(['suite', 'import', out, '--from', 'mcpjam', '--name', 'back'])).code).toBe(
      0,
    );
  });

  it.each([
    [['suite', 'import', 'x.csv', '--from', 'excel'], '--from excel'],
    [['suite', 'export', 'todo-sample', '--to', 'excel'], '--to excel'],
    [['suite', 'import', '-', '--from', 'csv', '--map', 'nothing=x'], '--map nothing=x'],
  ])('ends %j with 2 and names the bad input', async (args, named) => {
    const { code, stdout, stderr } = await run(args, '');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
  });

  it('reads a map of columns from its option and from a file, and escapes control characters', async () => {
    const io = { stdin: process.stdin, decoding: { encoding: null, note: () => undefined } };
    const file = join(folder.path, 'map.yaml');
    await writeFile(file, 'request: question\nalternatives: any\nkeep: [a, "b, c"]\n');
    const read = (text: string | undefined) => readMap(text, io);
    expect(await read('query=a=b, tool = c,keep=d,keep=e')).toEqual({
      query: 'a=b',
      tool: 'c',
      keep: ['d', 'e'],
    });
    expect(await read(file)).toEqual({
      query: 'question',
      acceptable_tools: 'any',
      keep: ['a', 'b, c'],
    });
    expect(await read(undefined)).toBeUndefined();
    expect(await read('')).toEqual({});
    for (const text of ['=x', 'query=', '__proto__=x', join(folder.path, 'none.yaml')])
      await expect(read(text)).rejects.toThrow(UsageError);
    expect(lossLines([{ case: 'a\u001b[31m', what: 'x' }])).toEqual(['lost: a\\u001b[31m: x']);
  });
});

it('imports a file once: the second time says that it brings nothing new', async () => {
  const file = join(folder.path, 'twice.csv');
  await writeFile(file, 'prompt,expected_tool\nAdd milk,todo:add_task\nHi,none\n');
  const first = await run(['suite', 'import', file]);
  expect(first.stdout).toContain('Imported twice: 2 cases.');
  const second = await run(['suite', 'import', file]);
  expect([second.code, second.stdout.trim()]).toEqual([
    0,
    'Nothing new: twice has 2 cases of this file already, unchanged.',
  ]);
  const asJson = await run(['suite', 'import', file, '--json']);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ cases: 2, nothing_new: true });
  await writeFile(file, 'prompt,expected_tool\nAdd milk,todo:list_tasks\nHi,none\n');
  const changed = await run(['suite', 'import', file]);
  expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining('Give --replace')]);
});

it('imports an evaluation of mcpchecker with the tasks of the files that it names', async () => {
  const at = (name: string): string => join(folder.path, 'checker', name);
  await mkdir(at('tasks'), { recursive: true });
  const task = (name: string, prompt: string, suite: string): string =>
    `kind: Task\nmetadata: {name: ${name}, labels: {suite: ${suite}}}\nsteps:\n  verify: {file: v.sh}\n  prompt: ${prompt}\n`;
  await writeFile(at('tasks/one.yaml'), task('one', '{inline: Add milk}', 'todo'));
  await writeFile(at('tasks/two.yaml'), task('two', '{file: two.md}', 'todo'));
  await writeFile(at('tasks/two.md'), 'Show the list');
  await writeFile(at('tasks/three.yaml'), task('three', '{inline: Other}', 'other'));
  await writeFile(at('tasks/none.yaml'), 'a: 1\n');
  await writeFile(
    at('eval.yaml'),
    'kind: Eval\nmetadata: {name: checker}\nconfig:\n  taskSets:\n    - path: tasks/one.yaml\n      assertions: {toolsUsed: [{server: todo, tool: add_task}]}\n    - glob: tasks/t*.yaml\n      labelSelector: {suite: todo}\n      assertions: {toolsUsed: [{server: todo, tool: list_tasks}]}\n    - path: tasks/none.yaml\n',
  );
  const made = await run(['suite', 'import', at('eval.yaml')]);
  expect([made.code, made.stdout.trim()]).toEqual([0, 'Imported checker: 2 tasks.']);
  expect(made.stderr).toContain('none.yaml: It isn’t a task of mcpchecker');
  const shown = await run(['suite', 'export', 'checker', '--format', 'json']);
  // A task names its script from its own folder.
  const script = { program: { command: ['./tasks/v.sh'], exit_code: true } };
  expect(JSON.parse(shown.stdout)).toMatchObject({
    servers: ['todo'],
    cases: [
      { id: 'one', turns: ['Add milk'], checks: [{ calls: { must: ['add_task'] } }, script] },
      {
        id: 'two',
        turns: ['Show the list'],
        checks: [{ calls: { must: ['list_tasks'] } }, script],
      },
    ],
  });
});

it('makes tasks of a log of Inspect, which names its scorer', async () => {
  const file = join(folder.path, 'inspect-log.json');
  const log = {
    ...{ version: 2, status: 'success' },
    eval: { task: 'inspected', scorers: [{ name: 'inspect_ai/match', options: {} }] },
    samples: [{ id: 'one', epoch: 1, input: 'Which task is open?', target: 'Milk' }],
  };
  await writeFile(file, JSON.stringify(log));
  const made = await run(['suite', 'import', file, '--from', 'inspect', '--server', 'todo']);
  expect([made.code, made.stdout.trim()]).toEqual([0, 'Imported inspected: 1 task.']);
  const shown = await run(['suite', 'export', 'inspected', '--format', 'json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    cases: [{ id: 'one', turns: ['Which task is open?'], checks: [{ answer: {} }] }],
  });
});

it('adds to a suite only the cases that it doesn’t have yet', async () => {
  const file = join(folder.path, 'grown.csv');
  await writeFile(file, 'prompt,expected_tool\nAdd milk,todo:add_task\nHi,none\n');
  expect((await run(['suite', 'import', file])).code).toBe(0);
  await writeFile(
    file,
    'prompt,expected_tool\nAdd milk,todo:add_task\nHi,none\nBuy rice,todo:add_task\n',
  );
  const added = await run(['suite', 'import', file, '--into', 'grown']);
  expect([added.code, added.stdout.trim()]).toEqual([
    0,
    'Added 1 case to grown. It has 3 cases now.',
  ]);
  expect(added.stderr).toContain('2 records are in the suite already, or in the file before');
  const again = await run(['suite', 'import', file, '--into', 'grown', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ cases: 3, nothing_new: true, already_known: 3, near_duplicates: 0 },
  });
  const renamed = await run(['suite', 'import', file, '--into', 'grown', '--name', 'other']);
  expect([renamed.code, renamed.stderr]).toEqual([
    2,
    expect.stringContaining('Leave out --replace'),
  ]);
});

it.runIf(smallDisk.unavailable === null)(
  `imports all or nothing where the disk becomes full, and goes on once there is space${smallDisk.unavailable === null ? '' : ` (SKIPPED: ${smallDisk.unavailable})`}`,
  async () => {
    const disk = join(folder.path, 'disk');
    await mkdir(disk);
    const rows = (count: number): string =>
      `query,tool\n${Array.from({ length: count }, (_, at) => `Find the book number ${at} ${'and others '.repeat(20)},find`).join('\n')}\n`;
    await writeFile(join(folder.path, 'large.csv'), rows(20_000));
    await writeFile(join(folder.path, 'small.csv'), rows(3));
    const [command = '', ...prefix] = smallDisk.under(disk);
    const script =
      'head -c 900000 /dev/zero > "$1/other"; for step in "import $4/large.csv" list "import $4/small.csv" list; do ' +
      'case "$step" in *small*) rm "$1/other";; esac; "$2" "$3" suite $step --json; echo "ended with $?"; done';
    const { stdout, stderr } = spawnSync(
      command,
      [...prefix, 'sh', '-c', script, 'sh', disk, process.execPath, testedProgram, folder.path],
      { encoding: 'utf8', env: { ...process.env, TOUCHSTONE_HOME: join(disk, 'workspace') } },
    );
    expect(stderr).toMatch(/no space left.*Free some space/i);
    const answers = stdout.split(/ended with (\d)\n/u);
    expect(answers.filter((_part, at) => at % 2 === 1)).toEqual(['3', '0', '0', '0']);
    const listed = [answers[2], answers[6]].map((text) => {
      const { suites } = JSON.parse(text ?? '') as { suites: { name: string }[] };
      return suites.map(({ name }) => name).sort();
    });
    expect(listed).toEqual([['todo-sample'], ['small', 'todo-sample']]);
  },
);
