import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { commandJson, storeTasks } from './commands.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';

/** Tasks next to which a second model works: one that judges, and one that plays the user. */
const stub = { server: 'todo', tool: 'add_task', result: { id: 7, title: 'Buy milk' } };
let folder = '';
let models: FakeModelServer;
test.beforeAll(async ({ host }) => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-second-'));
  models = await startFakeModelServer({
    models: ['fake-model', 'judge-1', 'user-1'],
    rule: ({ body, query }) => {
      const usage = { input: 1000, output: 10 };
      const answer = (text: string) => ({ does: 'answer' as const, text, usage });
      // The judge likes the answer to every second task.
      if (body['model'] === 'judge-1') {
        const isEven = Number(/number (\d+)/u.exec(query)?.[1] ?? 0) % 2 === 0;
        return answer(
          JSON.stringify({ verdict: isEven ? 'yes' : 'no', reason: 'It is about the number.' }),
        );
      }
      // The user tells a name once, and stops when it is greeted by it.
      if (body['model'] === 'user-1')
        return answer(query.includes('Hello Ada') ? '###STOP###' : 'I am Ada.');
      return answer(query.includes('Ada') ? 'Hello Ada.' : 'Who are you?');
    },
  });
  // A dollar for each request.
  for (const model of ['judge-1', 'user-1', 'fake-model'])
    await host.command(['models', 'prices', '--set', `openai-compatible:${model}=1000,0`]);
});
test.afterAll(async () => {
  await models[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Chooses the second model of a role in the form of a new evaluation. */
async function chooseSecond(page: Page, role: 'Judge' | 'User', model: string): Promise<void> {
  await page.getByRole('combobox', { name: `${role} provider` }).click();
  await page.getByRole('option', { name: 'Compatible endpoint' }).click();
  await page.getByRole('textbox', { name: `${role} model` }).fill(model);
  await page.getByRole('textbox', { name: `${role} base URL` }).fill(`${models.origin}/v1`);
}

async function expectReadable(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}

const judgedSuite = {
  version: 1,
  name: 'judged-tasks',
  servers: ['todo'],
  cases: Array.from({ length: 30 }, (_, at) => ({
    id: `task-${at}`,
    name: `Task ${at}`,
    turns: [`Add a task "Buy milk number ${at}" for user u-1.`],
    checks: [{ calls: { must: ['add_task'] } }, { judge: 'The answer is polite.' }],
    stub_results: [stub],
  })),
};

test('asks a judge, takes labels of people, and lets its verdicts count once they agree', async ({
  window,
  host,
}) => {
  test.setTimeout(120_000);
  const { taskSuite } = await storeTasks(host, join(folder, 'judged.json'), judgedSuite);
  await visit(window, `results/new?suite=${taskSuite}&run=tasks`);
  await expect(window.getByRole('heading', { name: 'Simulated user' })).toBeHidden();
  await chooseSecond(window, 'Judge', 'judge-1');
  const estimate = window.getByRole('group', { name: 'Estimate' });
  await expect(estimate.getByText(/judge-1 \(judge\)/u)).toBeVisible();
  await expect(estimate.getByText(/\$\d/u).first()).toBeVisible();
  await expectReadable(window);
  await window.getByRole('button', { name: 'Run evaluation' }).click();

  // Advisory at first: half of the verdicts are no, and every task succeeds.
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '30 of 30 tasks succeeded' })).toBeVisible();
  await window.getByRole('tab', { name: 'Numbers', exact: true }).click();
  await expect(
    window.getByText(/Nobody has labeled a run that this judge judged\./u),
  ).toBeVisible();
  await expect(window.getByText(/Its verdicts are advisory\./u)).toBeVisible();
  await expect(window.getByText(/It cost \$30\.00\./u)).toBeVisible();
  await expectReadable(window);
  const [, id = ''] = /results\/([0-9a-f-]+)/u.exec(window.url()) ?? [];

  await window.getByRole('tab', { name: 'All runs' }).click();
  await window.getByRole('grid', { name: 'Runs' }).getByText('Task 1', { exact: true }).click();
  const checks = window.getByRole('region', { name: 'Checks' });
  await expect(checks.getByText('It is about the number.')).toBeVisible();
  const totals = window.getByRole('region', { name: 'Totals' });
  await expect(totals.getByRole('row', { name: 'Judge cost' })).toContainText('$1.00');
  await checks.getByRole('button', { name: 'No', exact: true }).click();
  await expect(checks.getByRole('button', { name: 'No', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expectReadable(window);
  await visit(window, `results/${id}?tab=checks`);
  await expect(window.getByText(/agree on 1 of 1 label \(κ undefined/u)).toBeVisible();

  // The other labels come from a file, as people write them.
  const { runs } = await commandJson<{ runs: { run_id: string; task: string }[] }>(
    host,
    ...['eval', '--resume', id, '--only', 'tasks', '--quiet'],
  );
  const labels = runs.map(({ run_id: run, task }) => ({
    run,
    label: Number(task.slice('task-'.length)) % 2 === 0 ? 'yes' : 'no',
  }));
  const file = join(folder, 'labels.jsonl');
  await writeFile(file, labels.map((each) => JSON.stringify(each)).join('\n'));
  const counted = await commandJson<{ evaluation_id: string; judge: object; outcomes: object }>(
    host,
    ...['eval', '--suite', 'judged-tasks', '--provider', 'builtin', '--quiet'],
    ...['--judge-provider', 'openai-compatible', '--judge-model', 'judge-1'],
    ...['--judge-base-url', `${models.origin}/v1`, '--labels', file],
  );
  expect(counted.judge).toMatchObject({ counts: true, kappa: 1, n: 30, cost_usd: 30 });
  await visit(window, `results/${counted.evaluation_id}?tab=checks`);
  await expect(verdict.getByRole('heading', { name: '15 of 30 tasks succeeded' })).toBeVisible();
  await expect(window.getByText(/agree on 30 of 30 labels \(κ 1\.00/u)).toBeVisible();
  await expect(window.getByText(/Its verdicts count:/u)).toBeVisible();
  await expectReadable(window);
});

const simulatedSuite = {
  version: 1,
  name: 'simulated-tasks',
  servers: ['todo'],
  cases: [
    {
      id: 'greet',
      name: 'Greet by name',
      turns: ['Which name do you need?'],
      checks: [{ answer: { $contains: 'Ada' } }],
      user: { goal: 'Be greeted by name.', knows: ['You are Ada.'], max_turns: 4 },
    },
  ],
};

test(
  'plays the user of a task with a second model, and shows its words, tokens and cost apart',
  { tag: '@nightly' },
  async ({ window, host }) => {
    test.setTimeout(120_000);
    const { taskSuite } = await storeTasks(host, join(folder, 'simulated.json'), simulatedSuite);
    // The person is edited in the form of the task.
    await visit(window, `suites/${taskSuite}?show=tasks`);
    await window.getByRole('grid', { name: 'Tasks' }).getByText('Greet by name').click();
    const panel = window.getByRole('complementary', { name: /Greet by name/u });
    await panel.getByText('Simulated user', { exact: true }).first().click();
    const goal = panel.getByRole('textbox', { name: 'goal' });
    await expect(goal).toHaveValue('Be greeted by name.');
    await expect(panel.getByText('You are Ada.', { exact: true })).toBeVisible();
    await goal.fill('');
    await panel.getByRole('button', { name: 'Save task' }).click();
    await expect(panel.getByText('Enter a value.')).toBeVisible();
    await goal.fill('Be greeted by your own name.');
    await panel.getByRole('textbox', { name: 'persona' }).fill('You are brief.');
    await panel.getByRole('textbox', { name: 'max_turns' }).fill('3');
    await expectReadable(window);
    await panel.getByRole('button', { name: 'Save task' }).click();
    const out = join(folder, 'edited.json');
    await host.command(['suite', 'export', 'simulated-tasks', '--to', 'touchstone', '--out', out]);

    await visit(window, `results/new?suite=${taskSuite}&run=tasks`);
    await expect(window.getByRole('heading', { name: 'Judge' })).toBeHidden();
    await expect(window.getByText(/will end after the scripted turns/u)).toBeVisible();
    const first = window.getByRole('group', { name: 'Model 1' });
    await first.getByRole('combobox', { name: 'Provider' }).click();
    await window.getByRole('option', { name: 'Compatible endpoint' }).click();
    await first.getByRole('textbox', { name: 'Base URL' }).fill(`${models.origin}/v1`);
    await first.getByLabel('Model', { exact: true }).fill('fake-model');
    await window.keyboard.press('Escape');
    await chooseSecond(window, 'User', 'user-1');
    await expect(window.getByText(/will end after the scripted turns/u)).toBeHidden();
    const estimate = window.getByRole('group', { name: 'Estimate' });
    await expect(estimate.getByText(/user-1 \(simulated user\)/u)).toBeVisible();
    await expectReadable(window);
    await window.getByRole('button', { name: 'Run evaluation' }).click();

    const verdict = window.getByRole('region', { name: 'Verdict' });
    await expect(verdict.getByRole('heading', { name: '1 of 1 task succeeded' })).toBeVisible();
    await expect(
      verdict.getByText(/user-1 played the user in 1 run: 1 reply, 2,020 tokens, \$2\.00\./u),
    ).toBeVisible();
    await expectReadable(window);
    await window.getByRole('tab', { name: 'All runs' }).click();
    await window.getByRole('grid', { name: 'Runs' }).getByText('Greet by name').click();
    const trajectory = window.getByRole('region', { name: 'Trajectory' });
    const said = trajectory.getByRole('heading', { name: /Turn 2.*simulated user.*I am Ada\./u });
    await expect(said).toBeVisible();
    const totals = window.getByRole('region', { name: 'Totals' });
    await expect(totals.getByRole('row', { name: /^Cost / })).toContainText('$2.00');
    await expect(totals.getByRole('row', { name: 'User tokens' })).toContainText('2,020');
    await expect(totals.getByRole('row', { name: 'User cost' })).toContainText('$2.00');
    await expectReadable(window);
    await window.getByRole('tab', { name: 'Requests and replies' }).click();
    await window.getByText('Reply 1 of the simulated user').click();
    await expect(
      window.getByRole('region', { name: 'Request for reply 1 of the user' }),
    ).toContainText('Be greeted by your own name.');
    await expectReadable(window);
  },
);
