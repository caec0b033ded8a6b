import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { parse } from 'jsonc-parser';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSessionFile } from '../../../services/capture/sessionsFolder.ts';
import { clientEnvironment, runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

/* A session of the official client with the Todo server, captured by a gateway in its own process. */
let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH';

interface Listed {
  sessions: Record<string, unknown>[];
  tools: Record<string, unknown>[];
}
const list = async (): Promise<Listed> => {
  const { code, stdout, stderr } = await run('sessions', 'list', '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Listed;
};
const files = () =>
  readdirSync(at('workspace', 'sessions')).map((name) => at('workspace', 'sessions', name));

beforeAll(async () => {
  folder = await temporaryFolder();
  expect((await run('servers', 'check', 'todo')).code).toBe(0);
  expect((await run('sessions', 'list')).stdout).toContain('touchstone gateway SERVER --capture');
  const client = new Client({ name: 'test-agent', version: '2.1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [testedProgram, 'gateway', 'todo', '--capture'],
      env: clientEnvironment(at('workspace')),
      stderr: 'ignore',
    }),
  );
  await client.listTools();
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args }).catch(() => null);
  await call('add_task', {
    user_id: 'u-1',
    title: 'Write to mia@shop.test',
    description: `key ${secret}`,
  });
  await call('list_tasks', { user_id: 'u-1' });
  await call('list_tasks', { user_id: 'u-1' });
  await call('complete_task', { user_id: 'u-1' });
  await client.close();
});
afterAll(() => folder.remove());

it('masks what looks like a secret or a person before it is written', () => {
  const [file = ''] = files();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"add_task"');
  expect(text).not.toContain(secret);
  expect(text).not.toContain('mia@shop.test');
  expect(text).toContain('person1@example.com');
});

it('counts calls, errors, invalid arguments, repeated calls, and tools that were never called', async () => {
  const { sessions, tools } = await list();
  expect(sessions).toEqual([
    expect.objectContaining({
      ...{ server: 'todo', client: 'test-agent 2.1', mode: 'full', calls: 4, failed: 1 },
      ...{ damaged_lines: 0, ended: expect.any(String) as string },
    }),
  ]);
  const of = (tool: string) => tools.find((each) => each['tool'] === tool);
  expect(of('list_tasks')).toMatchObject({ calls: 2, failed: 0, repeated: 1 });
  expect(of('list_tasks')?.['median_ms']).toBeGreaterThan(0);
  expect(of('complete_task')).toMatchObject({ calls: 1, failed: 1 });
  expect(of('delete_task')).toMatchObject({ calls: 0, median_ms: null });
  const { stdout } = await run('sessions', 'list');
  expect(stdout).toMatch(/todo:delete_task +never called/);
});

it('makes a suite of its calls, whose requests a person writes', async () => {
  const [file = ''] = files();
  const made = await run('suite', 'import', file, '--out', at('cases.yaml'));
  expect(made.code, made.stderr).toBe(0);
  expect(made.stderr).toContain('A server never sees what a person asked for');
  const suite = readFileSync(at('cases.yaml'), 'utf8');
  expect(suite.match(/FILL IN: what a person asks for/g)).toHaveLength(3);
  expect(suite).toContain('Write to person1@example.com');
  expect(suite).toContain('Recorded 2 times.');
  const early = await run('suite', 'import', at('cases.yaml'));
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('3 cases are still')]);
  writeFileSync(at('cases.yaml'), suite.replaceAll(/FILL IN: .*right/g, 'Do it for user u-1.'));
  const imported = await run('suite', 'import', at('cases.yaml'));
  expect(imported.code, imported.stderr).toBe(0);
});

it('makes a suite by the tools that the session lists where its server was never listed', async () => {
  const [file = ''] = files();
  const fresh = (...args: string[]) => runCommand(args, { workspace: at('fresh') });
  const made = await fresh('suite', 'import', file, '--out', at('fresh.yaml'));
  expect(made.code, made.stderr).toBe(0);
  expect(made.stderr).not.toContain('no registered server');
  expect(readFileSync(at('fresh.yaml'), 'utf8').match(/tool: add_task/g)).toHaveLength(1);
  const unlisted = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.includes('"tools":['))
    .join('\n');
  writeFileSync(at('unlisted.jsonl'), unlisted);
  const refused = await fresh('suite', 'import', at('unlisted.jsonl'), '--out', at('no.yaml'));
  expect(refused.stderr).toContain('todo:add_task');
});

it('reads a session whose last line was cut off by a kill', async () => {
  const [file = ''] = files();
  appendFileSync(file, '{"ms":1,"from":"cli');
  expect((await list()).sessions[0]).toMatchObject({ calls: 4, damaged_lines: 1 });
});

it('names the clients that show nothing of a result which the server sent', async () => {
  const now = new Date().toISOString();
  const lines = [
    {
      ...{ format: 'touchstone-session', version: 1, server: 'files', mode: 'full' },
      ...{ startedAt: now, overrides: [], masked: true },
    },
    ...[
      ['find', { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] }],
      ['read', { content: [{ type: 'text', text: 'a' }] }],
    ].flatMap(([name, result], id) => [
      {
        ms: id,
        from: 'client',
        message: { jsonrpc: '2.0', id, method: 'tools/call', params: { name } },
      },
      { ms: id, from: 'server', message: { jsonrpc: '2.0', id, result } },
    ]),
  ];
  writeFileSync(
    at('workspace', 'sessions', 'links.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const { tools } = await list();
  const of = (tool: string) => tools.find((each) => each['tool'] === tool);
  expect(of('find')?.['shown_empty_in']).toEqual(['opencode', 'Copilot CLI']);
  expect(of('read')?.['shown_empty_in']).toEqual([]);
  expect((await run('sessions', 'list')).stdout).toMatch(/files:find .*opencode, Copilot CLI/);
});

it('deletes sessions beyond the limits of age and size, and all at once', async () => {
  const old = at('workspace', 'sessions', 'old.jsonl');
  writeFileSync(old, 'old');
  utimesSync(old, new Date('2020-01-01'), new Date('2020-01-01'));
  const now = new Date().toISOString();
  await newSessionFile(at('workspace'), { server: 'todo', now });
  expect(files()).not.toContain(old);
  const limits = { ageMs: 1e9, bytes: 10 };
  await newSessionFile(at('workspace'), { server: 'todo', now, limits });
  expect(files()).toEqual([]);
  writeFileSync(old, 'no session');
  expect((await run('sessions', 'remove')).code).toBe(2);
  expect((await run('sessions', 'remove', '--all')).stderr).toContain('--yes');
  const removed = await run('sessions', 'remove', '--all', '--yes', '--json');
  expect(JSON.parse(removed.stdout)).toEqual({ removed: 1 });
  expect(files()).toEqual([]);
});

it('puts the gateway in place of a server in the file of a client, and takes it back, also after the client has written to it', async () => {
  // The one client whose folder a variable names: the home folder of whoever runs this is not touched.
  const config = at('config');
  const file = join(config, 'Claude', 'claude_desktop_config.json');
  const before =
    '\ufeff{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"todo": { "url": "http://127.0.0.1:1/mcp", "headers": { "K": "v" } },\r\n\t\t"shop": { "command": "npx", },\r\n\t}\r\n}\r\n';
  mkdirSync(join(config, 'Claude'), { recursive: true });
  writeFileSync(file, before);
  const configure = (...args: string[]) =>
    runCommand(['gateway', 'todo', '--config', 'claude', ...args], {
      workspace: at('workspace'),
      env: { XDG_CONFIG_HOME: config },
    });
  const shown = await configure();
  expect(JSON.parse(shown.stdout)).toMatchObject({
    mcpServers: {
      todo: { args: expect.arrayContaining(['gateway', 'todo', '--capture']) as unknown },
    },
  });
  const added = await configure('--add', '--yes');
  expect(added.code, added.stderr).toBe(0);
  const { mcpServers } = parse(readFileSync(file, 'utf8').slice(1), [], {
    allowTrailingComma: true,
  }) as { mcpServers: Record<string, Record<string, unknown>> };
  expect(Object.keys(mcpServers['todo'] ?? {})).toEqual(['command', 'args']);
  expect(mcpServers['shop']).toEqual({ command: 'npx' });
  // A kill in the middle of the next change leaves the backup of the first one alone.
  expect((await configure('--add', '--yes')).stdout).toContain('has the entry already');
  const after = readFileSync(file, 'utf8');
  const undone = await configure('--undo');
  expect(undone.code, undone.stderr).toBe(0);
  expect(undone.stdout).toContain(`Restored ${file}`);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readdirSync(join(config, 'Claude'))).toEqual(['claude_desktop_config.json']);
  expect((await configure('--undo')).code).not.toBe(0);

  // A client that runs writes settings of its own.
  const theirs = (text: string) => text.replace('// mine', '"numStartups": 1, // mine');
  expect((await configure('--add', '--yes')).code).toBe(0);
  writeFileSync(file, theirs(after));
  const taken = await configure('--undo');
  expect(taken.code, taken.stderr).toBe(0);
  expect(taken.stdout).toContain('Everything else in it stays.');
  expect(readFileSync(file, 'utf8')).toBe(theirs(before));
  expect(readdirSync(join(config, 'Claude'))).toEqual(['claude_desktop_config.json']);

  expect((await configure('--add', '--yes')).code).toBe(0);
  writeFileSync(file, after.replace('--capture', '--record'));
  const refused = await configure('--undo');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('"todo" was changed since it was added. Nothing was written.');
  expect(refused.stderr).toContain(`The backup is ${file}.touchstone-todo-backup.`);
});

it('has a backup for each server, also where names differ only in signs that no file name has', async () => {
  const config = at('signs');
  const file = join(config, 'Claude', 'claude_desktop_config.json');
  const names = ['my.todo', 'my todo', 'my "todo"'];
  const before = JSON.stringify({
    mcpServers: Object.fromEntries(
      names.map((name) => [name, { url: `http://127.0.0.1:1/${name}` }]),
    ),
  });
  mkdirSync(join(config, 'Claude'), { recursive: true });
  writeFileSync(file, before);
  const configure = (...args: string[]) =>
    runCommand(['gateway', ...args], {
      workspace: at('workspace'),
      env: { XDG_CONFIG_HOME: config },
    });
  for (const [index, name] of names.entries()) {
    await run('servers', 'add', name, '--stdio', `"${process.execPath}" -e 0 ${index}`);
    const added = await configure(name, '--config', 'claude', '--add', '--yes');
    expect(added.code, added.stderr).toBe(0);
  }
  for (const name of names) {
    const undone = await configure(name, '--config', 'claude', '--undo');
    expect(undone.code, undone.stderr).toBe(0);
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(before));
  expect(readdirSync(join(config, 'Claude'))).toEqual(['claude_desktop_config.json']);
});
