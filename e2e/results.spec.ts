import type { Page } from 'playwright';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { commandJson, evaluate, type FinishedEvaluation } from './commands.ts';
import { expect, expectLoaded, test, visit } from './fixtures.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';

/** Presses Tab until an element of this name has the focus, as a person without a pointer does. */
async function tabTo(page: Page, name: RegExp, maxPresses = 80): Promise<void> {
  for (let pressed = 0; pressed < maxPresses; pressed += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element === null ? '' : (element.getAttribute('aria-label') ?? element.textContent);
    });
    if (name.test(focused.trim())) return;
  }
  throw new Error(
    `Nothing of the name ${String(name)} came into focus within ${maxPresses} presses of Tab.`,
  );
}

test('the keyboard alone leads from the matrix into a case, to the next, and back to its row', async ({
  window,
}) => {
  const { id } = sampleEvaluation();
  await visit(window, `results/${id}`);
  await expect(window.getByRole('grid', { name: 'Expected and called tools' })).toBeVisible();
  await tabTo(window, /^Expected .* called/);
  const name = await window.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? '',
  );
  const [, count = '0'] = /: (\d+) of/.exec(name) ?? [];
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/expected=/);
  await expect(window.getByText(new RegExp(`^${count} runs?$`))).toBeVisible();
  await window.keyboard.press('j');
  await window.keyboard.press('j');
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/\/runs\/[^?]+\?.*expected=/);
  const second = window.url();
  await expect(window.getByRole('button', { name: 'Previous case' })).toBeEnabled();
  await window.keyboard.press('k');
  await expect(window).not.toHaveURL(second);
  // The address changes before the page does: keys count once the buttons are those of the new case.
  await expect(window.getByRole('button', { name: 'Previous case' })).toBeDisabled();
  await expect(window.getByRole('button', { name: 'Next case' })).toBeEnabled();
  await window.keyboard.press('j');
  await expect(window).toHaveURL(second);
  await expect(window.getByRole('button', { name: 'Previous case' })).toBeEnabled();
  await window.keyboard.press('Escape');
  const [, run = ''] = /runs\/([^?]+)/.exec(second) ?? [];
  await expect(window).toHaveURL(new RegExp(`#/results/[^/]+\\?.*expected=.*at=${run}`));
  await expect(window.getByRole('grid', { name: 'Cases' })).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(window, 'the row that one came from').toHaveURL(second);
});

test('the row of the case last opened is in the address and survives a reload', async ({
  window,
}) => {
  const { id } = sampleEvaluation();
  await visit(window, `results/${id}?tab=cases&sort=-executionTimeMs`);
  const grid = window.getByRole('grid', { name: 'Cases' });
  await grid.focus();
  await window.keyboard.press('End');
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/\/runs\//);
  const [, run = ''] = /runs\/([^?]+)/.exec(window.url()) ?? [];
  await expect(window.getByRole('button', { name: 'Previous case' })).toBeEnabled();
  await window.keyboard.press('Escape');
  await expect(window).toHaveURL(new RegExp(`at=${run}`));
  await window.reload();
  await expect(grid.locator('[data-cursor]').first()).toBeVisible();
  await grid.focus();
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(new RegExp(`/runs/${run}`));
});

test('a what-if without a tool lists the cases that change, each with both sides', async ({
  window,
}) => {
  const { id, number } = sampleEvaluation();
  await visit(window, `results/${id}`);
  await window.getByRole('link', { name: 'Estimate a change' }).click();
  // The tools that failed come first, alone; a search and All have the others.
  const tools = window.getByRole('group', { name: 'Which tools' });
  await expect(tools.getByRole('button', { name: /^Failed \d+$/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(window.getByText(/^\d+ of \d+ runs? failed$/).first()).toBeVisible();
  await tools.getByRole('button', { name: /^All / }).click();
  await window.getByRole('checkbox', { name: 'Offer todo:complete_task' }).uncheck();
  await expect(window.getByText('without todo:complete_task')).toBeVisible();
  await window.getByRole('button', { name: 'Run 61 cases with 1 change' }).click();
  await expect(window).toHaveURL(/results\/[^?]+\?compare=/);
  await expect(window.getByText(/^(Worse|Within noise|Better): /)).toBeVisible();
  await expect(window.getByRole('tab', { name: /Broken [1-9]/ })).toBeVisible();
  const regressed = window.getByRole('grid', { name: 'Cases: Broken' });
  await expect(regressed.getByText('todo:complete_task').first()).toBeVisible();
  await regressed.focus();
  await window.keyboard.press('Enter');
  await expect(window.getByRole('region', { name: `Before: #${number}` })).toBeVisible();
  await expect(window.getByRole('img', { name: 'Passed' }).first()).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(window.getByRole('region', { name: `Before: #${number}` })).toBeHidden();
});

test('shows the outcome of every gate from the form', async ({ window }) => {
  await visit(window, `results/new?suite=${sampleEvaluation().suiteId}`);
  await window.getByRole('button', { name: 'Start from defaults' }).click();
  await window.getByRole('button', { name: 'Add gate' }).click();
  const first = window.getByRole('group', { name: 'Gate 1' });
  // A gate without a limit blocks the start.
  await expect(window.getByRole('button', { name: 'Run evaluation' })).toBeDisabled();
  await expect(window.getByText('Enter the limit of the gate.')).toBeVisible();
  await first.getByRole('combobox', { name: 'Compare' }).click();
  await window.getByRole('option', { name: 'Lower bound (95%)' }).click();
  await first.getByRole('textbox', { name: 'Limit' }).fill('0.99');
  await window.getByRole('button', { name: 'Add gate' }).click();
  const second = window.getByRole('group', { name: 'Gate 2' });
  await second.getByRole('combobox', { name: 'Metric' }).click();
  await window.getByRole('option', { name: 'Cost, US dollars (cost_usd)' }).click();
  await expect(second.getByRole('combobox', { name: 'Must be' })).toHaveValue('At most');
  await second.getByRole('textbox', { name: 'Limit' }).fill('1');
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByRole('heading', { name: '46 of 61 cases passed' })).toBeVisible();
  const gates = window.getByRole('group', { name: 'Gates' });
  await expect(gates.getByText('pass_rate.low ≥ 0.99: failed')).toBeVisible();
  await expect(gates.getByText('cost_usd ≤ 1: not decided')).toBeVisible();
});

test('a what-if offers the tools of a file, and says which of them it leaves out', async ({
  window,
}) => {
  const { id } = sampleEvaluation();
  await visit(window, `results/${id}/estimate`);
  const picker = window.waitForEvent('filechooser');
  await window.getByRole('button', { name: 'Add tools from a file' }).click();
  const tools = [
    {
      server: 'more',
      name: 'finish',
      description: 'Completes a task: marks the task as done or complete.',
    },
    { server: 'todo', name: 'add_task', description: 'Offered already.' },
    { server: 'more', name: '' },
  ];
  await (
    await picker
  ).setFiles({
    name: 'more.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ tools })),
  });
  await expect(window.getByText('more:finish')).toBeVisible();
  await expect(window.getByText('Not read: tool 3: It has no name.')).toBeVisible();
  await expect(window.getByText('Already offered. Leave out the other one first.')).toBeVisible();
  await window.getByRole('button', { name: 'Leave out todo:add_task' }).click();
  await expect(window.getByText('with 1 tool from a file')).toBeVisible();
  await window.getByRole('button', { name: 'Run 61 cases with 1 change' }).click();
  await expect(window).toHaveURL(/results\/[^?]+\?compare=/);
  await expect(window.getByText(/^(Worse|Within noise|Better): /)).toBeVisible();
});

test('shows passed, failed and undecided gates of the command line', async ({ window, host }) => {
  const { evaluation_id: id } = await evaluate(
    host,
    'todo-sample',
    '--min',
    'selection_f1=0.1',
    'selection_recall.low=0.99',
    '--max',
    'cost_usd=1',
  );
  await visit(window, `results/${id}`);
  const gates = window.getByRole('group', { name: 'Gates' });
  await expect(gates.getByText('selection_f1 ≥ 0.1: passed')).toBeVisible();
  await expect(gates.getByText('selection_recall.low ≥ 0.99: failed')).toBeVisible();
  await expect(gates.getByText('cost_usd ≤ 1: not decided')).toBeVisible();
});

test('re-scoring with another threshold keeps the old score and its threshold', async ({
  window,
  host,
}) => {
  const { evaluation_id: id } = await evaluate(host, 'todo-sample');
  await visit(window, `results/${id}?tab=confidence`);
  await expect(window.getByText('A confidence of 0.7 or more counts as high.')).toBeVisible();
  await window.getByRole('button', { name: 'More actions' }).click();
  await window.getByRole('menuitem', { name: 'Re-score…' }).click();
  await window.getByRole('textbox', { name: 'High confidence from' }).fill('0.05');
  await window.getByRole('button', { name: 'Re-score', exact: true }).click();
  await expect(window.getByText('A confidence of 0.05 or more counts as high.')).toBeVisible();
  await visit(window, `results/${id}?tab=cases&outcome=passed`);
  await window.getByRole('grid', { name: 'Cases' }).focus();
  await window.keyboard.press('Enter');
  await window.getByText('Run details').click();
  await expect(window.getByText('high confidence from 0.7')).toBeVisible();
});

test('a failing case says what happened, what differs, and which cases fail the same way', async ({
  window,
}) => {
  await visit(window, `results/${sampleEvaluation().id}?tab=failures`);
  await window.getByText('Add a note to task 3 that the shop closes at six').first().click();
  const heading = window.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('add_task was called instead of update_task');
  const row = (name: string) =>
    window.getByRole('region', { name: 'Calls' }).getByRole('row').filter({ hasText: name });
  await expect(row('task_id')).toContainText('Missing');
  // What a wrong tool was given besides is neither right nor wrong.
  await expect(row('title')).toHaveAttribute('data-differs', 'false');
  for (const fold of ['System prompt', 'Tools offered', 'Raw exchange', 'Run details'])
    await window.getByText(fold, { exact: true }).click();
  await expect(window.getByText('Call no tool where none fits.').last()).toBeVisible();
  await expectAccessible(window);
  await window
    .getByRole('region', { name: 'Same cause' })
    .getByRole('link', { name: 'I misspelled task 5, it should say "Grocery run"' })
    .click();
  await expect(heading).toHaveText('add_task was called instead of update_task');
  await expect(window.getByRole('region', { name: 'Request' })).toContainText('Grocery run');
  const within = window.getByText(/^Failure \d+ of \d+$/);
  const [, total = ''] = / of (\d+)$/.exec((await within.textContent()) ?? '') ?? [];
  expect(Number(total), 'the cases of the cause, not all 15 failures').toBeLessThan(15);
  await window
    .getByRole('button', { name: /^(Previous|Next) case$/, disabled: false })
    .first()
    .click();
  await expect(heading).toHaveText('add_task was called instead of update_task');
  await expect(within).toContainText(` of ${total}`);
  await window.getByRole('link', { name: /^Fix (update|add)_task$/ }).click();
  await expect(window).toHaveURL(/tools\/todo\/(update|add)_task\/edit\?result=.*model=/);
});

test('re-running a case creates an evaluation of its own', async ({ window }) => {
  const { id } = sampleEvaluation();
  await visit(window, `results/${id}?tab=cases`);
  await window.getByRole('grid', { name: 'Cases' }).focus();
  await window.keyboard.press('Enter');
  await window.getByRole('button', { name: 'Re-run case' }).click();
  await expect(window.getByText('Completed', { exact: true })).toBeVisible();
});

test('the tabs of a result are accessible', { tag: '@picture' }, async ({ window, host }) => {
  const base = await evaluate(
    host,
    'todo-sample',
    '--repetitions',
    '2',
    '--min',
    'selection_f1.low=0.5',
  );
  for (const tab of ['runs', 'matrix', 'arguments', 'repetitions']) {
    await visit(window, `results/${base.evaluation_id}?tab=${tab}`);
    await expectAccessibleInBothThemes(window, `result-${tab}`);
  }
});

test('gates and what-if are accessible', { tag: '@picture' }, async ({ window }) => {
  const { id } = sampleEvaluation();
  await visit(window, 'results/new');
  await window.getByRole('button', { name: 'Add gate' }).click();
  await window
    .getByRole('group', { name: 'Gate 1' })
    .getByRole('textbox', { name: 'Limit' })
    .fill('0.8');
  await window.getByRole('button', { name: 'Add gate' }).scrollIntoViewIfNeeded();
  await expectAccessibleInBothThemes(window, 'gates');
  await visit(window, `results/${id}/estimate`);
  const picker = window.waitForEvent('filechooser');
  await window.getByRole('button', { name: 'Add tools from a file' }).click();
  await (
    await picker
  ).setFiles({
    name: 'more.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({
        tools: [{ server: 'more', name: 'finish', description: 'Completes a task.' }],
      }),
    ),
  });
  await expect(window.getByText('more:finish')).toBeVisible();
  await window.getByRole('searchbox', { name: 'Search tools' }).fill('add_task');
  await window.getByRole('button', { name: 'Change todo:add_task' }).click();
  await window.getByRole('textbox', { name: 'Description' }).fill('Puts a new entry on the list.');
  await expectAccessibleInBothThemes(window, 'what-if');
});

test(
  'comparison, trend and metrics are accessible',
  { tag: '@picture' },
  async ({ window, host }) => {
    const base = await evaluate(host, 'todo-sample', '--repetitions', '2');
    const changed = await commandJson<FinishedEvaluation>(
      host,
      'what-if',
      String(base.number),
      '--without',
      'todo:update_task',
      '--quiet',
    );
    await visit(window, `results/${changed.evaluation_id}?compare=${base.evaluation_id}`);
    await expect(window.getByRole('tab', { name: /Broken/ })).toBeVisible();
    await window.getByRole('grid', { name: /^Cases: / }).focus();
    await window.keyboard.press('Enter');
    await expectLoaded(window);
    await expectAccessibleInBothThemes(window, 'compare');
    for (const [name, path] of [
      ['trend', `suites/${sampleEvaluation().suiteId}`],
      ['metrics', 'results/numbers?f.suite=todo-sample'],
    ] as const) {
      await visit(window, path);
      await expect(window.getByRole('grid').first()).toBeVisible();
      await expectAccessibleInBothThemes(window, name);
    }
  },
);

test('runs an evaluation again with repetitions and says which cases are flaky', async ({
  window,
}) => {
  await visit(window, `results/${sampleEvaluation().id}?tab=repetitions`);
  await window.getByRole('button', { name: 'Run again with repetitions' }).click();
  const dialog = window.getByRole('dialog', { name: /^Run #\d+ again$/ });
  await expect(dialog.getByText('About 305 runs. No model is called')).toBeVisible();
  await expectAccessible(window);
  const field = dialog.getByRole('textbox', { name: 'Repetitions' });
  await field.fill('0');
  await expect(dialog.getByRole('button', { name: 'Run again' })).toBeDisabled();
  await field.fill('2');
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expect(window.getByRole('heading', { name: '92 of 122 runs passed' })).toBeVisible();
  await window.getByRole('tab', { name: 'Numbers' }).click();
  await expect(window.getByText(/^None of 61 repeated cases is flaky/)).toBeVisible();
  await expectAccessible(window);
});

test('saves a failing request as a new case with the call that was made', async ({ window }) => {
  await visit(window, `results/${sampleEvaluation().id}`);
  await window.getByText('Add a note to task 3 that the shop closes at six').first().click();
  await window.getByRole('button', { name: 'Save as new case' }).click();
  await expectAccessible(window);
  await window.getByRole('menuitem', { name: 'With the call that was made' }).click();
  await expect(window).toHaveURL(/suites\/[^?]+\?case=/);
  const panel = window.getByRole('complementary').filter({ hasText: '(copy)' });
  await expect(panel.getByLabel('Query')).toHaveValue(
    'Add a note to task 3 that the shop closes at six',
  );
  await expect(panel.getByLabel('Tool of call 1')).toHaveValue('todo:add_task');
});

test('leads from the result of new cases back to the edit that needed them', async ({ window }) => {
  const query = new URLSearchParams({
    suite: sampleEvaluation().suiteId,
    return: '/tools/todo/add_task/edit?text=Adds%20it.&source=rule',
  });
  await visit(window, `results/new?${query.toString()}`);
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await window.getByRole('tab', { name: /^All runs/u }).click();
  await window.getByRole('link', { name: 'Back to the edit' }).click();
  await expect(window.getByLabel('Description', { exact: true })).toHaveValue('Adds it.');
});
