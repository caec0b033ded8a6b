import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';
import { launchLoopback } from './launchLoopback.ts';
import { copySample, sampleEvaluation } from './sampleWorkspace.ts';

const key = 'sk-canary-e2e-0123456789';
let server: FakeModelServer;
test.beforeAll(async () => {
  // The second model never calls a tool, so that the results differ.
  server = await startFakeModelServer({
    key,
    models: ['quick-model', 'shy-model'],
    rule: (request) =>
      request.body['model'] === 'shy-model'
        ? { does: 'answer', text: 'I would rather not.' }
        : callWhatIsNamed({ ...request, query: `${request.query} list_tasks` }),
  });
});
test.afterAll(() => server[Symbol.asyncDispose]());

test(
  'sets a key, evaluates two models, and never shows the key again',
  { tag: '@picture' },
  async ({ window }) => {
    await visit(window, 'settings');
    const field = window.getByLabel('Key of Compatible endpoint', { exact: true });
    await field.fill(key);
    await window.getByRole('button', { name: 'Set the key of Compatible endpoint' }).click();
    await expect(window.getByText('The key is set.')).toBeVisible();
    await expect(field).toHaveValue('');
    await expectAccessible(window);

    await visit(window, `results/new?suite=${sampleEvaluation().suiteId}`);
    const first = window.getByRole('group', { name: 'Model 1' });
    const choose = async (group: typeof first, model: string) => {
      await group.getByRole('combobox', { name: 'Provider' }).click();
      await window.getByRole('option', { name: 'Compatible endpoint' }).click();
      await group.getByRole('textbox', { name: 'Base URL' }).fill(`${server.origin}/v1`);
      await group.getByRole('button', { name: 'List models' }).click();
      await expect(group.getByText(/2 models at/)).toBeVisible();
      await group.getByLabel('Model', { exact: true }).fill(model);
      await window.keyboard.press('Escape');
      await expect(group.getByText('Key set')).toBeVisible();
    };
    await choose(first, 'quick-model');
    await window.getByRole('button', { name: 'Add model' }).click();
    const second = window.getByRole('group', { name: 'Model 2' });
    await choose(second, 'shy-model');
    await second.getByRole('button', { name: 'Test tool calling' }).click();
    await expect(second.getByText('No usable call')).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'new-evaluation-models');

    await window.getByRole('button', { name: 'Run evaluation' }).click();
    await expect(window.getByText('Completed', { exact: true })).toBeVisible({ timeout: 60_000 });
    await window.getByRole('tab', { name: 'Numbers' }).click();
    const table = window.getByRole('region', { name: 'Models of this evaluation' });
    await expect(table.getByText('quick-model')).toBeVisible();
    await expect(table.getByText('shy-model')).toBeVisible();
    await expectAccessible(window);
    await window.getByRole('tab', { name: /^All runs/ }).click();
    await expectAccessible(window);
    await window.getByText('Add a task: buy milk').first().click();
    await window.getByText('Raw exchange', { exact: true }).click();
    await window
      .locator('summary')
      .filter({ hasText: /^Request\s*[\d,]+ characters/ })
      .click();
    await expect(window.getByText(/"messages"/).first()).toBeVisible();
    await expectAccessible(window);
    expect(await window.content()).not.toContain(key);
  },
);

test('lets the provider count tokens without asking a model', async ({ window, host }) => {
  await host.command(['tools', '--server', 'todo', '--json']);
  await visit(window, `results/new?suite=${sampleEvaluation().suiteId}`);
  // Not with the models of the last result.
  await window.getByRole('button', { name: 'Start from defaults' }).click();
  const model = window.getByRole('group', { name: 'Model 1' });
  await model.getByRole('combobox', { name: 'Provider' }).click();
  await window.getByRole('option', { name: 'Compatible endpoint' }).click();
  await model.getByRole('textbox', { name: 'Base URL' }).fill(`${server.origin}/v1`);
  await model.getByLabel('Model', { exact: true }).fill('quick-model');
  await window.keyboard.press('Escape');
  const estimate = window.getByRole('group', { name: 'Estimate' });
  // Until the models of the last result are gone.
  await expect(estimate.getByText(/tokens in \(estimated\)/)).toHaveCount(1);
  // Chat Completions has no such call.
  await expect(estimate.getByRole('button', { name: 'Count with the provider' })).toBeHidden();
  await model.getByText('Model options').click();
  await model.getByRole('combobox', { name: 'Wire format' }).click();
  await window.getByRole('option', { name: 'Responses' }).click();
  const before = server.requests.length;
  await estimate.getByRole('button', { name: 'Count with the provider' }).click();
  await expect(estimate.getByText(/tokens in \(counted\)/)).toBeVisible();
  expect(server.requests.slice(before).map(({ path }) => path)).toEqual([
    '/v1/responses/input_tokens',
  ]);
  await expectAccessible(window);
});

test('shows what the environment sets, on the settings page and in a new evaluation', async ({
  window,
  host,
}, info) => {
  test.skip(host.page !== undefined, 'Electron takes its environment when it starts.');
  const workspace = info.outputPath('workspace');
  await copySample(workspace);
  const started = await launchLoopback({
    workspace,
    variables: {
      TOUCHSTONE_MODEL: 'quick-model',
      TOUCHSTONE_TIMEOUT: '60',
      TOUCHSTONE_RETRIES: 'many',
      OPENAI_BASE_URL: `${server.origin}/v1`,
    },
  });
  try {
    const page = await window.context().newPage();
    await page.goto(started.url);
    await page.getByRole('navigation').first().waitFor();
    await visit(page, 'settings');
    const line = /From the environment: model quick-model \(TOUCHSTONE_MODEL\), timeout 60 s/;
    await expect(page.getByText(line)).toBeVisible();
    await expect(page.getByText('TOUCHSTONE_TIMEOUT sets 60 s instead.')).toBeVisible();
    const refused = page.getByText('TOUCHSTONE_RETRIES is "many": It needs a whole number from');
    await expect(refused).toBeVisible();
    await expectAccessible(page);
    await visit(page, 'results/new');
    await page.getByRole('button', { name: 'Start from defaults' }).click();
    await expect(page.getByText(line)).toBeVisible();
    await expect(refused).toBeVisible();
    await page.getByText('Timeout, temperature, and retries').click();
    await expect(page.getByLabel('Timeout')).toHaveValue('60');
    await expect(page.getByLabel('Retries')).toHaveValue('3');
    const first = page.getByRole('group', { name: 'Model 1' });
    await first.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'Compatible endpoint' }).click();
    await expect(first.getByRole('textbox', { name: 'Base URL' })).toHaveValue(
      `${server.origin}/v1`,
    );
    await expect(first.getByLabel('Model', { exact: true })).toHaveValue('quick-model');
    await page.close();
  } finally {
    await started.close();
  }
});
