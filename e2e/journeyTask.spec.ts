import type { Locator } from 'playwright';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';
import { evaluateTaskModels, startTaskModels } from './taskModels.ts';

/** What a person does from a result with failed tasks to a fix of the tool at fault, at most. */
const maxActions = 14;

test(
  'a failed task leads to its reason and to a fix of its tool, with two models',
  { tag: '@nightly' },
  async ({ window, host }, info) => {
    test.slow();
    const models = await startTaskModels();
    const id = await evaluateTaskModels(host, models, info.outputPath());
    let done = 0;
    const click = async (target: Locator): Promise<void> => {
      done += 1;
      expect(done, `action ${done}: ${target.toString()}`).toBeLessThanOrEqual(maxActions);
      await target.click();
    };
    const reason = 'Failed: stopped after add_task, never called complete_task';

    await visit(window, '');
    const navigation = window.getByRole('navigation').first();
    await click(navigation.getByRole('link', { name: 'Results', exact: true }));
    await click(window.getByRole('grid', { name: 'Results' }).getByText('todo-work').first());
    await expect(window).toHaveURL(new RegExp(`results/${id}$`, 'u'));
    const verdict = window.getByRole('region', { name: 'Verdict' });
    // Each model has its own headline, and the cause says in which of them.
    await expect(
      verdict.getByRole('heading', { name: 'gpt-5-mini: 3 of 8 succeeded' }),
    ).toBeVisible();
    await expect(
      verdict.getByRole('heading', { name: 'haiku-4.5: 6 of 8 succeeded' }),
    ).toBeVisible();
    await expect(
      verdict.getByText(
        'Stopped after add_task, never called complete_task in 3 tasks with gpt-5-mini and 1 with haiku-4.5.',
      ),
    ).toBeVisible();
    await expect(
      verdict.getByRole('link', { name: 'Fix complete_task for gpt-5-mini' }),
    ).toBeVisible();
    await expectAccessible(window);

    const failures = window.getByRole('region', { name: 'Failures by tool' });
    await expect(failures.getByRole('button', { expanded: true }).first()).toContainText(
      'complete_task',
    );
    await click(failures.getByRole('link', { name: /Note the milk and tick it off/u }));
    await expect(window.getByRole('heading', { level: 1, name: reason })).toBeVisible();
    await expect(window.getByRole('region', { name: 'Checks' })).toContainText('complete_task');
    // The run by itself says what the model did, with the word of the verdict.
    await expect(window.getByRole('combobox', { name: 'Run' })).toHaveValue(
      /: stopped too early$/u,
    );
    await click(window.getByRole('button', { name: 'Next failure' }));
    await expect(window.getByRole('heading', { level: 1, name: reason })).toBeVisible();
    await expectAccessible(window);
    await click(window.getByRole('link', { name: 'Fix complete_task' }));
    await expect(window).toHaveURL(/tools\/todo\/complete_task\/edit\?/u);
    await expect(
      window.getByRole('heading', { level: 1, name: /failing tasks? involves? complete_task$/u }),
    ).toBeVisible();

    const description = window.getByLabel('Description', { exact: true });
    const before = await description.inputValue();
    await description.fill(`${before} Call it after add_task when a request says to close a task.`);
    const consent = window.getByRole('checkbox', { name: /^I agree/u });
    const estimate = window.getByRole('button', { name: 'Estimate', exact: true });
    await expect(estimate).toBeVisible();
    if (await consent.isVisible()) await click(consent);
    await click(estimate);
    await expect(
      window
        .getByRole('region', { name: 'Estimated effect' })
        .getByText(/tasks? .*in the search half$/u),
    ).toBeVisible({ timeout: 60_000 });
    await models[Symbol.asyncDispose]();
  },
);
