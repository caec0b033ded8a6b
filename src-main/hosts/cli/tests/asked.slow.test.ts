import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, spawnCommand, startCommand } from '../../../testing/commandLine.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { openDatabase } from '../../../store/database/openDatabase.ts';
import { openStore } from '../../../store/store.ts';
import { fillEvaluations } from '../../../testing/fillEvaluations.ts';
import { isNightly, sampled } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

// Promised are 5 s; other tests share the processors.
const maxEndMs = 5 * 5000;

let folder: TemporaryFolder;
/** Takes every connection and never says a word. */
let stuck: Server;
const at = (name: string): string => join(folder.path, name);
const origin = (): string => `http://127.0.0.1:${(stuck.address() as AddressInfo).port}`;

/** A server over standard input that connects to the stuck one, and then ignores everything. */
const stuckServer = (): string => {
  const { port } = stuck.address() as AddressInfo;
  const script = `process.on('SIGTERM', () => {}); require('net').connect(${port}, '127.0.0.1'); process.stdin.resume()`;
  writeFileSync(at('stuck.cjs'), script);
  return `"${process.execPath}" "${at('stuck.cjs')}"`;
};

const toolsOf = (names: readonly string[]) => ({
  tools: names.map((name) => ({
    ...{ server: 'mail', name, description: `To ${name}.` },
    input_schema: { type: 'object', properties: {} },
  })),
});
const suiteOf = (cases: readonly object[]) => ({
  ...{ version: 1, name: 'mail', servers: ['mail'], cases },
});

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('tmp'));
  stuck = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(stuck, 'listening');
  const query = (id: number) => ({
    ...{ id: `c${id}`, name: `Case ${id}`, query: `send ${id}` },
    expected_calls: [{ server: 'mail', tool: 'send', parameters: {} }],
  });
  writeFileSync(at('tools.json'), JSON.stringify(toolsOf(['send', 'read'])));
  writeFileSync(
    at('suite.json'),
    JSON.stringify(suiteOf(Array.from({ length: 2_000 }, (_, id) => query(id)))),
  );
  const task = { id: 't', name: 'T', turns: ['send it'], checks: [{ calls: { must: ['send'] } }] };
  writeFileSync(at('tasks.json'), JSON.stringify(suiteOf([task])));
  const added = await runCommand(['servers', 'add', 'mail', '--stdio', stuckServer()], {
    workspace: at('terminated'),
  });
  expect(added.code, added.stderr).toBe(0);
  if (isNightly) writeMuch(query);
  for (const part of [1, 2]) {
    const { code, stderr } = await runCommand(
      [
        ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--quiet'],
        ...['--provider', 'builtin', '--repetitions', '5', '--stamp', 'fixed'],
        ...['--shard', `${part}/2`, '--report', at(`part-${part}.json`)],
      ],
      { workspace: at('parts') },
    );
    expect(code, stderr).toBeLessThan(2);
  }
});
afterAll(async () => {
  stuck.close();
  await folder.remove();
});

/** What the large commands read. */
function writeMuch(query: (id: number) => { query: string }): void {
  const long = Array.from({ length: 12_000 }, (_, id) => ({
    ...query(id),
    query: `${'send it '.repeat(200)}${id}`,
  }));
  writeFileSync(
    at('large.yaml'),
    `version: 1\nname: large\nservers: [mail]\ncases:\n${long
      .map((each) => `  - ${JSON.stringify(each)}\n`)
      .join('')}`,
  );
  const similar = Array.from({ length: 1_000 }, (_, id) => `send_${id}_to_all_of_them`);
  writeFileSync(at('similar.json'), JSON.stringify(toolsOf(similar)));
  mkdirSync(at('large'));
  const db = openDatabase({
    ...{ file: at('large/touchstone.sqlite'), clock: systemClock, access: 'write' },
    migrationsFolder: programFiles.migrations,
  });
  const store = openStore(db, { clock: systemClock, nextId: randomUUID });
  fillEvaluations(db, store, { evaluations: 1, casesEach: 100_000 });
  db.close();
}

/** Resolves once someone connects to the stuck server. */
const connected = (): Promise<unknown> => once(stuck, 'connection');

/** Resolves once the command has made its folder for temporary files. */
async function worksInFolder(): Promise<void> {
  await expect
    .poll(() => readdirSync(at('tmp')).filter((name) => name.startsWith('touchstone-run-')), {
      timeout: 30_000,
    })
    .not.toEqual([]);
}

type Child = ReturnType<typeof startCommand>;

interface Command {
  name: string;
  args: () => string[];
  /** Whether it reads what is only written each night. */
  isLarge?: true;
  /** The folder of its workspace. */
  workspace?: string;
  /** Resolves once the command is at what never ends. Called before it starts. */
  ready: (child: Promise<Child>) => Promise<unknown>;
}

const saysAnything = async (child: Promise<Child>): Promise<unknown> =>
  once((await child).stdout, 'data');

const model = (): string[] => [
  ...['--provider', 'openai-compatible', '--model', 'm', '--base-url', `${origin()}/v1`],
];

const commands: readonly Command[] = [
  {
    name: 'an evaluation whose model never answers',
    args: () => ['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), ...model()],
    ready: connected,
  },
  {
    name: 'an evaluation of tasks on a server that never answers and ignores the signal',
    args: () => [
      ...['eval', '--suite', at('tasks.json'), '--provider', 'builtin', '--only', 'tasks'],
      ...['--execute', 'full', '--yes'],
    ],
    ready: connected,
  },
  {
    name: 'a listing of a server that never answers and ignores the signal',
    args: () => ['tools', '--stdio', stuckServer()],
    ready: connected,
  },
  {
    name: 'an import of 20 MB of YAML',
    isLarge: true,
    args: () => ['suite', 'import', at('large.yaml')],
    workspace: 'import',
    // Its workspace is open, and the text is being read.
    ready: async () => expect.poll(() => readdirSync(at('import'))).toContain('touchstone.sqlite'),
  },
  {
    name: 'a merge',
    args: () => ['merge', at('part-1.json'), at('part-2.json')],
    ready: worksInFolder,
  },
  {
    name: 'a report of 100,000 runs',
    isLarge: true,
    args: () => ['export', '1', '--to', 'html', '--out', at('report.html')],
    workspace: 'large',
    // It writes next to the target.
    ready: async () =>
      expect
        .poll(() => readdirSync(folder.path).filter((name) => /^report\.html./.test(name)), {
          timeout: 30_000,
        })
        .not.toEqual([]),
  },
  {
    name: 'half a million pairs on standard output',
    isLarge: true,
    args: () => ['similarity', '--tools', at('similar.json'), '--json'],
    ready: saysAnything,
  },
  {
    name: 'the server for agents',
    args: () => ['mcp'],
    ready: async (starting) => {
      const child = await starting;
      child.stdin.write(
        `${JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
          params: {
            ...{ protocolVersion: '2025-06-18', capabilities: {} },
            clientInfo: { name: 'test', version: '1' },
          },
        })}\n`,
      );
      return saysAnything(starting);
    },
  },
  {
    name: 'the server of workshop tools',
    args: () => ['workshop', 'serve'],
    ready: async (starting) => {
      (await starting).stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      return saysAnything(starting);
    },
  },
  {
    name: 'an open window',
    args: () => ['open', '--host', 'loopback', '--no-browser', '--port', '0'],
    ready: saysAnything,
  },
];

/** Starts a command and waits until it is at what never ends; its workspace is of its own. */
async function start({ args, ready, workspace = 'terminated' }: Command): Promise<Child> {
  mkdirSync(at(workspace), { recursive: true });
  const starting = Promise.withResolvers<Child>();
  const isReady = ready(starting.promise);
  const child = startCommand(args(), { workspace: at(workspace), env: { TMPDIR: at('tmp') } });
  starting.resolve(child);
  const said = text(child.stderr);
  const ended = once(child, 'exit').then(async (how) => {
    throw new Error(`It ended before it was asked to: ${JSON.stringify(how)} ${await said}`);
  });
  await Promise.race([isReady, ended]);
  ended.catch(() => undefined);
  return child;
}

const asked = (['SIGINT', 'SIGTERM'] as const).flatMap((signal) =>
  commands.map((command) => [signal, command.name, command] as const),
);
/** Each command by one of the signals: one handler is for both. */
const isInSample = ([signal, , command]: (typeof asked)[number]): boolean =>
  command.isLarge !== true && (signal === 'SIGINT') === (commands.indexOf(command) % 2 === 0);

describe.skipIf(process.platform === 'win32')('a signal', () => {
  it.each(sampled(asked, isInSample))('%s ends %s soon', async (signal, _name, command) => {
    const child = await start(command);
    const askedAt = performance.now();
    child.kill(signal);
    await once(child, 'exit');
    expect(performance.now() - askedAt).toBeLessThan(maxEndMs);
    expect(child.exitCode ?? child.signalCode).not.toBeNull();
  });
});

describe.skipIf(process.platform === 'win32')('kill -9', () => {
  it('of a merge leaves a temporary database, which the next start removes', async () => {
    const merge = commands.find(({ name }) => name === 'a merge');
    if (merge === undefined) throw new Error('There is no merge.');
    const child = await start({ ...merge, workspace: 'killed' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = readdirSync(at('tmp')).filter((name) => name.startsWith('touchstone-run-'));
    expect(left).toHaveLength(1);
    const next = await spawnCommand(['servers', 'list'], {
      ...{ workspace: at('killed'), env: { TMPDIR: at('tmp') } },
    });
    expect(next.code, next.stderr).toBe(0);
    expect(readdirSync(at('tmp'))).toEqual([]);
  });
});
