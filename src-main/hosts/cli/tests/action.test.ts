import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { FakeGithub } from '../../../testing/fakeGithub.ts';
import {
  goodDescription,
  officeProject as project,
  officeSuite as suite,
  officeTools,
} from '../../../testing/officeRepository.ts';
import { sampled } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let github: FakeGithub;
const at = (name: string): string => join(folder.path, name);

const writeTools = (description: (word: string) => string): void =>
  writeFileSync(at('tools.json'), JSON.stringify(officeTools(description)));
const write = (name: string, content: object): void => writeFileSync(at(name), stringify(content));

beforeAll(async () => {
  folder = await temporaryFolder();
  github = await FakeGithub.start(folder.path, 'here');
});
afterAll(async () => {
  github[Symbol.dispose]();
  await folder.remove();
});
beforeEach(() => {
  github.requests = [];
  github.refusesComments = false;
  writeTools(goodDescription);
  write('suite.yaml', suite);
  write('touchstone.yaml', project);
});

/** The action's own comment of a use. */
const own = (use = 'touchstone-checks-test'): string =>
  github.comments.find(
    ({ user, body }) =>
      user.login === 'github-actions[bot]' && body.startsWith(`<!-- touchstone: ${use} -->`),
  )?.body ?? '';

describe('the GitHub Action', () => {
  const name = 'touchstone-checks-test';
  let baseline = 0;
  const baselineFile = (): string =>
    join(github.artifact(baseline, `${name}-baseline`), 'report.json');

  it('checks the default branch by thresholds and uploads its report as the baseline', async () => {
    const main = await github.use({
      event: 'push',
      inputs: { arguments: '--min\npass_rate=0.9' },
    });
    expect([main.failed, main.outputs['exit-code']], main.log).toEqual([false, '0']);
    expect(main.ran).not.toContain('Comment');
    expect(main.log).toContain(
      `::notice title=Touchstone::There is no artifact ${name}-baseline of main yet`,
    );
    baseline = main.id;
    expect(existsSync(baselineFile())).toBe(true);
    for (const file of ['report.html', 'report.md', 'report.json'])
      expect(existsSync(join(github.artifact(main.id, `${name}-reports`), file)), file).toBe(true);
    expect(main.summary).toContain('Check passed');
  });

  it('fails a pull request that breaks cases, and says so in one comment of its own', async () => {
    // Newer ones of another branch, of a fork, and gone ones fill the first page and more.
    for (let run = 200; run < 330; run += 1)
      github.addArtifact(`${name}-baseline`, run, { head_branch: 'feature' });
    github.addArtifact(`${name}-baseline`, 331, { head_repository_id: 2 });
    github.addArtifact(`${name}-baseline`, 332).expired = true;
    const stranger = `<!-- touchstone: ${name} -->\nLooks good.`;
    github.addComment(stranger, 'mallory');
    github.addComment(stranger, 'translator[bot]');
    for (let index = 2; index < 100; index += 1) github.addComment('Hi', 'octocat');
    writeTools(() => 'Does things.');
    const worse = await github.use({ event: 'pull_request' });
    expect([worse.failed, worse.outputs['exit-code']], worse.log).toEqual([true, '1']);
    expect(worse.ran.slice(-2)).toEqual(['Upload the reports', 'Verdict']);
    expect(github.comments).toHaveLength(101);
    expect(own()).toContain(`<!-- touchstone: ${name} -->`);
    expect(own()).toContain('find-invoice');
    expect(own()).toContain('https://github.test/acme/shop/actions/runs/');
    expect(github.comments.slice(0, 2).map(({ body }) => body)).toEqual([stranger, stranger]);
  });

  it('updates its comment when the pull request is fixed, and uploads no baseline from it', async () => {
    const fixed = await github.use({ event: 'pull_request' });
    expect([fixed.failed, fixed.outputs['exit-code']], fixed.log).toEqual([false, '0']);
    expect(github.comments).toHaveLength(101);
    expect(own()).toContain('Check passed');
    expect(github.requests.at(-1)).toMatch(/^PATCH /);
    expect(fixed.ran).not.toContain('Upload the baseline');
  });

  it('finds its comment by who its token writes as', async () => {
    const inputs = { token: 'app-token', name: 'app' };
    for (const comments of [102, 102]) {
      await github.use({ event: 'pull_request', inputs });
      expect(github.comments).toHaveLength(comments);
    }
    expect(github.comments.at(-1)?.user.login).toBe('acme-checks[bot]');
  });

  it('compares with a given report instead of an artifact', async () => {
    const inputs = {
      ...{ against: baselineFile(), suite: 'suite.yaml', config: 'touchstone.yaml' },
      comment: 'false',
    };
    const given = await github.use({ event: 'pull_request', inputs });
    expect([given.failed, given.log.includes('::warning')], given.log).toEqual([false, false]);
    expect(given.ran).not.toContain('Find the baseline');
    expect(github.requests).toEqual([]);
  });

  it('posts what went wrong where there is no report, and ends with that exit code', async () => {
    const inputs = { suite: 'missing.yaml', name: 'other' };
    const refused = await github.use({ event: 'pull_request', inputs });
    expect([refused.failed, refused.outputs['exit-code']]).toEqual([true, '2']);
    expect(own('other')).toMatch(/^<!-- touchstone: other -->\n# No verdict/);
    expect(own('other')).toContain('missing.yaml');
  });

  it('warns where the comment is refused, and keeps the verdict', async () => {
    github.refusesComments = true;
    const fork = await github.use({ event: 'pull_request' });
    expect(fork.log).toContain('::warning title=Touchstone::GitHub answers 403');
    expect([fork.failed, fork.outputs['exit-code']]).toEqual([false, '0']);
  });

  const otherCase = { ...suite.cases[0], expected_calls: [] };
  const stored = (): Record<string, unknown> =>
    JSON.parse(readFileSync(baselineFile(), 'utf8')) as Record<string, unknown>;
  const changes: readonly [string, () => void, string][] = [
    [
      'expectation',
      () => write('suite.yaml', { ...suite, cases: [otherCase, ...suite.cases.slice(1)] }),
      '1 case has another query or expectation: find-invoice.',
    ],
    [
      'model',
      () => {
        const report = stored();
        const [model] = report['models'] as object[];
        const models = [{ ...model, provider: 'openai', model: 'gpt-x' }];
        writeFileSync(baselineFile(), JSON.stringify({ ...report, models }));
      },
      'The model is builtin/default-v1, and openai/gpt-x in the baseline.',
    ],
    [
      'format of the report',
      () => writeFileSync(baselineFile(), JSON.stringify({ ...stored(), version: 9 })),
      'Its format has version 9, which this version of Touchstone',
    ],
    [
      'file, which is damaged,',
      () => writeFileSync(baselineFile(), '{"format": "touchst'),
      "It isn't valid JSON",
    ],
  ];
  it.each(sampled(changes, ([what]) => what === 'expectation' || what.startsWith('file')))(
    'starts a new baseline on the default branch after another %s, and refuses a pull request',
    async (_what, change, difference) => {
      change();
      const refused = await github.use({ event: 'pull_request' });
      expect([refused.failed, refused.outputs['exit-code']], refused.log).toEqual([true, '2']);
      expect(own()).toContain(difference);
      expect(own()).toContain('--new-baseline');
      const started = await github.use({ event: 'push' });
      expect([started.failed, started.outputs['exit-code']], started.log).toEqual([false, '0']);
      expect(started.log).toMatch(/^::warning title=New baseline::.*can’t be compared/m);
      expect(started.log.replaceAll('%27', "'")).toContain(difference);
      expect(started.summary).toContain('New baseline: ');
      expect(started.summary).toContain(difference);
      baseline = started.id;
      const next = await github.use({ event: 'pull_request' });
      expect([next.outputs['exit-code'], own()], next.log).toEqual([
        '0',
        expect.stringContaining('vs. '),
      ]);
    },
  );

  it('refuses a pull request without the file of its baseline, until the default branch has a new one', async () => {
    rmSync(baselineFile());
    const refused = await github.use({ event: 'pull_request' });
    expect([refused.failed, refused.outputs['exit-code']], refused.log).toEqual([true, '2']);
    expect(own()).toMatch(/^<!-- .* -->\n# No verdict/);
    expect(own()).toContain(`The baseline of run ${baseline} was found`);
    const started = await github.use({ event: 'push' });
    expect([started.failed, started.outputs['exit-code']], started.log).toEqual([false, '0']);
    expect(started.log).toContain('::warning title=New baseline::The baseline of run');
    baseline = started.id;
    const next = await github.use({ event: 'pull_request' });
    expect([next.outputs['exit-code'], own()], next.log).toEqual([
      '0',
      expect.stringContaining('vs. '),
    ]);
  });

  it('reads a baseline that lies in the folder of all uses', async () => {
    const temp = github.newJob();
    mkdirSync(join(temp, 'touchstone-baseline'), { recursive: true });
    cpSync(baselineFile(), join(temp, 'touchstone-baseline', 'report.json'));
    const run = { event: 'pull_request', temp, inputs: { name: 'elsewhere' } };
    writeTools(() => 'Does things.');
    const worse = await github.use(run);
    expect(worse.ran).not.toContain('Restore the baseline');
    expect(worse.outputs['exit-code'], worse.log).toBe('1');
  });

  it('starts no baseline from an event that only names the default branch', async () => {
    for (const event of ['pull_request_target', 'workflow_run']) {
      const run = await github.use({ event, inputs: { comment: 'false' } });
      expect([event, run.outputs['exit-code']], run.log).toEqual([event, '0']);
      expect(run.ran).not.toContain('Upload the baseline');
    }
  });
});

describe('several uses', () => {
  const uploaded = (run: number): string[] =>
    github.artifacts
      .filter(({ workflow_run: { id } }) => id === run)
      .map(({ name }) => name)
      .filter((name) => name.endsWith('-baseline'));

  it('of one job, of a matrix and of a rerun keep a baseline each', async () => {
    write('half.yaml', { ...suite, name: 'half', cases: suite.cases.slice(4) });
    const uses = [{ suite: 'suite.yaml' }, { suite: 'half.yaml' }, { suite: 'half.yaml' }];
    const legs = [{ model: 'a/1' }, { model: 'b', os: { name: 'linux' } }];
    for (const [round, event] of ['push', 'pull_request'].entries()) {
      const run = 1000 + round;
      for (const attempt of round === 0 ? ['1', '2'] : ['1'])
        for (const matrix of legs) {
          const temp = github.newJob();
          for (const inputs of uses) {
            const env = { GITHUB_RUN_ATTEMPT: attempt };
            const one = { event, run, matrix, temp, job: 'gate', env };
            const used = await github.use({ ...one, inputs: { ...inputs, comment: 'false' } });
            expect([used.failed, used.outputs['exit-code']], used.log).toEqual([false, '0']);
            // From the first one on, each finds what it left itself, and can be compared with it.
            expect(used.ran.includes('Restore the baseline')).toBe(round > 0 || attempt === '2');
            expect(used.log).not.toContain('New baseline');
          }
        }
    }
    expect(uploaded(1000)).toEqual([
      'touchstone-checks-gate-suite-a-1-baseline',
      'touchstone-checks-gate-half-a-1-baseline',
      'touchstone-checks-gate-half-a-1-2-baseline',
      'touchstone-checks-gate-suite-b-linux-baseline',
      'touchstone-checks-gate-half-b-linux-baseline',
      'touchstone-checks-gate-half-b-linux-2-baseline',
    ]);
    expect(uploaded(1001)).toEqual([]);
  });

  it('of several suites write all their reports into one comment', async () => {
    const suites = [{ suite: 'suite.yaml' }, { name: 'half', suite: 'suite.yaml' }];
    const { suite: _, ...shared } = project;
    write('touchstone.yaml', { ...shared, suites, thresholds: { min: { pass_rate: 0.5 } } });
    const run = await github.use({ event: 'pull_request', inputs: { name: 'all' } });
    expect(run.outputs['exit-code'], run.log).toBe('0');
    expect(own('all').match(/^# /gm)).toHaveLength(2);
    expect(own('all')).not.toContain('No verdict');
  });
});

describe('a pull request that names an address of its own', () => {
  const said = 'The author of a pull request could have keys sent';
  const compatible = { provider: 'openai-compatible', model: 'm', retries: 0 };
  const address = { ...compatible, base_url: 'http://127.0.0.1:1/v1' };
  const program = { provider: 'command', model: 'm', command: 'node answer.mjs' };
  const builtin = { provider: 'builtin' };
  const headers = { authorization: 'Bearer ${DEPLOY_KEY}' };
  const at1 = { url: 'http://127.0.0.1:1/mcp', headers };
  const started = { stdio: 'node server.mjs', env: ['OPENAI_API_KEY'] };
  it.each<[string, object, object, string, string | null]>([
    ['an address', { models: [address] }, {}, 'pull_request', 'base_url http://127.0.0.1:1/v1'],
    ['a command', { models: [program] }, {}, 'pull_request_target', 'command node answer.mjs'],
    ['a judge', { models: [builtin], judge: address }, {}, 'issue_comment', 'base_url'],
    [
      'a later judge',
      { models: [builtin], judges: [builtin, address] },
      {},
      'pull_request',
      'base_url',
    ],
    ['a server', { servers: at1 }, { DEPLOY_KEY: 'k' }, 'pull_request', 'is given DEPLOY_KEY'],
    ['a program', { servers: started }, {}, 'pull_request', 'is given OPENAI_API_KEY'],
    ['an address after a merge', { models: [address] }, {}, 'push', null],
    [
      'an address without keys',
      { models: [address] },
      { OPENAI_API_KEY: '' },
      'pull_request',
      null,
    ],
    ['no address', { models: [builtin] }, {}, 'pull_request', null],
  ])('is refused or not: %s', async (_what, given, env, event, refused) => {
    const { tools: _, ...others } = project;
    write('touchstone.yaml', { ...('servers' in given ? others : project), ...given });
    const options = {
      workspace: at('workspace'),
      env: { OPENAI_API_KEY: 'sk-test', GITHUB_EVENT_NAME: event, ...env },
    };
    const command = ['check', '--config', at('touchstone.yaml'), '--estimate'];
    const { code, stderr } = await runCommand(command, options);
    expect(stderr.includes(said), stderr).toBe(refused !== null);
    if (refused === null) return;
    expect(code).toBe(2);
    expect(stderr).toContain(refused);
    expect(stderr).not.toContain('sk-test');
    const agreed = await runCommand([...command, '--own-addresses'], options);
    expect(agreed.stderr).not.toContain(said);
  });

  it('is refused by the action, unless its workflow agrees', async () => {
    write('touchstone.yaml', { ...project, models: [address] });
    const inputs = { comment: 'false', arguments: '--estimate' };
    const one = { event: 'pull_request', env: { OPENAI_API_KEY: 'sk-test' } };
    const run = await github.use({ ...one, inputs });
    expect(run.outputs['exit-code']).toBe('2');
    expect(run.log).toContain(said);
    expect(run.log).not.toContain('sk-test');
    const agreed = await github.use({ ...one, inputs: { ...inputs, 'own-addresses': 'true' } });
    expect(agreed.log).not.toContain(said);
  });
});

/** Runs a script of the action by itself. */
const script = (
  command: string,
  file: string,
  env: Record<string, string>,
): Promise<{ code: number; log: string }> =>
  new Promise((resolve) => {
    const path = join(programFiles.root, 'packaging', 'action', file);
    const more = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, ...env };
    execFile(command, [path], { env: more, cwd: folder.path }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), log: stdout + stderr });
    });
  });

it('a comment of several long reports keeps whole sections and names the others', async () => {
  mkdirSync(at('long'));
  const rows = (count: number): string => '| `x` | y |\n'.repeat(count);
  for (const part of ['a', 'b'])
    writeFileSync(
      at(`long/report-${part}.md`),
      `# Suite ${part}\n\n**Check failed**\n\n## Broken cases\n\n${rows(2000)}\n## Runs\n\n${rows(2500)}`,
    );
  const { log } = await script('node', 'writeComment.mjs', {
    ...{ TOKEN: 'a-token', NAME: 'long', NUMBER: '7', REPORT: at('long/report.md') },
    ...{ LOG: at('long/log.txt'), GITHUB_API_URL: github.origin, GITHUB_REPOSITORY: 'acme/shop' },
  });
  expect(log).toBe('');
  expect(own('long').length).toBeLessThanOrEqual(65_536);
  expect(own('long').match(/^# Suite/gm)).toHaveLength(2);
  expect(own('long').match(/^## Broken cases/gm)).toHaveLength(2);
  expect(own('long')).toContain('Not shown here: Runs, Runs.');
});

describe('what is installed', () => {
  const install = async (
    files: Record<string, string>,
    given: string,
  ): Promise<{ calls: string; path: string }> => {
    const home = join(folder.path, `install-${files['touchstone'] ? 'found' : given || 'own'}`);
    for (const name of ['bin', 'action', 'temp']) mkdirSync(join(home, name), { recursive: true });
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(home, 'bin', name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
    const file = (name: string): string => join(home, name);
    writeFileSync(file('calls'), '');
    writeFileSync(file('path'), '');
    const { code, log } = await script('bash', 'install.sh', {
      ...{ PACKAGE: given, RUNNER_TEMP: file('temp'), GITHUB_ACTION_PATH: file('action') },
      ...{ GITHUB_PATH: file('path'), CALLS: file('calls') },
      PATH: `${file('bin')}:/usr/bin:/bin`,
    });
    expect(code, log).toBe(0);
    const read = (name: string): string => readFileSync(file(name), 'utf8').replaceAll(home, '~');
    return { calls: read('calls'), path: read('path') };
  };
  // Notes each call with its folder; packing leaves a tarball.
  const npm =
    'echo "$PWD: npm $*" >> "$CALLS"; if [ "$1" = pack ]; then touch "$3/touchstone-0.1.0.tgz"; fi';

  it('is the given package, the command on the PATH, or the files of the action', async () => {
    const added = '~/temp/touchstone/node_modules/.bin\n';
    const flags = '--no-audit --no-fund';
    expect(await install({ npm }, './ci/it.tgz')).toEqual({
      calls: `${folder.path}: npm install --prefix ~/temp/touchstone ${flags} ./ci/it.tgz\n`,
      path: added,
    });
    expect(await install({ npm, touchstone: 'exit 0' }, '')).toEqual({ calls: '', path: '' });
    expect(await install({ npm }, '')).toEqual({
      calls:
        `~/action: npm ci ${flags}\n` +
        '~/action: npm pack --pack-destination ~/temp/touchstone-package\n' +
        `${folder.path}: npm install --prefix ~/temp/touchstone ${flags} ` +
        '~/temp/touchstone-package/touchstone-0.1.0.tgz\n',
      path: added,
    });
  });
});

describe('action.yml', () => {
  const text = readFileSync(join(programFiles.root, 'action.yml'), 'utf8');

  it('pins the actions that it uses by the hash of a commit', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses).toHaveLength(3);
    for (const line of uses) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('passes inputs to scripts through the environment only', () => {
    for (const [script] of text.matchAll(/run: (\|\n(?: {8}.*\n)+|.*)/g))
      expect(script).not.toContain('${{');
  });
});
