import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let provider: FakeModelServer;
let isDown = true;
let isRefused = false;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]): Promise<Ended> => runCommand(args, { workspace: at('workspace') });

const names = ['add', 'remove', 'list', 'rename'];

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startFakeModelServer({
    rule: (request) =>
      isRefused
        ? { does: 'error', status: 401, type: 'authentication_error', message: 'Wrong key.' }
        : isDown && provider.requests.length > 2
          ? { does: 'error', status: 500, type: 'server_error', message: 'The cluster is down.' }
          : callWhatIsNamed(request),
  });
  writeFileSync(
    at('resume.suite.json'),
    JSON.stringify({
      version: 1,
      name: 'resume',
      servers: ['s'],
      cases: names.map((name) => ({
        id: name,
        name,
        query: `please ${name}`,
        expected_calls: [{ server: 's', tool: name }],
      })),
    }),
  );
  writeFileSync(
    at('tools.json'),
    JSON.stringify({
      tools: names.map((name) => ({
        server: 's',
        name,
        description: name,
        input_schema: { type: 'object' },
      })),
    }),
  );
  expect(await run('suite', 'import', at('resume.suite.json'))).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await folder.remove();
});

interface Listed {
  evaluations: { number: number; status: string; unscored: number; total: number }[];
}

it('runs only what has no score, and judges the thresholds that it was started with', async () => {
  const started = await run(
    'eval',
    '--suite',
    'resume',
    '--tools',
    at('tools.json'),
    '--provider',
    'openai-compatible',
    '--base-url',
    `${provider.origin}/v1`,
    '--model',
    'local',
    '--retries',
    '0',
    '--concurrency',
    '1',
    '--min',
    'pass_rate=0.9',
  );
  expect(started.code, started.stderr).toBe(3);
  expect(started.stderr).toContain('The cluster is down.');
  const asked = provider.requests.length;
  const { evaluations } = JSON.parse((await run('evaluations', 'list', '--json')).stdout) as Listed;
  expect(evaluations[0]).toMatchObject({ total: 4, unscored: 2 });
  expect((await run('evaluations', 'list')).stdout).toMatch(
    new RegExp(
      `^#${evaluations[0]?.number ?? 0} +cases +resume .* 2 of 2 passed +100% +2 without a score`,
    ),
  );

  isDown = false;
  const resumed = await run('eval', '--resume', 'latest', '--json', '--report', at('resumed.xml'));
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stderr).toContain('Running 2 runs without a score.');
  expect(provider.requests.length - asked).toBe(2);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    status: 'completed',
    verdict: { passed: 4 },
    unscored: [],
    check: { result: 'passed', thresholds: [{ metric: 'pass_rate', outcome: 'passed' }] },
  });
  expect(readFileSync(at('resumed.xml'), 'utf8')).toContain('name="pass_rate ≥ 0.9"');

  const again = await run('eval', '--resume', String(evaluations[0]?.number ?? 0));
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringContaining('Nothing is left to run') as string,
  ]);
});

it('says which runs were never started after the key was refused', async () => {
  isRefused = true;
  const file = at('refused.json');
  const ended = await run(
    ...['eval', '--suite', at('resume.suite.json'), '--tools', at('tools.json')],
    ...['--provider', 'openai-compatible', '--base-url', `${provider.origin}/v1`],
    ...['--model', 'local', '--concurrency', '1', '--json', '--report', file],
  );
  isRefused = false;
  expect(ended.code, ended.stderr).toBe(3);
  expect(ended.stderr).toMatch(
    /^Not scored: the model’s service failed: .*Wrong key.* 3 of these runs were not asked after that\. \(4 runs\)$/m,
  );
  expect(JSON.parse(ended.stdout)).toMatchObject({
    unscored: [{ failure: 'provider', runs: 4, cases: ['add', 'remove', 'list', 'rename'] }],
  });
  const verified = await run('verify', file, '--json');
  expect(JSON.parse(verified.stdout)).toMatchObject({ differences: [] });
});

it('says which runs were abandoned while others were refused', async () => {
  isRefused = true;
  const ended = await run(
    ...['eval', '--suite', at('resume.suite.json'), '--tools', at('tools.json')],
    ...['--provider', 'openai-compatible', '--base-url', `${provider.origin}/v1`],
    ...['--model', 'local', '--concurrency', '4', '--json'],
  );
  isRefused = false;
  expect(ended.code, ended.stderr).toBe(3);
  // How many were in progress depends on the machine. None of them ended with the program.
  const lines = ended.stderr.split('\n').filter((line) => line.startsWith('Not scored: '));
  const known =
    /^Not scored: (the model’s service failed|canceled: It was abandoned while|not started, )/;
  for (const line of lines) {
    expect(line).toMatch(known);
    expect(line).toContain('Wrong key.');
  }
  const runs = lines.map((line) => Number(/\((\d) runs?\)$/.exec(line)?.[1]));
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe(4);
});

it('stops asking a model whose endpoint is unreachable, and goes on with the others', async () => {
  const gone = await startFakeModelServer();
  const { origin } = gone;
  await gone[Symbol.asyncDispose]();
  isDown = false;
  const before = provider.requests.length;
  writeFileSync(
    at('touchstone.yaml'),
    JSON.stringify({
      version: 1,
      suite: 'resume.suite.json',
      tools: 'tools.json',
      models: [
        ...[origin, provider.origin].map((base, index) => ({
          provider: 'openai-compatible',
          model: `m${index}`,
          base_url: `${base}/v1`,
          retries: 0,
        })),
      ],
      concurrency: 1,
    }),
  );
  const ended = await run('check', '--config', at('touchstone.yaml'), '--json');
  expect(ended.code, ended.stderr).toBe(3);
  expect(provider.requests.length - before).toBe(4);
  expect(ended.stderr).toMatch(
    /^Not scored: the model’s service failed: .*ECONNREFUSED.* 3 of these runs were not asked after that\. \(4 runs\)$/m,
  );
});

it.each([
  [['eval', '--resume', 'latest', '--suite', 'resume'], 'Leave out --suite.'],
  [['eval', '--resume', 'latest', '--agent', 'sample'], 'Leave out --agent.'],
  [['eval', '--resume', 'latest', '--base-url', 'http://127.0.0.1:1'], 'Leave out --base-url.'],
  [['eval', '--resume', 'latest', '--only', 'tasks'], 'There is no evaluation of tasks'],
  [['eval', '--resume', '4711'], '4711'],
  [['eval'], 'Give --suite, or --resume EVALUATION.'],
  [['eval', '--suite', 'resume'], 'Give --provider'],
  [['evaluations', 'list', '--suite', 'nobody'], 'nobody'],
])('ends %j with 2 and names the bad input', async (args, named) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named) as string]);
});
