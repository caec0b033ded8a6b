import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, visit } from './fixtures.ts';
import type { LaunchedHost } from './launchLoopback.ts';

/** Replaces the text of a code editor by keyboard. */
export async function writeCode(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label, exact: true });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Presses the save button, fills in the changelog and confirms. */
export async function saveAs(page: Page, button: string, changelog: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('textbox', { name: 'Changelog' }).fill(changelog);
  await page.getByRole('button', { name: /^(Save version|Create version 1)$/ }).click();
}

/** Creates a shell tool in the window, and waits for its page. */
export async function createTool(page: Page, name: string): Promise<void> {
  await visit(page, 'workshop/new');
  await page.getByRole('button', { name: /^Shell/ }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Display name' }).fill('Upper case');
  await page
    .getByRole('textbox', { name: 'Description', exact: true })
    .fill('Writes a text in capital letters.');
  await expect(page.getByRole('button', { name: 'Create tool' })).toBeEnabled();
  await saveAs(page, 'Create tool', 'The first one.');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Saves a tool by the command line, as another program would while the window is open. */
export async function saveElsewhere(
  host: LaunchedHost,
  tool: Record<string, unknown>,
): Promise<void> {
  const file = join(host.workspace, `${String(tool['name'])}.tool.json`);
  await writeFile(
    file,
    JSON.stringify({
      touchstone_tool: 1,
      executor_type: 'shell',
      input_schema: { type: 'object', properties: { text: { type: 'string' } } },
      ...tool,
    }),
  );
  await host.command(['workshop', 'save', file]);
}
