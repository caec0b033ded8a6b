import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, visit } from './fixtures.ts';

/** A file as another program keeps it, for the tools of the sample. */
const foreign = JSON.stringify({
  version: '2',
  testCases: [
    { id: 'milk', query: 'Add a task to buy milk', expectedTools: ['mcp__todo__add_task'] },
    { id: 'list', query: 'Show me all of my tasks', expectedTools: ['mcp__todo__list_tasks'] },
    { id: 'hello', query: 'Good morning!', expectedTools: [] },
  ],
});

test('a file of another program leads to a verdict in at most five actions', async ({ window }) => {
  test.slow();
  await visit(window, 'suites/import');
  let actions = 0;
  const act = async (action: Promise<unknown>): Promise<void> => {
    actions += 1;
    await action;
  };
  await act(
    window.locator('input[type=file]').setInputFiles({
      name: 'evals.json',
      mimeType: 'application/json',
      buffer: Buffer.from(foreign),
    }),
  );
  const preview = window.getByRole('region', { name: 'Preview of the import' });
  await expect(preview.getByText('3 cases, no problems')).toBeVisible();
  await act(preview.getByRole('button', { name: 'Import suite' }).click());
  await expect(window.getByRole('heading', { level: 1, name: 'evals' })).toBeVisible();
  await act(window.getByRole('button', { name: 'Run evaluation' }).click());
  await expect(window.getByRole('heading', { name: 'New evaluation' })).toBeVisible();
  await act(window.getByRole('button', { name: 'Run evaluation' }).click());
  await expect(
    window
      .getByRole('region', { name: 'Verdict' })
      .getByRole('heading', { name: /^[0-3] of 3 cases passed$/ }),
  ).toBeVisible({ timeout: 60_000 });
  expect(actions).toBeLessThanOrEqual(5);
  // The same file again brings nothing new.
  await visit(window, 'suites/import');
  await window.locator('input[type=file]').setInputFiles({
    name: 'evals.json',
    mimeType: 'application/json',
    buffer: Buffer.from(foreign),
  });
  await expect(
    preview.getByText('Nothing new: evals has 3 cases of this file already, unchanged.'),
  ).toBeVisible();
  await preview.getByRole('button', { name: 'Open suite' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'evals' })).toBeVisible();
});

/** A table in the words of one team: lists may mean all tools or any, and one column has no role. */
const table = (...rows: string[]): Buffer =>
  Buffer.from(['frage;ziel;abteilung', ...rows, ''].join('\n'));

test('a team’s columns are set once, also for its next file', async ({ window, host }) => {
  test.slow();
  await host.command(['servers', 'check', 'todo']);
  await visit(window, 'suites/import');
  const choose = (name: string, buffer: Buffer): Promise<void> =>
    window.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await choose(
    'march.csv',
    table(
      'Show me all of my tasks;list_tasks, add_task;sales',
      'Put milk on the list;add_task;support',
      'Good morning to you;none;sales',
    ),
  );
  const columns = window.getByRole('group', { name: 'Columns' });
  const preview = window.getByRole('region', { name: 'Preview of the import' });
  await expect(columns.getByText('Columns not used: abteilung')).toBeVisible();
  await columns.getByRole('button', { name: 'Any of them is right' }).click();
  await columns.getByRole('button', { name: 'Keep unused columns as notes' }).click();
  await expect(columns.getByText('Columns not used: abteilung')).toBeHidden();
  await expect(columns.getByLabel('Role of abteilung')).toHaveValue('keep');
  await expect(preview.getByText('3 cases, no problems')).toBeVisible();
  const saved = window.waitForEvent('download');
  await columns.getByRole('button', { name: 'Save as map file' }).click();
  const file = await (await saved).path();
  const map = await readFile(file, 'utf8');
  expect(map).toContain('query: "frage"');
  expect(map).toContain('keep: "abteilung"');
  await preview.getByRole('button', { name: 'Import suite' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'march' })).toBeVisible();
  await visit(window, 'suites/import');
  await choose('april.csv', table('Remind me of the tea;add_task;sales'));
  await expect(columns.getByText('Roles as in the last import of these columns.')).toBeVisible();
  await expect(columns.getByLabel('Role of abteilung')).toHaveValue('keep');
  await expect(columns.getByLabel('Role of ziel')).toHaveValue('acceptable_tools');
  // The command line takes the saved file, and reads the same.
  const may = join(host.workspace, 'may.csv');
  await writeFile(may, table('Show me all of my tasks;list_tasks, add_task;sales'));
  const { stdout } = await host.command(['suite', 'import', may, '--map', file, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ cases: 1, report: { columns_not_used: [] } });
  const shown = await host.command(['suite', 'show', 'may', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    cases: [{ expected_calls: [['todo:list_tasks', 'todo:add_task']] }],
  });
});

test('right answers in a file of their own are joined by the ID of each request', async ({
  window,
}) => {
  await visit(window, 'suites/import');
  const choose = (value: unknown, name: string) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(value)),
  });
  const requests = [
    { id: 'q1', question: 'Add a task to buy milk' },
    { id: 'q2', question: 'Show me all of my tasks' },
  ];
  await window.locator('input[type=file]').setInputFiles(choose(requests, 'requests.json'));
  const preview = window.getByRole('region', { name: 'Preview of the import' });
  await expect(preview.getByText('1 problem')).toBeVisible();
  const add = window.getByRole('button', { name: 'Add a file of answers' });
  const chooser = window.waitForEvent('filechooser');
  await add.click();
  await (
    await chooser
  ).setFiles(
    choose(
      [
        { id: 'q1', tool: 'todo:add_task' },
        { id: 'q2', tool: 'todo:list_tasks' },
      ],
      'answers.json',
    ),
  );
  await expect(preview.getByText('3 columns')).toBeVisible();
  await expect(window.getByText('Joined with “answers.json”')).toBeVisible();
  await window.getByRole('button', { name: 'Remove the answers' }).click();
  await expect(add).toBeVisible();
  await expect(preview.getByText('1 problem')).toBeVisible();
  // A file that holds no records is refused, and the requests stay as they are.
  const again = window.waitForEvent('filechooser');
  await add.click();
  await (
    await again
  ).setFiles({
    name: 'notes.json',
    mimeType: 'application/json',
    buffer: Buffer.from('not a list'),
  });
  await expect(window.getByRole('alert')).toContainText('notes.json');
  await expect(add).toBeVisible();
});
