import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { fakeServerCommand } from './commands.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';
import type { TestHost } from './hostPool.ts';

/** Starts the server as the client's file says, as the client would. */
async function useClient(file: string): Promise<void> {
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const { command = '', args = [] } = mcpServers['todo'] ?? {};
  const client = new Client({ name: 'stand-in', version: '3.1' });
  const env = { PATH: process.env['PATH'] ?? '', TOUCHSTONE_KEYCHAIN: 'off' };
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  await client.listTools();
  for (const title of ['Tea', 'Milk for mia@shop.test', 'Tea'])
    await client.callTool({ name: 'add_task', arguments: { user_id: 'u-1', title } });
  await client.close();
}

const fiveActions =
  'captures a client, makes a suite of its session in five actions, and restores its file';
test(fiveActions, { tag: '@picture' }, async ({ window, host }) => {
  const file = join(host.workspace, 'config', 'Claude', 'claude_desktop_config.json');
  const before = '{ "mcpServers": { "todo": { "url": "http://127.0.0.1:9/mcp" } } }\n';
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, before);
  await host.command(['servers', 'check', 'todo']);

  await visit(window, 'suites');
  await window.getByRole('link', { name: 'Captured sessions' }).click();
  await expect(window.getByText('No sessions yet.')).toBeVisible();
  await window.getByRole('button', { name: 'Capture a client' }).click();
  await window.getByRole('combobox', { name: 'Server' }).click();
  await window.getByRole('option', { name: 'todo', exact: true }).click();
  await window.getByRole('button', { name: 'Update in Claude Desktop …' }).click();
  await window.getByRole('button', { name: 'Write to file' }).click();
  await expect(window.getByText('In the configuration of Claude Desktop')).toBeVisible();

  await useClient(file);

  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(window.getByRole('button', { name: 'Update in Claude Desktop …' })).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(before);

  await window.getByRole('button', { name: 'Close panel' }).click();
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('1 captured session');
  const session = window.getByRole('grid', { name: 'Captured sessions' }).getByRole('row').nth(1);
  await expect(session).toContainText('stand-in 3.1');
  const tools = window.getByRole('grid', { name: 'Tools in these sessions' });
  await expect(tools.getByRole('row').filter({ hasText: 'delete_task' })).toContainText(
    'Never called',
  );
  // Without the notices of what was done.
  await window.reload();
  await expect(session).toBeVisible();
  await takePicture(window, 'sessions');
  await expectAccessibleInBothThemes(window);
  // From the session to a suite: what a person does, one by one.
  const actions = [
    () => session.click(),
    () => window.getByLabel('Query of proposal 1').fill('Remind me of the tea.'),
    () => window.getByLabel('Query of proposal 2').fill('We need milk.'),
    () => window.getByLabel('Select all matching proposals').check(),
    () => window.getByRole('button', { name: 'Accept 2 cases' }).click(),
  ];
  for (const act of actions) await act();
  await expect(window.getByText('Added 2 cases to the suite.')).toBeVisible();
  expect(actions.length).toBeLessThanOrEqual(5);

  await visit(window, 'suites/sessions');
  await window.getByRole('button', { name: 'Delete all' }).click();
  await window.getByRole('button', { name: 'Delete 1 session' }).click();
  await expect(window.getByText('No sessions yet.')).toBeVisible();
});

const message = { jsonrpc: '2.0', id: 1 };
const call = { ...message, method: 'tools/call', params: { name: 'list_tasks', arguments: {} } };
const used = [
  { ms: 1, from: 'client', message: call },
  { ms: 2, from: 'server', message: { ...message, result: { content: [] } } },
];

/** Writes a session as a gateway does, without telling the window; answers with its file. */
async function capture(
  { workspace }: TestHost,
  name: string,
  server = 'todo',
  lines: object[] = used,
): Promise<string> {
  const file = join(workspace, 'sessions', `${name}.jsonl`);
  const head = {
    ...{ format: 'touchstone-session', version: 1, server, mode: 'full' },
    ...{ startedAt: new Date(0).toISOString(), overrides: [], masked: true },
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, [head, ...lines].map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

test('names a suite by the session that is open, and says why another has no cases', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'check', 'todo']);
  await capture(host, 'idle', 'mail', []);
  const one = await capture(host, 'one');
  const other = await capture(host, 'other');

  await visit(window, 'suites/sessions');
  await window.getByRole('grid', { name: 'Captured sessions' }).getByText('mail').click();
  await expect(window.getByText('The client called no tool in this session')).toBeVisible();
  await window.getByRole('link', { name: 'Open another session' }).click();
  await expect(window.getByRole('heading', { name: '3 captured sessions' })).toBeVisible();
  const open = (file: string): Promise<void> =>
    visit(window, `suites/sessions?of=${encodeURIComponent(file)}`);
  const name = window.getByLabel('Name of the new suite');
  await open(one);
  await name.fill('Mine');
  await open(other);
  await expect(name).toHaveValue('todo');
  await visit(window, 'suites/sessions?of=gone.jsonl');
  await expect(window.getByText('That session is no longer there')).toBeVisible();
});

test('shows what was captured meanwhile on each way back to the list, and opens it by its address', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'check', 'todo']);
  await host.command(['sessions', 'remove', '--all', '--yes']);
  await capture(host, 'first');
  await visit(window, 'suites/sessions');
  const heading = window.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('1 captured session');

  await window.getByRole('button', { name: 'Capture a client' }).click();
  await expect(window.getByRole('complementary', { name: 'Capture a client' })).toBeVisible();
  await capture(host, 'second');
  await window.goBack();
  await expect(heading).toHaveText('2 captured sessions');

  await window.getByRole('grid', { name: 'Captured sessions' }).getByRole('row').nth(1).click();
  await expect(heading).toHaveText('Cases from a session with todo');
  await capture(host, 'third');
  await window.getByRole('link', { name: 'Captured sessions' }).click();
  await expect(heading).toHaveText('3 captured sessions');

  const fourth = await capture(host, 'fourth');
  await visit(window, `suites/sessions?of=${encodeURIComponent(fourth)}`);
  await expect(heading).toHaveText('Cases from a session with todo');
});

test('two windows agree on what one of them added, undid, or deleted', async ({ window, host }) => {
  await host.command(['servers', 'check', 'todo']);
  await host.command(['sessions', 'remove', '--all', '--yes']);
  const other = await window.context().newPage();
  await other.goto(await host.newUrl());
  const open = async (page: typeof window): Promise<void> => {
    await visit(page, 'suites/sessions?capture');
    await page.getByRole('combobox', { name: 'Server' }).click();
    await page.getByRole('option', { name: 'todo', exact: true }).click();
  };
  const button = (page: typeof window, name: string) => page.getByRole('button', { name });
  const added = (page: typeof window) => page.getByText('In the configuration of Claude Desktop');
  await open(window);
  await open(other);
  for (const page of [window, other]) await button(page, 'Claude Desktop …').click();
  const write = /^(Create|Write to) file$/;
  await window.getByRole('button', { name: write }).click();
  await expect(added(window)).toBeVisible();
  await other.getByRole('button', { name: write }).click();
  await expect(
    other.getByText('It has changed in the meantime. Nothing was written.'),
  ).toBeVisible();
  await button(other, 'Cancel').click();
  await expect(added(other)).toBeVisible();

  await button(other, 'Undo').click();
  await expect(button(other, 'Claude Desktop …')).toBeVisible();
  await button(window, 'Undo').click();
  await expect(window.getByText('isn’t in it any more. Nothing was written.')).toBeVisible();
  await expect(button(window, 'Claude Desktop …')).toBeVisible();

  // One makes cases of a session that the other one deletes, and has no list of before afterwards.
  await capture(host, 'shared');
  await visit(window, 'suites/sessions');
  await visit(other, 'suites/sessions');
  const row = (page: typeof window) =>
    page.getByRole('grid', { name: 'Captured sessions' }).getByRole('row').nth(1);
  await expect(row(other)).toBeVisible();
  await row(window).click();
  await window.getByLabel('Name of the new suite').fill('shared');
  await window.getByLabel('Query of proposal 1').fill('What is on my list?');
  await button(other, 'Delete all').click();
  await button(other, 'Delete 1 session').click();
  await expect(other.getByText('No sessions yet.')).toBeVisible();
  await window.getByLabel('Select all matching proposals').check();
  await button(window, 'Accept 1 case').click();
  await expect(window.getByText('Added 1 case to the suite.')).toBeVisible();
  await visit(window, 'suites/sessions');
  await expect(window.getByText('No sessions yet.')).toBeVisible();
  await other.close();

  // Own servers and suites come before those of the sample.
  await host.command(['servers', 'add', 'mine', '--stdio', fakeServerCommand('normal')]);
  await visit(window, 'suites/sessions?capture');
  await expect(window.getByRole('combobox', { name: 'Server' })).toHaveValue('mine');
  await visit(window, 'suites');
  await expect(
    window.getByRole('heading', { level: 1, name: /^\d own suites? .* and \d of the sample$/u }),
  ).toBeVisible();
});
