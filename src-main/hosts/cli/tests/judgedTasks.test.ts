import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { createServices } from '../../../app/createServices.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/**
 * Eight tasks over one tool each, answered by stubs. The built-in selector calls the tool whose
 * description fits, so a reworded description breaks a task.
 */
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);

const names = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];
const good = (name: string): string => `Finds a ${name} by its words.`;
const tools = (description: (name: string) => string) =>
  JSON.stringify({
    tools: names.map((name, index) => ({
      server: 'office',
      name: `t${index}`,
      description: description(name),
      input_schema: { type: 'object' },
    })),
  });
const suite = (turn = (name: string): string => `Find the ${name} of last week`) =>
  stringify({
    version: 1,
    name: 'office',
    servers: ['office'],
    cases: names.map((name, index) => ({
      id: `find-${name}`,
      name: `Find a ${name}`,
      turns: [turn(name)],
      checks: [{ calls: { must: [`t${index}`] } }],
      stub_results: [{ server: 'office', tool: `t${index}`, result: { found: name } }],
    })),
  });

const run = (command: string, ...args: string[]): Promise<Ended> =>
  runCommand([command, ...args], {
    workspace: at('workspace'),
    env: { GITHUB_STEP_SUMMARY: at('summary.md') },
  });
const evaluate = (toolsFile: string, ...args: string[]): Promise<Ended> =>
  run(
    'eval',
    ...['--suite', at('suite.yaml'), '--tools', at(toolsFile), '--provider', 'builtin'],
    ...args,
  );
const read = (file: string): string => readFileSync(at(file), 'utf8');

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('suite.yaml'), suite());
  writeFileSync(at('good.json'), tools(good));
  writeFileSync(
    at('bad.json'),
    tools((name) => (name === 'song' ? good(name) : 'Does what is needed.')),
  );
  for (const version of ['good', 'bad']) {
    const { code, stderr } = await evaluate(
      `${version}.json`,
      '--report',
      at(`${version}.report.json`),
    );
    expect(code, stderr).toBe(0);
  }
});
afterAll(() => folder.remove());

describe('a comparison of task evaluations', () => {
  it('pairs the tasks, and gives the difference of the success rates with its test', async () => {
    const { code, stdout } = await run(
      'compare',
      at('good.report.json'),
      at('bad.report.json'),
      '--json',
    );
    expect(code).toBe(0);
    const [candidate] = (JSON.parse(stdout) as { candidates: Record<string, unknown>[] })
      .candidates;
    expect(candidate).toMatchObject({
      shared_cases: 8,
      baseline_right: { value: 1, n: 8 },
      candidate_right: { value: 0.125, n: 8 },
      difference: { value: -0.875 },
      // The exact sign-flip test of 7 equal falls: 2 / 2^7.
      p_value: 2 / 2 ** 7,
      answer: 'worse',
      tools: { changed: names.slice(0, 7).map((_, index) => `office:t${index}`) },
      regressed: names
        .slice(0, 7)
        .map((name) => ({ case_id: `find-${name}`, before: ['succeeded'] })),
    });
    expect(candidate?.['answer_text']).toContain('over 8 tasks.');
  });

  it('names evaluations of the workspace by number, and refuses to compare them with cases', async () => {
    const sample = join(programFiles.datasets, 'sample', 'todo-tasks.suite.yaml');
    const whole = parse(readFileSync(sample, 'utf8')) as { cases: { id: string }[] };
    const few = ['add', 'delete', 'show', 'count'];
    const cases = whole.cases.filter(({ id }) => few.includes(id));
    writeFileSync(at('todo-tasks.yaml'), stringify({ ...whole, cases }));
    const todo = [
      '--suite',
      at('todo-tasks.yaml'),
      '--provider',
      'builtin',
      '--execute',
      'full',
      '--yes',
    ];
    for (let time = 0; time < 2; time += 1) expect((await run('eval', ...todo)).code).toBe(0);
    const same = await run('compare', '1', '2', '--report', at('compare.md'));
    expect(same.code, same.stderr).toBe(0);
    expect(same.stdout).toContain('over 4 tasks');
    expect(read('compare.md')).toContain(
      'Tasks that still succeed are counted above and not listed.',
    );
    expect((await run('gate', '2', '--baseline', '1')).code).toBe(0);
    const [, mixed] = [
      await run(
        'eval',
        '--suite',
        'todo-sample',
        '--provider',
        'builtin',
        '--report',
        at('cases.json'),
      ),
      await run('compare', '1', at('cases.json')),
    ];
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      expect.stringContaining('One ran tasks, and the other cases.'),
    ]);
    expect((await run('compare', '1', '99')).code).toBe(2);
  });
});

describe('a comparison by ID', () => {
  it('says which evaluation is gone, and which one ran cases, on either side', async () => {
    const opened = await createServices({
      host: 'cli',
      folder: at('workspace'),
      access: 'read',
    });
    const { services } = opened;
    const [tasks] = await services.evaluations.list({ unit: 'task', limit: 1, baseId: null });
    const [cases] = await services.evaluations.list({ limit: 1, limitOf: 'originals' });
    if (!tasks || !cases) throw new Error('Evaluations of both kinds were run.');
    const refused = async (baseline: string, candidate: string): Promise<unknown> => {
      const side = (id: string) => ({ id, modelSettingsId: null });
      try {
        return await services.results.compare({
          baseline: side(baseline),
          candidates: [side(candidate)],
          passedWhen: null,
        });
      } catch (error) {
        return error;
      }
    };
    const found = [
      await refused(tasks.id, 'gone'),
      await refused(tasks.id, cases.id),
      await refused(cases.id, tasks.id),
    ];
    await opened.close();
    const taskName = `Task evaluation #${tasks.number}`;
    const caseName = `Evaluation #${cases.number}`;
    expect(found).toMatchObject([
      { code: 'NOT_FOUND', data: { thing: 'Evaluation gone', cause: "It doesn't exist." } },
      {
        code: 'INVALID',
        data: {
          thing: `${taskName} and ${caseName}`,
          cause: 'One ran tasks, and the other cases.',
        },
      },
      {
        code: 'INVALID',
        data: {
          thing: `${caseName} and ${taskName}`,
          cause: 'One ran cases, and the other tasks.',
        },
      },
    ]);
  });
});

describe('the trend of a suite’s tasks', () => {
  it('has a point for each evaluation, with its success rate, mode and changes', async () => {
    const opened = await createServices({
      host: 'cli',
      folder: at('workspace'),
      access: 'read',
    });
    const trend = (unit: 'case' | 'task', model: string | null = null) =>
      opened.services.results.trend({ suite: 'todo-tasks', unit, model, limit: 50 });
    const points = await trend('task');
    const ofCases = await trend('case').catch((error: unknown) => error);
    const ofOther = await trend('task', 'gpt-x');
    await opened.close();
    expect(points).toMatchObject(
      [1, 2].map((number) => ({
        number,
        unit: 'task',
        mode: 'full',
        model: 'Built-in selector (no model), execution mode full',
        runs: 4,
        metrics: { successRate: { value: 0.75, n: 4 } },
        tools: null,
        casesChanged: false,
      })),
    );
    expect(ofCases).toMatchObject({ code: 'NOT_FOUND' });
    expect(ofOther).toEqual([]);
  });
});

describe('a gate on tasks', () => {
  it('fails a candidate that is worse than its baseline, and every report names the broken tasks', async () => {
    const reports = ['report.xml', 'report.md', 'report.html', 'report.json'].map(at);
    const { code, stdout, stderr } = await run(
      'check',
      ...['--suite', at('suite.yaml'), '--tools', at('bad.json'), '--provider', 'builtin'],
      ...['--against', at('good.report.json'), '--report', ...reports, 'github', '--json'],
    );
    expect(code, stderr).toBe(1);
    const broken = names.slice(0, 7).map((name) => `find-${name}`);
    const [junit, summary] = [read('report.xml'), read('summary.md')];
    for (const id of broken) {
      expect(stderr).toContain(id);
      expect(summary).toContain(id);
      expect(junit).toMatch(new RegExp(`classname="${id}"[^>]*>\\s*<failure `));
      expect(stderr).toContain(`::error title=${id}%3A broken%2C failed::`);
    }
    expect(junit).toMatch(/<testsuites [^>]*failures="8" errors="0">/);
    for (const file of ['report.md', 'report.html']) expect(read(file)).toContain('Broken tasks');
    expect(JSON.parse(stdout)).toMatchObject({
      check: { result: 'failed', baseline: { models: [{ answer: 'worse', outcome: 'failed' }] } },
    });
    const verified = await run('verify', at('report.json'));
    expect(verified.code, verified.stderr).toBe(0);
    expect(
      (await run('gate', at('bad.report.json'), '--baseline', at('good.report.json'))).code,
    ).toBe(1);
  });

  it('without a baseline, leaves failed tasks as notes and holds the success rate against a limit', async () => {
    const passed = await evaluate(
      'bad.json',
      '--report',
      at('notes.xml'),
      '--min',
      'success_rate=0.1',
    );
    expect(passed.code, passed.stderr).toBe(0);
    expect(read('notes.xml')).toMatch(/<testsuites [^>]*failures="0" errors="0">/);
    const failed = await evaluate('bad.json', '--min', 'success_rate=0.5');
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringContaining('success_rate is 0.125, below 0.5'),
    ]);
    const undecided = await evaluate('bad.json', '--max', 'attack_success_rate=0.1');
    expect([undecided.code, undecided.stderr]).toEqual([
      3,
      expect.stringContaining('attack_success_rate is not defined'),
    ]);
  });

  it('refuses metrics of cases, and says which ones tasks have', async () => {
    for (const args of [
      ['--min', 'pass_rate=0.5'],
      ['--max', 'latency_ms.p95=5'],
    ]) {
      const { code, stderr } = await evaluate('good.json', ...args);
      expect(code).toBe(2);
      expect(stderr).toContain('isn’t a metric of tasks. They have success_rate,');
    }
    const ofCases = await run(
      'eval',
      ...['--suite', 'todo-sample', '--provider', 'builtin', '--min', 'success_rate=0.5'],
    );
    expect([ofCases.code, ofCases.stderr]).toEqual([
      2,
      expect.stringContaining('success_rate: It isn’t a metric of cases.'),
    ]);
  });

  it('refuses changed, missing and new tasks and another mode before a model is asked', async () => {
    const against = ['--against', at('good.report.json'), '--tools', at('good.json')];
    writeFileSync(
      at('changed.yaml'),
      suite((name) => (name === 'photo' ? 'Find the photo' : `Find the ${name} of last week`)),
    );
    const check = (file: string, ...args: string[]): Promise<Ended> =>
      run('check', '--suite', at(file), '--provider', 'builtin', ...against, ...args);
    const changed = await check('changed.yaml', '--report', at('never.json'));
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining('1 task has other turns, checks or settings: find-photo.'),
    ]);
    expect(existsSync(at('never.json'))).toBe(false);
    const declared = await check('changed.yaml', '--allow-changed-cases');
    expect(declared.code, declared.stderr).toBe(0);
    const otherMode = await check('suite.yaml', '--execute', 'read-only');
    expect([otherMode.code, otherMode.stderr]).toEqual([
      2,
      expect.stringContaining('Their execution modes differ: stub, read-only.'),
    ]);
  });

  it('gives no verdict on tasks that could not be judged, and says why', async () => {
    const down = await run(
      'eval',
      ...['--suite', at('suite.yaml'), '--tools', at('good.json'), '--json'],
      ...['--provider', 'openai-compatible', '--model', 'x', '--retries', '0'],
      ...['--base-url', 'http://127.0.0.1:1/v1', '--min', 'success_rate=0.5'],
    );
    expect(down.code, down.stderr).toBe(3);
    expect(down.stderr).toMatch(/^Not scored: /m);
    expect(JSON.parse(down.stdout)).toMatchObject({ check: { result: 'incomplete' } });
  });

  it('replays with --stamp to the same bytes in every format, without times', async () => {
    const recording = ['--record', at('run.jsonl')];
    expect((await evaluate('bad.json', ...recording)).code).toBe(0);
    const texts: string[] = [];
    for (const name of ['first', 'second']) {
      const files = ['json', 'md', 'html', 'csv', 'xml'].map((type) => at(`${name}.${type}`));
      const { code } = await evaluate(
        'bad.json',
        ...['--replay', at('run.jsonl'), '--stamp', 'fixed', '--report', ...files],
      );
      expect(code).toBe(0);
      texts.push(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
    }
    expect(texts[0] === texts[1]).toBe(true);
    expect(JSON.parse(read('first.json'))).toMatchObject({ started_at: null, completed_at: null });
  });
});
