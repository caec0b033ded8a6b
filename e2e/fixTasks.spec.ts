import { expectAccessible } from './accessibility.ts';
import { commandJson } from './commands.ts';
import { expect, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';

test.use({ startFrom: 'empty' });

test(
  'leads from a failed task over its tool, a what-if and a proof to a patch',
  { tag: '@picture' },
  async ({ window, host }) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    const { evaluation_id: id, runs } = await commandJson<{
      evaluation_id: string;
      runs: { run_id: string; task: string }[];
    }>(
      host,
      ...['eval', '--suite', 'todo-tasks', '--only', 'tasks', '--provider', 'builtin'],
      ...['--execute', 'full', '--yes'],
    );
    const run = runs.find(({ task }) => task === 'count');
    await visit(window, `evaluations/tasks/${id}/runs/${run?.run_id ?? ''}`);
    await window.getByRole('link', { name: 'Fix list_tasks' }).click();
    await expect(window.getByRole('heading', { level: 1, name: /^What-if on #1 / })).toBeVisible();
    await expect(window.getByRole('heading', { name: /^Failing tasks \(\d\)$/ })).toBeVisible();
    const description = window.getByLabel('Description', { exact: true });
    const before = await description.inputValue();
    await description.fill(`${before} Use it when a request asks how many tasks are open.`);
    await expect(window.getByRole('insertion').first()).toBeVisible();
    await window.getByRole('radio', { name: 'Full', exact: true }).check();
    const start = window.getByRole('button', { name: 'Run what-if' });
    await expect(
      window.getByText(/^No real data changes: each run works on its own/),
    ).toBeVisible();
    await expect(start).toBeDisabled();
    await window.getByRole('checkbox', { name: /^I agree/ }).check();
    await expect(start).toBeEnabled();
    await expectAccessible(window);
    await takePicture(window, 'task-what-if');
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await start.click();
    await expect(window).toHaveURL(/evaluations\/compare\?/u);
    await expect(window.getByText(/^Within noise: /u)).toBeVisible({ timeout: 60_000 });
    await window.getByRole('row', { name: /Count the open tasks/u }).click();
    await expect(window.getByRole('link', { name: 'Compare step by step' })).toBeVisible();
    await window.goBack();
    await description.fill(`${before} Use it when a request asks how many tasks are open.`);
    await window.getByRole('button', { name: 'Verify…' }).click();
    const dialog = window.getByRole('dialog', { name: 'Use up one proof?' });
    await expect(dialog.getByText(/^Runs \d+ held-out tasks\./u)).toBeVisible();
    await dialog.getByRole('checkbox').check();
    await expectAccessible(window);
    await dialog.getByRole('button', { name: 'Verify now' }).click();
    await expect(
      window.getByRole('heading', {
        level: 1,
        name: /^(Proven|Rejected|Not decided): success rate from \d+% to \d+% on \d+ held-out tasks/u,
      }),
    ).toBeVisible({ timeout: 60_000 });
    await expectAccessible(window);
    const download = window.waitForEvent('download');
    await window.getByRole('button', { name: 'Export patch' }).click();
    expect((await download).suggestedFilename()).toBe('todo-tasks.md');
  },
);
