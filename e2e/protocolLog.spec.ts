import type { Page } from 'playwright';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

async function openConnection(page: Page, name: string): Promise<void> {
  await visit(page, 'tools');
  await page.getByRole('link', { name: `Open ${name}`, exact: true }).click();
  await page.getByRole('tab', { name: 'Connection' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Connection' })).toBeVisible();
}

test('shows what is sent and received, and sends a call again', async ({ window, host }) => {
  test.slow();
  const { command, args } = fakeStdioServer();
  await host.command(['servers', 'add', 'wire', '--stdio', [command, ...args].join(' ')]);
  await openConnection(window, 'wire');
  await window.getByRole('button', { name: /^Connect( again)?$/ }).click();
  const log = window.getByRole('grid', { name: 'Messages' });
  const listed = log.getByText('result of tools/list');
  await expect(listed).toBeVisible();
  await expect(log.getByText('process ended without error').first()).toBeVisible();
  await expect(log.getByText('server/discover refused (optional)').first()).toBeVisible();
  await window.getByRole('checkbox', { name: 'Errors only' }).check();
  await expect(window.getByText('No message matches.')).toBeVisible();
  await window.getByRole('checkbox', { name: 'Errors only' }).uncheck();
  await expectAccessible(window);
  await listed.click();
  await expect(window.getByRole('region', { name: 'Message', exact: true })).toContainText(
    '"name": "echo"',
  );
  await window.getByRole('button', { name: 'Show its request' }).click();
  await expect(window.getByRole('heading', { name: 'tools/list', exact: true })).toBeVisible();
  await expectAccessible(window);
  await window.keyboard.press('Escape');

  await visit(window, 'tools/wire/echo?try');
  await window.getByRole('button', { name: 'Call tool' }).click();
  await expect(window.getByText('The tool answered')).toBeVisible();
  await openConnection(window, 'wire');
  await window.getByRole('combobox', { name: 'Method' }).click();
  await window.getByRole('option', { name: 'tools/call' }).click();
  await expect(log.getByText('tools/call echo')).toHaveCount(2);
  await log.getByText('tools/call echo', { exact: true }).click();
  await window.getByRole('button', { name: 'Send again' }).click();
  await expect(window.getByRole('heading', { name: 'result of tools/call echo' })).toBeVisible();
  await expect(log.getByText('result of tools/call echo')).toHaveCount(2);

  await window.getByRole('button', { name: 'Close panel' }).click();
  await window.getByRole('searchbox', { name: 'Search messages' }).fill('no such text');
  await expect(window.getByText('No message matches.')).toBeVisible();
  await window.getByRole('searchbox', { name: 'Search messages' }).fill('');
  await window.getByRole('button', { name: 'Pause' }).click();
  await expect(window.getByRole('button', { name: 'Resume' })).toBeVisible();
  await window.getByRole('button', { name: 'Resume' }).click();
  await window.getByRole('button', { name: 'Clear' }).click();
  await expect(window.getByText(/Messages appear here as soon as/)).toBeVisible();
});
