import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  invitationPath,
  joinPath,
  pageTokenHeader,
  sessionPath,
} from '../src-shared/domain/connection.ts';
import { findHolder } from '../src-main/services/settings/workspaceHolder.ts';
import { temporaryFolder } from '../src-main/testing/temporaryFolder.ts';
import { updatesPath } from './dev/pageServer.ts';

const root = join(import.meta.dirname, '..');

/** A copy of the sources that the test may change, with the packages linked. */
async function copySources(target: string): Promise<void> {
  const copied = ['src-main', 'src-renderer', 'src-shared', 'scripts', 'migrations', 'datasets'];
  const files = ['package.json', 'package-lock.json', 'electron.vite.config.ts'];
  await Promise.all(
    [...copied, ...files].map((name) =>
      cp(join(root, name), join(target, name), { recursive: true }),
    ),
  );
  const packages = await readdir(join(root, 'node_modules'));
  await mkdir(join(target, 'node_modules'));
  await Promise.all(
    packages
      .filter((name) => !name.startsWith('.'))
      .map((name) => symlink(join(root, 'node_modules', name), join(target, 'node_modules', name))),
  );
}

/** Reads up to the first line that matches. */
async function nextLine(lines: AsyncIterator<string>, pattern: RegExp): Promise<string> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`The output ended before a line matched ${pattern.source}.`);
    if (pattern.test(value)) return value;
  }
}

/** Opens the printed link and returns what a page of that session sends. */
async function openSession(link: URL): Promise<Record<string, string>> {
  const reply = await fetch(link);
  expect(reply.status).toBe(200);
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';', 1);
  const [, token = ''] = /data-token="([^"]+)"/.exec(await reply.text()) ?? [];
  return { cookie, origin: link.origin, [pageTokenHeader]: token };
}

/** Connects as Vite's client does and resolves with the first message about changed modules. */
async function openUpdates(link: URL, session: Record<string, string>) {
  const client = await (await fetch(new URL('/@vite/client', link), { headers: session })).text();
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(client) ?? [];
  const socket = new WebSocket(`ws://${link.host}${updatesPath}?token=${token}`, 'vite-hmr', {
    headers: session,
  });
  const messages = (await once(socket, 'message')).map(String);
  expect(messages[0]).toContain('connected');
  return {
    socket,
    next: once(socket, 'message').then(([data]) => JSON.parse(String(data)) as object),
  };
}

describe('npm run dev', () => {
  it('replaces renderer modules, restarts the host and leaves no process behind', async () => {
    await using folder = await temporaryFolder();
    await copySources(folder.path);
    const workspace = join(folder.path, 'workspace');
    const dev = spawn(
      process.execPath,
      [join(folder.path, 'scripts', 'dev.ts'), '--workspace', workspace, '--port', '0'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const exited = once(dev, 'exit');
    try {
      const lines = createInterface({ input: dev.stdout })[Symbol.asyncIterator]();
      const link = new URL(await nextLine(lines, /^http/));
      const session = await openSession(link);
      const get = (path: string, headers = session) => fetch(new URL(path, link), { headers });
      const callHost = () =>
        fetch(new URL(sessionPath, link), { method: 'POST', headers: session });

      expect((await get('/', {})).status).toBe(401);
      expect((await get('/', { ...session, origin: 'http://127.0.0.1:1' })).status).toBe(403);
      const page = await get('/');
      const [, nonce = ''] = /<script[^>]* nonce="([^"]+)"/.exec(await page.text()) ?? [];
      expect(page.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
      expect(nonce).not.toBe('');
      expect(await (await get('/main.tsx')).text()).toContain('createRoot');
      expect((await get('/api/index.ts')).status).toBe(200);
      expect(await (await callHost()).json()).toEqual({ ok: true });

      const asking = { method: 'POST', headers: session };
      const { invitation } = (await (
        await fetch(new URL(invitationPath, link), asking)
      ).json()) as { invitation: string };
      const joining = { method: 'POST', headers: { ...session, [pageTokenHeader]: invitation } };
      expect((await fetch(new URL(joinPath, link), joining)).status).toBe(200);

      const updates = await openUpdates(link, session);
      await appendFile(join(folder.path, 'src-renderer', 'main.tsx'), '\n// A change.\n');
      expect(await updates.next).toMatchObject({ type: expect.stringMatching(/reload|update/) });
      updates.socket.terminate();
      expect(await (await get('/main.tsx')).text()).toContain('A change.');

      const first = findHolder(workspace);
      await appendFile(
        join(folder.path, 'src-main', 'app', 'createServices.ts'),
        '\n// A change.\n',
      );
      await nextLine(lines, /^Host restarted/);
      const second = findHolder(workspace);
      expect(second?.pid).not.toBe(first?.pid);
      expect(await (await callHost()).json()).toEqual({ ok: true });

      dev.kill('SIGINT');
      expect(await exited).toEqual([0, null]);
      expect(findHolder(workspace)).toBeNull();
      expect(() => process.kill(second?.pid ?? 0, 0)).toThrow('ESRCH');
    } finally {
      dev.kill('SIGTERM');
      await exited;
    }
  });
});
