import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { commandJson, type FinishedEvaluation } from './commands.ts';
import { expect, serverLine, test, visit } from './fixtures.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';

/**
 * What people expect of a program that they use every day: docs/expectations.md lists all of it.
 * Here are the palette, shortcuts, files, comparisons and Undo; the other `expectations*` files and
 * electron.spec.ts have the rest.
 */
async function fromPalette(page: Page, typed: string, entry: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  const search = page.getByRole('textbox', { name: 'Search the command palette' });
  await search.fill(typed);
  await page.getByRole('button', { name: entry }).first().waitFor();
  await expect(page.locator('[data-selected]').filter({ hasText: entry })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(search).toBeHidden();
}

test('expectation 2: the palette opens any server, suite, case, tool and evaluation by keyboard', async ({
  window,
}) => {
  const { number } = sampleEvaluation();
  await fromPalette(window, 'todo-sample', /^todo-sample/);
  await expect(window.getByRole('heading', { level: 1, name: 'todo-sample' })).toBeVisible();
  await fromPalette(window, 'Something goes onto', /Something goes onto/);
  await expect(window).toHaveURL(/case=/);
  await expect(window.getByRole('complementary')).toBeVisible();
  await fromPalette(window, `#${number} todo`, new RegExp(`^#${number} todo-sample`));
  await expect(window.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText(
    `#${number} todo-sample`,
  );
  await fromPalette(window, 'todo', /^todo$/);
  await expect(window.getByRole('heading', { level: 1, name: 'todo', exact: true })).toBeVisible();
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(window.getByText('complete_task').first()).toBeVisible();
  await visit(window, 'settings');
  await fromPalette(window, 'complete_task', /complete_task.*Tool of todo/);
  await expect(window).toHaveURL(/tools\/todo\/complete_task$/);
  await expect(window.getByRole('heading', { level: 1, name: 'complete_task' })).toBeVisible();
});

test('expectation 3: “?” lists every shortcut of the screen, and closing it returns the focus', async ({
  window,
}) => {
  const { id } = sampleEvaluation();
  const sheet = window.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const [path, labels] of [
    ['tools', ['Add server']],
    ['suites', ['New suite', 'Search suites']],
    ['workshop', ['New tool']],
    ['results', ['New evaluation', 'Search results']],
    [
      `results/${id}?tab=runs`,
      ['Next case in the list', 'Previous case in the list', 'Search cases'],
    ],
  ] as const) {
    await visit(window, path);
    await window.keyboard.press('?');
    for (const label of [
      ...labels,
      'Keyboard shortcuts',
      'Command palette',
      'Move in a table or grid',
      'Close the topmost panel or dialog',
    ])
      await expect(
        sheet.getByText(label, { exact: true }).first(),
        `${path}: ${label}`,
      ).toBeVisible();
    await window.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  }
  const palette = window.getByRole('button', { name: /Go to or do/ });
  await palette.focus();
  await window.keyboard.press('?');
  await expect(sheet).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(palette).toBeFocused();
  await visit(window, 'tools');
  await window.keyboard.press('n');
  await expect(window.getByRole('complementary', { name: 'Add server' })).toBeVisible();
});

/** Drops a file onto an element, as a person does: first held over it, then released. */
async function drop(page: Page, selector: string, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      return transfer;
    },
    [name, text] as const,
  );
  for (const type of ['dragover', 'drop'])
    await page.locator(selector).first().dispatchEvent(type, { dataTransfer: data });
}

test('expectation 4: dropped files and pasted text show errors by line and wait for confirmation', async ({
  window,
}) => {
  const suite = (query: string): string =>
    `version: 1\nname: dropped\nservers: [todo]\ncases:\n  - id: a\n    name: a\n    query: ${query}\n    expected_calls: []\n`;
  await visit(window, 'suites/import');
  await drop(window, 'main :has(> input[type=file])', 'bad.yaml', suite('""'));
  await expect(window.getByText(/7:\d+|line 7/i).first()).toBeVisible();
  await visit(window, 'suites');
  await expect(window.getByText('dropped')).toHaveCount(0);
  await visit(window, 'suites/import');
  await window.getByRole('textbox', { name: 'Or paste its text' }).fill(suite('hello'));
  await window.getByRole('button', { name: 'Preview the pasted text' }).click();
  await window
    .getByRole('button', { name: /^Import suite/ })
    .last()
    .click();
  await expect(window.getByRole('heading', { level: 1, name: 'dropped' })).toBeVisible();

  const servers = JSON.stringify({
    mcpServers: {
      pasted: { command: 'touchstone', args: ['serve-todo', '--stdio'], env: { REGION: 'north' } },
    },
  });
  await visit(window, 'tools');
  await drop(window, 'main h1', 'claude_desktop_config.json', servers);
  await expect(
    window
      .getByRole('article', { name: 'Server pasted' })
      .getByText('touchstone serve-todo --stdio'),
  ).toBeVisible();
  await visit(window, 'tools/import');
  await window.getByRole('textbox', { name: 'Or paste it' }).fill(servers);
  await window.getByRole('button', { name: 'Preview the pasted text' }).click();
  await window.getByRole('button', { name: 'Import 1 server' }).click();
  await expect(serverLine(window, 'pasted').getByText('Not checked yet').first()).toBeVisible();
});

test('expectation 14: a comparison lists regressed cases first', async ({ window, host }) => {
  const { id: base, number } = sampleEvaluation();
  const { evaluation_id: worse } = await commandJson<FinishedEvaluation>(
    host,
    'what-if',
    String(number),
    '--without',
    'todo:complete_task',
    '--quiet',
  );
  await visit(window, `results/${worse}?compare=${base}`);
  await expect(window.getByText(/^(Worse|Within noise): /)).toBeVisible();
  const tabs = window.getByRole('tablist', { name: 'Cases by change' }).getByRole('tab');
  await expect(tabs.first()).toHaveText(/^Broken [1-9]/);
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.nth(1)).toHaveText(/^Fixed/);
  await expect(tabs.nth(2)).toHaveText(/^Still failing/);
  await expect(
    window.getByRole('grid', { name: 'Cases: Broken' }).getByText('todo:complete_task').first(),
  ).toBeVisible();
});

test('expectation 16: Undo restores a deleted suite, and Ctrl+Z a deleted evaluation', async ({
  window,
}) => {
  await visit(window, 'suites');
  await window.getByRole('button', { name: 'New suite' }).click();
  await window.getByRole('textbox', { name: 'Name' }).fill('Short lived');
  await window.getByRole('button', { name: 'Create suite' }).click();
  await expect(window.getByRole('heading', { name: 'Short lived' })).toBeVisible();
  await window.getByRole('button', { name: 'More actions' }).click();
  await window.getByRole('menuitem', { name: 'Delete suite' }).click();
  await window.getByRole('button', { name: 'Undo' }).click();
  await visit(window, 'suites');
  await expect(window.getByText('Short lived').first()).toBeVisible();

  const { number } = sampleEvaluation();
  await visit(window, 'results');
  const row = window
    .getByRole('row')
    .filter({ has: window.getByText(`#${number}`, { exact: true }) });
  await row.getByRole('button', { name: `Delete evaluation ${number}` }).click();
  await expect(row).toHaveCount(0);
  await expect(window.getByRole('button', { name: 'Undo' })).toBeVisible();
  await window.keyboard.press('Control+z');
  await expect(row).toBeVisible();
});

test('expectation 17: saves a result in every format, and a suite as a file', async ({
  window,
}) => {
  const { id } = sampleEvaluation();
  await visit(window, `results/${id}`);
  const saved = async (press: () => Promise<void>): Promise<{ name: string; text: string }> => {
    const download = window.waitForEvent('download');
    await press();
    const file = await download;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };
  for (const [choice, ending, holds] of [
    ['HTML, one file', '.html', 'Add a task: buy milk'],
    ['HTML, one page to print', '.html', 'todo-sample'],
    ['Markdown', '.md', 'todo-sample'],
    ['Markdown for a comment', '.md', 'todo-sample'],
    ['JSON', '.json', '"selection_f1"'],
    ['CSV', '.csv', 'Add a task: buy milk'],
    ['JUnit XML', '.xml', '<testsuite'],
  ] as const) {
    const { name, text } = await saved(async () => {
      await window.getByRole('button', { name: 'Export' }).click();
      await window.getByRole('menuitem', { name: choice, exact: true }).click();
    });
    expect(name.endsWith(ending), `${choice}: ${name}`).toBe(true);
    expect(text, choice).toContain(holds);
  }
  await visit(window, 'suites');
  await window.getByText('todo-sample').first().click();
  await window.getByRole('button', { name: 'More actions' }).click();
  await window.getByRole('menuitem', { name: /^Export/ }).click();
  const suite = await saved(() => window.getByRole('button', { name: /^Save/ }).last().click());
  expect(suite.text).toContain('Add a task: buy milk');
});
