import { once } from 'node:events';
import { mkdir, readdir, readFile, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawnCommand, startCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const canaries = [
  'sk-canary-openai-0123456789/+x',
  'sk-ant-canary-9876543210',
  'sk-own-canary-5678901234',
  'server-secret-canary-4711',
] as const;
const [openai, anthropic, own, serverSecret] = canaries;

let folder: TemporaryFolder;
let server: FakeModelServer;
let env: Record<string, string>;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of ['tmp', 'home', 'crash']) await mkdir(at(name));
  server = await startFakeModelServer({
    key: own,
    rule: ({ query }) =>
      query === 'fail'
        ? {
            does: 'error',
            status: 400,
            type: 'invalid_request_error',
            message: `Bad ${own} ${encodeURIComponent(own)} ${openai}`,
          }
        : query === 'stall'
          ? { does: 'stall in body' }
          : {
              does: 'answer',
              text: `Your key is ${own}, ${Buffer.from(own).toString('base64')}, and ${openai}.`,
              calls: [{ name: 's__add', arguments: { title: own } }],
            },
  });
  env = {
    OPENAI_API_KEY: openai,
    ANTHROPIC_API_KEY: anthropic,
    OPENAI_COMPATIBLE_API_KEY: own,
    TOUCHSTONE_SECRET_S_KEY: serverSecret,
    TMPDIR: at('tmp'),
    HOME: at('home'),
    NODE_OPTIONS: `--report-on-signal --report-signal=SIGUSR2 --report-directory=${at('crash')}`,
    NODE_DEBUG: 'http,net',
  };
  const tools = ['add', 'delete'].map((name) => ({
    server: 's',
    name,
    description: `Does ${name}.`,
    input_schema: { type: 'object', properties: { title: { type: 'string' } } },
  }));
  await writeFile(at('tools.json'), JSON.stringify({ tools }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

async function evaluation(queries: readonly string[], more: readonly string[]): Promise<string[]> {
  const file = at(`suite-${queries.join('-')}.json`);
  const cases = queries.map((query, index) => ({
    id: `c${index}`,
    name: query,
    query,
    expected_calls: [{ server: 's', tool: 'add', parameters: { title: 'milk' } }],
  }));
  await writeFile(
    file,
    JSON.stringify({ version: 1, name: queries.join(' '), servers: ['s'], cases }),
  );
  await spawnCommand(['suite', 'import', file], { workspace: at('workspace'), env });
  return [
    'eval',
    '--suite',
    queries.join(' '),
    '--tools',
    at('tools.json'),
    '--provider',
    'openai-compatible',
    '--model',
    'fake-model',
    '--base-url',
    `${server.origin}/v1`,
    '--retries',
    '0',
    ...more,
  ];
}

/**
 * The forms in which a key may lie on a disk: whole, cut off, escaped, in base64 at any offset, in
 * two bytes a letter.
 */
function spellings(secret: string): Buffer[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from('.'.repeat(offset) + secret)
      .toString('base64')
      .slice(4, -4),
  );
  const texts = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    ...base64,
    secret.slice(0, Math.ceil(secret.length * 0.7)),
  ];
  return [...texts.map((form) => Buffer.from(form)), Buffer.from(secret, 'utf16le')];
}

/** The files under the folder that hold a key in some form. */
async function sweep(): Promise<string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path);
        return canaries
          .filter((secret) => spellings(secret).some((form) => bytes.includes(form)))
          .map((secret) => `${path}: ${secret.slice(0, 10)}…`);
      }),
  );
  return found.flat();
}

it('T60 T62: no file of a session holds a key, even one that the provider or model echoes', async () => {
  const workspace = at('workspace');
  const reports = ['html', 'md', 'json', 'csv'].map((ending) => at(`report.${ending}`));
  const ended = await spawnCommand(
    await evaluation(
      ['add', 'fail'],
      ['--record', at('recording.jsonl'), '--report', ...reports, '--json'],
    ),
    { workspace, env },
  );
  expect(ended.stdout).toContain('"evaluation_id"');
  const listed = await spawnCommand(['keys', 'list', '--json'], { workspace, env });
  expect(JSON.parse(listed.stdout)).toMatchObject({
    keys: expect.arrayContaining([
      { provider: 'openai', status: 'set', place: 'environment' },
    ]) as unknown,
  });
  const said = [ended.stdout, ended.stderr, listed.stdout, listed.stderr];

  // The runtime writes its report while a request is under way: then everything that it will ever
  // hold is there.
  const stop = new AbortController();
  const written = (async () => {
    for await (const { filename } of watch(at('crash'), { signal: stop.signal }))
      if (filename?.endsWith('.json')) return;
  })();
  const before = server.requests.length;
  const child = startCommand(await evaluation(['stall'], []), { workspace, env });
  const streams = Promise.all([text(child.stdout), text(child.stderr)]);
  child.stdin.end();
  const exited = once(child, 'exit');
  await server.seen(before + 1);
  child.kill('SIGUSR2');
  await written;
  stop.abort();
  child.kill('SIGINT');
  await exited;
  said.push(...(await streams));

  const [crash] = await readdir(at('crash'));
  const report = JSON.parse(await readFile(join(at('crash'), crash ?? ''), 'utf8')) as {
    environmentVariables: Record<string, string>;
  };
  expect(report.environmentVariables).toMatchObject({ TOUCHSTONE_KEYCHAIN: 'off' });
  expect(
    Object.keys(report.environmentVariables).filter(
      (name) => name.endsWith('_API_KEY') || name.startsWith('TOUCHSTONE_SECRET_'),
    ),
  ).toEqual([]);
  await writeFile(at('said.txt'), said.join('\n'));
  expect(await sweep()).toEqual([]);
  expect(await readFile(at('report.json'), 'utf8')).toContain('evaluation');
  expect(await readFile(at('recording.jsonl'), 'utf8')).toContain('[redacted]');
  // The search does find one that is there.
  await writeFile(at('planted.bin'), Buffer.from(`\0${Buffer.from(`x${own}`).toString('base64')}`));
  expect(await sweep()).toEqual([`${at('planted.bin')}: ${own.slice(0, 10)}…`]);
});
