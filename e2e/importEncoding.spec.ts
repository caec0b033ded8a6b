import { expectAccessibleInBothThemes } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';
import type { Page } from '@playwright/test';

const table =
  'id;query;expected_tool\ncafé;Réserve une table au café Zoé – pour 2;add_task\nplain;Add bread;add_task\n';

/** In Windows-1252, as Excel saves a table: é is one byte, and the dash is 0x96. */
const windows1252 = Buffer.from(table.replaceAll('–', '\x96'), 'latin1');
const utf16 = Buffer.from(`\ufeff${table}`, 'utf16le');

const choose = (window: Page, name: string, buffer: Buffer): Promise<void> =>
  window.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });

async function importAs(window: Page, server: string): Promise<void> {
  await window.getByRole('combobox', { name: 'Server of the tools' }).fill(server);
  await window.getByRole('combobox', { name: 'Server of the tools' }).blur();
  const cases = window.getByRole('grid', { name: 'Cases of the file' });
  await expect(cases.getByText('Réserve une table au café Zoé – pour 2')).toBeVisible();
  await expect(window.getByText('2 exact')).toBeVisible();
  await window.getByRole('button', { name: 'Import suite' }).click();
  await expect(cases).toBeHidden();
  await expect(window.getByText('Réserve une table au café Zoé – pour 2').first()).toBeVisible();
}

test('asks for the encoding of a table from Excel, shows its lines, and imports them', async ({
  window,
  host,
}) => {
  await visit(window, 'suites/import');
  await choose(window, 'excel.csv', windows1252);
  const question = window.getByRole('region', { name: 'Encoding of the file' });
  await expect(question.getByText('line 2, column 4')).toBeVisible();
  await expect(question.getByRole('combobox', { name: 'Encoding' })).toHaveValue('windows-1252');
  const lines = question.getByRole('list', { name: 'Decoded text' });
  await expect(lines.getByText('café;Réserve une table au café Zoé – pour 2')).toBeVisible();
  await expect(window.getByText('�')).toHaveCount(0);
  await expectAccessibleInBothThemes(window);
  // Another encoding reads the same bytes as other characters, and shows that at once.
  await question.getByRole('combobox', { name: 'Encoding' }).click();
  await window.getByRole('option', { name: 'windows-1251' }).click();
  await expect(lines.getByText('cafй;')).toBeVisible();
  await question.getByRole('combobox', { name: 'Encoding' }).click();
  await window.getByRole('option', { name: 'windows-1252' }).click();
  await question.getByRole('button', { name: 'Preview the import' }).click();
  await importAs(window, 'todo');
  const exported = await host.command(['suite', 'export', 'excel']);
  expect(exported.stdout).toContain('Réserve une table au café Zoé – pour 2');
  expect(exported.stdout).not.toContain('�');
});

test('imports UTF-16 with its byte order mark without a question', async ({ window }) => {
  await visit(window, 'suites/import');
  await choose(window, 'unicode.csv', utf16);
  await expect(window.getByText('2 exact')).toBeVisible();
  await expect(window.getByRole('region', { name: 'Encoding of the file' })).toHaveCount(0);
  await importAs(window, 'todo');
});

test('drops what was previewed when another encoding is chosen', async ({ window }) => {
  await visit(window, 'suites/import');
  await choose(window, 'changed.csv', windows1252);
  await window.getByRole('button', { name: 'Preview the import' }).click();
  await expect(window.getByRole('button', { name: 'Import suite' })).toBeVisible();
  await window.getByRole('combobox', { name: 'Encoding' }).click();
  await window.getByRole('option', { name: 'windows-1251' }).click();
  await expect(window.getByRole('button', { name: 'Import suite' })).toHaveCount(0);
});

test('says what a file is that holds no text or no cases', async ({ window }) => {
  await visit(window, 'suites/import');
  await choose(window, 'cases.pdf', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1'));
  await expect(
    window.getByText('“cases.pdf” can’t be imported. It’s a PDF, which isn’t text.'),
  ).toBeVisible();
  await expect(window.getByRole('region', { name: 'Encoding of the file' })).toHaveCount(0);
  await choose(window, 'prompts.md', Buffer.from('# Prompts\n\nWhich tools come next?\n'));
  await expect(window.getByText(/^It’s Markdown\. Touchstone reads suites/)).toBeVisible();
  await expect(window.getByRole('button', { name: 'Import suite' })).toHaveCount(0);
});
