import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnector } from '../../adapters/mcp/connect.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { connectTo, call, createEngine, type FakeTool } from '../../testing/engine.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { called, calls, says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { ingestServer } from '../servers/ingestTools.ts';
import { keepListing } from '../servers/keepListing.ts';
import { relistTools } from './freezeTools.ts';

afterEach(expectNoLeaks);
afterEach(() => {
  vi.useRealTimers();
});

const options = { signal: new AbortController().signal };
const seen: FakeTool[] = [{ name: 'add', description: 'Adds it.' }, { name: 'old' }];
const changed: FakeTool[] = [
  { name: 'add', description: 'Adds it, and sends it away.' },
  { name: 'new' },
];

/**
 * Evaluates a server that a person listed before. It shows the tools `at` when the evaluation
 * starts and `during` while it runs; with `looked`, a person lists it again meanwhile.
 */
async function evaluate({
  at = seen,
  during = null,
  looked = false,
}: {
  at?: FakeTool[];
  during?: FakeTool[] | Error | null;
  looked?: boolean;
}) {
  const servers: Record<string, FakeTool[] | Error> = { up: seen };
  const engine = await createEngine({
    servers,
    cases: [{ query: 'q', servers: ['up'], expected: [{ server: 'up', tool: 'add' }] }],
    script: async () => {
      if (during) {
        servers['up'] = during;
        if (looked) await list();
      }
      return { calls: [call('up', 'add')] };
    },
  });
  const { database } = engine;
  const [server] = database.store.servers.list();
  if (!server) throw new Error('no server');
  const list = async () =>
    keepListing(
      database,
      server.id,
      await ingestServer(server, connectTo(servers), options.signal),
    );
  await list();
  servers['up'] = at;
  const id = await engine.start();
  await engine.drain(id);
  return { engine, list, servers, found: await engine.service.toolChanges({ id }), id };
}

describe('T34: tool changes of an evaluation', () => {
  it('name what changed since a person last listed the tools', async () => {
    const { engine, found } = await evaluate({ at: changed });
    await using _ = engine;
    expect(found).toMatchObject([
      {
        server: 'up',
        when: 'before',
        changes: {
          added: ['new'],
          removed: ['old'],
          changed: [
            {
              name: 'add',
              parts: [
                { part: 'description', before: 'Adds it.', after: 'Adds it, and sends it away.' },
              ],
            },
          ],
          instructions: null,
        },
      },
    ]);
  });

  it.each([{ looked: true }, { looked: false }])(
    'include changes while it ran, with a listing meanwhile: $looked',
    async ({ looked }) => {
      const { engine, found } = await evaluate({ during: changed, looked });
      await using _ = engine;
      expect(found).toMatchObject([
        { server: 'up', when: 'during', changes: { added: ['new'], removed: ['old'] } },
      ]);
    },
  );

  it('are reported by every later evaluation until a person lists the tools', async () => {
    const { engine, list } = await evaluate({ during: changed });
    await using _ = engine;
    const again = async () => {
      const id = await engine.start();
      await engine.drain(id);
      return (await engine.service.toolChanges({ id })).map(({ when, changes }) => [
        when,
        changes.added,
      ]);
    };
    expect(await again()).toEqual([['before', ['new']]]);
    await list();
    expect(await again()).toEqual([]);
  });

  it('are empty for a server that is gone at the end', async () => {
    const { engine, found, id } = await evaluate({ during: new Error('Gone.') });
    await using _ = engine;
    expect(found).toEqual([]);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 1 },
    });
  });

  it('give up on a server that does not respond at the end', async () => {
    const { engine, id } = await evaluate({});
    await using _ = engine;
    const { store } = engine.database;
    const snapshot = store.toolSnapshots.get(store.evaluations.get('case', id)?.snapshotId ?? '');
    if (snapshot === null) throw new Error('nothing was frozen');
    const silent: ConnectMcp = (_target, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    await relistTools({ ...engine.database, connect: silent }, snapshot, options.signal, 20);
    const [server] = engine.database.store.servers.list();
    expect(engine.database.store.serverListings.list(server?.id ?? '')).toHaveLength(1);
  });

  it('include those of an evaluation of tasks', async () => {
    const servers: Record<string, FakeTool[]> = { todo: seen };
    await using at = createTaskService(
      [
        task('one', {
          checks: [{ id: 'made', kind: 'calls', must: ['add'], ordered: false, never: [] }],
        }),
      ],
      () =>
        scripted(({ by }) => {
          servers['todo'] = changed;
          return by === 'user' ? calls(called('add')) : says('Done.');
        }).model,
      { connect: connectTo(servers) },
    );
    const id = await at.start({ mode: 'stub' });
    await at.drain(id);
    expect(await at.service.toolChanges({ id })).toMatchObject([
      { server: 'todo', when: 'during', changes: { added: ['new'], removed: ['old'] } },
    ]);
  });

  it.each([
    { startTimeoutMs: 90_000, afterMs: 80_000, listings: 2 },
    { startTimeoutMs: null, afterMs: 10_000, listings: 1 },
  ])(
    'wait 10 s for a slow server, and besides as long as its start timeout says ($startTimeoutMs)',
    async ({ startTimeoutMs, afterMs, listings }) => {
      const { engine, id } = await evaluate({});
      await using _ = engine;
      await using folder = await temporaryFolder();
      const location = join(folder.path, 'ready');
      const { store } = engine.database;
      const snapshot = store.toolSnapshots.get(store.evaluations.get('case', id)?.snapshotId ?? '');
      const [server] = store.servers.list();
      if (snapshot === null || !server) throw new Error('nothing was frozen');
      const config = { ...fakeStdioServer('slow-start', { location }), startTimeoutMs };
      store.servers.update(server.id, { ...server, config });
      const begun = Promise.withResolvers<void>();
      const connect = createConnector({ onStart: () => (begun.resolve(), () => undefined) });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const relisted = relistTools({ ...engine.database, connect }, snapshot, options.signal);
      await begun.promise;
      await vi.advanceTimersByTimeAsync(afterMs);
      vi.useRealTimers();
      await writeFile(location, '');
      await relisted;
      expect(store.serverListings.list(server.id)).toHaveLength(listings);
    },
  );

  it('add no listing to the history when nothing changed', async () => {
    const { engine } = await evaluate({});
    await using _ = engine;
    const [server] = engine.database.store.servers.list();
    expect(engine.database.store.serverListings.list(server?.id ?? '')).toHaveLength(1);
  });

  it('ignore what changed after its end', async () => {
    const { engine, found, list, servers, id } = await evaluate({});
    await using _ = engine;
    expect(found).toEqual([]);
    servers['up'] = changed;
    await list();
    expect(await engine.service.toolChanges({ id })).toEqual([]);
  });
});
