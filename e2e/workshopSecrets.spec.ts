import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';
import { createTool, saveAs, writeCode } from './workshopHelpers.ts';

test('declares a secret, refuses to run without it, and redacts its value', async ({ window }) => {
  await createTool(window, 'asks_shop');
  await window.getByRole('tab', { name: /^Script/ }).click();
  await writeCode(window, 'Shell script', 'printf "%s %s" "${#SHOP_TOKEN}" "$SHOP_TOKEN"\n');
  await window.getByRole('tab', { name: /^Secrets/ }).click();
  await expect(window.getByText('This tool needs no secrets.')).toBeVisible();
  const names = window.getByRole('combobox', { name: 'Names' });
  await names.fill('PATH');
  await names.press('Enter');
  await expect(window.getByText('The system uses this name.')).toBeVisible();
  await names.press('Backspace');
  await names.fill('SHOP_TOKEN');
  await names.press('Enter');
  await expect(window.getByText(/Save the tool to enter the value of SHOP_TOKEN/)).toBeVisible();
  await saveAs(window, 'Save', 'Asks the shop.');

  await window.getByRole('tab', { name: 'Secrets (1 not set)' }).click();
  await expectAccessible(window);
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('a');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByText(/its secret SHOP_TOKEN has no value/)).toBeVisible();

  await window.getByRole('tab', { name: /^Secrets/ }).click();
  await window.getByRole('button', { name: 'Set SHOP_TOKEN' }).click();
  await window.getByLabel('Value of SHOP_TOKEN').fill('canary-of-the-shop-1');
  await window.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(window.getByText('set, in memory until Touchstone closes')).toBeVisible();
  await expect(window.getByRole('tab', { name: 'Secrets', exact: true })).toBeVisible();
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('a');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByRole('region', { name: 'Output' })).toHaveText('20 [redacted]');

  await visit(window, 'settings');
  const listed = window.getByRole('list', { name: 'Secrets of workshop tools' });
  await expect(listed).toContainText('SHOP_TOKEN');
  await listed.getByRole('link', { name: 'asks_shop' }).click();
  await window.getByRole('button', { name: 'Remove SHOP_TOKEN' }).click();
  await expect(window.getByRole('tab', { name: 'Secrets (1 not set)' })).toBeVisible();
});

test('adds the server to a client’s file after a preview, and undoes that', async ({
  window,
  host,
}) => {
  test.skip(process.platform !== 'linux', 'The folder of configurations is set on Linux only.');
  const file = join(host.workspace, 'config', 'Code', 'User', 'mcp.json');
  const before = '{\n  // mine\n  "servers": {\n    "shop": { "command": "npx" }\n  }\n}\n';
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, before);
  await host.command(['workshop', 'category', 'create', 'texts']);
  for (const name of ['in_group', 'alone']) {
    const tool = { touchstone_tool: 1, name, description: 'Says hi.', script: null };
    const path = join(host.workspace, `${name}.tool.json`);
    const more = {
      executor_type: 'shell',
      executor_config: { command: 'printf', args: ['hi'] },
      input_schema: { type: 'object', properties: {} },
    };
    await writeFile(path, JSON.stringify({ ...tool, ...more }));
    const category = name === 'in_group' ? ['--category', 'texts'] : [];
    await host.command(['workshop', 'save', path, ...category]);
    await host.command(['workshop', 'status', name, 'ACTIVE']);
  }
  const chooseClient = async (): Promise<void> => {
    await window.getByRole('combobox', { name: 'Client', exact: true }).click();
    await window.getByRole('option', { name: 'VS Code', exact: true }).click();
  };
  await visit(window, 'workshop?panel=serve');
  await expect(window.getByRole('region', { name: 'texts' })).toContainText('in_group');
  await expect(window.getByRole('region', { name: 'No category' })).toContainText('alone');
  await expect(window.getByText(/Doesn’t exist yet, would be created/)).toBeVisible();
  await chooseClient();
  const text = await window.getByRole('region', { name: 'Configuration of VS Code' }).textContent();
  expect(JSON.parse(text ?? '')).toMatchObject({
    servers: { 'touchstone-workshop': { type: 'stdio' } },
  });
  await expectAccessible(window);

  await window.getByRole('button', { name: 'Add to VS Code …' }).click();
  const dialog = window.getByRole('dialog', { name: 'Add the workshop to VS Code' });
  await expect(dialog.getByRole('textbox', { name: 'After' })).toContainText('touchstone-workshop');
  await expect(dialog.getByRole('textbox', { name: 'After' })).not.toContainText('npx');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await readFile(file, 'utf8')).toBe(before);
  await window.getByRole('button', { name: 'Add to VS Code …' }).click();
  await dialog.getByRole('button', { name: 'Write to file' }).click();
  await expect(window.getByText('In the configuration of VS Code')).toBeVisible();
  expect(await readFile(file, 'utf8')).toContain('// mine');
  await window.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(window.getByRole('button', { name: 'Add to VS Code …' })).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(before);

  await writeFile(file, '{\n  "servers": oops\n}\n');
  await window.reload();
  await chooseClient();
  await expect(window.getByText(/Line 2, column 14/)).toBeVisible();
  await expect(window.getByRole('button', { name: 'Add to VS Code …' })).toHaveCount(0);
});
