import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { maxFrameLength, socketPath, socketProtocol } from '../../src-shared/domain/connection.ts';
import { recordServices } from '../testing/contractSuiteServices.ts';
import { floodHttp } from '../testing/floodHttp.ts';
import { connectToHost } from './client.ts';
import { openEndpoint, type Endpoint } from './openEndpoint.ts';

const log = { info: () => undefined, error: () => undefined };
let endpoint: Endpoint;
let recorded: ReturnType<typeof recordServices>;

beforeEach(async () => {
  recorded = recordServices({
    settings: { undo: async ({ token }: { token: string }) => ({ what: token }) },
  });
  endpoint = await openEndpoint(recorded.services, log);
});
afterEach(() => endpoint.close());

/** The status that a handshake ends with: 101 where it is let in. */
function requestUpgrade(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${endpoint.port}${path}`, [socketProtocol], {
      headers,
    });
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
  });
}

describe('the command endpoint of a window', () => {
  it('serves the contract to a command with the token', async () => {
    const connection = await connectToHost(endpoint);
    expect(await connection.client.settings.undo({ token: 'again' })).toEqual({ what: 'again' });
    await connection.close();
  });

  it('T65: serves a command while a program holds 1,500 half-open connections', async () => {
    const flood = await floodHttp(endpoint.port, 1500, async () => {
      const connection = await connectToHost(endpoint);
      expect(await connection.client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
      await connection.close();
    });
    flood.end();
  });

  it('T66: names the limit if a command sends more than a window takes', async () => {
    const connection = await connectToHost(endpoint);
    await expect(
      connection.client.suites.previewImport({
        fileName: 'big.yaml',
        text: 'a'.repeat(maxFrameLength),
      }),
    ).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('at most 80 MB') as string,
    });
    await connection.close();
    expect(recorded.calls).toEqual([]);
  });

  it('T10, T11, T13: refuses pages, foreign host names and requests without the token', async () => {
    const authorization = `Bearer ${endpoint.token}`;
    expect(await requestUpgrade(socketPath, { authorization })).toBe(101);
    expect(await requestUpgrade(socketPath, {})).toBe(401);
    expect(await requestUpgrade(socketPath, { authorization: 'Bearer wrong' })).toBe(401);
    expect(
      await requestUpgrade(socketPath, { authorization, host: `evil.test:${endpoint.port}` }),
    ).toBe(403);
    expect(await requestUpgrade(socketPath, { authorization, origin: 'http://evil.test' })).toBe(
      403,
    );
    expect(
      await requestUpgrade(socketPath, {
        authorization,
        origin: `http://127.0.0.1:${endpoint.port}`,
      }),
    ).toBe(403);
    expect(await requestUpgrade('/', { authorization })).toBe(404);
    expect(recorded.calls).toEqual([]);
  });

  it('answers 404 to every request that does not open the socket', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/open'],
      ['POST', '/api/call/settings/get'],
      ['GET', socketPath],
    ] as const) {
      const status = await new Promise<number>((resolve, reject) => {
        request(
          {
            host: '127.0.0.1',
            port: endpoint.port,
            method,
            path,
            headers: { authorization: `Bearer ${endpoint.token}` },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        )
          .on('error', reject)
          .end();
      });
      expect(status, `${method} ${path}`).toBe(404);
    }
    expect(recorded.calls).toEqual([]);
  });

  it('fails an open connection with TROUBLE when it closes', async () => {
    const connection = await connectToHost(endpoint);
    await endpoint.close();
    await expect(connection.client.settings.undo({ token: 'late' })).rejects.toMatchObject({
      code: 'TROUBLE',
    });
    await connection.close();
    endpoint = await openEndpoint(recorded.services, log);
  });
});
