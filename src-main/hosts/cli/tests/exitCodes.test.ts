import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand, startCommand, type Ended } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { startLineChild } from '../../../testing/lineChild.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testProgram } from '../../../testing/testPrograms.ts';

/** The meanings of each exit code, as the guide lists them. */
const page = readFileSync(join(programFiles.root, 'docs', 'guide', 'ci.md'), 'utf8');
const meanings = new Map(
  [...page.matchAll(/^\| (\d) \| ([^|]+) \|/gm)].map(([, code = '', means = '']) => [
    Number(code),
    means.trim().split('; '),
  ]),
);

let folder: TemporaryFolder;
let provider: FakeModelServer;
let does: 'fail' | 'stall' = 'fail';
const at = (name: string): string => join(folder.path, name);
const workspace = (): string => at('workspace');
const names = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];

function writeTools(
  file: string,
  description: (name: string) => string | null,
  input_schema: object = { type: 'object' },
): void {
  writeFileSync(
    at(file),
    JSON.stringify({
      tools: names.flatMap((name, index) => {
        const text = description(name);
        return text === null
          ? []
          : [
              {
                ...{ server: 's', name: `t${index}`, description: text },
                input_schema,
              },
            ];
      }),
    }),
  );
}

function writeSuite(file: string, query: (name: string, index: number) => string): void {
  writeFileSync(
    at(file),
    JSON.stringify({
      version: 1,
      name: 'codes',
      servers: ['s'],
      cases: names.map((name, index) => ({
        id: name,
        name,
        query: query(name, index),
        expected_calls: [{ server: 's', tool: `t${index}` }],
      })),
    }),
  );
}

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startFakeModelServer({
    rule: () =>
      does === 'fail'
        ? { does: 'error', status: 500, type: 'server_error', message: 'The cluster is down.' }
        : { does: 'stall before headers' },
  });
  writeSuite('suite.json', (name) => `find the ${name}`);
  // Six of eight: the fewest that the paired test tells from chance.
  writeSuite('changed.json', (name, index) => (index < 6 ? 'Why?' : `find the ${name}`));
  writeTools('gone.json', (name) => (name === 'invoice' ? null : `Finds the ${name}.`));
  writeTools('tools.json', (name) => `Finds the ${name}.`);
  writeTools('worse.json', (name) => (name === 'song' ? 'Finds the song.' : 'Does a thing.'));
  writeTools('one.json', (name) => (name === 'invoice' ? 'Does a thing.' : `Finds the ${name}.`));
  writeTools('hidden.json', (name) => `Finds the ${name}.`, {
    type: 'object',
    properties: { at: true },
  });
  const kept = ['--record', at('recording.jsonl'), '--report', at('main.json')];
  expect(await runCommand(evaluate(...kept), { workspace: workspace() })).toMatchObject({
    code: 0,
  });
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await folder.remove();
});

const evaluate = (...more: string[]): string[] => [
  ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--provider', 'builtin'],
  ...more,
];
const check = (...more: string[]): string[] => [
  ...['check', '--suite', at('suite.json'), '--tools', at('tools.json')],
  ...['--provider', 'builtin', ...more],
];
/** Options that are given twice count once: the last one. */
const asked = (...more: string[]): string[] =>
  check(
    ...['--provider', 'openai-compatible', '--base-url', `${provider.origin}/v1`],
    ...['--model', 'm', '--retries', '0', ...more],
  );
const end = (args: string[]): Promise<Ended> => runCommand(args, { workspace: workspace() });

/** Another command holds the workspace while this one wants to write. */
async function endInUse(): Promise<Ended> {
  const child = testProgram('src-main/testing/databaseChild.ts');
  await using holder = startLineChild(child, ['lock', workspace()]);
  await holder.nextLine();
  holder.send('take it');
  await holder.nextLine();
  return await end(['check', '--suite', 'todo-sample', '--provider', 'builtin', '--wait', '0']);
}

/** Ctrl-C while the model is asked. */
async function endCanceled(): Promise<Ended> {
  does = 'stall';
  const before = provider.requests.length;
  const child = startCommand(asked(), { workspace: workspace() });
  const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
  await expect.poll(() => provider.requests.length).toBeGreaterThan(before);
  child.kill('SIGINT');
  const [code] = (await ended) as [number];
  does = 'fail';
  return { code, stdout: await stdout, stderr: await stderr };
}

const against = (): string[] => ['--against', at('main.json')];
const scenarios: [code: number, means: string, run: () => Promise<Ended>, says: string][] = [
  [0, 'every threshold holds', () => end(check('--min', 'pass_rate=1')), 'Check passed'],
  [0, 'no model is worse than its baseline', () => end(check(...against())), 'Check passed'],
  [
    0,
    'there is nothing to compare with yet',
    () => end(check()),
    'Check passed: nothing to compare with yet',
  ],
  [
    1,
    'one tool or the changed cases are worse',
    () => end(check('--suite', at('changed.json'), ...against(), '--allow-changed-cases')),
    'Fewer changed cases pass: 0 of 6 passed, 6 of 6 before, p 0.031',
  ],
  [
    1,
    'an expected tool was removed',
    () => end(check('--tools', at('gone.json'), ...against())),
    's:t0 is no longer offered, and 1 case expects it: 1 of 1 passed before.',
  ],
  [
    1,
    'a threshold is missed',
    () => end(check('--min', 'pass_rate.low=0.9')),
    'Check failed\n  pass_rate.low, the low end of its 95% interval, is',
  ],
  [
    1,
    'a model is worse than its baseline',
    () => end(check('--tools', at('worse.json'), ...against())),
    'Worse: −',
  ],
  [
    1,
    'more cases broke than `max_broken` allows',
    () => end(check('--tools', at('one.json'), ...against(), '--max-broken', '0')),
    '1 broken case, and 0 allowed.',
  ],
  [
    1,
    'a client hides more tools than `max_hidden` allows',
    () => end(check('--tools', at('hidden.json'), '--max-hidden', '0')),
    'Claude Code',
  ],
  [
    2,
    'an option is wrong',
    () => end(evaluate('--min', 'pass_rate=80')),
    'pass_rate is a rate from 0 to 1, so 80% is 0.8',
  ],
  [
    2,
    'an option is wrong',
    () => end(['--workspace', '', 'suite', 'list']),
    '--workspace: The name is empty.',
  ],
  [2, "a file can't be read", () => end(check('--against', at('missing.json'))), 'missing.json: '],
  [
    2,
    "a file can't be read",
    () => end(['gate', at('tools.json'), '--baseline', at('tools.json')]),
    "It isn't a report: it holds no metrics.",
  ],
  [
    2,
    "the baseline can't be compared",
    () => end(asked(...against())),
    'The model is openai-compatible/m, and builtin/default-v1 in the baseline.',
  ],
  [
    2,
    "a report can't be written",
    () => end(check('--report', at('missing/report.html'))),
    'missing',
  ],
  [2, "a report can't be written", () => end(evaluate('--record', folder.path)), "It's a folder."],
  [3, 'the provider failed', () => end(asked()), 'The cluster is down.'],
  [
    3,
    'a server failed',
    async () => {
      await end(['servers', 'add', 's', '--stdio', 'no-such-program-4711']);
      return end(['check', '--suite', at('suite.json'), '--provider', 'builtin']);
    },
    'no-such-program-4711',
  ],
  [
    3,
    "a recording doesn't match",
    () =>
      end([
        ...check('--tools', at('one.json'), '--replay', at('recording.jsonl')),
        ...['--provider', 'replay', '--model', 'default-v1'],
      ]),
    'Since it was recorded: s:t0 changed.',
  ],
  [
    3,
    'a metric is undefined',
    () => end(evaluate('--min', 'parameter_accuracy=0.5')),
    'No verdict',
  ],
  [3, 'another command holds the workspace', endInUse, 'in use by the touchstone command'],
  [3, 'the job was canceled', endCanceled, 'Stopping'],
];

describe('the exit codes that the guide lists', () => {
  it.each(scenarios)('%i: %s', async (code, means, run, says) => {
    expect(meanings.get(code)).toContain(means);
    const ended = await run();
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stderr).toContain(says);
  });

  it('are all that the guide lists', () => {
    expect([...meanings.keys()]).toEqual([0, 1, 2, 3]);
    for (const [code, listed] of meanings)
      for (const means of listed)
        expect(
          scenarios.some(([its, says]) => its === code && says === means),
          `${code}: ${means}`,
        ).toBe(true);
  });
});
