import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaksOf } from '../../../testing/secretLeaks.ts';
import { clientEnvironment, runCommand, startCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

const kept = 'kept-in-the-file-Qx7Lm2Zp8Rt6Vb1Nc3';
const given = 'given-by-the-client-Hd5Kw9Ys4Tj2';
const passphrase = 'correct horse battery';

let folder: TemporaryFolder;
let workspace: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  workspace = join(folder.path, 'workspace');
  const tool = {
    touchstone_tool: 1,
    name: 'says_length',
    description: 'Says the length of its secret, and the secret.',
    executor_type: 'shell',
    executor_config: { output: 'text', secrets: ['SHOP_TOKEN'] },
    input_schema: { type: 'object', properties: {} },
    script: 'says_length.sh',
  };
  await writeFile(join(folder.path, 'says_length.tool.json'), JSON.stringify(tool));
  await writeFile(
    join(folder.path, 'says_length.sh'),
    'printf "%s %s" "${#SHOP_TOKEN}" "$SHOP_TOKEN"\n',
  );
  for (const args of [
    ['workshop', 'save', join(folder.path, 'says_length.tool.json')],
    ['workshop', 'status', 'says_length', 'ACTIVE'],
  ])
    expect(await run(args)).toMatchObject({ code: 0 });
});
afterEach(() => folder.remove());

const off = { TOUCHSTONE_KEYCHAIN: 'off' };
const opened = { ...off, TOUCHSTONE_KEYS_PASSPHRASE: passphrase };
const run = (args: string[], input = '', env: Record<string, string> = off) =>
  runCommand(args, { workspace, input, env });

/** Keeps the secret in the encrypted file, which each process opens by the passphrase. */
async function keepInFile(): Promise<void> {
  expect(await run(['keys', 'store', 'file'], `${passphrase}\n`)).toMatchObject({ code: 0 });
  expect(
    await run(['keys', 'set', 'tool:says_length/SHOP_TOKEN'], `${kept}\n`, opened),
  ).toMatchObject({ code: 0, stdout: 'tool:says_length/SHOP_TOKEN: set, in the encrypted file\n' });
}

/** What the tool answers to an MCP client that starts the server with these variables. */
async function callOverStdio(env: Record<string, string>): Promise<unknown> {
  const client = new Client({ name: 'caller', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [testedProgram, '--workspace', workspace, 'workshop', 'serve', '--stdio'],
      env: clientEnvironment(workspace, env),
      stderr: 'inherit',
    }),
  );
  try {
    const { content } = await client.callTool({ name: 'says_length', arguments: {} });
    return (content as { text: string }[])[0]?.text;
  } finally {
    await client.close();
  }
}

describe('secrets of tools on the command line', () => {
  it('sets, lists and removes a secret, and shows its value nowhere', async () => {
    const key = 'tool:says_length/SHOP_TOKEN';
    const listed = async (env = off) =>
      JSON.parse((await run(['keys', 'list', '--json'], '', env)).stdout) as object;
    const row = { key, tool: 'says_length', secret: 'SHOP_TOKEN', status: 'not set', place: null };
    expect(await listed()).toMatchObject({ tool_secrets: [row] });
    const lost = await run(['keys', 'set', key], `${kept}\n`);
    expect(lost).toMatchObject({ code: 3, stdout: `${key}: not set\n` });
    expect(lost.stderr).toContain('TOUCHSTONE_SECRET_SHOP_TOKEN');
    await keepInFile();
    expect(await listed(opened)).toMatchObject({
      tool_secrets: [{ ...row, status: 'set', place: 'file' }],
    });
    const ran = await run(['workshop', 'run', 'says_length'], '', opened);
    expect(ran.stdout).toBe(`${kept.length} [redacted]\n`);
    const removed = await run(['keys', 'remove', key], '', opened);
    expect(removed).toMatchObject({ code: 0, stdout: `${key}: not set\n` });
    const refused = await run(['workshop', 'run', 'says_length'], '', opened);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('its secret SHOP_TOKEN has no value');
    expect(refused.stderr).toContain(`touchstone keys set ${key}`);
    const files = await readdir(workspace, { withFileTypes: true });
    for (const { name } of files.filter((entry) => entry.isFile()))
      expect([name, leaksOf([kept], await readFile(join(workspace, name)))]).toEqual([name, []]);
    expect(leaksOf([kept], ran.stdout + ran.stderr + lost.stderr)).toEqual([]);
  });

  it('lists values of requests to models and of earlier versions by name, until they are removed', async () => {
    await keepInFile();
    const names = ['model:gateway', 'model:tenant-2', 'tool:says_length/SHOP_TOKEN'];
    for (const name of names)
      expect(await run(['keys', 'set', name], `${kept}\n`, opened)).toMatchObject({ code: 0 });
    const file = join(folder.path, 'says_length.tool.json');
    const tool = JSON.parse(await readFile(file, 'utf8')) as { executor_config: object };
    await writeFile(
      file,
      JSON.stringify({ ...tool, executor_config: { ...tool.executor_config, secrets: [] } }),
    );
    expect(await run(['workshop', 'save', file])).toMatchObject({ code: 0 });
    const listed = async () => {
      const { stdout } = await run(['keys', 'list', '--json'], '', opened);
      expect(stdout).not.toContain(kept);
      const { tool_secrets: tools, model_secrets: models } = JSON.parse(stdout) as Record<
        string,
        { key: string; status: string; place: string }[]
      >;
      return [...(models ?? []), ...(tools ?? [])].map(({ key, status, place }) => [
        key,
        status,
        place,
      ]);
    };
    expect(await listed()).toEqual(names.map((name) => [name, 'set', 'file']));
    const table = (await run(['keys', 'list'], '', opened)).stdout;
    for (const name of names) expect(table).toMatch(new RegExp(`${name}\\s+set\\s+file`));
    for (const name of names)
      expect(await run(['keys', 'remove', name], '', opened)).toMatchObject({ code: 0 });
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['unknown', 2, /It isn’t a key/],
    ['tool:missing/SHOP_TOKEN', 2, /missing/],
    ['tool:says_length/OTHER', 2, /Its secrets are: SHOP_TOKEN/],
  ])('refuses to set %s', async (name, code, reason) => {
    const ended = await run(['keys', 'set', name], 'a value\n');
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toMatch(reason);
    expect(ended.stderr).not.toContain('a value');
  });

  it('T60: takes the client’s variable over stdio before the kept value, without a window', async () => {
    expect(await callOverStdio(off)).toContain('touchstone keys set tool:says_length/SHOP_TOKEN');
    expect(await callOverStdio({ ...off, SHOP_TOKEN: given })).toBe(`${given.length} [redacted]`);
    await keepInFile();
    expect(await callOverStdio(opened)).toBe(`${kept.length} [redacted]`);
    expect(await callOverStdio({ ...opened, SHOP_TOKEN: given })).toBe(
      `${given.length} [redacted]`,
    );
  });

  it('T60: takes the client’s variable over stdio while a window does the work', async () => {
    await keepInFile();
    const window = startCommand(['open', '--host', 'loopback', '--no-browser', '--port', '0'], {
      workspace,
      env: { ...opened, SHOP_TOKEN: 'of-the-window-0000' },
    });
    try {
      await once(createInterface({ input: window.stdout }), 'line');
      expect(await callOverStdio(off)).toBe(`${kept.length} [redacted]`);
      expect(await callOverStdio({ ...off, SHOP_TOKEN: given })).toBe(`${given.length} [redacted]`);
      expect(await callOverStdio({ ...off, TOUCHSTONE_SECRET_SHOP_TOKEN: given })).toBe(
        `${given.length} [redacted]`,
      );
    } finally {
      const ended = once(window, 'exit');
      window.kill('SIGINT');
      await ended;
    }
    const log = await readFile(join(workspace, 'touchstone.log'));
    expect(leaksOf([given, kept], log)).toEqual([]);
    const database = await readFile(join(workspace, 'touchstone.sqlite'));
    expect(leaksOf([given, kept], database)).toEqual([]);
  });
});
