import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { commandJson } from './commands.ts';
import { expect, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';
import type { LaunchedHost } from './launchLoopback.ts';

test.use(startedBefore);

const evaluated = ['eval', '--suite', 'few-tasks', '--only', 'tasks', '--provider', 'builtin'];
const executed = ['--execute', 'full', '--yes'];
/** Of the sample, two that fail and one that succeeds in each half: every run starts a server. */
const chosen = ['count', 'clean-up', 'show', 'complete-by-name', 'add-three-at-once', 'rename'];
const copied = /^No real data changes: each run works on a throwaway copy of todo/;

interface Evaluated {
  evaluation_id: string;
  runs: { run_id: string; task: string }[];
}

let evaluation: Promise<Evaluated> | null = null;

/** One evaluation serves all tests of the file: none of them changes it. */
const evaluate = (host: LaunchedHost): Promise<Evaluated> => (evaluation ??= evaluateChosen(host));

async function evaluateChosen(host: LaunchedHost): Promise<Evaluated> {
  const { stdout } = await host.command(['suite', 'export', 'todo-tasks', '--format', 'json']);
  const { cases, ...suite } = JSON.parse(stdout) as { cases: { id: string }[] };
  const file = join(host.workspace, 'few-tasks.suite.json');
  await writeFile(
    file,
    JSON.stringify({
      ...suite,
      name: 'few-tasks',
      cases: cases.filter(({ id }) => chosen.includes(id)),
    }),
  );
  await commandJson(host, 'suite', 'import', file);
  return commandJson<Evaluated>(host, ...evaluated, ...executed);
}

test(
  'leads from a failed task over its tool, an estimate and a proof to a patch',
  { tag: '@picture' },
  async ({ window, host }) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    const { evaluation_id: id, runs } = await evaluate(host);
    await visit(window, `results/${id}`);
    const failures = window.getByRole('region', { name: 'Failures by tool' });
    await expect(failures.getByRole('link', { name: 'Fix list_tasks' })).toBeVisible();
    await expect(failures.getByText(/^Called nothing where/).first()).toBeVisible();
    await expectAccessible(window);
    const run = runs.find(({ task }) => task === 'count');
    await visit(window, `results/${id}/runs/${run?.run_id ?? ''}`);
    await window.getByRole('link', { name: 'Fix list_tasks' }).click();
    await expect(
      window.getByRole('heading', { level: 1, name: /^\d failing tasks? involves? list_tasks$/ }),
    ).toBeVisible();
    const failing = window.getByRole('region', { name: 'Failing tasks' });
    await expect(failing.getByRole('link').first()).toBeVisible();
    const description = window.getByLabel('Description', { exact: true });
    const before = await description.inputValue();
    const text = `${before} It also tells how many tasks somebody still has to do.`;
    await description.fill(text);
    await expect(window.getByRole('insertion').first()).toBeVisible();
    const checks = window.getByRole('list', { name: 'Checks' });
    await expect(checks.getByText('Shares no long phrase with a request')).toBeVisible();
    await window.getByText(/^Parameters \(\d+\)$/).click();
    await window.getByLabel('user_id', { exact: true }).fill('Whose tasks to list.');
    await expect(window.getByText('description of user_id')).toBeVisible();
    await window.getByText('Title', { exact: true }).first().click();
    await expect(window.getByRole('textbox', { name: 'Title' })).toBeVisible();
    await expect(window.getByRole('textbox', { name: 'Name', exact: true })).toHaveCount(0);
    // Nothing runs before the person agrees to what is executed.
    const estimate = window.getByRole('button', { name: 'Estimate' });
    await expect(estimate).toBeDisabled();
    await expect(window.getByText(copied)).toBeVisible();
    await window.getByRole('checkbox', { name: /^I agree/ }).check();
    await expectAccessible(window);
    await takePicture(window, 'task-fix');
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await estimate.click();
    const effect = window.getByRole('region', { name: 'Estimated effect' });
    await expect(effect.getByText(/tasks? .*in the search half$/)).toBeVisible({ timeout: 60_000 });
    await expect(window.getByRole('table', { name: 'Candidates' })).toBeVisible();
    await window.getByRole('button', { name: /^Prove on \d+ tasks/ }).click();
    const dialog = window.getByRole('dialog', { name: 'Use the proof of this candidate?' });
    await expect(dialog.getByText(/held-out tasks? can decide it/)).toBeVisible();
    await expect(dialog.getByText(copied)).toBeVisible();
    await dialog.getByRole('button', { name: 'Prove now' }).click();
    const proof = window.getByRole('region', { name: 'Proof' });
    await expect(proof.getByRole('heading', { name: /^(Proven|Rejected|Undecided)$/ })).toBeVisible(
      { timeout: 60_000 },
    );
    await expectAccessible(window);
    await window.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(window);
    await window.emulateMedia({ colorScheme: 'light' });
    await visit(window, 'tools/todo/list_tasks');
    const candidates = window.getByRole('table', { name: 'Candidates' });
    await expect(candidates.or(window.getByRole('region', { name: 'Proven fix' }))).toBeVisible();
    await window.getByRole('link', { name: /^(Open Candidate 1|View candidate)$/u }).click();
    await expect(description).toHaveValue(text);
  },
);

test(
  'repeats tasks with another description and says what would change before it starts',
  { tag: '@picture' },
  async ({ window, host }) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    const { evaluation_id: id } = await evaluate(host);
    await visit(window, `results/${id}/estimate`);
    await expect(
      window.getByRole('heading', { level: 1, name: /^Estimate a change of #\d+ / }),
    ).toBeVisible();
    await expect(window.getByText('No data changes: no tool is executed.')).toBeVisible();
    await window.getByRole('radio', { name: 'Read-only' }).check();
    await expect(window.getByText(copied)).toBeVisible();
    await window.getByRole('searchbox', { name: 'Search tools' }).fill('todo:list_tasks');
    await window.getByRole('button', { name: 'Change todo:list_tasks' }).click();
    const description = window.getByLabel('Description', { exact: true });
    const before = await description.inputValue();
    await description.fill(`${before} Use it when a request asks how many tasks are open.`);
    await window.getByRole('radio', { name: 'Full', exact: true }).check();
    const start = window.getByRole('button', { name: /^Run \d+ tasks? (again|with 1 change)$/u });
    await expect(start).toBeDisabled();
    await expect(window.getByText(copied)).toBeVisible();
    await window.getByRole('checkbox', { name: /^I agree/ }).check();
    await expect(start).toBeEnabled();
    await expectAccessible(window);
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await start.click();
    await expect(window).toHaveURL(/results\/[^?]+\?compare=/u);
    await expect(window.getByText(/^Within noise: /u)).toBeVisible({ timeout: 60_000 });
    await window.getByRole('row', { name: /Count the open tasks/u }).click();
    await expect(window.getByRole('link', { name: 'Compare step by step' })).toBeVisible();
  },
);
