import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createConnector } from '../../adapters/mcp/connect.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { ConnectivityChecks, maxCheckWaitMs } from './connectivityChecks.ts';
import { noSignal, openServers } from './serversService.fixture.ts';

afterEach(expectNoLeaks);

describe('the connectivity check', () => {
  it('T17: returns before a silent server answers, and stores the failure later', async () => {
    // Twice the time for an answer: the check is still under way when the call comes back.
    await using servers = openServers(
      { deadlines: { startMs: 2 * maxCheckWaitMs } },
      maxCheckWaitMs,
    );
    const began = performance.now();
    const made = await servers.create('weather', fakeStdioServer('silent-initialize'));
    expect(performance.now() - began).toBeLessThan(5 * 2_000);
    expect(made).toMatchObject({ status: 'inactive', statusReason: null, checking: true });
    await servers.checked();
    const [failed] = await servers.service.list();
    expect(failed).toMatchObject({ status: 'failed', checking: false, lastConnectedAt: null });
    expect(failed?.statusReason).toMatch(
      /^initialize: the process runs but wrote nothing in 3 s: /,
    );

    const again = performance.now();
    const changed = await servers.service.update({
      id: made.id,
      name: 'weather',
      config: fakeStdioServer('deaf'),
    });
    expect(performance.now() - again).toBeLessThan(5 * 2_000);
    expect(changed).toMatchObject({ checking: true });
    await servers.checked();
    expect((await servers.service.get({ id: made.id })).server).toMatchObject({
      status: 'failed',
      checking: false,
    });
  });

  it('returns with the outcome when a server answers quickly', async () => {
    await using servers = openServers();
    expect(await servers.create('good')).toMatchObject({
      status: 'active',
      statusReason: null,
      checking: false,
      lastConnectedAt: expect.any(String),
    });
    const failed = await servers.create('bad', fakeStdioServer('exit-at-start'));
    expect(failed).toMatchObject({ status: 'failed', checking: false, lastConnectedAt: null });
    expect(failed.statusReason).toMatch(/exit code 3.*no such file.*Run the command in a terminal/);
    // Both can be read in the log afterwards.
    expect(servers.logged).toEqual([
      'Server good answered.',
      expect.stringMatching(/^Server bad failed its check: .*exit code 3/),
    ]);
  });

  it('T28: says that the command does not exist', async () => {
    await using servers = openServers();
    const { statusReason } = await servers.create('typo', {
      transport: 'stdio',
      command: 'no-such-command-anywhere',
      args: [],
      cwd: null,
      env: {},
    });
    expect(statusReason).toMatch(
      /"no-such-command-anywhere" was not found\. Check the command for typos/,
    );
  });

  it('T28: sets the status to active again after a failure and keeps the last contact time', async () => {
    await using servers = openServers();
    const made = await servers.create('weather');
    const failed = await servers.service.update({
      id: made.id,
      name: 'weather',
      config: fakeStdioServer('exit-at-start'),
    });
    expect(failed).toMatchObject({ status: 'failed', lastConnectedAt: made.lastConnectedAt });
    const back = await servers.service.update({
      id: made.id,
      name: 'weather',
      config: fakeStdioServer(),
    });
    expect(back).toMatchObject({ status: 'active', statusReason: null });
    expect(back.lastConnectedAt! > made.lastConnectedAt!).toBe(true);
  });

  it('shows name, version, protocol and instructions after a check and after a listing', async () => {
    await using servers = openServers();
    const said = {
      serverInfo: { name: 'fake-mcp-server', version: '1.2.3' },
      protocolVersion: '2025-11-25',
      instructions: 'Ask me anything.',
    };
    const greetingOf = async (id: string) => (await servers.service.get({ id })).greeting;
    const checked = await servers.createListed('checked');
    expect(await greetingOf(checked.id)).toEqual(said);
    await servers.service.update({
      id: checked.id,
      name: 'checked',
      config: fakeStdioServer('exit-at-start'),
    });
    expect(await greetingOf(checked.id), 'of the stored listing').toEqual(said);
    const { id } = servers.database.store.servers.insert({
      name: 'listed',
      url: 'stdio:listed',
      config: fakeStdioServer(),
    });
    await servers.service.refreshTools({ id }, noSignal);
    expect(await greetingOf(id)).toEqual(said);
  });

  it('T27: keeps a list change that is reported while the tools are stored', async () => {
    const checks = new ConnectivityChecks(createConnector(), {
      keepTools: async (id) => checks.addListChanges(id, 3, 'while stored'),
      keepStatus: () => undefined,
    });
    checks.addListChanges('weather', 10_000, 'before');
    await checks.check({ id: 'weather', name: 'weather', config: fakeStdioServer() });
    expect(checks.listChanges('weather')).toEqual({ times: 3, at: 'while stored' });
    await checks.close();
  });

  it('stores no tools when a server is added, unless that is asked for', async () => {
    await using servers = openServers();
    const plain = await servers.create('plain');
    expect(plain).toMatchObject({ status: 'active', checking: false });
    const asked = await servers.service.create({
      name: 'asked',
      config: fakeStdioServer('banner'),
      listTools: true,
    });
    // Joins the check that is under way, or makes another one; both have stored the tools by then.
    await servers.service.check({ id: asked.id });
    const listed = async () =>
      (await servers.service.list()).map(({ name, toolCount }) => [name, toolCount]);
    expect(await listed()).toEqual([
      ['asked', 1],
      ['plain', null],
    ]);
    await servers.service.update({ id: plain.id, name: 'plain', config: fakeStdioServer() });
    expect(await listed()).toContainEqual(['plain', null]);
  });

  it('answers as soon as the server has, however long its list takes', async () => {
    await using servers = openServers();
    // Its list never comes: the call returns because the server has answered, and says so.
    const made = await servers.service.create({
      name: 'weather',
      config: fakeStdioServer('silent-list'),
      listTools: true,
    });
    expect(made).toMatchObject({ status: 'active', statusReason: null, checking: true });
  });

  it('joins a check of the same configuration instead of starting the server twice', async () => {
    await using servers = openServers();
    const log = join(servers.database.folder, 'starts');
    const script = join(servers.database.folder, 'counted.mjs');
    const real = fakeStdioServer();
    const [main = '', ...args] = real.args;
    await writeFile(
      script,
      `import { appendFileSync } from 'node:fs';\n` +
        `appendFileSync(${JSON.stringify(log)}, '.');\n` +
        `await import(${JSON.stringify(main)});\n`,
    );
    const config = { ...real, args: [script, ...args] };
    const { id } = servers.database.store.servers.insert({ name: 'w', url: 'stdio:w', config });
    await Promise.all([servers.service.check({ id }), servers.service.check({ id })]);
    expect(await readFile(log, 'utf8')).toBe('.');
    expect((await servers.service.list())[0]).toMatchObject({ status: 'active', toolCount: 2 });
  });

  it('has its status from checks only, and why its tools can’t be listed from any listing', async () => {
    await using servers = openServers();
    const state = async (id: string) => {
      const { server } = await servers.service.get({ id });
      return [server.status, server.statusReason, server.toolsError?.slice(0, 11) ?? null];
    };
    const listless = await servers.createListed('listless', fakeStdioServer('list-error'));
    expect(await state(listless.id)).toEqual(['active', null, 'tools/list:']);

    // A call changes neither.
    const dying = await servers.create('dying', fakeStdioServer('exit-at-call'));
    await expect(
      servers.service.callTool({ id: dying.id, tool: 'echo', arguments: {} }, noSignal),
    ).rejects.toMatchObject({ code: 'TROUBLE' });
    expect(await state(dying.id)).toEqual(['active', null, null]);

    // A listing stores tools and leaves the status of a server that was never checked.
    const { id } = servers.database.store.servers.insert({
      name: 'fresh',
      url: 'stdio:fresh',
      config: fakeStdioServer(),
    });
    await servers.service.refreshTools({ id }, noSignal);
    expect(await state(id)).toEqual(['inactive', null, null]);
    const change = (mode: string) =>
      servers.database.store.servers.update(id, {
        name: 'fresh',
        url: 'stdio:fresh',
        config: fakeStdioServer(mode),
      });
    change('exit-at-list');
    await expect(servers.service.refreshTools({ id }, noSignal)).rejects.toMatchObject({
      code: 'TROUBLE',
    });
    expect(await state(id)).toEqual(['inactive', null, 'tools/list:']);
    expect((await servers.service.list()).find((each) => each.id === id)?.toolCount).toBe(2);
    // Of another configuration, nothing is known yet.
    change('banner');
    expect(await state(id)).toEqual(['inactive', null, null]);
    await servers.service.check({ id });
    expect(await state(id)).toEqual(['active', null, null]);
  });

  it('marks a server whose tools a check found changed, until a person reviews them', async () => {
    await using servers = openServers();
    const tools = join(servers.database.folder, 'tools.json');
    const serve = (description: string) =>
      writeFile(
        tools,
        JSON.stringify({ tools: [{ name: 'echo', description, inputSchema: { type: 'object' } }] }),
      );
    await serve('Says it.');
    const { id } = await servers.createListed('weather', fakeStdioServer('normal', { tools }));
    const changed = async () => (await servers.service.list())[0]?.changedTools;
    await servers.service.check({ id }, noSignal);
    expect(await changed(), 'the same tools again').toBe(0);
    await serve('Says it twice.');
    await servers.service.check({ id }, noSignal);
    expect(await changed()).toBe(1);
    expect((await servers.service.get({ id })).listing?.tools[0]?.description).toBe(
      'Says it twice.',
    );
    await servers.service.check({ id }, noSignal);
    expect(await changed(), 'a second check does not count as seen').toBe(1);
    expect(await servers.service.markReviewed({ id })).toEqual({ reviewed: true });
    expect(await changed()).toBe(0);
  });

  it('keeps the status when the check is canceled', async () => {
    await using servers = openServers();
    const { id } = servers.database.store.servers.insert({
      name: 'slow',
      url: 'stdio:slow',
      config: fakeStdioServer('silent-initialize'),
    });
    const abort = new AbortController();
    const check = servers.service.check({ id }, { signal: abort.signal });
    abort.abort();
    expect(await check).toMatchObject({ status: 'inactive', checking: false });
  });

  it('ignores the late outcome of a check that a newer one replaced', async () => {
    await using servers = openServers(
      { deadlines: { startMs: 20 * maxCheckWaitMs } },
      maxCheckWaitMs,
    );
    const made = await servers.create('weather', fakeStdioServer('silent-initialize'));
    expect(made.checking).toBe(true);
    const state = async () => (await servers.service.get({ id: made.id })).server;
    await servers.service.update({ id: made.id, name: 'weather', config: fakeStdioServer() });
    // On a busy machine the new check takes longer than a change waits for it.
    await expect.poll(state).toMatchObject({ status: 'active', checking: false });
    await servers.service.close();
    expect(await state()).toMatchObject({ status: 'active', statusReason: null });
  });

  it('deletes a server without waiting for its check', async () => {
    await using servers = openServers({}, maxCheckWaitMs);
    const made = await servers.create('weather', fakeStdioServer('silent-initialize'));
    expect(made.checking).toBe(true);
    const began = performance.now();
    await servers.service.remove({ id: made.id });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await servers.service.list()).toEqual([]);
  });
});
