import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageTokenHeader } from '../../../src-shared/domain/connection.ts';
import { linkTokenOf, openTestHost, requestFor, type Credentials, type TestHost } from '../../testing/loopbackHost.ts';
import { signIn } from '../../testing/loopbackPage.ts';
import { ask, type Header } from '../../testing/rawHttp.ts';
import { routes, type Guard } from './routes.ts';
import { linkLifetimeMs, newToken } from './sessions.ts';

let running: TestHost;
let now = 0;
beforeAll(async () => {
  running = await openTestHost({ clock: { now: () => '2026-01-02T03:04:05.678Z', monotonic: () => now } });
});
afterAll(() => running[Symbol.asyncDispose]());

const own = (): Header[] => [['Host', `127.0.0.1:${running.port}`], ['Origin', running.page.origin]];
const everywhere = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

/** What does not open a route with this guard, though all of it was or is good for something. */
async function wrongCredentials(guard: Guard): Promise<[string, Credentials][]> {
  const { page, host } = running;
  const other = await signIn(host);
  const old = linkTokenOf(host.newUrl());
  const link = linkTokenOf(host.newUrl());
  const { cookie, pageToken } = page;
  const wrongCookie = `${cookie.split('=')[0] ?? ''}=${newToken()}`;
  const always: [string, Credentials][] = [
    ['nothing', {}],
    ['a wrong cookie', { cookie: wrongCookie }],
    ['an empty cookie', { cookie: `${cookie.split('=')[0] ?? ''}=` }],
    ['the cookie under another port’s name', { cookie: cookie.replace(/^touchstone_\d+/, 'touchstone_1') }],
    ['the page token alone', { pageToken }],
    ['the page token as the cookie', { cookie: cookie.replace(/=.*/, `=${pageToken}`) }],
    ['the page token in the query', { linkToken: pageToken }],
    ['the command’s token in the query', { linkToken: host.endpoint.token }],
    ['a wrong bearer', { bearer: newToken() }],
    ['an empty bearer', { bearer: '' }],
    ['the page token as the bearer', { bearer: pageToken }],
    ['the link’s token as the bearer', { bearer: link }],
  ];
  if (guard === 'link') return [...always, ['an old link', { linkToken: old }], ['an empty link', { linkToken: '' }], ['the cookie and no link', { cookie, pageToken }]];
  if (guard === 'cookie') return [...always, ['a link', { linkToken: link }]];
  return [
    ...always,
    ['a link', { linkToken: link }],
    ['the cookie without the page token', { cookie }],
    ['the cookie with the page token in the query', { cookie, linkToken: pageToken }],
    ['the cookie with a wrong page token', { cookie, pageToken: newToken() }],
    ['the cookie with an empty page token', { cookie, pageToken: '' }],
    ['the cookie with another window’s page token', { cookie, pageToken: other.pageToken }],
    ['the cookie with the command’s token as the page token', { cookie, pageToken: host.endpoint.token }],
    ['the cookie as the page token', { cookie, pageToken: cookie.split('=')[1] ?? '' }],
    ['a wrong bearer beside a good session', { cookie, pageToken, bearer: newToken() }],
  ];
}

describe('T11: the route table', () => {
  it.each(everywhere)('T11: %s would answer without a token, with a wrong or old one, or with one in the wrong place', async (_name, route) => {
    for (const [what, credentials] of await wrongCredentials(route.guard)) {
      const answer = await ask(running.port, requestFor(route, credentials, own()));
      expect(answer.status, what).toBe(401);
      expect(answer.head, what).not.toMatch(/set-cookie/i);
    }
    expect(running.recorded.calls).toEqual([]);
  });

  it.each(everywhere.filter(([, { guard }]) => guard === 'session'))('T11: %s would take a page’s session from a sender without Origin', async (_name, route) => {
    const { cookie, pageToken } = running.page;
    const answer = await ask(running.port, requestFor(route, { cookie, pageToken }, own().slice(0, 1)));
    expect(answer.status).toBe(403);
    expect(running.recorded.calls).toEqual([]);
  });

  it.each(everywhere.filter(([, { guard }]) => guard === 'session'))('T11: %s would refuse the command line, which has no Origin', async (_name, route) => {
    const answer = await ask(running.port, requestFor(route, { bearer: running.host.endpoint.token }, own().slice(0, 1)));
    expect(answer.status).toBe(route.upgrade ? 101 : 200);
    running.recorded.calls.splice(0);
  });

  it('T11: a window would stay signed in for ever though many links were opened after it', async () => {
    const first = await signIn(running.host);
    const session = routes.find(({ name }) => name === 'session');
    if (session === undefined) throw new Error('There is no session route.');
    const ask1 = async () => (await ask(running.port, requestFor(session, first, own()))).status;
    expect(await ask1()).toBe(200);
    for (let window = 0; window < 32; window += 1) await signIn(running.host);
    expect(await ask1()).toBe(401);
    // The window of the other tests was signed out with it.
    running.page = await signIn(running.host);
  });
});

describe('T15: the link', () => {
  const open = (url: string, headers: readonly Header[] = []) => ask(running.port, { target: url.slice(url.indexOf('/open')), headers: [['Host', `127.0.0.1:${running.port}`], ...headers] });

  it('T15: would open a second window for whoever finds it in a history', async () => {
    const url = running.host.newUrl();
    expect((await open(url)).status).toBe(200);
    const again = await open(url);
    expect(again.status).toBe(401);
    expect(again.head).not.toMatch(/set-cookie/i);
    expect(again.body).toContain('Press Enter in the terminal');
  });

  it('T15: would be good for longer than fifteen minutes, or for less', async () => {
    const late = running.host.newUrl();
    now += linkLifetimeMs + 1;
    expect((await open(late)).status).toBe(401);
    const inTime = running.host.newUrl();
    now += linkLifetimeMs;
    expect((await open(inTime)).status).toBe(200);
  });

  it('T15: would be used up by a wrong guess, a browser that loads ahead, or another method', async () => {
    const url = running.host.newUrl();
    expect((await open(`/open?token=${newToken()}`)).status).toBe(401);
    expect((await open(url, [['Sec-Purpose', 'prefetch;prerender']])).status).toBe(403);
    expect((await ask(running.port, { method: 'HEAD', target: url.slice(url.indexOf('/open')), headers: [['Host', `127.0.0.1:${running.port}`], ['Connection', 'close']] })).head).not.toMatch(/set-cookie/i);
    expect((await open(url)).status).toBe(200);
  });

  it('T15: a cookie that scripts can read, or that other sites’ links carry', async () => {
    const { head } = await open(running.host.newUrl());
    const [cookie = '', ...more] = head.split('\r\n').filter((line) => /^set-cookie:/i.test(line));
    expect(more).toEqual([]);
    expect(cookie).toMatch(new RegExp(`^set-cookie: touchstone_${running.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`, 'i'));
  });

  it('T15: an answer that a cache may keep, or a page that tells its address to others', async () => {
    const { cookie, pageToken } = running.page;
    for (const route of routes.filter(({ upgrade }) => !upgrade)) {
      for (const credentials of [{}, { cookie, pageToken, linkToken: linkTokenOf(running.host.newUrl()) }]) {
        const { head } = await ask(running.port, requestFor(route, credentials, own()));
        expect(head, route.path).toMatch(/^referrer-policy: no-referrer$/im);
        expect(head, route.path).toMatch(/^cache-control: no-store$/im);
        expect(head, route.path).toMatch(/^x-content-type-options: nosniff$/im);
        expect(head, route.path).toMatch(/^content-security-policy: default-src 'none'; script-src 'self';/im);
      }
    }
    running.recorded.calls.splice(0);
  });

  it('T15: a token in a line of the log, from whichever route, good or refused', async () => {
    running.logged.splice(0);
    const page = await signIn(running.host);
    const { cookie, pageToken } = page;
    const secrets = [cookie.split('=')[1] ?? '', pageToken, running.host.endpoint.token];
    for (const route of routes) {
      const linkToken = linkTokenOf(running.host.newUrl());
      const used = linkTokenOf(running.host.newUrl());
      secrets.push(linkToken, used);
      for (const credentials of [{ cookie, pageToken, linkToken }, { cookie, pageToken, linkToken: used }, { bearer: running.host.endpoint.token }, { bearer: pageToken, cookie: pageToken, linkToken: used }]) {
        for (const around of [own(), [['Host', 'evil.test']] as Header[], [...own().slice(0, 1), ['Origin', 'http://evil.test']] as Header[]]) await ask(running.port, requestFor(route, credentials, around));
      }
    }
    expect(running.logged.length).toBeGreaterThan(routes.length * 12);
    const text = running.logged.join('\n');
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    expect(text).not.toContain(pageTokenHeader);
  });
});
