import { afterEach, describe, expect, it } from 'vitest';
import { createConnector } from '../../adapters/mcp/connect.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { noSignal, openServers } from './serversService.fixture.ts';
import { toolsOfServers } from './storedTools.ts';

afterEach(expectNoLeaks);

describe('toolsOfServers', () => {
  it('reads stored tools of a dead server and asks only one that was never listed', async () => {
    await using servers = openServers();
    const { database } = servers;
    const dead = await servers.createListed('dead');
    // From now on it can't be reached.
    await servers.service.update({
      id: dead.id,
      name: 'dead',
      config: fakeStdioServer('exit-at-start'),
    });
    const insert = (name: string, config: ReturnType<typeof fakeStdioServer>) =>
      database.store.servers.insert({ name, url: `stdio:${name}`, config });
    insert('new', fakeStdioServer());
    insert('broken', fakeStdioServer('exit-at-start'));
    const asked: string[] = [];
    const connect = createConnector({});
    const read = () =>
      toolsOfServers(
        {
          store: database.store,
          tokens: database.tokens,
          clock: database.clock,
          nextId: database.nextId,
          connect: (target, signal) => {
            asked.push(target.name);
            return connect(target, signal);
          },
        },
        database.store.servers.list(),
        noSignal.signal,
      );
    const found = await read();
    expect(asked.sort()).toEqual(['broken', 'new']);
    expect(found.tools.map(({ server, name }) => `${server}:${name}`)).toEqual([
      'dead:echo',
      'dead:environment',
      'new:echo',
      'new:environment',
    ]);
    expect(found.failed).toMatchObject([
      { server: 'broken', reason: expect.stringContaining('exit code 3') },
    ]);
    // Only a check says whether a server can be reached; why it lists no tools is known.
    expect(
      (await servers.service.list()).map(({ name, status, toolsError }) => [
        name,
        status,
        toolsError?.includes('exit code 3') ?? false,
      ]),
    ).toEqual([
      ['broken', 'inactive', true],
      ['dead', 'failed', false],
      ['new', 'inactive', false],
    ]);
    await read();
    expect(asked.sort(), 'the stored listing is read').toEqual(['broken', 'broken', 'new']);
  });
});
