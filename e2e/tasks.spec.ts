import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { evaluateTasks } from './commands.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';

const stub = {
  server: 'todo',
  tool: 'add_task',
  result: { id: 7, title: 'Buy milk\u202E' },
};
const turns = ['Add a task "Buy milk" for user u-1.'];
const suite = {
  version: 1,
  name: 'small-tasks',
  servers: ['todo'],
  cases: [
    {
      id: 'kept',
      name: 'Add a task',
      turns,
      checks: [{ calls: { must: ['add_task'] } }],
      stub_results: [stub],
    },
    {
      id: 'missed',
      name: 'Add and delete',
      turns,
      checks: [{ calls: { must: ['add_task', 'delete_task'] } }],
      stub_results: [stub],
    },
  ],
};

test('leads from the list to the result of a task evaluation and the steps of a run', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const { taskEvaluation } = await evaluateTasks(host, join(folder, 'tasks.json'), suite);
  await rm(folder, { recursive: true });

  await visit(window, 'evaluations');
  await window
    .getByRole('grid', { name: 'Task evaluations' })
    .getByText('small-tasks')
    .first()
    .click();
  await expect(window).toHaveURL(new RegExp(`evaluations/tasks/${taskEvaluation}$`, 'u'));
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '1 of 2 tasks succeeded' })).toBeVisible();
  await expect(verdict.getByText(/^50% \(95% CI/u)).toBeVisible();
  await expect(verdict.getByText('1 failed: 1 check failed')).toBeVisible();
  await expect(verdict.getByText(/^Mode stub: .* No call was executed\.$/u)).toBeVisible();
  await expectAccessible(window);

  await window.getByRole('grid', { name: 'Runs' }).getByText('Add and delete').click();
  await expect(window.getByRole('heading', { level: 1, name: /^Check failed: / })).toBeVisible();
  const trajectory = window.getByRole('region', { name: 'Trajectory' });
  await expect(trajectory.getByText('add_task', { exact: true })).toBeVisible();
  await expect(trajectory.getByText('stub result')).toBeVisible();
  await expect(trajectory.getByText('Answer', { exact: true })).toBeVisible();
  await trajectory.getByText('Result', { exact: true }).click();
  await expect(trajectory.getByText('U+202E').first()).toBeVisible();
  const checks = window.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('heading', { name: '1 of 1 check failed' })).toBeVisible();
  await expectAccessible(window);
  await window.setViewportSize({ width: 1024, height: 768 });
  expect(await horizontalOverflow(window)).toBe(0);

  await window.emulateMedia({ colorScheme: 'dark' });
  await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(window);
  await visit(window, `evaluations/tasks/${taskEvaluation}`);
  await expectAccessible(window);
});
