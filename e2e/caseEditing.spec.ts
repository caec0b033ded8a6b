import { writeFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { commandJson } from './commands.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';

const query = 'Add the task "Buy milk" for user u-1.';
const suite = {
  version: 1,
  name: 'either',
  servers: ['todo'],
  cases: [
    {
      id: 'milk',
      name: 'milk',
      query,
      expected_calls: [{ server: 'todo', tool: 'complete_task', parameters: { task_id: 1 } }],
    },
  ],
};

const choose = async (form: Locator, label: string, tool: string, window: Page): Promise<void> => {
  await form.getByRole('combobox', { name: label, exact: true }).fill(tool);
  await window.getByRole('option', { name: new RegExp(`^${tool}`, 'u') }).click();
};

/** Opens the only case of the suite. */
async function openCase(window: Page): Promise<Locator> {
  await visit(window, 'suites');
  await window.getByRole('grid', { name: 'Suites' }).getByText('either').click();
  await window.getByText(query).first().click();
  return window.getByRole('complementary', { name: /milk/u });
}

async function evaluateSuite(window: Page, verdict: string): Promise<void> {
  await visit(window, 'suites');
  await window.getByRole('grid', { name: 'Suites' }).getByText('either').click();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByRole('heading', { name: 'New evaluation' })).toBeVisible();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(
    window.getByRole('region', { name: 'Verdict' }).getByRole('heading', { name: verdict }),
  ).toBeVisible({ timeout: 60_000 });
}

test('a case with two right answers, each with its own arguments, is saved, reopened and scored', async ({
  window,
  host,
}, info) => {
  test.slow();
  const file = info.outputPath('either.json');
  await writeFile(file, JSON.stringify(suite));
  await host.command(['servers', 'check', 'todo']);
  await commandJson(host, 'suite', 'import', file);

  const panel = await openCase(window);
  const call = panel.getByRole('group', { name: 'Expected call 1', exact: true });
  await expect(call.getByRole('radiogroup', { name: 'Arguments', exact: true })).toBeVisible();
  await call.getByRole('button', { name: 'Accept another tool too' }).click();
  await choose(panel, 'Or this tool', 'todo:add_task', window);
  await call.getByRole('checkbox', { name: 'Own arguments for todo:add_task' }).check();
  // What is left of the call is for the other tool.
  await expect(
    call.getByRole('radiogroup', { name: 'Arguments of the other tools' }),
  ).toBeVisible();
  const added = call.getByRole('group', { name: 'Arguments of todo:add_task' });
  await added.getByText('JSON', { exact: true }).click();
  await added.getByRole('textbox').fill('{"title": {"$contains": "milk"}, "user_id": "u-1"}');
  await call.getByRole('checkbox', { name: 'Own arguments for todo:complete_task' }).check();
  await expect(call.getByRole('radiogroup', { name: /^Arguments/u })).toHaveCount(0);
  const completed = call.getByRole('group', { name: 'Arguments of todo:complete_task' });
  await completed.getByText('JSON', { exact: true }).click();
  await completed.getByRole('textbox').fill('{"task_id": 7}');
  await expectAccessible(window);
  await window.setViewportSize({ width: 1024, height: 700 });
  expect(await horizontalOverflow(window)).toBe(0);
  await window.setViewportSize({ width: 1280, height: 800 });
  await panel.getByRole('button', { name: 'Save case' }).click();
  await expect(window.getByText('Saved case “milk”.')).toBeVisible();

  const again = await openCase(window);
  for (const tool of ['todo:add_task', 'todo:complete_task'])
    await expect(again.getByRole('checkbox', { name: `Own arguments for ${tool}` })).toBeChecked();
  const right = {
    server: 'todo',
    tool: 'add_task',
    parameters: { title: { $contains: 'milk' }, user_id: 'u-1' },
  };
  const other = { server: 'todo', tool: 'complete_task', parameters: { task_id: 7 } };
  const exported = await host.command(['suite', 'export', 'either', '--format', 'json']);
  expect(JSON.parse(exported.stdout)).toMatchObject({
    cases: [{ expected_calls: [{ any_of: [other, right] }] }],
  });
  await evaluateSuite(window, '1 of 1 case passed');

  const wrong = await openCase(window);
  const arguments_ = wrong.getByRole('group', { name: 'Arguments of todo:add_task' });
  await arguments_.getByText('JSON', { exact: true }).click();
  await arguments_.getByRole('textbox').fill('{"title": {"$contains": "bread"}, "user_id": "u-1"}');
  await wrong.getByRole('button', { name: 'Save case' }).click();
  await expect(window.getByText('Saved case “milk”.')).toBeVisible();
  await evaluateSuite(window, '0 of 1 case passed');
});
