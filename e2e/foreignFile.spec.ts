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
