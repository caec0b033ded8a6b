import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, spawnCommand, type Ended } from '../../../testing/commandLine.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { sealKeyVariable } from '../../../runtime/seal.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let provider: FakeModelServer;
let cache: string;
let failing: string | null = null;
const at = (name: string): string => join(folder.path, name);
const key = 'sk-cache-canary-4711';
const names = ['add', 'remove', 'list', 'rename'];

const writeTools = (reworded?: string): void =>
  writeFileSync(
    at('tools.json'),
    JSON.stringify({
      tools: names.map((name) => ({
        server: `s-${name}`,
        name,
        description: name === reworded ? 'Reworded.' : name,
        input_schema: { type: 'object' },
      })),
    }),
  );

const arguments_ = (...more: string[]): string[] => [
  ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json')],
  ...['--provider', 'openai', '--model', 'm', '--base-url', `${provider.origin}/v1`],
  ...['--retries', '0', '--cache', cache, '--json', ...more],
];
const options = () => ({ workspace: at('workspace'), env: { OPENAI_API_KEY: key } });
const evaluate = (...more: string[]): Promise<Ended> => runCommand(arguments_(...more), options());
const entries = (): string[] =>
  readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startFakeModelServer({
    rule: (request) =>
      failing !== null && request.query.includes(failing)
        ? { does: 'error', status: 500, type: 'server_error', message: 'The cluster is down.' }
        : callWhatIsNamed(request),
  });
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'cached',
      servers: names.map((name) => `s-${name}`),
      // Each case is offered one tool, so that rewording it changes one request.
      cases: names.map((name) => ({
        id: name,
        name,
        query: `please ${name}`,
        servers: [`s-${name}`],
        expected_calls: [{ server: `s-${name}`, tool: name }],
      })),
    }),
  );
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await folder.remove();
});
let count = 0;
beforeEach(() => {
  cache = at(`cache-${(count += 1)}`);
  failing = null;
  writeTools();
});

/** Runs the evaluation and counts the requests that reached the model. */
async function counted(...more: string[]): Promise<Ended & { requests: number; hits: number }> {
  const before = provider.requests.length;
  const ended = await evaluate(...more);
  const hits = (JSON.parse(ended.stdout) as { cached_answers: number }).cached_answers;
  return { ...ended, requests: provider.requests.length - before, hits };
}

describe('--record and --replay', () => {
  const replayed = (...more: string[]): Promise<Ended> =>
    runCommand(
      [
        ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--json'],
        ...['--provider', 'replay', '--model', 'm', ...more],
      ],
      options(),
    );

  it('name the tool that changed since the recording, and complete the recording', async () => {
    const file = at(`recording-${count}.jsonl`);
    const recorded = await evaluate('--record', file);
    expect(recorded.code, recorded.stderr).toBe(0);
    writeTools('rename');
    const missing = await replayed('--replay', file);
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain('Since it was recorded: s-rename:rename changed.');

    // A cache would answer too: the recording alone is asked here.
    cache = at(`cache-${(count += 1)}`);
    const report = at('completed.md');
    const completed = await counted('--replay', file, '--record', file, '--report', report);
    expect([completed.code, completed.requests, completed.hits], completed.stderr).toEqual([
      0, 1, 3,
    ]);
    expect(readFileSync(report, 'utf8')).toContain('3 of 4 answers');
    const asked = provider.requests.length;
    const again = await replayed('--replay', file);
    expect([again.code, provider.requests.length], again.stderr).toEqual([0, asked]);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
  });

  it('say that the question changed if no tool did', async () => {
    const file = at(`recording-${count}.jsonl`);
    await evaluate('--record', file);
    const other = await replayed('--replay', file, '--system', 'Be brief.');
    expect(other.code).toBe(3);
    expect(other.stderr).toContain('The text of the case, the prompt or a setting changed since.');
    const more = await replayed('--replay', file, '--repetitions', '2');
    expect(more.stderr).toContain('has no answer to this repetition');
  });
});

describe('--cache', () => {
  it('makes a second run free, with the same result and the hits in every report', async () => {
    const first = await counted();
    expect([first.code, first.requests, first.hits], first.stderr).toEqual([0, 4, 0]);
    const reports = ['r.json', 'r.md', 'r.html', 'r.xml'].map(at);
    const second = await counted('--report', ...reports);
    expect([second.code, second.requests, second.hits], second.stderr).toEqual([0, 0, 4]);
    const read = (text: string) => {
      const { counts, metrics, tokens } = JSON.parse(text) as Record<string, unknown>;
      return { counts, metrics, tokens };
    };
    expect(read(second.stdout)).toEqual(read(first.stdout));
    const [json = '', md = '', html = '', xml = ''] = reports.map((file) =>
      readFileSync(file, 'utf8'),
    );
    expect(JSON.parse(json)).toMatchObject({ cached_answers: 4 });
    for (const text of [md, html, xml]) expect(text).toContain('4 of 4 answers');
  });

  it('asks again for what changed, and only for that', async () => {
    await counted();
    writeTools('list');
    expect(await counted()).toMatchObject({ requests: 1, hits: 3 });
    expect(await counted('--repetitions', '2')).toMatchObject({ requests: 4, hits: 4 });
    expect(await counted('--system', 'Be brief.')).toMatchObject({ requests: 4, hits: 0 });
  });

  it('keeps neither failures nor keys', async () => {
    failing = 'remove';
    const failed = await counted();
    expect([failed.code, failed.requests]).toEqual([3, 4]);
    expect(entries()).toHaveLength(3);
    for (const name of entries())
      expect(readFileSync(join(cache, name), 'utf8')).not.toContain(key);
    failing = null;
    expect(await counted()).toMatchObject({ code: 0, requests: 1, hits: 3 });
  });

  it('asks again for a damaged entry, names it, and replaces it', async () => {
    await counted();
    const [cut = '', changed = '', swapped = ''] = entries().map((name) => join(cache, name));
    writeFileSync(cut, readFileSync(cut).subarray(0, 100));
    writeFileSync(changed, readFileSync(changed, 'utf8').replace('"elapsedMs":', '"elapsedMs":1'));
    writeFileSync(swapped, readFileSync(join(cache, entries()[3] ?? '')));
    const before = provider.requests.length;
    // The warnings of a process are printed by the program itself.
    const again = await spawnCommand(arguments_(), options());
    expect([again.code, provider.requests.length - before], again.stderr).toEqual([0, 3]);
    for (const file of [cut, changed, swapped])
      expect(again.stderr).toContain(`warning: ${file}: This cache entry is not used`);
    expect(await counted()).toMatchObject({ requests: 0, hits: 4 });
  });

  it('can be shared by two processes that run at the same time', async () => {
    const both = await Promise.all(
      [1, 2].map(() => spawnCommand(arguments_('--repetitions', '5'), options())),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(readdirSync(cache, { recursive: true, encoding: 'utf8' }).join()).not.toContain('.new');
    const third = await counted('--repetitions', '5');
    expect([third.requests, third.hits, third.stderr.includes('not used')]).toEqual([0, 20, false]);
  });

  it('is filled again by two processes at once after its key was changed, also while one has the old key', async () => {
    const both = async (...keys: string[]) => {
      const before = provider.requests.length;
      const ended = await Promise.all(
        keys.map((each) =>
          spawnCommand(arguments_(), {
            ...options(),
            env: { ...options().env, [sealKeyVariable]: each },
          }),
        ),
      );
      for (const { code, stdout, stderr } of ended) {
        expect(code, stderr).toBe(0);
        expect(JSON.parse(stdout)).toMatchObject({ counts: { tp: 4, failed: 0 } });
      }
      const warned = ended.map(({ stderr }) => stderr.match(/another key/gu)?.length ?? 0);
      return { warned, asked: provider.requests.length - before };
    };
    const alone = async (each: string) => {
      const before = provider.requests.length;
      const env = { ...options().env, [sealKeyVariable]: each };
      const { code, stderr } = await runCommand(arguments_(), { ...options(), env });
      expect(code, stderr).toBe(0);
      return provider.requests.length - before;
    };
    expect([await alone('first'), await alone('first')]).toEqual([4, 0]);
    const changed = await both('second', 'second');
    expect(changed.asked).toBeGreaterThanOrEqual(4);
    expect(Math.max(...changed.warned)).toBeGreaterThan(0);
    expect(await alone('second')).toBe(0);
    // Who still has the old key uses no answer of the new one, and both give right results.
    const mixed = await both('first', 'second');
    expect(mixed.asked).toBeGreaterThanOrEqual(4);
    await alone('second');
    expect(await both('second', 'second')).toEqual({ warned: [0, 0], asked: 0 });
    expect(readdirSync(cache, { recursive: true, encoding: 'utf8' }).join()).not.toContain('.new');
  });

  it('is refused if its folder is a file, and records what it answers', async () => {
    const refused = await runCommand(
      arguments_().map((each) => (each === cache ? at('tools.json') : each)),
      options(),
    );
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain(`Cache ${at('tools.json')}: It exists, but it isn't a folder`);
    await counted();
    const recorded = await counted('--record', at('cached.jsonl'));
    expect(recorded.requests).toBe(0);
    expect(readFileSync(at('cached.jsonl'), 'utf8').trim().split('\n')).toHaveLength(4);
  });
});
