import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mcpClients } from '../../../../src-shared/domain/clientConfig.ts';
import { memoryIo } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { createProgram } from '../program.ts';
import { runProgram } from '../runProgram.ts';

let folder: TemporaryFolder;
let workspace: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  workspace = join(folder.path, 'workspace');
  file = join(folder.path, 'config', 'Code', 'User', 'mcp.json');
});
afterEach(() => folder.remove());

/** Runs the command; a person at a terminal types `answer`. */
async function serve(args: string[], answer: string | null = null) {
  const questions: string[] = [];
  const io = {
    ...memoryIo({
      env: {
        TOUCHSTONE_HOME: workspace,
        XDG_CONFIG_HOME: join(folder.path, 'config'),
      },
    }),
    ask: async (question: string) => {
      questions.push(question);
      return answer;
    },
  };
  let code = 0;
  const asking = { ...io, setExitCode: (given: number) => void (code = given) };
  await runProgram(createProgram(asking), ['workshop', 'serve', ...args], asking);
  return { code, questions, stdout: io.stdout.text, stderr: io.stderr.text };
}

describe.skipIf(process.platform !== 'linux')('touchstone workshop serve --config', () => {
  it('prints a configuration that starts the server from any folder', async () => {
    const printed = await serve(['--config', 'cursor']);
    expect(printed).toMatchObject({ code: 0, questions: [] });
    const { mcpServers } = JSON.parse(printed.stdout) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const { command = '', args = [] } = mcpServers['touchstone-workshop'] ?? {};
    expect([isAbsolute(command), isAbsolute(args[0] ?? '')]).toEqual([true, true]);
    expect(args.slice(1)).toEqual(['--workspace', workspace, 'workshop', 'serve', '--stdio']);
    const client = new Client({ name: 'started', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, cwd: '/', stderr: 'inherit' }));
    expect((await client.listTools()).tools).toEqual([]);
    await client.close();
  });

  it.each(mcpClients)('prints the configuration for %s, as JSON too', async (client) => {
    const { code, stdout } = await serve(['--config', client]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('touchstone-workshop')]);
    const printed = await serve(['--config', client, '--json']);
    const { config } = JSON.parse(printed.stdout) as { config: unknown };
    expect(JSON.stringify(config)).toContain('touchstone-workshop');
  });

  it('adds it to the client’s file only if the person agrees, and undoes that', async () => {
    const config = ['--config', 'vscode'];
    expect((await serve(config)).stderr).toContain(`${file}, which doesn’t exist yet`);
    await mkdir(dirname(file), { recursive: true });
    const before =
      '{\n  // mine\n  "servers": { "a": { "command": "b", "env": { "K": "sk-12345678" } } }\n}\n';
    await writeFile(file, before);
    for (const answer of [null, 'no', '']) {
      const refused = await serve([...config, '--add'], answer);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('+ ');
      expect(refused.stderr).not.toContain('sk-12345678');
      expect(await readFile(file, 'utf8')).toBe(before);
    }
    const added = await serve([...config, '--add'], 'yes');
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toContain(`the backup is ${file}.touchstone-backup`);
    const after = await readFile(file, 'utf8');
    expect(after).toContain('// mine');
    expect(after).toContain('"touchstone-workshop"');
    expect((await serve([...config, '--add', '--yes'])).stdout).toContain('already');
    const undone = await serve([...config, '--undo', '--json']);
    expect(JSON.parse(undone.stdout)).toMatchObject({ client: 'vscode', action: 'add' });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await serve([...config, '--undo'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('names the line and column of a file that can’t be parsed', async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{\n  "servers": nothing\n}\n');
    const refused = await serve(['--config', 'vscode', '--add', '--yes']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`${file}:2:14: `);
    expect(await readFile(file, 'utf8')).toBe('{\n  "servers": nothing\n}\n');
  });

  it.each([
    [['--config', 'emacs'], /Unknown value/],
    [['--add'], /need --config/],
    [['--config', 'cursor', '--add', '--undo'], /can't be combined/],
  ])('refuses %j', async (args, reason) => {
    const ended = await serve(args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(reason);
  });
});
