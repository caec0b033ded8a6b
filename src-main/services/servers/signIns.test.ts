import { afterEach, describe, expect, it } from 'vitest';
import { createServices } from '../../app/createServices.ts';
import { createSecretVault } from '../../adapters/secrets/secretVault.ts';
import { startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

const options = { signal: new AbortController().signal };

async function openWith(mode: string) {
  const folder = await temporaryFolder();
  const remote = await startFakeHttpServer(mode);
  const opened = await createServices({
    host: 'cli',
    folder: folder.path,
    vault: createSecretVault({ environment: {} }),
  });
  const { servers } = opened.services;
  const { id } = await servers.create({ name: 'remote', config: remote.config() });
  await servers.check({ id });
  const until = async (state: string): Promise<void> => {
    for (;;) {
      const { signIn, server } = await servers.get({ id });
      if (signIn === state && !server.checking && server.status !== 'inactive') return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    servers,
    id,
    remote,
    until,
    async [Symbol.asyncDispose]() {
      await opened.close();
      await remote.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('sign-in to a remote server', () => {
  it('signs in, lists the tools and never returns the token', async () => {
    await using at = await openWith('oauth');
    const { servers, id } = at;
    const before = await servers.get({ id });
    expect(before.signIn).toBe('none');
    expect(before.server).toMatchObject({
      status: 'failed',
      statusReason: expect.stringContaining('Sign in') as string,
    });
    const { url } = await servers.signIn({ id });
    expect((await servers.get({ id })).signIn).toBe('waiting');
    // What the browser does: it opens the page and follows the redirect to this machine.
    expect(await (await fetch(url)).text()).toContain('You are signed in');
    await at.until('signed in');
    const after = await servers.get({ id });
    expect(after.server.status).toBe('active');
    expect((await servers.refreshTools({ id }, options)).tools).toHaveLength(2);
    expect(JSON.stringify([after, await servers.list()])).not.toContain('access-token');
    expect((await servers.signOut({ id })).status).toBe('failed');
    expect((await servers.get({ id })).signIn).toBe('none');
  });

  it('renews an expired token', async () => {
    await using at = await openWith('oauth-short');
    const { url } = await at.servers.signIn({ id: at.id });
    await (await fetch(url)).text();
    await at.until('signed in');
    expect((await at.servers.check({ id: at.id })).status).toBe('active');
    expect(at.remote.requests().match(/POST \/token/g)?.length ?? 0).toBeGreaterThan(1);
  });

  it.each([
    ['oauth-script', 'javascript'],
    ['oauth-inner', '169.254.169.254'],
  ])('T30: refuses to send the browser or the token elsewhere (%s)', async (mode, words) => {
    await using at = await openWith(mode);
    const began = await at.servers.signIn({ id: at.id }).then(
      ({ url }) => url,
      (error: unknown) => error,
    );
    if (typeof began === 'string') {
      await (await fetch(began)).text();
      await at.until('none');
      expect((await at.servers.get({ id: at.id })).server.statusReason).toContain(words);
    } else expect(began).toMatchObject({ code: 'TROUBLE' });
    expect(at.remote.requests()).not.toContain('authorization=Bearer access');
  });

  it('rejects a callback with a wrong state', async () => {
    await using at = await openWith('oauth');
    const { url } = await at.servers.signIn({ id: at.id });
    const callback = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    callback.search = '?code=code-1&state=guessed';
    expect((await fetch(callback)).status).toBe(400);
    expect((await at.servers.get({ id: at.id })).signIn).toBe('waiting');
    await at.servers.signOut({ id: at.id });
    await expect(fetch(callback)).rejects.toThrow();
  });
});
