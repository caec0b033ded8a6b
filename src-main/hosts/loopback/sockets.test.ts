import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  pageTokenHeader,
  socketPath,
  socketProtocol,
  socketTokenPrefix,
} from '../../../src-shared/domain/connection.ts';
import { plannedEvent, recordServices } from '../../testing/contractSuiteServices.ts';
import { useLoopback } from '../../testing/loopbackFixture.ts';
import { openPageSocket, signIn, type SignedInPage } from '../../testing/loopbackPage.ts';
import { maxSockets } from '../../endpoint/sockets.ts';

const loopback = useLoopback();

describe('the socket', () => {
  const open = (page: SignedInPage, headers: Record<string, string>, protocols: string[]) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${page.port}${socketPath}`, protocols, {
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

  it('T13: refuses a handshake with a foreign Origin, without cookie or without page token', async () => {
    const page = await signIn(loopback.host);
    const token = socketTokenPrefix + page.pageToken;
    expect(
      await open(page, { cookie: page.cookie, origin: page.origin }, [socketProtocol, token]),
    ).toBe(101);
    expect(
      await open(page, { cookie: page.cookie, origin: 'http://evil.test' }, [
        socketProtocol,
        token,
      ]),
    ).toBe(403);
    expect(await open(page, { origin: page.origin }, [socketProtocol, token])).toBe(401);
    expect(await open(page, { cookie: page.cookie, origin: page.origin }, [socketProtocol])).toBe(
      401,
    );
    expect(
      await open(
        page,
        { cookie: page.cookie, origin: page.origin, [pageTokenHeader]: page.pageToken },
        [socketProtocol],
      ),
    ).toBe(401);
  });

  it('never returns the token as a protocol', async () => {
    const page = await signIn(loopback.host);
    const { socket } = await openPageSocket(page);
    expect(socket.protocol).toBe(socketProtocol);
    socket.terminate();
  });

  it('lets a page open a second socket after a reload', async () => {
    const page = await signIn(loopback.host);
    const first = await openPageSocket(page);
    first.socket.terminate();
    const { client, socket } = await openPageSocket(page);
    expect(await client.settings.undo({ token: 'again' })).toEqual({ what: 'again' });
    socket.terminate();
  });

  it('T13: closes the socket with 1009 after a frame of 100 MB', async () => {
    const { socket } = await openPageSocket(await signIn(loopback.host));
    const closed = once(socket, 'close');
    socket.send('a'.repeat(100 * 1024 * 1024));
    expect((await closed)[0]).toBe(1009);
    expect(loopback.recorded.calls).toEqual([]);
  });

  it.each([
    ['bytes', Buffer.from('{}'), 1003],
    ['text that is not JSON', '{"i":', 1008],
    ['an unknown kind of message', '{"i":"1","t":9}', 1008],
  ])('T16: closes the socket after %s and keeps serving others', async (_what, message, code) => {
    const page = await signIn(loopback.host);
    const { socket } = await openPageSocket(page);
    const closed = once(socket, 'close');
    socket.send(message);
    expect((await closed)[0]).toBe(code);
    const again = await openPageSocket(page);
    expect(await again.client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
    again.socket.terminate();
  });

  it('T13: opens no more sockets than the limit for 1,000 handshakes', async () => {
    const page = await signIn(loopback.host);
    const sockets: WebSocket[] = [];
    let openedCount = 0;
    let refused = 0;
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(
        Array.from({ length: 100 }, () => {
          const socket = new WebSocket(
            `ws://127.0.0.1:${page.port}${socketPath}`,
            [socketProtocol, socketTokenPrefix + page.pageToken],
            { headers: { cookie: page.cookie }, origin: page.origin },
          );
          sockets.push(socket);
          return new Promise<void>((resolve) => {
            socket.once('open', () => {
              openedCount += 1;
              resolve();
            });
            socket.once('error', () => {
              refused += 1;
              resolve();
            });
          });
        }),
      );
    }
    expect({ openedCount, refused }).toEqual({
      openedCount: maxSockets,
      refused: 1000 - maxSockets,
    });
    for (const socket of sockets) socket.terminate();
  });

  it('disconnects a peer that stops answering pings', async () => {
    const page = await signIn(await loopback.start({ limits: { heartbeatMs: 50 } }));
    const socket = new WebSocket(
      `ws://127.0.0.1:${page.port}${socketPath}`,
      [socketProtocol, socketTokenPrefix + page.pageToken],
      { headers: { cookie: page.cookie }, origin: page.origin, autoPong: false },
    );
    expect((await once(socket, 'close'))[0]).toBe(1006);
  });

  it('keeps a peer that answers pings', async () => {
    const page = await signIn(await loopback.start({ limits: { heartbeatMs: 500 } }));
    const { socket, client } = await openPageSocket(page);
    const ended = once(socket, 'close').then(() =>
      Promise.reject(new Error('The peer was ended.')),
    );
    ended.catch(() => undefined);
    for (let ping = 0; ping < 3; ping += 1) await Promise.race([once(socket, 'ping'), ended]);
    expect(await client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
    socket.terminate();
  });

  it('pauses the stream when its reader stops reading', async () => {
    let produced = 0;
    const stuck = Promise.withResolvers<void>();
    const event = {
      ...plannedEvent(1),
      type: 'ended' as const,
      state: 'completed' as const,
      reason: 'a'.repeat(64 * 1024),
    };
    loopback.recorded = recordServices({
      evaluations: {
        watch: () => ({
          [Symbol.asyncIterator]: () => ({
            next: () => {
              produced += 1;
              // 64 MB would be on their way to a reader that takes nothing, if nobody held them
              // back.
              return produced < 1000
                ? Promise.resolve({ done: false, value: event })
                : (stuck.resolve(), new Promise<never>(() => undefined));
            },
          }),
        }),
      },
    });
    const page = await signIn(await loopback.start());
    const { socket, client } = await openPageSocket(page);
    const events = await client.evaluations.watch({ id: 'e' });
    socket.pause();
    const idle = (async () => {
      // Settled when the count stands still over many turns of the loop, in which an unbounded
      // stream would have made hundreds.
      for (let before = -1; before !== produced;) {
        before = produced;
        for (let turn = 0; turn < 2000; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
      }
      return 'held back';
    })();
    expect(await Promise.race([idle, stuck.promise])).toBe('held back');
    expect(produced).toBeLessThan(500);
    socket.terminate();
    await events.return(undefined).catch(() => undefined);
  });
});
