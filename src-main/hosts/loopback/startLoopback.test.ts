import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { socketPath } from '../../../src-shared/domain/connection.ts';
import { plannedEvent, recordServices } from '../../testing/contractSuiteServices.ts';
import { useLoopback } from '../../testing/loopbackFixture.ts';
import { openPageSocket, signIn } from '../../testing/loopbackPage.ts';
import { rawHandshake, rawRequest, sendRaw } from '../../testing/rawHttp.ts';
import { connectToHost } from '../../endpoint/client.ts';

const loopback = useLoopback();

describe('the loopback listener', () => {
  const listening = async (port: number) => {
    const wanted = port.toString(16).toUpperCase().padStart(4, '0');
    const tables = await Promise.all(
      ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
    );
    return tables
      .flatMap((table) => table.split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(`:${wanted}`) && fields[3] === '0A')
      .map((fields) => fields[1]);
  };

  it.runIf(process.platform === 'linux')('T14: listens on 127.0.0.1 only', async () => {
    expect(await listening(loopback.host.endpoint.port)).toEqual([
      `0100007F:${loopback.host.endpoint.port.toString(16).toUpperCase().padStart(4, '0')}`,
    ]);
  });

  it.each([
    '0.0.0.0',
    '0',
    '::',
    '[::]',
    '0x0',
    '00.0.0.0',
    '0.0',
    '::ffff:0.0.0.0',
    '*',
    '192.168.1.5',
    'evil.test',
    '127.0.0.2',
    '::1',
  ])('T14: refuses to listen on %s and explains why', async (address) => {
    await expect(loopback.start({ host: address })).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringMatching(/127\.0\.0\.1: whoever reaches the window can start programs/),
    });
  });

  it.each(['0.0.0.0', '0', '::', '*'])(
    'T14: refuses HOST=%s, and ignores HOST when it holds a machine name',
    async (address) => {
      const before = process.env['HOST'];
      try {
        process.env['HOST'] = address;
        await expect(loopback.start()).rejects.toMatchObject({ code: 'INVALID' });
        process.env['HOST'] = 'workstation';
        await (await loopback.start()).close();
      } finally {
        if (before === undefined) delete process.env['HOST'];
        else process.env['HOST'] = before;
      }
    },
  );

  it('T14: refuses a requested port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(loopback.start({ port })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(
        new RegExp(`^Port ${port}: is taken by another program\\. Choose another with --port`),
      ),
    });
    taken.close();
    await once(taken, 'close');
  });

  it('T14: gives two windows different ports', async () => {
    const first = await loopback.start({ port: undefined });
    const second = await loopback.start({ port: undefined });
    expect(second.endpoint.port).not.toBe(first.endpoint.port);
  });

  it('stops listening and closes every socket when it closes', async () => {
    const page = await signIn(loopback.host);
    const { socket } = await openPageSocket(page);
    const closed = once(socket, 'close');
    await loopback.host.close();
    await closed;
    expect((await sendRaw(page.port, rawRequest('GET', '/', []))).status).toBeNull();
  });
});

describe('a command’s connection', () => {
  it('calls over the socket with its own token in a header', async () => {
    const connection = await connectToHost(loopback.host.endpoint);
    expect(await connection.client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
    await connection.close();
  });

  it('is refused with a wrong token, and with a foreign origin', async () => {
    await expect(
      connectToHost({ ...loopback.host.endpoint, token: 'wrong' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    const answer = await sendRaw(
      loopback.host.endpoint.port,
      rawHandshake(socketPath, [
        `Host: 127.0.0.1:${loopback.host.endpoint.port}`,
        'Origin: http://evil.test',
        `Authorization: Bearer ${loopback.host.endpoint.token}`,
      ]),
    );
    expect(answer.status).toBe(403);
  });

  it('fails with TROUBLE when no window answers', async () => {
    const { port, token } = loopback.host.endpoint;
    await loopback.host.close();
    await expect(connectToHost({ port, token })).rejects.toMatchObject({
      code: 'TROUBLE',
      message: expect.stringMatching(/does not answer/),
    });
  });

  it('fails call and stream with TROUBLE when the window closes', async () => {
    const checkStarted = Promise.withResolvers<void>();
    loopback.recorded = recordServices({
      servers: { check: () => (checkStarted.resolve(), new Promise(() => undefined)) },
      evaluations: {
        async *watch() {
          yield plannedEvent(1);
          await new Promise(() => undefined);
        },
      },
    });
    const ending = await loopback.start();
    const { client } = await connectToHost(ending.endpoint);
    const events = await client.evaluations.watch({ id: 'e' });
    await events.next();
    const next = expect(events.next()).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'TROUBLE',
    });
    const call = expect(client.servers.check({ id: 's' })).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'TROUBLE',
    });
    await checkStarted.promise;
    await ending.close();
    await Promise.all([next, call]);
  });
});
