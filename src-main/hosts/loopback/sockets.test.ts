import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openTestHost, requestFor } from '../../testing/loopbackHost.ts';
import { openPageSocket, signIn } from '../../testing/loopbackPage.ts';
import { writeRequest } from '../../testing/rawHttp.ts';
import { exchangeText, openRawSocket, shakeHands, type HandshakeParts } from '../../testing/rawSocket.ts';
import { routes } from './routes.ts';
import { newToken } from './sessions.ts';
import { socketLimit } from './sockets.ts';

describe('T13: the socket', () => {
  it('T13: would open for a handshake that lacks one of its credentials', async () => {
    await using running = await openTestHost();
    const { port } = running;
    const { cookie, pageToken, origin } = running.page;
    const other = await signIn(running.host);
    const refused: [string, number, HandshakeParts][] = [
      ['no Origin', 403, { cookie, pageToken }],
      ['a foreign Origin', 403, { cookie, pageToken, origin: 'http://evil.test' }],
      ['the Origin null', 403, { cookie, pageToken, origin: 'null' }],
      ['another port', 403, { cookie, pageToken, origin: `http://127.0.0.1:${port + 1}` }],
      ['no cookie', 401, { pageToken, origin }],
      ['a wrong cookie', 401, { cookie: `touchstone_${port}=${newToken()}`, pageToken, origin }],
      ['no page token', 401, { cookie, origin }],
      ['a wrong page token', 401, { cookie, origin, pageToken: newToken() }],
      ['another window’s page token', 401, { cookie, origin, pageToken: other.pageToken }],
    ];
    for (const [what, status, parts] of refused) expect((await shakeHands(port, parts)).status, what).toBe(status);
    const good = await shakeHands(port, { cookie, pageToken, origin });
    expect(good.status).toBe(101);
    // The token that was offered as a subprotocol is not echoed.
    expect(good.socket?.protocol).toBe('touchstone');
    good.socket?.terminate();
  });

  it('T13: a frame that says it is 100 MB would be waited for and held', async () => {
    await using running = await openTestHost();
    const { socket, stream } = await openRawSocket(running.page);
    const closed = once(socket, 'close') as Promise<[number]>;
    const head = Buffer.alloc(14);
    head.set([0x81, 0xff]);
    head.writeBigUInt64BE(100n * 1024n * 1024n, 2);
    stream.write(head);
    expect((await closed)[0]).toBe(1009);
    // The host goes on for others.
    const { socket: next } = await openRawSocket(running.page);
    expect(await exchangeText(next, '{"i":"1","p":{"u":"/settings/undo","b":{"json":{"token":"x"}}}}')).toMatchObject({ status: 200 });
  });

  it('T13: a message of 100 MB in small frames would be put together without end', async () => {
    await using running = await openTestHost();
    const { socket } = await openRawSocket(running.page);
    const closed = once(socket, 'close') as Promise<[number]>;
    const part = Buffer.alloc(10 * 1024 * 1024, 'a');
    for (let sent = 0; sent < 10; sent += 1) socket.send(part, { binary: false, fin: false }, () => undefined);
    const [code] = await closed;
    // 1006: the end of the connection may overtake the code while the flood is still on its way.
    expect([1009, 1006]).toContain(code);
    expect(running.recorded.calls).toEqual([]);
  });

  it('T13: any number of sockets would be taken, or the place of a closed one never given again', async () => {
    await using running = await openTestHost();
    const open = await Promise.all(Array.from({ length: socketLimit }, () => openRawSocket(running.page)));
    const { cookie, pageToken, origin } = running.page;
    const more = await Promise.all(Array.from({ length: 100 }, () => shakeHands(running.port, { cookie, pageToken, origin })));
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([503]));
    const leaving = open[0]?.socket;
    if (leaving === undefined) throw new Error('No socket was opened.');
    leaving.close();
    await once(leaving, 'close');
    // The host hears of the end a moment after the client.
    let again = 503;
    for (let attempt = 0; attempt < 200 && again === 503; attempt += 1) again = (await shakeHands(running.port, { cookie, pageToken, origin })).status;
    expect(again).toBe(101);
  });

  it('T13: a peer that answers no ping would keep its place for ever, or one that does would lose it', async () => {
    await using running = await openTestHost({ limits: { heartbeatMs: 50 } });
    const { socket: deaf } = await openRawSocket(running.page, { autoPong: false });
    const { socket: awake } = await openRawSocket(running.page);
    await once(deaf, 'close');
    for (let heard = 0; heard < 3; heard += 1) await once(awake, 'ping');
    expect(await exchangeText(awake, '{"i":"1","p":{"u":"/settings/undo","b":{"json":{"token":"x"}}}}')).toMatchObject({ status: 200 });
  });

  it('T13: a refused peer that never hangs up would keep the program from ending', async () => {
    await using running = await openTestHost();
    const route = routes.find(({ upgrade }) => upgrade);
    if (route === undefined) throw new Error('There is no socket route.');
    const peer = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true });
    peer.on('error', () => undefined);
    peer.write(writeRequest(requestFor(route, {}, [['Host', 'evil.test']])));
    const [answer] = (await once(peer, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 403 /);
    await running.host.close();
    peer.destroy();
  });

  it('T13: a socket under way when the program ends would hang instead of being told', async () => {
    await using running = await openTestHost();
    const { client, socket } = await openPageSocket(running.page);
    expect(await client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
    const closed = once(socket, 'close');
    await running.host.close();
    await closed;
  });
});
