import { describe, expect, it } from 'vitest';
import {
  pageTokenHeader,
  socketProtocol,
  socketTokenPrefix,
} from '../../../src-shared/domain/connection.ts';
import {
  hostileCalls,
  hostileInputs,
  hostileSample,
  extremeInputs,
  unknownPaths,
} from '../../testing/contractSuiteHostile.ts';
import { sampled } from '../../testing/nightly.ts';
import { plannedEvent, recordServices } from '../../testing/contractSuiteServices.ts';
import { useLoopback } from '../../testing/loopbackFixture.ts';
import {
  openPageSocket,
  pageHeaders,
  signIn,
  type SignedInPage,
} from '../../testing/loopbackPage.ts';
import { rawHandshake, rawRequest, sendRaw, type RawAnswer } from '../../testing/rawHttp.ts';
import { largeInputCalls } from '../../rpc/frames.ts';
import { connectToHost } from '../../endpoint/client.ts';
import { routes, type Route } from './routes.ts';
import { linkLifetimeMs } from './sessions.ts';

const loopback = useLoopback();
const largeLength = 5 * 1024 * 1024;
const extreme = extremeInputs(largeLength);

/** A target and the method of each route, so that a new one is asked as well. */
const targetOf = (route: Route) =>
  route.path.replace('/*', route.name === 'call' ? '/suites/list' : '/app.js');
const ask = (route: Route, port: number, headers: readonly string[], query = '') =>
  sendRaw(
    port,
    route.upgrade
      ? rawHandshake(targetOf(route) + query, headers)
      : rawRequest(route.method, targetOf(route) + query, [
          ...headers,
          'Content-Type: application/json',
          'Content-Length: 0',
        ]),
  );
const lines = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
/** Everything that a page brings to a route; what is wrong is put in its place by the test. */
function credentials(page: SignedInPage, route: Route): Record<string, string> {
  const token: Record<string, string> = route.upgrade
    ? { 'Sec-WebSocket-Protocol': `${socketProtocol}, ${socketTokenPrefix}${page.pageToken}` }
    : { [pageTokenHeader]: page.pageToken };
  return { Host: `127.0.0.1:${page.port}`, Origin: page.origin, Cookie: page.cookie, ...token };
}
function expectNoSecret(answer: RawAnswer, page: SignedInPage): void {
  for (const secret of [
    page.pageToken,
    page.cookie.split('=')[1] ?? '-',
    loopback.host.endpoint.token,
  ])
    expect(answer.text).not.toContain(secret);
  expect(answer.text.toLowerCase()).not.toContain('access-control-');
}

describe.each(
  routes.map(
    (route) => [`${route.method} ${route.path}${route.upgrade ? ' (socket)' : ''}`, route] as const,
  ),
)('%s', (_name, route) => {
  it('T10: refuses every foreign host name, logs the name and answers without a token', async () => {
    const page = await signIn(loopback.host);
    const { port } = page;
    const names = [
      'evil.test',
      `127.0.0.1.nip.io:${port}`,
      `localhost.:${port}`,
      `127.0.0.1:${port + 1}`,
      `0.0.0.0:${port}`,
      '127.0.0.1',
      'localhost',
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
      `127.1:${port}`,
      `x@127.0.0.1:${port}`,
      '',
    ];
    for (const name of names) {
      loopback.logged.splice(0);
      const given = credentials(page, route);
      const answer = await ask(route, port, lines({ ...given, Host: name }));
      expect([400, 403], name).toContain(answer.status);
      expectNoSecret(answer, page);
      if (name !== '') expect(loopback.logged.join('\n'), name).toContain(JSON.stringify(name));
    }
    const { Host, ...rest } = credentials(page, route);
    expect((await ask(route, port, lines(rest))).status).toBe(400);
    expect(
      (await ask(route, port, [`Host: ${Host ?? ''}`, 'Host: evil.test', ...lines(rest)])).status,
    ).toBe(400);
    expect(
      (await ask(route, port, ['Host: evil.test', `Host: ${Host ?? ''}`, ...lines(rest)])).status,
    ).toBe(400);
    expect(loopback.recorded.calls).toEqual([]);
  });

  it('T11: refuses a missing, wrong or old token, and one in the query', async () => {
    const page = await signIn(loopback.host);
    const given = credentials(page, route);
    const bare = { Host: given['Host'] ?? '', Origin: page.origin };
    const cookieName = page.cookie.split('=')[0] ?? '';
    const attempts: Record<string, string>[] = [
      bare,
      { ...bare, Cookie: `${cookieName}=` },
      { ...bare, Cookie: `${cookieName}=wrong` },
      { ...bare, Cookie: `touchstone_1=${page.cookie.split('=')[1] ?? ''}` },
      { ...bare, Authorization: 'Bearer wrong' },
      { ...bare, Authorization: 'Bearer ' },
      { ...bare, Authorization: `Bearer ${page.pageToken}` },
    ];
    if (route.guard !== 'cookie') attempts.push({ ...bare, Cookie: page.cookie });
    if (route.guard === 'session') {
      const other = await signIn(loopback.host);
      attempts.push(
        { ...credentials(other, route), Cookie: page.cookie },
        { ...given, Cookie: `${cookieName}=wrong` },
        { ...given, Authorization: 'Bearer wrong' },
      );
    }
    const oldLink = loopback.host.newUrl().split('?')[1] ?? '';
    loopback.host.newUrl();
    for (const query of [
      '',
      `?token=${page.pageToken}`,
      `?token=${loopback.host.endpoint.token}`,
      `?${oldLink}`,
    ]) {
      for (const attempt of attempts) {
        const answer = await ask(route, page.port, lines(attempt), query);
        expect(answer.status, `${query} ${JSON.stringify(attempt)}`).toBe(401);
        expectNoSecret(answer, page);
      }
    }
    expect(loopback.recorded.calls).toEqual([]);
  });

  it('T12: refuses other origins, among them null and another loopback port', async () => {
    const page = await signIn(loopback.host);
    for (const origin of [
      'http://evil.test',
      'null',
      `http://127.0.0.1:${page.port + 1}`,
      `https://127.0.0.1:${page.port}`,
      `http://localhost:${page.port}`,
      `http://127.0.0.1:${page.port}/`,
      '',
      'file://',
    ]) {
      const answer = await ask(
        route,
        page.port,
        lines({ ...credentials(page, route), Origin: origin }),
      );
      expect(answer.status, origin).toBe(403);
      expectNoSecret(answer, page);
    }
    const answer = await sendRaw(
      page.port,
      rawRequest('OPTIONS', targetOf(route), [
        'Origin: http://evil.test',
        'Access-Control-Request-Method: POST',
        `Host: 127.0.0.1:${page.port}`,
      ]),
    );
    expect(answer.status).toBe(403);
    expectNoSecret(answer, page);
    expect(loopback.recorded.calls).toEqual([]);
  });
});

it('T11: every route has the guard that is listed here', () => {
  expect(routes.map(({ method, path, guard }) => `${method} ${path} ${guard}`)).toEqual([
    'GET /open link',
    'GET /open.js cookie',
    'POST /api/session session',
    'POST /api/link session',
    'POST /api/invitation session',
    'POST /api/join invitation',
    'POST /api/call/* session',
    'GET /api/socket session',
    'GET /* cookie',
  ]);
});

it('T10: requires an Origin for calls and sockets, but not for pages and files', async () => {
  const page = await signIn(loopback.host);
  for (const route of routes) {
    if (route.guard === 'link') continue;
    const { Origin: _origin, ...rest } = credentials(page, route);
    expect((await ask(route, page.port, lines(rest))).status, route.path).toBe(
      route.guard === 'cookie' ? 200 : 403,
    );
  }
  expect(loopback.recorded.calls).toEqual([]);
});

describe('the sign-in link', () => {
  it('T15: opens one session with a strict HttpOnly cookie named after the port', async () => {
    const response = await fetch(loopback.host.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^touchstone_${loopback.host.endpoint.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const html = await response.text();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toMatch(/<script src="\/open\.js" data-token="[\w-]{43}"><\/script>/);
    expect((await fetch(loopback.host.url)).status).toBe(401);
  });

  it('T15: expires after 15 minutes', async () => {
    const first = loopback.host.newUrl();
    loopback.now = linkLifetimeMs;
    expect((await fetch(first)).status).toBe(200);
    const second = loopback.host.newUrl();
    loopback.now += linkLifetimeMs + 1;
    expect((await fetch(second)).status).toBe(401);
  });

  it('T15: is replaced by a new link', async () => {
    const before = loopback.host.url;
    const after = loopback.host.newUrl();
    expect((await fetch(before)).status).toBe(401);
    expect((await fetch(after)).status).toBe(200);
  });

  it('is not used up by a prefetch', async () => {
    const url = loopback.host.newUrl();
    expect((await fetch(url, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(
      403,
    );
    expect((await fetch(url)).status).toBe(200);
  });

  it('T15: no token of a link, session, page or command is logged', async () => {
    const link = loopback.host.newUrl();
    const token = new URL(link).searchParams.get('token') ?? '-';
    await fetch(link);
    await fetch(link);
    const page = await signIn(loopback.host);
    const { socket } = await openPageSocket(page);
    const command = await connectToHost(loopback.host.endpoint);
    await command.close();
    await fetch(`http://127.0.0.1:${page.port}/app.js?token=${page.pageToken}`, {
      headers: { cookie: page.cookie },
    });
    socket.terminate();
    const text = loopback.logged.join('\n');
    expect(text).not.toContain('/open');
    for (const secret of [
      token,
      page.pageToken,
      page.cookie.split('=')[1] ?? '-',
      loopback.host.endpoint.token,
    ])
      expect(text).not.toContain(secret);
  });
});

describe('files', () => {
  it('logs no requests, whether they succeed or fail', async () => {
    const page = await signIn(loopback.host);
    const before = loopback.logged.length;
    const get = (path: string) =>
      sendRaw(
        page.port,
        rawRequest('GET', path, [`Host: 127.0.0.1:${page.port}`, `Cookie: ${page.cookie}`]),
      );
    expect((await get('/app.js')).status).toBe(200);
    expect((await get('/missing.js')).status).toBe(404);
    expect(loopback.logged.slice(before)).toEqual([]);
  });

  it('serves page and scripts with the content policy, and nothing outside their folder', async () => {
    const page = await signIn(loopback.host);
    const get = (path: string) =>
      sendRaw(
        page.port,
        rawRequest('GET', path, [`Host: 127.0.0.1:${page.port}`, `Cookie: ${page.cookie}`]),
      );
    const index = await get('/');
    expect(index.status).toBe(200);
    expect(index.text).toContain('<title>Touchstone</title>');
    expect(index.text).toMatch(/content-security-policy: default-src 'none'; script-src 'self';/);
    expect((await get('/app.js?v=1')).text).toContain('content-type: text/javascript');
    for (const path of [
      '/../app.js',
      '/%2e%2e/etc/passwd',
      '/..%2f..%2fetc/passwd',
      '//etc/passwd',
      '/%00',
      '/missing.js',
      '/.',
      'http://evil.test/app.js',
      `http://127.0.0.1:${page.port}/app.js`,
      '*',
    ]) {
      expect([400, 404], path).toContain((await get(path)).status);
    }
  });

  it('lets a browser keep the files that are named by their content, and nothing else', async () => {
    const page = await signIn(loopback.host);
    for (const path of ['/assets/page-1.js', '/', '/app.js', '/assets/missing.js', '/open.js']) {
      const head = [`Host: 127.0.0.1:${page.port}`, `Cookie: ${page.cookie}`];
      const { text } = await sendRaw(page.port, rawRequest('GET', path, head));
      const isKept = path === '/assets/page-1.js';
      const kept = isKept ? 'private, max-age=31536000, immutable' : 'no-store';
      expect(text, path).toContain(`cache-control: ${kept}`);
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])(
    'answers 405 to %s on a page',
    async (method) => {
      const page = await signIn(loopback.host);
      const answer = await sendRaw(
        page.port,
        rawRequest(method, '/', [
          `Host: 127.0.0.1:${page.port}`,
          `Cookie: ${page.cookie}`,
          'Content-Length: 0',
        ]),
      );
      expect(answer.status).toBe(405);
    },
  );

  it('answers 404 to an unknown path under /api', async () => {
    const page = await signIn(loopback.host);
    expect(
      (
        await sendRaw(
          page.port,
          rawRequest('GET', '/api/nope', [
            `Host: 127.0.0.1:${page.port}`,
            `Cookie: ${page.cookie}`,
          ]),
        )
      ).status,
    ).toBe(404);
  });
});

describe('calls over HTTP', () => {
  const post = (
    page: SignedInPage,
    call: string,
    body: string,
    headers: Record<string, string> = {},
  ) =>
    fetch(`http://127.0.0.1:${page.port}/api/call/${call}`, {
      method: 'POST',
      body,
      headers: { ...pageHeaders(page), ...headers },
    });

  it('are answered with JSON, for the page and the command line', async () => {
    const page = await signIn(loopback.host);
    const answer = await post(page, 'settings/undo', '{"token":"x"}');
    expect([answer.status, await answer.json()]).toEqual([200, { what: 'x' }]);
    const { port, token } = loopback.host.endpoint;
    const command = await fetch(`http://127.0.0.1:${port}/api/call/suites/list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    expect(await command.json()).toEqual([]);
  });

  it('are refused with 406 for a stream', async () => {
    loopback.recorded = recordServices({
      evaluations: {
        async *watch() {
          yield plannedEvent(1);
        },
      },
    });
    const page = await signIn(await loopback.start());
    expect((await post(page, 'evaluations/watch', '{"id":"e"}')).status).toBe(406);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ])('T12: refuses a body of type %j, which a form can send', async (type) => {
    const page = await signIn(loopback.host);
    const answer = await sendRaw(
      page.port,
      rawRequest('POST', '/api/call/suites/list', [
        ...lines(pageHeaders(page)).filter((line) => !line.startsWith('content-type')),
        `Host: 127.0.0.1:${page.port}`,
        ...(type === '' ? [] : [`Content-Type: ${type}`]),
        'Content-Length: 0',
      ]),
    );
    expect(answer.status).toBe(415);
    expect(loopback.recorded.calls).toEqual([]);
  });

  // The window refuses all of them, by the same handlers (src-main/hosts/electron/ipc.test.ts).
  const isInSample = (call: string): boolean =>
    [...hostileSample, ...largeInputCalls].includes(call) || hostileCalls.indexOf(call) % 4 === 0;
  it.each(sampled(hostileCalls, isInSample))(
    'T16: %s refuses hostile input with the same codes as in the window',
    async (call) => {
      const page = await signIn(loopback.host);
      const path = call.replace('.', '/');
      const asked = [...hostileSample, ...largeInputCalls].includes(call) ? extreme : [];
      for (const { what, text } of hostileInputs(call, asked)) {
        const answer = await post(page, path, text);
        expect(answer.status, what).toBeOneOf([400, 413]);
        expect(await answer.json(), what).toMatchObject({
          code: expect.stringMatching(/^(BAD_REQUEST|PAYLOAD_TOO_LARGE)$/),
        });
      }
      expect((await post(page, path, '{"id":NaN}')).status).toBe(400);
      if (!largeInputCalls.includes(call)) {
        const head = [`Host: 127.0.0.1:${page.port}`, ...lines(pageHeaders(page))];
        const declared = [...head, `Content-Length: ${largeLength}`];
        const answer = await sendRaw(
          page.port,
          rawRequest('POST', `/api/call/${path}`, declared),
          'first',
        );
        expect(answer.status).toBe(413);
      }
      expect(loopback.recorded.calls).toEqual([]);
    },
  );

  it('T16: answers 404 to unknown calls', async () => {
    const page = await signIn(loopback.host);
    for (const path of unknownPaths.filter(
      (unknown) => unknown.startsWith('/') && !unknown.includes('?') && !unknown.includes('..'),
    )) {
      expect((await post(page, path.slice(1), '{}')).status, path).toBe(404);
    }
  });

  it('T16: refuses a body of 1 GB by its length, and a chunked one at the limit', async () => {
    const page = await signIn(loopback.host);
    const head = [`Host: 127.0.0.1:${page.port}`, ...lines(pageHeaders(page))];
    const declared = await sendRaw(
      page.port,
      rawRequest('POST', '/api/call/suites/list', [...head, `Content-Length: ${1024 ** 3}`]),
    );
    expect(declared.status).toBe(413);
    const part = 'a'.repeat(1024 * 1024);
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`;
    const hidden = await sendRaw(page.port, [
      rawRequest('POST', '/api/call/suites/list', [...head, 'Transfer-Encoding: chunked']),
      ...Array.from({ length: 6 }, () => chunk),
    ]);
    expect(hidden.status).toBe(413);
    expect(loopback.recorded.calls).toEqual([]);
  });

  it('T16: answers 408 to headers or a body slower than the limit', async () => {
    const page = await signIn(await loopback.start({ limits: { headersMs: 300, requestMs: 600 } }));
    expect((await sendRaw(page.port, 'GET / HTTP/1.1\r\nHost: ')).status).toBe(408);
    const body = rawRequest(
      'POST',
      '/api/call/suites/list',
      [`Host: 127.0.0.1:${page.port}`, ...lines(pageHeaders(page)), 'Content-Length: 10'],
      '{',
    );
    expect((await sendRaw(page.port, body)).status).toBe(408);
    expect(loopback.recorded.calls).toEqual([]);
  });

  it('T16: answers 431 to headers above the limit and 400 to invalid HTTP', async () => {
    const { port } = loopback.host.endpoint;
    expect(
      (await sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`)).status,
    ).toBe(431);
    expect((await sendRaw(port, 'nonsense\r\n\r\n')).status).toBe(400);
  });
});
