import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { spawnCommand, type Ended } from '../../../testing/commandLine.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import {
  goodDescription,
  officeProject,
  officeSuite as suite,
  officeTools,
  officeWords as names,
} from '../../../testing/officeRepository.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/**
 * A repository with tools, a suite and a touchstone.yaml: main has a baseline, and every branch is
 * checked against it as a pull request would be.
 */
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: folder.path,
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@localhost',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@localhost',
    },
  });

const project = {
  ...officeProject,
  baseline: { report: 'baseline.json' },
  reports: ['report.xml', 'report.md', 'report.html', 'report.json', 'github'],
};

const write = (name: string, content: string): void => writeFileSync(at(name), content);
const writeTools = (description: (name: string) => string): void =>
  write('tools.json', JSON.stringify(officeTools(description), null, 2));

function branch(name: string, change: () => void): void {
  git('checkout', '-q', '-b', name, 'main');
  change();
  git('commit', '-qam', name);
}

/** Runs `check` as a job of GitHub Actions does, in the folder of the repository. */
async function check(...args: string[]): Promise<Ended & { summary: string; junit: string }> {
  for (const file of ['summary.md', 'report.xml']) rmSync(at(file), { force: true });
  const ended = await spawnCommand(['check', ...args], {
    workspace: at('.workspace'),
    cwd: folder.path,
    env: { GITHUB_STEP_SUMMARY: at('summary.md') },
  });
  const read = (name: string): string => {
    try {
      return readFileSync(at(name), 'utf8');
    } catch {
      return '';
    }
  };
  return { ...ended, summary: read('summary.md'), junit: read('report.xml') };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  git('init', '-q', '-b', 'main');
  write('.gitignore', 'report.*\nsummary.md\n.workspace\n');
  write('suite.yaml', stringify(suite));
  write('touchstone.yaml', stringify(project));
  writeTools(goodDescription);
  const { code, stderr } = await spawnCommand(
    [
      'eval',
      '--suite',
      'suite.yaml',
      '--tools',
      'tools.json',
      '--provider',
      'builtin',
      '--report',
      'baseline.json',
    ],
    { workspace: at('.workspace'), cwd: folder.path },
  );
  expect(code, stderr).toBe(0);
  git('add', '-A');
  git('commit', '-qm', 'baseline');
});
afterAll(() => folder.remove());

describe('a pull request', () => {
  it('that breaks fewer cases than chance explains fails by a limit of broken cases', async () => {
    branch('small', () => {
      const reworded = names.slice(2, 5);
      writeTools((name) =>
        reworded.includes(name) ? 'Does what is needed.' : goodDescription(name),
      );
    });
    const passed = await check();
    expect(passed.code, passed.stderr).toBe(0);
    expect(passed.summary).toContain('Broken: `find-photo`, `find-meeting`, `find-holiday`');
    expect(passed.junit).toContain('It doesn’t fail the build.');
    expect(passed.junit).not.toContain('<failure');
    expect(passed.stderr).toMatch(/^::notice title=find-photo%3A /m);
    const failed = await check('--max-broken', '0');
    expect(failed.code).toBe(1);
    expect(failed.summary).toContain('3 broken cases, and 0 allowed.');
    // What the action puts into the comment.
    const comment = readFileSync(at('report.md'), 'utf8');
    for (const name of ['photo', 'meeting', 'holiday']) {
      expect(failed.junit).toMatch(new RegExp(`<testcase name="find-${name}: [^>]*>\\s*<failure `));
      for (const shown of [failed.summary, comment]) expect(shown).toContain(`find-${name}`);
    }
    expect(failed.junit.match(/<testcase name="find-[^>]*>\s*<failure /g)).toHaveLength(3);
  });
});

describe('a model that is paid for', () => {
  it.runIf(isNightly)(
    'is asked once: a second run and four parts are free, and the parts give the same reports',
    async () => {
      await using model = await startFakeModelServer();
      branch('cached', () => {
        write(
          'touchstone.yaml',
          stringify({
            ...project,
            baseline: undefined,
            cache: '.workspace/cache',
            thresholds: { min: { pass_rate: 0.9 } },
            models: [
              { provider: 'openai-compatible', model: 'local', base_url: `${model.origin}/v1` },
            ],
          }),
        );
        // This model calls the tool whose name is in the query.
        writeTools(goodDescription);
        const named = JSON.parse(readFileSync(at('tools.json'), 'utf8')) as ReturnType<
          typeof officeTools
        >;
        for (const [index, tool] of named.tools.entries()) tool.name = names[index] ?? '';
        write('tools.json', JSON.stringify(named));
        const cases = suite.cases.map((each, index) => ({
          ...each,
          expected_calls: [{ server: 'office', tool: names[index] ?? '' }],
        }));
        write('suite.yaml', stringify({ ...suite, cases }));
      });
      const first = await check();
      expect(first.code, first.stderr).toBe(0);
      expect(model.requests).toHaveLength(8);

      const reports = ['report.xml', 'report.md', 'report.html', 'report.json', 'summary.md'];
      const read = (): string[] => reports.map((name) => readFileSync(at(name), 'utf8'));
      const second = await check('--stamp', 'fixed');
      expect(second.code, second.stderr).toBe(0);
      expect(second.summary).toContain('8 of 8 answers');
      const whole = read();

      const parts = [1, 2, 3, 4].map((index) => `.workspace/part-${index}.json`);
      for (const [index, part] of parts.entries()) {
        const ended = await check(
          '--stamp',
          'fixed',
          '--shard',
          `${index + 1}/4`,
          '--report',
          part,
        );
        expect(ended.code, ended.stderr).toBe(0);
      }
      for (const name of reports) rmSync(at(name), { force: true });
      const merged = await spawnCommand(
        ['merge', ...parts, '--config', 'touchstone.yaml', '--stamp', 'fixed'],
        {
          workspace: at('.workspace'),
          cwd: folder.path,
          env: { GITHUB_STEP_SUMMARY: at('summary.md') },
        },
      );
      expect(merged.code, merged.stderr).toBe(0);
      for (const [index, text] of read().entries())
        expect(text === whole[index], reports[index]).toBe(true);
      expect(model.requests).toHaveLength(8);
    },
  );
});

describe('touchstone.yaml', () => {
  it('reports the line and column of an error', async () => {
    git('checkout', '-q', 'main');
    write('bad.yaml', 'version: 1\nsuite: suite.yaml\nthresholds:\n  min:\n    pas_rate: 0.5\n');
    const { code, stderr } = await check('--config', 'bad.yaml');
    expect(code).toBe(2);
    expect(stderr).toContain('bad.yaml:5:5: The format has no field "pas_rate" here.');
    write('empty.yaml', 'version: 1\n');
    expect((await check('--config', 'empty.yaml')).stderr).toContain(
      'empty.yaml:1:1: "suite" is required.',
    );
  });

  it('is written by init from what the folder holds, and passes as it is', async () => {
    git('checkout', '-q', 'main');
    const kept = await spawnCommand(['init'], { workspace: at('.workspace'), cwd: folder.path });
    expect([kept.code, kept.stderr]).toEqual([
      2,
      expect.stringContaining('touchstone.yaml: It exists already.') as string,
    ]);
    const written = await spawnCommand(['init', '--force', '--json'], {
      workspace: at('.workspace'),
      cwd: folder.path,
    });
    expect(written.code, written.stderr).toBe(0);
    expect(JSON.parse(written.stdout)).toMatchObject({
      used: { suite: 'suite.yaml', tools: 'tools.json', baseline: 'baseline.json' },
    });
    const text = readFileSync(at('touchstone.yaml'), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=.*touchstone\.schema\.json\n/);
    const { code, stderr } = await check();
    expect(code, stderr).toBe(0);
    git('checkout', '-q', '--', 'touchstone.yaml');
  });
});
