import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { programFiles } from '../../../runtime/programFiles.ts';
import { compiled } from '../../../testing/commandLine.ts';
import { runAction, type ActionResult } from '../../../testing/compositeAction.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

/** GitHub as the action's scripts see it: comments of one pull request, and artifacts. */
interface Comment {
  id: number;
  body: string;
}
const comments: Comment[] = [];
let artifacts: object[] = [];
let requests: string[] = [];
let refusesComments = false;
let server: Server;
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);

const names = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];
const writeTools = (description: (name: string) => string) => {
  const tools = names.map((name, index) => ({
    server: 'office',
    name: `t${index}`,
    description: description(name),
    input_schema: { type: 'object' },
  }));
  writeFileSync(at('tools.json'), JSON.stringify({ tools }));
};
const good = (name: string): string => `Finds a ${name} by its words.`;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = createServer((incoming, answer) => {
    void text(incoming).then((body) => {
      const { method = '', url = '' } = incoming;
      requests.push(`${method} ${url.split('?')[0]}`);
      const json = (value: unknown, status = 200) => {
        answer.writeHead(status, { 'content-type': 'application/json' });
        answer.end(JSON.stringify(value));
      };
      const isKnown = incoming.headers.authorization === 'Bearer a-token';
      if (!isKnown) return json({ message: 'Bad credentials' }, 401);
      if (url.includes('/actions/artifacts')) {
        const name = new URL(url, 'http://localhost').searchParams.get('name');
        return json({ artifacts: name === 'touchstone-baseline' ? artifacts : [] });
      }
      if (refusesComments && method !== 'GET')
        return json({ message: 'Resource not accessible by integration' }, 403);
      if (method === 'GET') {
        const page = Number(new URL(url, 'http://localhost').searchParams.get('page'));
        return json(comments.slice((page - 1) * 100, page * 100));
      }
      const sent = (JSON.parse(body) as { body: string }).body;
      if (method === 'POST') comments.push({ id: comments.length + 1, body: sent });
      else {
        const id = Number(url.split('/').at(-1));
        const found = comments.find((each) => each.id === id);
        if (!found) return json({ message: 'Not Found' }, 404);
        found.body = sent;
      }
      json({}, method === 'POST' ? 201 : 200);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  mkdirSync(at('bin'));
  writeFileSync(
    at('bin/touchstone'),
    `#!/bin/sh\nexec "${process.execPath}" "${testedProgram}" "$@"\n`,
    { mode: 0o755 },
  );
  writeFileSync(
    at('suite.yaml'),
    stringify({
      version: 1,
      name: 'office',
      servers: ['office'],
      cases: names.map((name, index) => ({
        id: `find-${name}`,
        name: `Find a ${name}`,
        query: `find the ${name} of last week`,
        expected_calls: [{ server: 'office', tool: `t${index}` }],
      })),
    }),
  );
  const models = [{ provider: 'builtin' }];
  const project = { version: 1, suite: 'suite.yaml', tools: 'tools.json', models };
  writeFileSync(at('touchstone.yaml'), stringify(project));
});
afterAll(async () => {
  server.close();
  await folder.remove();
});
beforeEach(() => {
  requests = [];
  refusesComments = false;
  writeTools(good);
});

let runs = 0;
async function run(
  event: 'push' | 'pull_request',
  inputs: Record<string, string> = {},
): Promise<ActionResult & { id: number }> {
  const id = (runs += 1);
  const repository = { default_branch: 'main' };
  const result = await runAction({
    action: programFiles.root,
    inputs: { package: '', ...inputs },
    github: {
      token: 'a-token',
      run_id: id,
      event_name: event,
      ref_name: event === 'push' ? 'main' : '7/merge',
      event: event === 'push' ? { repository } : { repository, pull_request: { number: 7 } },
    },
    env: {
      PATH: [at('bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: folder.path,
      TOUCHSTONE_HOME: at('workspace'),
      TOUCHSTONE_KEYCHAIN: 'off',
      NODE_COMPILE_CACHE: compiled,
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_SERVER_URL: 'https://github.test',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_RUN_ID: String(id),
    },
    cwd: folder.path,
    temp: at(`temp-${id}`),
    artifacts: at('artifacts'),
  });
  return { ...result, id };
}

const artifactOf = (runId: number, branch = 'main', extra: object = {}) => ({
  expired: false,
  workflow_run: { id: runId, head_branch: branch, repository_id: 1, head_repository_id: 1 },
  ...extra,
});

describe('the GitHub Action', () => {
  let baseline = 0;

  it('checks the default branch by thresholds and uploads its report as the baseline', async () => {
    artifacts = [];
    const main = await run('push', { arguments: '--min\npass_rate=0.9' });
    expect([main.failed, main.outputs['exit-code']], main.log).toEqual([false, '0']);
    expect(main.ran).not.toContain('Comment');
    expect(main.log).toContain(
      '::notice title=Touchstone::There is no artifact touchstone-baseline',
    );
    expect(existsSync(at(`artifacts/${main.id}/touchstone-baseline/report.json`))).toBe(true);
    for (const file of ['report.html', 'report.md', 'report.json'])
      expect(existsSync(at(`artifacts/${main.id}/touchstone-reports/${file}`)), file).toBe(true);
    expect(main.summary).toContain('Check passed');
    baseline = main.id;
  });

  it('fails a pull request that breaks cases, and says so in one comment', async () => {
    // A newer one of another branch, one of a fork, and one that is gone are no baselines.
    artifacts = [
      artifactOf(90, 'feature'),
      artifactOf(91, 'main', {
        workflow_run: { id: 91, head_branch: 'main', repository_id: 1, head_repository_id: 2 },
      }),
      artifactOf(92, 'main', { expired: true }),
      artifactOf(baseline),
    ];
    comments.push(...Array.from({ length: 100 }, (_, index) => ({ id: index + 1, body: 'Hi' })));
    writeTools(() => 'Does things.');
    const worse = await run('pull_request');
    expect([worse.failed, worse.outputs['exit-code']], worse.log).toEqual([true, '1']);
    expect(worse.ran.slice(-2)).toEqual(['Upload the reports', 'Verdict']);
    expect(comments).toHaveLength(101);
    expect(comments.at(-1)?.body).toContain('<!-- touchstone: touchstone -->');
    expect(comments.at(-1)?.body).toContain('find-invoice');
    expect(comments.at(-1)?.body).toContain('https://github.test/acme/shop/actions/runs/');
  });

  it('updates its comment when the pull request is fixed, and uploads no baseline from it', async () => {
    const fixed = await run('pull_request');
    expect([fixed.failed, fixed.outputs['exit-code']], fixed.log).toEqual([false, '0']);
    expect(comments).toHaveLength(101);
    expect(comments.at(-1)?.body).toContain('Check passed');
    expect(requests.at(-1)).toMatch(/^PATCH /);
    expect(fixed.ran).not.toContain('Upload the baseline');
  });

  it('compares with a given report instead of an artifact', async () => {
    const against = at(`artifacts/${baseline}/touchstone-baseline/report.json`);
    const inputs = { against, suite: 'suite.yaml', config: 'touchstone.yaml', comment: 'false' };
    const given = await run('pull_request', inputs);
    expect([given.failed, given.log.includes('::warning')], given.log).toEqual([false, false]);
    expect(given.ran).not.toContain('Find the baseline');
    expect(requests).toEqual([]);
  });

  it('posts what went wrong where there is no report, and ends with that exit code', async () => {
    const refused = await run('pull_request', { suite: 'missing.yaml', name: 'other' });
    expect([refused.failed, refused.outputs['exit-code']]).toEqual([true, '2']);
    expect(comments.at(-1)?.body).toMatch(/^<!-- touchstone: other -->\n# No verdict/);
    expect(comments.at(-1)?.body).toContain('missing.yaml');
  });

  it('warns where the comment is refused, and keeps the verdict', async () => {
    refusesComments = true;
    const fork = await run('pull_request');
    expect(fork.log).toContain('::warning title=Touchstone::GitHub answers 403');
    expect([fork.failed, fork.outputs['exit-code']]).toEqual([false, '0']);
  });

  it('cuts a long report at the end of a line', async () => {
    const { reports = '' } = (await run('pull_request', { comment: 'false' })).outputs;
    const long = [
      '# Check failed',
      '```text',
      ...Array.from({ length: 9000 }, () => 'x'.repeat(9)),
    ];
    writeFileSync(join(reports, 'report.md'), long.join('\n'));
    const script = join(programFiles.root, 'packaging', 'action', 'writeComment.mjs');
    // One by one: an object in place of `process.env` is not what the system's functions read.
    for (const [name, value] of Object.entries({
      TOKEN: 'a-token',
      NAME: 'long',
      NUMBER: '7',
      REPORT: join(reports, 'report.md'),
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_REPOSITORY: 'acme/shop',
    }))
      vi.stubEnv(name, value);
    await import(script);
    vi.unstubAllEnvs();
    const { body = '' } = comments.find((each) => each.body.includes('touchstone: long')) ?? {};
    expect(body.length).toBeGreaterThan(50_000);
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body.match(/```/g)).toHaveLength(2);
    expect(body).toContain('The report is longer.');
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
