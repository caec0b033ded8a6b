import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test, visit } from './fixtures.ts';

test.use({ startFrom: 'empty' });
const shots = '/tmp/h/shots';
let n = 0;
async function shot(window: Page, name: string): Promise<void> {
  n += 1;
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme });
    await window.waitForTimeout(250);
    await window.screenshot({ path: `${shots}/${String(n).padStart(2, '0')}-${name}-${colorScheme}.png` });
  }
  await window.emulateMedia({ colorScheme: 'light' });
}

test('clients', async ({ window, host }) => {
  test.setTimeout(300_000);
  const file = join(host.workspace, 'tools.json');
  await writeFile(
    file,
    JSON.stringify({
      tools: [
        { server: 'parcels', name: 'track_parcel', description: 'Says where a parcel is.', input_schema: { type: 'object', properties: { parcel: { type: 'string' } } } },
        { server: 'parcels', name: 'send_parcel', description: 'Sends a parcel.', input_schema: { type: 'object', properties: { parcel: true } } },
      ],
    }),
  );
  await visit(window, '');
  await shot(window, 'overview-empty');
  await visit(window, 'tools/clients');
  await shot(window, 'clients-empty');
  console.log(await host.command(['servers', 'check', 'todo']));
  await visit(window, 'tools/clients');
  await shot(window, 'clients-todo');
  const grid = window.getByRole('grid', { name: 'Tools by client' });
  await grid.getByRole('row').nth(1).click();
  await shot(window, 'clients-row');
  await visit(window, 'tools/todo/add_task');
  await window.getByText('What the model sees in each client').scrollIntoViewIfNeeded();
  await shot(window, 'tool-page');
  await visit(window, 'results/new');
  await window.getByText('Prompt, arguments, order, and limits').click();
  await window.getByRole('combobox', { name: 'Present tools as' }).click();
  await shot(window, 'present-as');
  for (const name of ['No client: as providers take them', 'Claude Code', 'Codex'])
    await window.getByRole('option', { name, exact: true }).click();
  await window.keyboard.press('Escape');
  await shot(window, 'plan');
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByRole('grid', { name: 'By client' }).getByText('Codex')).toBeVisible({ timeout: 100_000 });
  await window.waitForTimeout(3000);
  await shot(window, 'by-client');
});

test('agent', async ({ window }) => {
  test.setTimeout(300_000);
  await visit(window, 'results/new');
  const model = window.getByRole('group', { name: 'Model 1' });
  await model.getByRole('combobox', { name: 'Provider' }).click();
  await window.getByRole('option', { name: 'Agent' }).click();
  const name = model.getByRole('combobox', { name: 'Agent', exact: true });
  await shot(window, 'agent-form');
  await name.fill('codex');
  await window.waitForTimeout(1500);
  await shot(window, 'agent-codex');
  await name.fill('sample');
  await window.waitForTimeout(1500);
  await shot(window, 'agent-sample');
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByText('Completed', { exact: true })).toBeVisible({ timeout: 200_000 });
  await shot(window, 'agent-result');
});

test('capture', async ({ window, host }) => {
  test.setTimeout(300_000);
  await visit(window, 'suites');
  await window.getByRole('link', { name: 'Captured sessions' }).click();
  await shot(window, 'sessions-empty');
  await window.getByRole('button', { name: 'Capture a client' }).click();
  await window.getByRole('combobox', { name: 'Server' }).click();
  await window.getByRole('option', { name: 'todo', exact: true }).click();
  await shot(window, 'capture-panel');
  const lines = [
    '{"format":"touchstone-session","version":1,"server":"todo","mode":"full","startedAt":"2026-11-20T09:00:00.000Z","overrides":[],"masked":true}',
    '{"ms":5,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"claude-code","version":"2.1.197"}}}}',
    '{"ms":900,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add_task","arguments":{"user_id":"u-1","title":"Buy milk"}}}}',
    '{"ms":910,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\\"task_id\\":\\"t-1\\"}"}]}}}',
    '{"ms":1500,"from":"client","message":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_tasks","arguments":{"user_id":"u-1"}}}}',
    '{"ms":1506,"from":"server","message":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\\"tasks\\":[]}"}]}}}',
  ];
  const file = join(host.workspace, 'session.jsonl');
  await writeFile(file, lines.join('\n'));
  await window.getByRole('button', { name: 'Add to Claude Desktop …' }).click();
  await shot(window, 'capture-preview');
  await window.getByRole('button', { name: 'Create file' }).click();
  await expect(window.getByText('In the configuration of Claude Desktop')).toBeVisible();
  await shot(window, 'capture-added');
  await window.getByRole('button', { name: 'Undo' }).click();
  await window.waitForTimeout(500);
  await shot(window, 'capture-undone');
  const { mkdir, copyFile } = await import('node:fs/promises');
  await mkdir(join(host.workspace, 'sessions'), { recursive: true });
  await copyFile(file, join(host.workspace, 'sessions', 'one.jsonl'));
  await visit(window, 'suites/sessions');
  await window.waitForTimeout(800);
  await shot(window, 'sessions-one');
  await window.getByRole('grid', { name: 'Captured sessions' }).getByRole('row').nth(1).click();
  await window.waitForTimeout(1500);
  await shot(window, 'session-open');
});
