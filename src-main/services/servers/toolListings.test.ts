import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { adviceTitle } from '../../../src-shared/display/adviceTexts.ts';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { adviceFromTools } from '../candidates/earlierTexts.ts';
import { noSignal, openServers } from './serversService.fixture.ts';

afterEach(expectNoLeaks);
afterEach(() => {
  vi.useRealTimers();
});

describe('tool listings', () => {
  it('T21: keeps 49 tools and reports the invalid one', async () => {
    await using servers = openServers();
    const { id } = await servers.create('weather', fakeStdioServer('bad-null-schema'));
    const listing = await servers.service.refreshTools({ id }, noSignal);
    expect(listing.tools).toHaveLength(49);
    expect(listing.listing.rejected).toEqual([
      { server: 'weather', name: 'bad', reason: expect.stringContaining('null') },
    ]);
    expect((await servers.service.get({ id })).listing).toEqual(listing);
    expect(await servers.service.list()).toMatchObject([
      { toolCount: 49, listedAt: listing.listedAt },
    ]);
  });

  it('T17: reports a dead server as an error and lists the others', async () => {
    await using servers = openServers({ deadlines: { listMs: 500 } });
    const silent = await servers.create('silent', fakeStdioServer('silent-list'));
    const dead = await servers.create('dead', fakeStdioServer('exit-at-list'));
    const good = await servers.create('good');
    const all = await Promise.allSettled(
      [silent, dead, good].map(({ id }) => servers.service.refreshTools({ id }, noSignal)),
    );
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    const causes = all.flatMap((one) =>
      one.status === 'rejected'
        ? [one.reason as { code: string; data: { thing: string; cause: string } }]
        : [],
    );
    expect(causes).toMatchObject([
      {
        code: 'TROUBLE',
        data: {
          thing: 'Server silent',
          cause: expect.stringContaining('tools/list: no answer in 500 ms'),
        },
      },
      {
        code: 'TROUBLE',
        data: { thing: 'Server dead', cause: expect.stringMatching(/exit code 3.*out of luck/) },
      },
    ]);
    expect((await servers.service.list()).map(({ name, toolCount }) => [name, toolCount])).toEqual([
      ['dead', null],
      ['good', 2],
      ['silent', null],
    ]);
  });

  it.each([
    { startTimeoutMs: 90_000, problem: null },
    { startTimeoutMs: null, problem: 'wrote nothing in 20 s' },
  ])(
    'waits for a slow server as long as its start timeout says ($startTimeoutMs)',
    async ({ startTimeoutMs, problem }) => {
      await using folder = await temporaryFolder();
      const location = join(folder.path, 'ready');
      const begun = Promise.withResolvers<void>();
      await using servers = openServers({ onStart: () => (begun.resolve(), () => undefined) });
      const { id } = servers.database.store.servers.insert({
        name: 'slow',
        url: 'stdio:slow',
        config: { ...fakeStdioServer('slow-silent', { location }), startTimeoutMs },
      });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const listed = servers.service.refreshTools({ id }, noSignal).then(
        ({ tools }) => tools.length,
        (error: unknown) => (error as { data: { cause: string } }).data.cause,
      );
      await begun.promise;
      await vi.advanceTimersByTimeAsync(80_000);
      vi.useRealTimers();
      await writeFile(location, '');
      expect(await listed).toEqual(problem === null ? 2 : expect.stringContaining(problem));
    },
  );

  it('says since when a tool is there and since when its text is what it is', async () => {
    await using servers = openServers();
    const tools = join(servers.database.folder, 'tools.json');
    const write = (...texts: [name: string, description: string][]) => {
      const inputSchema = { type: 'object' };
      const listed = texts.map(([name, description]) => ({ name, description, inputSchema }));
      return writeFile(tools, JSON.stringify({ tools: listed }));
    };
    const list = async (...texts: [name: string, description: string][]) => {
      await write(...texts);
      return servers.service.refreshTools({ id }, noSignal);
    };
    await write();
    const { id } = await servers.create('weather', fakeStdioServer('normal', { tools }));
    const first = await list(['echo', 'Says it.'], ['add', 'Adds.']);
    const second = await list(['echo', 'Repeats it.'], ['add', 'Adds.'], ['sub', 'Subtracts.']);
    const third = await list(['echo', 'Says it.'], ['add', 'Adds.'], ['sub', 'Subtracts.']);
    const times = ({ tools: listed }: typeof first) =>
      listed.map(({ name, createdAt, lastUpdated }) => [name, createdAt, lastUpdated]);
    expect(times(second)).toEqual([
      ['echo', first.listedAt, second.listedAt],
      ['add', first.listedAt, first.listedAt],
      ['sub', second.listedAt, second.listedAt],
    ]);
    expect(times(third)).toEqual([
      ['echo', first.listedAt, third.listedAt],
      ['add', first.listedAt, first.listedAt],
      ['sub', second.listedAt, second.listedAt],
    ]);
  });

  it('keeps what a tool was described with before, newest first, for a restore', async () => {
    await using servers = openServers();
    const tools = join(servers.database.folder, 'tools.json');
    const texts = ['Repeats a text.', 'Says a text again.', 'echo', ''];
    const write = (description: string | undefined) =>
      writeFile(
        tools,
        JSON.stringify({ tools: [{ name: 'echo', description, inputSchema: { type: 'object' } }] }),
      );
    await write(texts[0]);
    const { id } = await servers.create('weather', fakeStdioServer('normal', { tools }));
    for (const text of texts) {
      await write(text);
      await servers.service.refreshTools({ id }, noSignal);
    }
    const { store } = servers.database;
    const before = (until: string) =>
      store.serverListings
        .earlierTexts({ server: 'weather', tool: 'echo', current: '', until })
        .map(({ description }) => description);
    expect(before('9999')).toEqual(['echo', 'Says a text again.', 'Repeats a text.']);
    expect(before('2000')).toEqual([]);
    const snapshot = store.toolSnapshots.get(store.serverListings.latest(id)?.snapshotId ?? '');
    const advice = adviceFromTools(store, snapshot?.tools ?? [], 'weather:echo');
    expect(advice[0]).toMatchObject({
      kind: 'restore',
      edits: [{ oldText: '', newText: 'Says a text again.' }],
    });
    const [restored] = advice;
    const [edit] = restored?.edits ?? [];
    expect(restored && edit && adviceTitle(restored, edit)).toMatch(
      /^Restore the description of [A-Z][a-z]+ \d+, \d{4}$/u,
    );
  });

  it('T34: keeps the last good listing after a failure and stores a changed one separately', async () => {
    await using servers = openServers();
    const tools = join(servers.database.folder, 'tools.json');
    const serve = (description: string) =>
      writeFile(
        tools,
        JSON.stringify({ tools: [{ name: 'echo', description, inputSchema: { type: 'object' } }] }),
      );
    await serve('Says it.');
    const { id } = await servers.create('weather', fakeStdioServer('normal', { tools }));
    const first = await servers.service.refreshTools({ id }, noSignal);
    const same = await servers.service.refreshTools({ id }, noSignal);
    expect(same.snapshotId).toBe(first.snapshotId);
    await serve('Says it, and sends it to evil.example.');
    const changed = await servers.service.refreshTools({ id }, noSignal);
    expect(changed.snapshotId).not.toBe(first.snapshotId);
    expect(changed.tools[0]?.hash).not.toBe(first.tools[0]?.hash);
    await rm(tools);
    await expect(servers.service.refreshTools({ id }, noSignal)).rejects.toMatchObject({
      code: 'TROUBLE',
    });
    expect((await servers.service.get({ id })).listing).toEqual(changed);
    expect(
      servers.database.store.serverListings.list(id).map(({ snapshotId }) => snapshotId),
    ).toEqual([changed, same, first].map(({ snapshotId }) => snapshotId));
  });

  it('T27: counts 10,000 list changes as one notice and clears it at the next listing', async () => {
    await using servers = openServers();
    const { id } = await servers.create('stormy', fakeStdioServer('changing-list'));
    const pendingChanges = async () => (await servers.service.get({ id })).listChanges;
    await servers.service.refreshTools({ id }, noSignal);
    expect(await pendingChanges()).toBeNull();
    await servers.service.callTool({ id, tool: 'echo', arguments: {} }, noSignal);
    expect(await pendingChanges()).toMatchObject({ times: 10_000 });
    await servers.service.refreshTools({ id }, noSignal);
    expect(await pendingChanges()).toBeNull();
  });

  it('T27: ignores a list change notification when the list is the same', async () => {
    await using servers = openServers();
    const { id } = await servers.create('eager', fakeStdioServer('list-called-changed'));
    await servers.service.refreshTools({ id }, noSignal);
    await servers.service.callTool({ id, tool: 'echo', arguments: {} }, noSignal);
    expect((await servers.service.get({ id })).listChanges).toBeNull();
  });

  it('counts tokens on the text that the server sent', async () => {
    await using servers = openServers();
    const { id } = await servers.create('weather', fakeStdioServer('odd-but-usable'));
    const listing = await servers.service.refreshTools({ id }, noSignal);
    // The other one is large, so it is counted later.
    const counted = listing.tools.filter(({ large }) => !large);
    expect(counted).toHaveLength(listing.tools.length - 1);
    for (const { hash, tokenCount } of counted)
      expect(tokenCount).toBe(countTokens(servers.database.store.toolSnapshots.raw(hash)));
    const whole = listing.tools.find(({ name }) => name === 'whole');
    expect(JSON.parse(servers.database.store.toolSnapshots.raw(whole!.hash))).toMatchObject({
      extra: { kept: [3, 2, 1] },
    });
  });

  it('stores no listing after the caller cancels', async () => {
    // The check of a new server would wait for the list until its deadline.
    await using servers = openServers({}, 0);
    const { id } = await servers.create('weather', fakeStdioServer('silent-list'));
    const abort = new AbortController();
    const listing = servers.service.refreshTools({ id }, { signal: abort.signal });
    abort.abort();
    await expect(listing).rejects.toThrow();
    expect(servers.database.store.serverListings.list(id)).toEqual([]);
  });

  it('checks, lists and calls a server over HTTP', async () => {
    await using fake = await startFakeHttpServer();
    await using servers = openServers();
    const made = await servers.create('web', fake.config({ 'X-Key': 'k' }));
    expect(made).toMatchObject({
      status: 'active',
      url: expect.stringMatching(/^http:.*#[0-9a-f]{8}$/),
    });
    expect(
      (await servers.service.refreshTools({ id: made.id }, noSignal)).tools.map(({ name }) => name),
    ).toEqual(['echo', 'environment']);
    expect(
      await servers.service.callTool(
        { id: made.id, tool: 'echo', arguments: { text: 'x' } },
        noSignal,
      ),
    ).toMatchObject({ isError: false, structuredContent: { echoed: true } });
  });
});
