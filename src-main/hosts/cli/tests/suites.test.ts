import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const check = (...args: string[]): Promise<Ended> =>
  runCommand(['check', '--config', at('touchstone.yaml'), ...args], {
    workspace: at('workspace'),
    env: { GITHUB_STEP_SUMMARY: at('summary.md') },
  });

/** A suite of two cases, of which the first fails if `isHard`. */
const writeSuite = (name: string, tools: string[], isHard = false): void => {
  writeFileSync(
    at('ci', `${name}.suite.yaml`),
    stringify({
      version: 1,
      name: `The ${name} suite`,
      servers: [name],
      cases: tools.map((tool, index) => ({
        id: `find-${tool}`,
        name: tool,
        query: isHard && index === 0 ? 'do what is needed' : `find the ${tool}`,
        expected_calls: [{ server: name, tool: `find_${tool}` }],
      })),
    }),
  );
  writeFileSync(
    at('ci', `${name}.tools.json`),
    JSON.stringify({
      tools: tools.map((tool) => ({
        server: name,
        name: `find_${tool}`,
        description: `Finds a ${tool}.`,
        input_schema: { type: 'object' },
      })),
    }),
  );
};

const entry = (name: string, more: object = {}) => ({
  suite: `ci/${name}.suite.yaml`,
  tools: `ci/${name}.tools.json`,
  ...more,
});
const writeProject = (suites: object[], more: object = {}): void =>
  writeFileSync(
    at('touchstone.yaml'),
    stringify({
      version: 1,
      models: [{ provider: 'builtin' }],
      thresholds: { min: { pass_rate: 0.9 } },
      reports: ['reports/check.json', 'reports/check.xml', 'github'],
      ...more,
      suites,
    }),
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('ci'));
});
afterAll(() => folder.remove());
beforeEach(() => {
  rmSync(at('reports'), { recursive: true, force: true });
  rmSync(at('summary.md'), { force: true });
  mkdirSync(at('reports'));
  writeSuite('office', ['invoice', 'contract']);
  writeSuite('kitchen', ['recipe', 'knife']);
});
const report = (name: string): string => readFileSync(at('reports', name), 'utf8');

describe('a project with several suites', () => {
  it('passes if every suite passes on its own tools, with reports of each', async () => {
    writeProject([entry('office'), entry('kitchen')]);
    const { code, stderr, stdout } = await check();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Check passed: office passed, kitchen passed');
    expect(stdout).toMatch(/^office\n.*2 cases passed[^]*^kitchen\n.*2 cases passed/m);
    for (const name of ['office', 'kitchen']) {
      expect(JSON.parse(report(`check-${name}.json`))).toMatchObject({
        suite: `The ${name} suite`,
        check: { result: 'passed' },
      });
      expect(report(`check-${name}.xml`)).toContain(`The ${name} suite`);
      expect(readFileSync(at('summary.md'), 'utf8')).toContain(`The ${name} suite`);
    }
  });

  it('fails if one fails, runs the others all the same, and answers in one document', async () => {
    writeSuite('office', ['invoice', 'contract'], true);
    writeProject([entry('office'), entry('kitchen')]);
    const { code, stderr, stdout } = await check('--json');
    expect(code).toBe(1);
    expect(stderr).toContain('Check failed: office failed, kitchen passed');
    expect(JSON.parse(stdout)).toMatchObject({
      suites: [
        { name: 'office', verdict: { passed: 1 }, check: { result: 'failed' } },
        { name: 'kitchen', verdict: { passed: 2 }, check: { result: 'passed' } },
      ],
      check: {
        result: 'failed',
        suites: [
          { name: 'office', result: 'failed' },
          { name: 'kitchen', result: 'passed' },
        ],
      },
    });
  });

  it('has settings for all suites, which those of one replace, and options replace both', async () => {
    writeSuite('office', ['invoice', 'contract'], true);
    writeProject([
      entry('office', { thresholds: { min: { pass_rate: 0.5 } }, reports: ['reports/own.md'] }),
      entry('kitchen', { name: 'cook', repetitions: 2 }),
    ]);
    const own = await check('--json');
    expect(own.code, own.stderr).toBe(0);
    expect(JSON.parse(own.stdout)).toMatchObject({
      suites: [{ counts: { total: 2 } }, { name: 'cook', counts: { total: 4 } }],
    });
    expect(report('own.md')).toContain('The office suite');
    expect(existsSync(at('reports', 'check-cook.xml'))).toBe(true);
    const stricter = await check('--min', 'pass_rate=0.9', '--repetitions', '1', '--json');
    expect(stricter.code).toBe(1);
    expect(JSON.parse(stricter.stdout)).toMatchObject({
      suites: [{ counts: { total: 2 } }, { counts: { total: 2 } }],
      check: { suites: [{ result: 'failed' }, { result: 'passed' }] },
    });
  });

  it('runs one of them by name, with its baseline', async () => {
    writeProject([entry('office'), entry('kitchen')]);
    const baseline = at('reports', 'kitchen-main.json');
    expect(await check('--suite', 'kitchen', '--report', baseline)).toMatchObject({ code: 0 });
    expect(existsSync(at('reports', 'check-office.json'))).toBe(false);
    const { code, stdout } = await check('--suite', 'kitchen', '--against', baseline, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { check: { baseline: { models: [{ regressed: [] }] } } },
    ]);
  });

  it.each<[string, () => void, string[], string]>([
    [
      'a suite that the project lacks',
      () => writeProject([entry('office'), entry('kitchen')]),
      ['--suite', 'kitchn'],
      'Did you mean kitchen? Give one of office, kitchen.',
    ],
    [
      'one baseline for all',
      () => writeProject([entry('office'), entry('kitchen')]),
      ['--against', 'x.json'],
      '--against is for one suite, and the project has 2. Choose one with --suite.',
    ],
    [
      'two suites of one name',
      () => writeProject([entry('office'), entry('office')]),
      [],
      'Two are called office. Give each a name of its own.',
    ],
    [
      'a second suite whose file is broken, before the first is run',
      () => {
        writeProject([entry('office'), entry('kitchen')]);
        writeFileSync(at('ci', 'kitchen.suite.yaml'), 'version: 1\n');
      },
      [],
      'kitchen.suite.yaml:1:1',
    ],
    [
      'both ways of naming suites',
      () => writeProject([entry('office')], { suite: 'ci/office.suite.yaml' }),
      [],
      'touchstone.yaml:',
    ],
  ])('refuses %s', async (_what, write, args, says) => {
    write();
    const { code, stdout, stderr } = await check(...args);
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(existsSync(at('reports', 'check-office.json'))).toBe(false);
  });
});
