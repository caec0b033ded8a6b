import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { openTestHost } from '../../testing/loopbackHost.ts';
import { recordServices } from '../../testing/contractSuiteServices.ts';
import { startLoopback } from './startLoopback.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const log = { info: () => undefined, error: () => undefined };
const start = (options: { host?: string; port?: number }) => startLoopback({ services: recordServices().services, rendererFolder: import.meta.dirname, log, port: 0, ...options });
const refusal = async (starting: Promise<{ close(): Promise<void> }>): Promise<unknown> => starting.then((host) => host.close(), (error: unknown) => error);

const canReadSockets = existsSync('/proc/net/tcp');
if (!canReadSockets) process.stderr.write('SKIPPED: T14’s look at the listening sockets, because this system has no /proc/net/tcp.\n');

/** Addresses on which something listens at a port, as the kernel writes them. */
async function listeningAt(port: number): Promise<string[]> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')));
  const rows = tables.flatMap((table) => table.split('\n').slice(1).map((row) => row.trim().split(/\s+/)));
  return rows.filter(([, local = '', , state]) => state === '0A' && local.endsWith(`:${hexPort}`)).map(([, local = '']) => local.split(':')[0] ?? '');
}

describe('T14: where the window listens', () => {
  it.runIf(canReadSockets)('T14: it would be reachable from another machine', async () => {
    await using running = await openTestHost();
    expect(await listeningAt(running.port)).toEqual(['0100007F']);
  });

  const everywhere = ['0.0.0.0', '0', '::', '0x0', '0x00000000', '00', '000.000.000.000', '[::]', '::0', '::ffff:0.0.0.0', '0.0.0.0.', '*', '192.168.1.5', '127.0.0.2', '127.1', '::1', '2130706433'];
  it.each(everywhere)('T14: HOST=%s, as an option or in the environment, is refused with the reason and the way out', async (host) => {
    vi.stubEnv('HOST', host);
    for (const starting of [start({ host }), start({})]) {
      const error = await refusal(starting);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: 'INVALID', data: { field: 'host' } });
      expect((error as Error).message).toContain(host);
      expect((error as Error).message).toContain('127.0.0.1');
    }
  });

  it.each([' 127.0.0.1', '127.0.0.1 ', 'evil.test', 'localhost.', 'LOCALHOST:80'])('T14: the option %j is refused too', async (host) => {
    expect(await refusal(start({ host }))).toMatchObject({ code: 'INVALID' });
  });

  it.each(['my-laptop', 'localhost', '127.0.0.1', ''])('T14: HOST=%j, which some shells export as the machine’s name, would keep the window from opening', async (host) => {
    vi.stubEnv('HOST', host);
    const running = await start({});
    if (canReadSockets) expect(await listeningAt(running.endpoint.port)).toEqual(['0100007F']);
    await running.close();
  });

  it('T14: a taken port that was asked for is named instead of another being taken in silence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const error = await refusal(start({ port }));
    expect(error).toMatchObject({ code: 'CONFLICT', data: { field: 'port' } });
    expect((error as Error).message).toMatch(new RegExp(`Port ${port}.*taken.*--port`));
    other.close();
    await once(other, 'close');
    // The failed attempt holds nothing.
    const running = await start({ port });
    expect(running.endpoint.port).toBe(port);
    await running.close();
  });

  it('T14: the default port being taken would keep the window from opening', async () => {
    const services = recordServices().services;
    const first = await startLoopback({ services, rendererFolder: import.meta.dirname, log });
    const second = await startLoopback({ services, rendererFolder: import.meta.dirname, log });
    expect(second.endpoint.port).not.toBe(first.endpoint.port);
    expect((await fetch(second.url)).status).toBe(200);
    await first.close();
    await second.close();
  });
});
