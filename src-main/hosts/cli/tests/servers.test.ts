import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
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
  runCommand(['servers', ...args, '--json'], {
    workspace: join(folder.path, 'workspace'),
    env: { TOUCHSTONE_KEYCHAIN: 'off' },
  });
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
