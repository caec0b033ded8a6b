import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  invitationPath,
  joinPath,
  pageTokenHeader,
  sessionPath,
} from '../../../src-shared/domain/connection.ts';
import { useLoopback } from '../../testing/loopbackFixture.ts';
import { pageHeaders, signIn, type SignedInPage } from '../../testing/loopbackPage.ts';
import { invitationLifetimeMs } from './sessions.ts';

const loopback = useLoopback();

const post = (page: SignedInPage, path: string, token = page.pageToken) =>
  fetch(page.origin + path, {
    method: 'POST',
    headers: { ...pageHeaders(page), [pageTokenHeader]: token },
  });
const invite = async (page: SignedInPage): Promise<string> =>
  z.object({ invitation: z.string() }).parse(await (await post(page, invitationPath)).json())
    .invitation;

describe('an invitation', () => {
  it('T67: signs another tab of the same browser in, once, with a token of its own', async () => {
    const page = await signIn(loopback.host);
    const invitation = await invite(page);
    const joined = await post(page, joinPath, invitation);
    expect(joined.status).toBe(200);
    const { pageToken } = z.object({ pageToken: z.string() }).parse(await joined.json());
    expect(pageToken).not.toBe(page.pageToken);
    for (const token of [page.pageToken, pageToken])
      expect((await post(page, sessionPath, token)).status).toBe(200);
    expect((await post(page, joinPath, invitation)).status).toBe(401);
  });

  it('T67: is refused in another browser, after 10 s, and as a link or page token', async () => {
    const page = await signIn(loopback.host);
    const other = await signIn(loopback.host);
    expect((await post(other, joinPath, await invite(page))).status).toBe(401);
    const late = await invite(page);
    loopback.now += invitationLifetimeMs + 1;
    expect((await post(page, joinPath, late)).status).toBe(401);
    const invitation = await invite(page);
    expect((await fetch(`${page.origin}/open?token=${invitation}`)).status).toBe(401);
    expect((await post(page, sessionPath, invitation)).status).toBe(401);
    const withoutCookie = { ...page, cookie: '' };
    expect((await post(withoutCookie, joinPath, invitation)).status).toBe(401);
  });

  it('T67: is given to a tab only, not to a command or a page without its token', async () => {
    const page = await signIn(loopback.host);
    const command = await fetch(page.origin + invitationPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${loopback.host.endpoint.token}` },
    });
    expect(command.status).toBe(403);
    expect((await post(page, invitationPath, 'wrong')).status).toBe(401);
  });

  it('keeps the link that the terminal printed', async () => {
    const page = await signIn(loopback.host);
    const link = loopback.host.newUrl();
    await post(page, joinPath, await invite(page));
    expect((await fetch(link)).status).toBe(200);
  });
});

describe('a second link in the same browser', () => {
  it('keeps the cookie, so that the first tab stays signed in', async () => {
    const first = await signIn(loopback.host);
    const response = await fetch(loopback.host.newUrl(), { headers: { cookie: first.cookie } });
    expect(response.headers.get('set-cookie')).toContain(`${first.cookie};`);
    const stale = await fetch(loopback.host.newUrl(), {
      headers: { cookie: `${first.cookie.split('=')[0] ?? ''}=of-an-earlier-run` },
    });
    expect(stale.headers.get('set-cookie')).not.toContain('of-an-earlier-run');
    expect((await post(first, sessionPath)).status).toBe(200);
  });
});
