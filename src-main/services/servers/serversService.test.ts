import { afterEach, describe, expect, it } from 'vitest';
import type { ServerInput } from '../../../src-shared/domain/server.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { noSignal, openServers } from './serversService.fixture.ts';

afterEach(expectNoLeaks);

describe('server entries', () => {
  it('accepts the same command with other environment names', async () => {
    await using servers = openServers();
    const config = { ...fakeStdioServer(), env: { TOKEN: 'a' } };
    await servers.create('one', config);
    await servers.create('two', { ...config, env: { KEY: 'a' } });
    const urls = (await servers.service.list()).map(({ url }) => url);
    expect(new Set(urls.map((url) => url.replace(/#[0-9a-f]{8}$/, ''))).size).toBe(1);
    expect(new Set(urls).size).toBe(2);
  });

  it('names the conflicting field before it starts a process', async () => {
    await using servers = openServers();
    const { id } = await servers.create('one');
    await servers.create('two', fakeStdioServer('banner'));
    const conflict = (input: ServerInput) => servers.service.create(input);
    await expect(conflict({ name: 'one', config: fakeStdioServer('crlf') })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { field: 'name' },
    });
    await expect(conflict({ name: 'three', config: fakeStdioServer() })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { field: 'config', cause: expect.stringContaining('as one') },
    });
    await expect(
      servers.service.update({ id, name: 'two', config: fakeStdioServer() }),
    ).rejects.toMatchObject({ code: 'CONFLICT', data: { field: 'name' } });
    expect((await servers.service.list()).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('renames a server in its cases and suites', async () => {
    await using servers = openServers();
    const { id } = await servers.create('weather');
    const [made] = servers.addCase('weather', ['weather', 'other']);
    await servers.service.update({ id, name: 'climate', config: fakeStdioServer() });
    expect(servers.database.store.testCases.get(made!.id)).toMatchObject({
      expectedCalls: [{ server: 'climate', tool: 'echo', parameters: { text: 'x' } }],
      allowedCalls: [{ server: 'climate', tool: 'look' }],
    });
    expect(servers.database.store.suites.get(made!.suiteId)?.servers).toEqual(['climate', 'other']);
  });

  it.each(['get', 'check', 'refreshTools', 'remove', 'previewRemoval'] as const)(
    '%s rejects the id of a server that does not exist',
    async (procedure) => {
      await using servers = openServers();
      await expect(servers.service[procedure]({ id: 'nobody' }, noSignal)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        data: { thing: 'Server nobody' },
      });
    },
  );

  it('deletes what the preview says, and the undo restores all of it', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('weather');
    await servers.create('other', fakeStdioServer('banner'));
    servers.addCase('weather');
    servers.addCase('other');
    await servers.service.refreshTools({ id }, noSignal);
    const listing = await servers.service.refreshTools({ id }, noSignal);
    expect(await servers.service.previewRemoval({ id })).toEqual({
      cases: 1,
      suites: ['suite of weather'],
      listings: 3,
    });
    const before = await servers.service.list();
    const rows = servers.database.store.serverListings.list(id);

    const { token, what } = await servers.service.remove({ id });
    expect(what).toBe('Server weather');
    expect((await servers.service.list()).map(({ name }) => name)).toEqual(['other']);
    expect(servers.database.store.serverListings.list(id)).toEqual([]);
    expect(await servers.settings.undo({ token })).toEqual({ what: 'Server weather' });
    expect(await servers.service.list()).toEqual(before);
    expect(servers.database.store.serverListings.list(id)).toEqual(rows);
    expect((await servers.service.get({ id })).listing).toEqual(listing);
    await expect(servers.settings.undo({ token })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('keeps a deleted server in the trash when its name was taken before the undo', async () => {
    await using servers = openServers();
    const { id } = await servers.create('weather');
    const { token } = await servers.service.remove({ id });
    const other = await servers.create('weather', fakeStdioServer('banner'));
    await expect(servers.settings.undo({ token })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { field: 'name' },
    });
    await servers.service.remove({ id: other.id });
    expect(await servers.settings.undo({ token })).toEqual({ what: 'Server weather' });
  });
});
