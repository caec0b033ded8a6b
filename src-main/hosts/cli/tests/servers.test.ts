import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { noteStarts } from '../session.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const commandOf = (mode: string): string => {
  const { command, args } = fakeStdioServer(mode);
  return [command, ...args].join(' ');
};
const run = (...args: string[]): Promise<Ended> =>
  runCommand(['servers', ...args, '--json'], { workspace: join(folder.path, 'workspace') });
interface Shown {
  name: string;
  transport: string;
  status: string;
  url: string;
  error?: string;
}
const shown = ({ stdout }: Ended): Shown => JSON.parse(stdout) as Shown;

const statusOf = async (name: string): Promise<string | undefined> => {
  const { stdout } = await run('check', name);
  return (JSON.parse(stdout) as { servers: Shown[] }).servers[0]?.status;
};

describe('servers add', () => {
  it('answers within 2 seconds of its work while the server is silent, and says what follows', async () => {
    const startedAt = performance.now();
    await run('list');
    const listing = performance.now() - startedAt;
    const added = await run('add', 'silent', '--stdio', commandOf('silent-initialize'));
    expect(performance.now() - startedAt - listing).toBeLessThan(listing + 2_000 + 1_000);
    expect([added.code, shown(added)]).toMatchObject([
      0,
      { name: 'silent', status: 'inactive', checking: false },
    ]);
    expect(added.stderr).toBe(
      "silent hasn't answered yet. Run `touchstone servers check silent` to wait for its answer.\n",
    );
    await run('remove', 'silent');
  });
});

describe('servers add with a command after --', () => {
  // Nothing may follow the words of the command.
  const add = (...args: string[]): Promise<Ended> =>
    runCommand(['servers', 'add', '--json', ...args], {
      workspace: join(folder.path, 'workspace'),
    });

  it('takes its words as they are, in this folder or the one of --cwd', async () => {
    const { command, args } = fakeStdioServer('normal');
    const added = await add('plain', '--list-tools', '--', command, ...args);
    expect([added.code, added.stdout], added.stderr).toMatchObject([
      0,
      expect.stringContaining('"status":"active"'),
    ]);
    const relative = await add('relative', '--list-tools', '--', 'node', 'nowhere.mjs', 'a b');
    expect([relative.code, relative.stdout]).toMatchObject([
      3,
      expect.stringContaining(join(process.cwd(), 'nowhere.mjs')),
    ]);
    const folders = ['--cwd', folder.path, '--', 'node', 'nowhere.mjs'];
    const elsewhere = await add('elsewhere', '--list-tools', ...folders);
    expect(elsewhere.stdout).toContain(join(folder.path, 'nowhere.mjs'));
    const listed = (
      await runCommand(['servers', 'list'], { workspace: join(folder.path, 'workspace') })
    ).stdout;
    expect(listed).toMatch(/^relative .*nowhere\.mjs .?a b/mu);
    for (const name of ['plain', 'relative', 'elsewhere']) await run('remove', name);
  });

  it('is refused without --, and beside --stdio', async () => {
    const bare = await add('x', 'node', 'server.mjs');
    expect([bare.code, bare.stderr]).toEqual([
      2,
      'servers add: Put -- before the command of a server: `servers add files -- npx -y @modelcontextprotocol/server-filesystem .`.\n',
    ]);
    const both = await add('x', '--stdio', 'node a.mjs', '--', 'node', 'b.mjs');
    expect([both.code, both.stderr]).toEqual([
      2,
      "servers add: --stdio and a command after -- can't be combined. Choose one.\n",
    ]);
    const none = await add('x');
    expect([none.code, none.stderr]).toMatchObject([2, expect.stringMatching(/after -- or with/)]);
  });
});

describe('the tools of a server that is added', () => {
  /** The names of the servers that have a listing in the database of the workspace. */
  const listedServers = (): unknown[] => {
    const db = new Sqlite(join(folder.path, 'workspace', 'touchstone.sqlite'), { readonly: true });
    try {
      return db
        .prepare(
          'SELECT name FROM mcp_servers WHERE id IN (SELECT mcp_server_id FROM server_listings)',
        )
        .pluck()
        .all();
    } finally {
      db.close();
    }
  };

  it('are stored by --list-tools only', async () => {
    const plain = await run('add', 'plain', '--stdio', commandOf('normal'));
    expect(plain.code, plain.stderr).toBe(0);
    const asked = await run('add', 'asked', '--list-tools', '--stdio', commandOf('banner'));
    expect([asked.code, asked.stdout]).toMatchObject([
      0,
      expect.stringContaining('"status":"active"'),
    ]);
    expect(asked.stdout).not.toContain('tools_error');
    const listless = await run('add', 'x', '--list-tools', '--stdio', commandOf('list-error'));
    expect(listless.code).toBe(3);
    expect(JSON.parse(listless.stdout)).toMatchObject({
      servers: [
        {
          name: 'x',
          status: 'active',
          tools_error: expect.stringContaining('The database is locked'),
        },
      ],
    });
    const table = await runCommand(['servers', 'list'], {
      workspace: join(folder.path, 'workspace'),
    });
    expect(table.stdout).toMatch(
      /^x +Reachable\. Its tools can’t be listed: .*database is locked/m,
    );
    expect(listedServers()).toEqual(['asked']);
    await run('check', 'plain');
    expect(listedServers().sort()).toEqual(['asked', 'plain']);
    await run('remove', 'asked');
    await run('remove', 'plain');
    await run('remove', 'x');
  });
});

describe('--start-timeout', () => {
  it('limits the start, is kept by an edit, and goes back to the default', async () => {
    const slow = ['--stdio', commandOf('slow-start')];
    const added = await run('add', 'slow', ...slow, '--start-timeout', '0.5');
    expect(added.code, added.stderr).toBe(0);
    await run('edit', 'slow', '--env', 'A=1');
    const checked = await run('check', 'slow');
    expect(checked.code).toBe(3);
    expect(checked.stdout).toMatch(
      /(?:did not answer|wrote nothing) in 500 ms.*start timeout, such as 1 s/,
    );
    const repaired = await run(
      ...['edit', 'slow', '--start-timeout', 'default', '--stdio', commandOf('normal')],
    );
    expect(repaired.code, repaired.stderr).toBe(0);
    expect(await statusOf('slow')).toBe('active');
    await run('remove', 'slow');
  });

  it.each(['abc', '0', '-1', '', '86401', '1,000', '1e3'])('refuses %j', async (value) => {
    const refused = await run('add', 'x', '--stdio', 'true', '--start-timeout', value);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'It needs a number of seconds, such as 90 or 1.5, at most 86,400 (24 hours).',
    );
  });
});

describe('noteStarts', () => {
  it('names a server that is still starting at growing intervals, until it has answered', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const notes: string[] = [];
    let elapsedMs: number | null = 0;
    const starting = (): Promise<{ server: string; elapsedMs: number; wrote: string }[]> => {
      const wrote = elapsedMs !== null && elapsedMs > 5_000 ? 'npm http fetch GET 200 pkg' : '';
      return Promise.resolve(elapsedMs === null ? [] : [{ server: 'files', elapsedMs, wrote }]);
    };
    const stop = noteStarts({ servers: { starting } }, (text) => notes.push(text));
    try {
      for (let second = 1; second <= 60; second += 1) {
        elapsedMs = second <= 30 ? second * 1_000 : null;
        await vi.advanceTimersByTimeAsync(1_000);
      }
    } finally {
      stop();
      vi.useRealTimers();
    }
    expect(notes).toEqual([
      'files: starting, 3 s, it wrote nothing yet',
      'files: starting, 6 s, it wrote: npm http fetch GET 200 pkg',
      'files: starting, 12 s, it wrote: npm http fetch GET 200 pkg',
      'files: starting, 24 s, it wrote: npm http fetch GET 200 pkg',
    ]);
  });
});

describe('servers edit', () => {
  it('changes what is given, keeps the rest, and checks the server', async () => {
    const added = await run('add', 'post', '--stdio', commandOf('exit-at-start'), '--env', 'A=1');
    expect(shown(added)).toMatchObject({ name: 'post' });
    expect(await statusOf('post')).toBe('failed');

    const repaired = await run('edit', 'post', '--stdio', commandOf('normal'));
    expect(repaired.code, repaired.stderr).toBe(0);
    expect(shown(repaired)).toMatchObject({ name: 'post', transport: 'stdio' });
    // A busy computer may take longer than `edit` waits.
    expect(await statusOf('post')).toBe('active');

    const renamed = await run('edit', 'post', '--name', 'letters', '--env', 'A=', 'B=2');
    expect(shown(renamed)).toMatchObject({ name: 'letters' });
    expect(await statusOf('letters')).toBe('active');
    const out = join(folder.path, 'mcp.json');
    await run('export', '--to', 'mcp.json', '--out', out);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({
      servers: { letters: { env: { B: expect.anything() as string } } },
    });
  });

  it('turns a stdio server into an HTTP server', async () => {
    await run('add', 'web', '--stdio', commandOf('exit-at-start'));
    const moved = await run('edit', 'web', '--url', 'http://127.0.0.1:9/mcp', '--header', 'X=1');
    expect(shown(moved)).toMatchObject({
      transport: 'streamable-http',
      url: expect.stringContaining('http://127.0.0.1:9/mcp') as string,
    });
    expect(await statusOf('web')).toBe('failed');
  });

  it.each([
    [['edit', 'post'], /Nothing to change/],
    [['edit', 'nobody', '--name', 'x'], /Server nobody: It doesn't exist/],
    [['edit', 'web', '--env', 'A=1'], /--env is for a stdio server/],
    [['edit', 'letters', '--header', 'A=1'], /--header is for an HTTP server/],
    [['edit', 'letters', '--stdio', 'x', '--url', 'http://127.0.0.1:9'], /can't be combined/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, message.test(stderr)], stderr).toEqual([2, true]);
  });
});
