import { describe, expect, it } from 'vitest';
import { maxConnectionsPerKind } from '../../runtime/limitConnections.ts';
import { floodHttp, postMegabytes, requestAlone } from '../../testing/floodHttp.ts';
import { useLoopback } from '../../testing/loopbackFixture.ts';
import { openPageSocket, pageHeaders, signIn } from '../../testing/loopbackPage.ts';

const loopback = useLoopback();

describe('half-open connections', () => {
  it('T65: 3,000 of them neither lock the page out nor end a signed-in stream', async () => {
    const page = await signIn(loopback.host);
    const { socket, client } = await openPageSocket(page);
    const flood = await floodHttp(page.port, 3000, async () => {
      expect(await requestAlone(page.origin, { cookie: page.cookie })).toBe(200);
    });
    expect(flood.open).toBeLessThanOrEqual(maxConnectionsPerKind + 250);
    expect(await client.settings.undo({ token: 'still here' })).toEqual({ what: 'still here' });
    flood.end();
    socket.terminate();
  });
});

describe('a body that is too large', () => {
  it.each([
    ['with a length', false],
    ['in chunks', true],
  ])('T66: is answered with a readable 413 %s', async (_how, chunked) => {
    const page = await signIn(loopback.host);
    const { status, body } = await postMegabytes(
      `http://127.0.0.1:${page.port}/api/call/suites/list`,
      40,
      pageHeaders(page),
      chunked,
    );
    expect([status, JSON.parse(body)]).toEqual([
      413,
      { code: 'PAYLOAD_TOO_LARGE', message: 'suites.list: the input is larger than 4 MB.' },
    ]);
    expect(loopback.recorded.calls).toEqual([]);
  });

  it('T66: is refused with a readable 401 if nobody is signed in', async () => {
    const { port } = loopback.host.endpoint;
    const origin = `http://127.0.0.1:${port}`;
    const { status, body } = await postMegabytes(
      `${origin}/api/call/suites/list`,
      40,
      { origin },
      false,
    );
    expect([status, body]).toEqual([401, expect.stringContaining("isn't signed in")]);
  });
});
