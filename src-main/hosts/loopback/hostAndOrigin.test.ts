import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkTokenOf, openTestHost, requestFor, type Credentials, type TestHost } from '../../testing/loopbackHost.ts';
import { ask, sendRaw, type Header, type RawAnswer } from '../../testing/rawHttp.ts';
import { routes } from './routes.ts';

let running: TestHost;
beforeAll(async () => {
  running = await openTestHost();
});
afterAll(() => running[Symbol.asyncDispose]());

/** Everything that a window may have: what is refused here is refused for its Host or Origin alone. */
const everything = (): Credentials => ({ cookie: running.page.cookie, pageToken: running.page.pageToken, linkToken: linkTokenOf(running.host.newUrl()) });

function expectNothingGiven(answer: RawAnswer, { linkToken = '' }: Credentials): void {
  const cookieValue = running.page.cookie.split('=')[1] ?? '';
  for (const secret of [running.page.pageToken, cookieValue, running.host.endpoint.token, linkToken]) expect(answer.head + answer.body).not.toContain(secret);
  expect(answer.head).not.toMatch(/set-cookie|access-control/i);
  expect(running.recorded.calls).toEqual([]);
}

const foreignHosts: [string, (port: number) => string][] = [
  ['evil.test', () => 'evil.test'],
  ['evil.test with our port', (port) => `evil.test:${port}`],
  ['a name that resolves to us', (port) => `127.0.0.1.nip.io:${port}`],
  ['a trailing dot', (port) => `localhost.:${port}`],
  ['a trailing dot on the address', (port) => `127.0.0.1.:${port}`],
  ['another port', (port) => `127.0.0.1:${port + 1}`],
  ['no port', () => '127.0.0.1'],
  ['0.0.0.0', (port) => `0.0.0.0:${port}`],
  ['the address as one number', (port) => `2130706433:${port}`],
  ['IPv6', (port) => `[::1]:${port}`],
  ['our name as a prefix', (port) => `localhost:${port}.evil.test`],
  ['a user name', (port) => `user@127.0.0.1:${port}`],
  ['nothing', () => ''],
];

describe('T10: a foreign Host', () => {
  const everywhere = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
  it.each(everywhere)('T10: on %s is refused without Origin, named in the log, and the body holds no token', async (_name, route) => {
    for (const [what, hostOf] of foreignHosts) {
      const credentials = everything();
      running.logged.splice(0);
      const host = hostOf(running.port);
      const answer = await ask(running.port, requestFor(route, credentials, [['Host', host]]));
      expect(answer.status, what).toBe(403);
      expect(running.logged.join('\n'), what).toContain(`Host ${JSON.stringify(host)}`);
      expectNothingGiven(answer, credentials);
    }
  });

  it.each(everywhere)('T10: none, or two of them, on %s is refused whichever comes first', async (_name, route) => {
    const own: Header = ['Host', `127.0.0.1:${running.port}`];
    const evil: Header = ['Host', 'evil.test'];
    for (const headers of [[], [own, evil], [evil, own], [own, own]]) {
      const credentials = everything();
      running.logged.splice(0);
      const answer = await ask(running.port, requestFor(route, credentials, headers));
      expect(answer.status).toBe(400);
      expect(running.logged.join('\n')).toContain(`${headers.length} Host headers`);
      expectNothingGiven(answer, credentials);
    }
  });

  it('T10: is refused on the root, on paths without a route, by other methods and other protocols too', async () => {
    for (const [method, target] of [['GET', '/'], ['GET', '/nope'], ['POST', '/'], ['DELETE', '/api/session'], ['HEAD', '/'], ['GET', 'http://evil.test/'], ['OPTIONS', '*']] as const) {
      const { status } = await sendRaw(running.port, `${method} ${target} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`);
      expect(status, `${method} ${target}`).toBe(403);
    }
    const old = await sendRaw(running.port, `GET / HTTP/1.0\r\nCookie: ${running.page.cookie}\r\n\r\n`);
    expect(old.status).toBe(400);
  });

  it('T10: with terminal control bytes reaches the log as plain text only', async () => {
    running.logged.splice(0);
    const answer = await ask(running.port, { target: '/', headers: [['Host', 'evil\u009b31m\u00e9.test']] });
    expect(answer.status).toBe(403);
    expect(running.logged).toHaveLength(1);
    expect(running.logged[0]).toMatch(/^[\u0020-\u007e]*$/);
  });

  it('T10: under either of its own names the window is served, so that the tables above prove something', async () => {
    for (const host of [`127.0.0.1:${running.port}`, `localhost:${running.port}`]) {
      for (const route of routes) {
        const { status } = await ask(running.port, requestFor(route, everything(), [['Host', host], ['Origin', `http://${host}`]]));
        expect(status, `${host} ${route.path}`).toBe(route.upgrade ? 101 : 200);
      }
    }
    running.recorded.calls.splice(0);
  });
});

describe('T12: a foreign page', () => {
  const host = (): Header => ['Host', `127.0.0.1:${running.port}`];
  const origins = (port: number): string[] => [
    'http://evil.test', 'null', '', `http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}.evil.test`, 'file://', 'chrome-extension://x',
  ];
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('T12: is refused on %s with every credential', async (_name, route) => {
    for (const origin of origins(running.port)) {
      const credentials = everything();
      const answer = await ask(running.port, requestFor(route, credentials, [host(), ['Origin', origin]]));
      expect(answer.status, JSON.stringify(origin)).toBe(403);
      expectNothingGiven(answer, credentials);
    }
    const credentials = { ...everything(), bearer: running.host.endpoint.token };
    const twice = await ask(running.port, requestFor(route, credentials, [host(), ['Origin', running.page.origin], ['Origin', 'http://evil.test']]));
    expect(twice.status).toBe(403);
    expectNothingGiven(twice, credentials);
  });

  it('T12: cannot send a form or plain text, which browsers send without asking first, even as our own page', async () => {
    const { cookie, pageToken, origin } = running.page;
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'text/plain; application/json', 'multipart/form-data; boundary=x', 'application/jsonx', '', null]) {
      const headers: Header[] = [host(), ['Origin', origin], ['Cookie', cookie], ['x-touchstone-token', pageToken], ...(type === null ? [] : [['Content-Type', type] as const])];
      const answer = await ask(running.port, { method: 'POST', target: '/api/call/settings/undo', headers, body: '{"token":"x"}' });
      expect(answer.status, String(type)).toBe(415);
      expect(answer.head).not.toMatch(/access-control/i);
    }
    expect(running.recorded.calls).toEqual([]);
  });

  it('T12: gets no CORS header from a preflight, and neither does our own', async () => {
    const asked: Header[] = [['Access-Control-Request-Method', 'POST'], ['Access-Control-Request-Headers', 'content-type,x-touchstone-token'], ['Access-Control-Request-Private-Network', 'true']];
    for (const [origin, status] of [['http://evil.test', 403], [running.page.origin, 405]] as const) {
      const answer = await ask(running.port, { method: 'OPTIONS', target: '/api/call/settings/undo', headers: [host(), ['Origin', origin], ...asked] });
      expect(answer.status).toBe(status);
      expect(answer.head).not.toMatch(/access-control/i);
    }
  });
});
