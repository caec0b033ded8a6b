import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand, startCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

interface Report {
  settings: { repetitions: number };
  metrics: { pass_rate: { n: number } };
  runs: { case_id: string; repetition: number }[];
  asked_again: {
    up_to: number;
    cost_usd: number | null;
    runs: { case_id: string; repetition: number; passed: boolean | null }[];
  } | null;
  check: {
    result: string;
    asked_again?: { up_to: number; cases: number; runs: number };
    unscored_runs: number;
    baseline: { models: { regressed: string[]; difference: { value: number } }[] } | null;
  };
}

let folder: TemporaryFolder;
let work: string;
let http: Server;
let url: string;
let project = 0;
/** The case of each request, in order. */
let requests: string[] = [];
/** Decides whether the n-th request of a case is answered rightly; null: HTTP 500, undefined: never. */
let isRight: (key: string, nth: number) => boolean | null | undefined = () => true;
/** Called where a request is left without an answer. */
let onSilence: () => void = () => undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
  http = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const key = /question (\w+)/.exec(body)?.[1] ?? '';
      requests.push(key);
      const right = isRight(key, requests.filter((one) => one === key).length);
      if (right === undefined) {
        onSilence();
        return;
      }
      if (right === null) return void response.writeHead(500).end('{"error":{"message":"down"}}');
      const { tools = [] } = JSON.parse(body) as { tools?: { function: { name: string } }[] };
      const name = tools[0]?.function.name ?? '';
      const call = { id: 'c', type: 'function', function: { name, arguments: '{}' } };
      // A task goes on after the result of its call.
      const calls = right && !body.includes('"role":"tool"');
      const message = calls
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: 'Done.' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm' },
          choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
          usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
        }),
      );
    });
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  url = `http://127.0.0.1:${address.port}/v1`;
});
afterAll(async () => {
  http.close();
  await folder.remove();
});
beforeEach(async () => {
  work = join(folder.path, `project-${(project += 1)}`);
  await mkdir(work);
  const tools = [{ name: 'find', description: 'Find', inputSchema: { type: 'object' } }];
  await writeFile(join(work, 'depot.json'), JSON.stringify({ tools }));
  requests = [];
  isRight = () => true;
});

const keys = 'abcdefgh'.split('');
const suiteOf = (unit: string) =>
  stringify({
    ...{ version: 1, name: 'depot', servers: ['depot'] },
    cases: keys.map((key) => ({
      ...{ id: key, name: key },
      ...(unit === 'case'
        ? { query: `question ${key}`, expected_calls: [{ server: 'depot', tool: 'find' }] }
        : { turns: [`question ${key}`], checks: [{ calls: { must: ['find'] } }] }),
    })),
  });

async function check(
  options: string[] = [],
  more: object = {},
  unit = 'case',
  run: (args: string[], options: { workspace: string }) => Promise<Ended> = runCommand,
) {
  await writeFile(join(work, 'suite.yaml'), suiteOf(unit));
  const model = { provider: 'openai-compatible', model: 'm', base_url: url, retries: 0 };
  const file = { version: 1, suite: 'suite.yaml', tools: 'depot.json', models: [model], ...more };
  await writeFile(join(work, 'touchstone.yaml'), stringify(file));
  const at = (name: string) => join(work, name);
  await rm(at('now.json'), { force: true });
  requests = [];
  const ended = await run(
    [
      ...['check', '--config', at('touchstone.yaml'), '--concurrency', '1'],
      ...['--report', at('now.json'), at('now.html'), at('now.md'), at('now.xml'), at('now.csv')],
      ...options.map((text) => text.replace('@', `${work}/`)),
    ],
    { workspace: at('workspace') },
  );
  const text = await readFile(at('now.json'), 'utf8').catch(() => null);
  return { ...ended, report: text === null ? null : (JSON.parse(text) as Report), asked: requests };
}

/** What the CSV says of each case: how often it was asked again, and how often it passed then. */
async function againInCsv(id: string): Promise<Record<string, string[]>> {
  const csv = await readFile(join(work, 'now.csv'), 'utf8');
  const [head = [], ...rows] = csv
    .replaceAll(/"(?:[^"]|"")*"/g, 'text')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const at = (name: string) => head.indexOf(name);
  const field = (row: string[], name: string) => row[at(name)] ?? '';
  return Object.fromEntries(
    rows.map((row): [string, string[]] => [
      field(row, id),
      [field(row, 'asked_again'), field(row, 'passed_again')],
    ]),
  );
}

const upTo = { repetitions: { up_to: 3 } };
const allPass = { thresholds: { min: { pass_rate: 1 } } };

/** Runs every case three times, and keeps the report as the baseline. */
async function baseline(unit = 'case', passing = true): Promise<void> {
  const first = await check([], { ...upTo, ...(passing && unit === 'case' && allPass) }, unit);
  expect(first.code, first.stderr).toBe(0);
  expect(first.asked.filter((key) => key === 'a').length).toBeGreaterThanOrEqual(3);
  expect(first.report?.settings.repetitions).toBe(3);
  await writeFile(join(work, 'base.json'), JSON.stringify(first.report));
}

describe('a check that asks again what disagrees with its baseline', () => {
  it('asks only those cases again, counts them in the comparison alone, and says so', async () => {
    await baseline();
    isRight = (key, nth) => !(key === 'b' && nth === 1) && key !== 'c';
    const { code, stderr, report, asked } = await check(['--against', '@base.json'], upTo);
    expect(code, stderr).toBe(0);
    expect(asked).toEqual([...keys, 'b', 'c', 'b', 'c']);
    expect(report?.runs.map(({ repetition }) => repetition)).toEqual(keys.map(() => 1));
    expect(report?.metrics.pass_rate.n).toBe(8);
    expect(report?.asked_again?.runs).toMatchObject([
      { case_id: 'b', repetition: 2, passed: true },
      { case_id: 'b', repetition: 3, passed: true },
      { case_id: 'c', repetition: 2, passed: false },
      { case_id: 'c', repetition: 3, passed: false },
    ]);
    expect(report?.check.asked_again).toEqual({ up_to: 3, cases: 2, runs: 4 });
    // b passed twice of three times, c never, and the other six as before: (−1/3 − 1) ÷ 8.
    const [model] = report?.check.baseline?.models ?? [];
    expect(model?.difference.value).toBeCloseTo(-4 / 3 / 8, 9);
    expect(model?.regressed).toMatchObject([{ case_id: 'c' }]);
    expect(await againInCsv('case_id')).toEqual({
      ...Object.fromEntries(keys.map((key) => [key, ['0', '0']])),
      ...{ b: ['2', '2'], c: ['2', '0'] },
    });
    const sentence =
      '2 cases disagreed with the baseline and were asked again, up to 3 times in all (4 more runs)';
    expect(stderr).toContain(sentence);
    for (const name of ['now.html', 'now.md', 'now.xml'])
      expect(await readFile(join(work, name), 'utf8')).toContain(sentence);
    const verified = await runCommand(['verify', join(work, 'now.json')], {
      workspace: join(work, 'workspace'),
    });
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    const gate = await runCommand(
      ['gate', join(work, 'now.json'), '--baseline', join(work, 'base.json'), '--json'],
      { workspace: join(work, 'workspace') },
    );
    expect(JSON.parse(gate.stdout)).toMatchObject({
      check: {
        asked_again: { cases: 2 },
        baseline: { models: [{ difference: model?.difference }] },
      },
    });
  });

  it('asks nothing again if every case ended as before', async () => {
    await baseline();
    const { code, stderr, report, asked } = await check(['--against', '@base.json'], upTo);
    expect(code, stderr).toBe(0);
    expect(asked).toEqual(keys);
    expect(report?.asked_again).toMatchObject({ up_to: 3, runs: [] });
    expect(stderr).toContain('No case was asked again');
  });

  it('asks tasks again', async () => {
    await baseline('task');
    isRight = (key, nth) => !(key === 'b' && nth === 1);
    const { code, stderr, report } = await check(['--against', '@base.json'], upTo, 'task');
    expect(code, stderr).toBe(0);
    expect(report?.asked_again?.runs).toMatchObject([
      { case_id: 'b', repetition: 2, passed: true },
      { case_id: 'b', repetition: 3, passed: true },
    ]);
    expect(await againInCsv('task')).toMatchObject({ a: ['0', '0'], b: ['2', '2'] });
    expect(stderr).toContain('1 task disagreed with the baseline and was asked again');
    const verified = await runCommand(['verify', join(work, 'now.json')], {
      workspace: join(work, 'workspace'),
    });
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  });

  it.each(['record', 'cache'])(
    'answers fresh repetitions once, and then from the %s',
    async (how) => {
      await baseline();
      isRight = (key, nth) => !(key === 'b' && nth === 1);
      const first = await check(['--against', '@base.json', `--${how}`, '@kept'], upTo);
      expect(first.asked).toHaveLength(10);
      isRight = () => null;
      const option = how === 'record' ? '--replay' : '--cache';
      const second = await check(['--against', '@base.json', option, '@kept'], upTo);
      expect(second.code, second.stderr).toBe(0);
      expect(second.asked).toEqual([]);
      expect(second.report?.asked_again?.runs.map(({ passed }) => passed)).toEqual([true, true]);
    },
  );

  it('gives no verdict if a fresh repetition has no score', async () => {
    await baseline();
    isRight = (key, nth) => (nth > 1 ? null : key !== 'b');
    const { code, stderr, report } = await check(['--against', '@base.json'], upTo);
    expect(code).toBe(3);
    expect(report?.check).toMatchObject({ result: 'incomplete', unscored_runs: 2 });
    expect(stderr).toContain('down (2 runs)');
    const verified = await runCommand(['verify', join(work, 'now.json')], {
      workspace: join(work, 'workspace'),
    });
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  });

  it('asks nothing again without a verdict on the first repetitions', async () => {
    await baseline();
    isRight = (key) => (key === 'a' ? null : key !== 'b');
    const { code, asked } = await check(['--against', '@base.json'], upTo);
    expect(code).toBe(3);
    expect(asked).toEqual(keys);
  });

  it('keeps the spend limit over all repetitions', async () => {
    await baseline();
    isRight = (key) => key !== 'b' && key !== 'c';
    const price = { provider: 'openai-compatible', model: 'm', input_usd: 1000, output_usd: 1000 };
    // A run costs $0.02, and the limit is that of nine runs and a half.
    const { code, report, asked } = await check(['--against', '@base.json'], {
      ...upTo,
      prices: [price],
      budget: { cost_usd: 0.19 },
    });
    expect(code).toBe(3);
    expect(asked.length).toBeLessThanOrEqual(9);
    expect(report?.asked_again?.runs).toHaveLength(4);
    expect(report?.check.result).toBe('incomplete');
  });

  it('counts the first repetitions under the limit, before a further one has a price', async () => {
    await baseline();
    isRight = (key) => !'bcde'.includes(key);
    const price = { provider: 'openai-compatible', model: 'm', input_usd: 1000, output_usd: 1000 };
    const { report, asked, stderr } = await check(
      ['--against', '@base.json', '--concurrency', '4'],
      { ...upTo, prices: [price], budget: { cost_usd: 0.19 } },
    );
    expect(asked).toHaveLength(9);
    expect(report?.asked_again).toMatchObject({ cost_usd: expect.closeTo(0.02, 9) as number });
    expect(stderr).toContain('The spend limit of $0.19 leaves no room for another run');
  });

  it.each(['case', 'task'])(
    'gives no verdict if Ctrl-C ends the further runs of a %s',
    async (unit) => {
      await baseline(unit);
      isRight = (key, nth) => (key !== 'b' ? true : nth === 1 ? false : undefined);
      const interrupted = async (args: string[], options: { workspace: string }) => {
        const child = startCommand(args, options);
        onSilence = () => child.kill('SIGINT');
        const [stdout, stderr, [code]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'exit') as Promise<[number | null]>,
        ]);
        return { code, stdout, stderr };
      };
      const { code, stderr, report } = await check(
        ['--against', '@base.json'],
        upTo,
        unit,
        interrupted,
      );
      expect(code, stderr).toBe(3);
      expect(report?.check).toMatchObject({ result: 'incomplete', unscored_runs: 2 });
      expect(stderr).toContain(`Stopped before every ${unit} that disagrees with the baseline`);
      expect(stderr).toContain('Run the check again for a verdict');
      const verified = await runCommand(['verify', join(work, 'now.json')], {
        workspace: join(work, 'workspace'),
      });
      expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    },
  );

  it('makes the next baseline with every case as often, also where there is one', async () => {
    await baseline();
    const { report, asked } = await check(['--against', '@base.json', '--new-baseline'], upTo);
    expect(asked).toHaveLength(24);
    expect(report?.settings.repetitions).toBe(3);
    expect(report?.asked_again).toBeNull();
  });

  it('compares what it can with a baseline of one repetition, and says how to make a better one', async () => {
    const first = await check([]);
    await writeFile(join(work, 'base.json'), JSON.stringify(first.report));
    isRight = (key) => key !== 'b';
    const { code, stderr, asked } = await check(['--against', '@base.json'], upTo);
    expect(code, stderr).toBe(0);
    expect(asked).toEqual(keys);
    expect(stderr).toContain('It has one repetition of each case');
  });

  it('estimates the further runs and the loss that it would see', async () => {
    isRight = (_key, nth) => nth !== 2;
    await baseline('case', false);
    const options = ['--against', '@base.json', '--estimate', '--json'];
    const { code, stdout, stderr } = await check(options, upTo);
    expect(code, stderr).toBe(0);
    // Each case passed 2 of 3 times: two of its runs disagree with chance 2·2·1 ÷ (3·2) = 2/3.
    const {
      runs,
      asked_again: again,
      power,
    } = JSON.parse(stdout) as {
      runs: number;
      asked_again: object;
      power: { rows: object[] };
    };
    expect(runs).toBe(8);
    expect(again).toMatchObject({ up_to: 3, cases: 16 / 3, runs: 32 / 3 });
    expect(power.rows).toMatchObject([
      { repetitions: 3, only_disagreeing: true },
      { repetitions: 1, only_disagreeing: false },
      { repetitions: 3, only_disagreeing: false },
      { repetitions: 5, only_disagreeing: false },
    ]);
    const text = await check(['--against', '@base.json', '--estimate'], upTo);
    expect(text.stdout).toContain('about 5 cases would disagree with the baseline');
    expect(text.stdout).toContain('3 repetitions of each case that disagrees:');
  });

  it.each([
    [['--repetitions-up-to', '1'], '--repetitions-up-to'],
    [['--repetitions-up-to', 'x'], '--repetitions-up-to'],
    [['--repetitions-up-to', '3', '--repetitions', '2'], 'Give one.'],
    [['--repetitions-up-to', '3', '--shard', '1/2'], 'A part is not compared'],
  ])('refuses %s', async (options, message) => {
    const { code, stderr } = await check(options);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
