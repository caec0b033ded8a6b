import { describe, expect, it } from 'vitest';
import type { HttpConfig } from '../../../src-shared/domain/server.ts';
import { startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import type { Resolve } from '../http/checkedLookup.ts';
import { createConnector } from './connect.ts';

const { signal } = new AbortController();
/** Reserved as link-local ones are, but if it were contacted, it would be this machine. */
const refused = '0.0.0.0';

/** A resolver that gives every name this address; nothing is looked up for real. */
function answering(address: string) {
  const state = { address, asked: 0 };
  const resolve: Resolve = (_hostname, _options, callback) => {
    state.asked += 1;
    callback(null, [{ address: state.address, family: 4 }]);
  };
  return { state, resolve };
}

const configOf = (url: string, transport: HttpConfig['transport']): HttpConfig => ({
  transport,
  url,
  headers: {},
});

async function connectTo(
  url: string,
  resolve: Resolve,
  {
    allowed = [],
    transport = 'streamable-http',
  }: { allowed?: string[]; transport?: HttpConfig['transport'] } = {},
) {
  const connect = createConnector({
    access: { allowedHosts: () => allowed, resolve },
    deadlines: { connectMs: 20_000, listMs: 20_000 },
  });
  return connect({ name: 'remote', config: configOf(url, transport) }, signal);
}

const refusal = {
  code: 'TROUBLE',
  data: {
    cause: expect.stringContaining('link-local or reserved address') as string,
    nextStep: expect.stringContaining('Settings, Allowed hosts') as string,
  },
};

describe('addresses of servers', () => {
  it.each(['streamable-http', 'sse'] as const)(
    'T69: refuses a name that leads to a reserved address (%s)',
    async (transport) => {
      const { resolve } = answering(refused);
      await expect(
        connectTo('http://metadata.test/mcp', resolve, { transport }),
      ).rejects.toMatchObject(refusal);
    },
  );

  it('T69: refuses an address before it is connected to', async () => {
    const { resolve, state } = answering('127.0.0.1');
    await expect(connectTo(`http://${refused}:9/mcp`, resolve)).rejects.toMatchObject(refusal);
    expect(state.asked).toBe(0);
  });

  it('T69: connects to a server on this machine by a name', async () => {
    await using server = await startFakeHttpServer();
    const url = new URL(server.url);
    url.hostname = 'here.test';
    const { resolve } = answering('127.0.0.1');
    const connection = await connectTo(url.href, resolve);
    expect((await connection.listTools(signal)).tools.length).toBeGreaterThan(0);
    await connection.close();
  });

  it('T69: checks each connection, so that a name can’t lead elsewhere later', async () => {
    await using server = await startFakeHttpServer();
    const url = new URL(server.url);
    url.hostname = 'rebinding.test';
    const { resolve, state } = answering('127.0.0.1');
    const first = await connectTo(url.href, resolve);
    await first.close();
    state.address = refused;
    await expect(connectTo(url.href, resolve)).rejects.toMatchObject(refusal);
  });

  it('T69: connects to a refused address whose host a person allowed by name', async () => {
    await using server = await startFakeHttpServer();
    const url = new URL(server.url);
    url.hostname = 'allowed.test';
    const { resolve } = answering(refused);
    const connection = await connectTo(url.href, resolve, { allowed: ['allowed.test'] });
    await connection.close();
  });
});
