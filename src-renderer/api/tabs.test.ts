import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { invitationPath, joinPath, pageTokenKey } from '../../src-shared/domain/connection.ts';
import { createTabs, type Tabs } from './tabs.ts';

/** Reaches every other channel at once, as a browser does a moment later. */
class FakeChannel {
  static open = new Set<FakeChannel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor() {
    FakeChannel.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.open) if (other !== this) other.onmessage?.({ data });
  }
  close(): void {
    FakeChannel.open.delete(this);
  }
}

let asked: string[] = [];
let accepts = true;
const stored = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  accepts = true;
  stored.clear();
  FakeChannel.open.clear();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: object }) => {
    asked.push(`${path} ${Object.values(headers).join('')}`);
    if (!accepts) return new Response('{}', { status: 401 });
    return Response.json(
      path === invitationPath ? { invitation: 'one-time' } : { pageToken: 'of my own' },
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const tab = (token: () => string | null, onSignedIn: () => void = () => undefined): Tabs =>
  createTabs({ token, onSignedIn });

it('T67: signs a tab in by the invitation of another one', async () => {
  tab(() => 'secret');
  expect(await tab(() => null).join()).toBe('of my own');
  expect(asked).toEqual([`${invitationPath} secret`, `${joinPath} one-time`]);
  expect(stored.get(pageTokenKey)).toBe('of my own');
});

it('gives up after a second if only signed-out tabs are open', async () => {
  tab(() => null);
  const joining = tab(() => null).join();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await joining).toBeNull();
  expect(asked).toEqual([]);
});

it('gives up if the host refuses the invitation', async () => {
  tab(() => 'secret');
  accepts = false;
  const joining = tab(() => null).join();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await joining).toBeNull();
  expect(stored.size).toBe(0);
});

it('asks a tab again that signs in while it waits, and tells signed-out tabs', async () => {
  let token: string | null = null;
  const other = tab(() => token);
  let heard = 0;
  const joining = tab(
    () => null,
    () => void (heard += 1),
  ).join();
  token = 'late';
  other.announce();
  expect(await joining).toBe('of my own');
  expect(heard).toBe(1);
});

/** A tab that waited a second in vain and then heard the answer after all. */
async function gaveUp(): Promise<Tabs> {
  const answer = Promise.withResolvers<void>();
  const host = fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    if (request[0] === invitationPath) await answer.promise;
    return host(...request);
  });
  tab(() => 'secret');
  const heard = Promise.withResolvers<void>();
  const stale = tab(() => null, heard.resolve);
  const joining = stale.join();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await joining).toBeNull();
  answer.resolve();
  await heard.promise;
  return stale;
}

it('signs in by an answer that comes after it gave up', async () => {
  const stale = await gaveUp();
  expect(await stale.join()).toBe('of my own');
  expect(asked).toEqual([`${invitationPath} secret`, `${joinPath} one-time`]);
});

it('asks again if the late invitation is no longer valid', async () => {
  const stale = await gaveUp();
  const host = fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    accepts = asked.length > 1;
    return host(...request);
  });
  expect(await stale.join()).toBe('of my own');
  expect(asked).toEqual([
    `${invitationPath} secret`,
    `${joinPath} one-time`,
    `${invitationPath} secret`,
    `${joinPath} one-time`,
  ]);
});

it('ignores what is no message and invitations for other tabs', async () => {
  const joining = tab(() => null).join();
  const foreign = new FakeChannel();
  for (const data of [null, 7, 'ask', {}, { kind: 'invite', id: 'x', invitation: 'y' }])
    foreign.postMessage(data);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await joining).toBeNull();
  expect(asked).toEqual([]);
});
