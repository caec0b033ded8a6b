import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let toolsFile: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  toolsFile = join(folder.path, 'tools.json');
});
afterAll(() => folder.remove());

/** The command line of a real server process. */
const commandOf = (mode: string, ...more: string[]): string => {
  const { command, args } = fakeStdioServer(mode);
  return [command, ...args, ...more].join(' ');
};
const run = (...args: string[]) => runCommand(args, { workspace: join(folder.path, 'workspace') });
const serve = (...names: string[]) =>
  writeFile(
    toolsFile,
    JSON.stringify({
      tools: names.map((name) => ({
        name,
        description: `Sends a ${name.replace('send_', '')} by mail.`,
        inputSchema: { type: 'object', properties: {} },
      })),
    }),
  );
const storedLine = /^post can’t be reached; showing its tools from .*\.$/;
/** Without the line that a busy machine takes long enough for to be told. */
const linesOf = (stderr: string): string[] =>
  stderr
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('post: starting, '));
const names = (stdout: string) =>
  (JSON.parse(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);

describe('a command that analyzes the tools of a server', () => {
  beforeAll(async () => {
    await serve('send_letter', 'send_note');
    await run('servers', 'add', 'post', '--stdio', commandOf('normal', '--tools', toolsFile));
    await run('servers', 'check', 'post');
  });

  it('lists them live and stores what it listed', async () => {
    await serve('send_letter', 'send_note', 'send_parcel');
    const live = await run('tools', '--server', 'post', '--json');
    expect(live).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(live.stdout)).toMatchObject({
      servers: [{ name: 'post', status: 'listed' }],
    });
    expect(names(live.stdout)).toEqual(['send_letter', 'send_note', 'send_parcel']);
  });

  it('uses the stored tools of a dead server, and says so in one line', async () => {
    // Without the file, the server ends at its start.
    await rm(toolsFile, { force: true });
    const tools = await run('tools', '--server', 'post', '--json');
    expect(tools.code).toBe(0);
    expect(linesOf(tools.stderr)).toEqual([expect.stringMatching(storedLine)]);
    expect(JSON.parse(tools.stdout)).toMatchObject({
      servers: [
        {
          name: 'post',
          status: 'stored',
          listed_at: expect.any(String) as string,
          error: expect.stringContaining('post') as string,
        },
      ],
    });
    expect(names(tools.stdout)).toEqual(['send_letter', 'send_note', 'send_parcel']);
    for (const command of ['similarity', 'lint']) {
      const { code, stdout, stderr } = await run(command, '--server', 'post', '--json');
      expect([command, code]).toEqual([command, 0]);
      expect(linesOf(stderr)).toEqual([expect.stringMatching(storedLine)]);
      expect(stdout).toContain('post:send_parcel');
    }
    const listed = JSON.parse((await run('servers', 'list', '--json')).stdout) as {
      servers: { name: string; status: string }[];
    };
    expect(listed.servers).toContainEqual(
      // Listing its tools changes no status; why they can't be listed is known.
      expect.objectContaining({
        name: 'post',
        status: 'active',
        tools_error: expect.stringContaining('exit code 1') as string,
      }),
    );
  });

  it('fails on a dead server that was never listed, with the reason', async () => {
    await run('servers', 'add', 'dead', '--stdio', commandOf('exit-at-start'));
    await run('servers', 'check', 'dead');
    const { code, stdout, stderr } = await run('lint', '--server', 'dead', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ tools: [] });
    expect(stderr).toMatch(/^dead: .*code 3/);
  });
});
