import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { commandJson, evaluateTasks, storeTasks } from './commands.ts';
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
      checks: [{ calls: { must: ['add_task', 'delete_task'], ordered: true } }],
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

  await visit(window, 'results');
  await window.getByRole('grid', { name: 'Results' }).getByText('small-tasks').first().click();
  await expect(window).toHaveURL(new RegExp(`results/${taskEvaluation}$`, 'u'));
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '1 of 2 tasks succeeded' })).toBeVisible();
  await expect(verdict.getByText('50%', { exact: true })).toBeVisible();
  await expect(verdict.getByText('too few to say')).toBeVisible();
  await expect(verdict.getByText('1 failed', { exact: true })).toBeVisible();
  await expect(
    verdict.getByText('Stopped after add_task, never called delete_task in 1 task.'),
  ).toBeVisible();
  await expect(
    verdict.getByText(/^Execution mode stub: .* No call was executed\.$/u),
  ).toBeVisible();
  await expectAccessible(window);

  await window.getByRole('button', { name: 'Export' }).click();
  const download = window.waitForEvent('download');
  await window.getByRole('menuitem', { name: 'Markdown', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tasks-\d+-small-tasks\.md$/u);
  expect(await readFile(await file.path(), 'utf8')).toContain('1 of 2 tasks succeeded');
  // The numbers say what was called in place of what, and count each tool.
  await window.getByRole('tab', { name: 'Numbers', exact: true }).click();
  await expect(
    window.getByText('No tool is called where todo:delete_task is expected in 1 of 2 runs.'),
  ).toBeVisible();
  const missedTool = window.getByRole('grid', { name: 'Tools' }).getByRole('row').nth(1);
  await expect(missedTool.getByRole('gridcell')).toContainText(['todo:delete_task', '1', '0', '1']);
  await expectAccessible(window);
  await window.getByRole('tab', { name: 'All runs' }).click();
  await expectAccessible(window);
  await window.getByRole('grid', { name: 'Runs' }).getByText('Add and delete').click();
  await expect(
    window.getByRole('heading', {
      level: 1,
      name: 'Failed: stopped after add_task, never called delete_task',
    }),
  ).toBeVisible();
  const trajectory = window.getByRole('region', { name: 'Trajectory' });
  await expect(trajectory.getByText('add_task', { exact: true })).toBeVisible();
  // A bar is as long as the axis below it says.
  const time = window.getByRole('region', { name: 'Time' });
  const [track, axis] = await Promise.all(
    [time.getByRole('img').first(), time.locator('[class*="axis"] > div')].map((one) =>
      one.boundingBox(),
    ),
  );
  expect([track?.x, track?.width]).toEqual([axis?.x, axis?.width]);
  await expect(trajectory.getByText('stub result')).toBeVisible();
  await expect(trajectory.getByText('Answer', { exact: true })).toBeVisible();
  await expect(trajectory.getByText('U+202E').first()).toBeVisible();
  await expect(
    trajectory.getByText(
      'First wrong step. todo:delete_task is expected no later than step 2; it isn’t called there or later.',
    ),
  ).toBeVisible();
  // The keyboard moves between the steps and opens one.
  await trajectory.locator('summary[data-step]').first().focus();
  await window.keyboard.press('End');
  await window.keyboard.press('Home');
  await window.keyboard.press('Enter');
  await expect(
    trajectory.getByRole('region', { name: 'Arguments in step 1 of this run' }),
  ).toContainText('"title": "Buy milk"');
  const checks = window.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('heading', { name: '1 of 1 check failed' })).toBeVisible();
  await expectAccessible(window);
  await window.setViewportSize({ width: 1024, height: 768 });
  expect(await horizontalOverflow(window)).toBe(0);

  await window.emulateMedia({ colorScheme: 'dark' });
  await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(window);
  await visit(window, `results/${taskEvaluation}`);
  await expectAccessible(window);

  // Nothing was done where nothing was executed.
  await window.getByRole('tab', { name: 'All runs' }).click();
  await window.getByRole('grid', { name: 'Runs' }).getByText('Add a task').click();
  await expect(
    window.getByRole('heading', {
      level: 1,
      name: 'All checks passed, but no tool was executed',
    }),
  ).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(window).toHaveURL(new RegExp(`results/${taskEvaluation}$`, 'u'));
});

test('marks the call of a run that repeats an earlier one', async ({ window, host }) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-repeats-'));
  const [first] = suite.cases;
  const { taskEvaluation, taskRun } = await evaluateTasks(host, join(folder, 'tasks.json'), {
    ...suite,
    name: 'repeated-tasks',
    cases: [{ ...first, turns: [...turns, ...turns] }],
  });
  await rm(folder, { recursive: true });
  await visit(window, `results/${taskEvaluation}/runs/${taskRun}`);
  const steps = window.getByRole('region', { name: 'Trajectory' }).locator('summary[data-step]');
  // Answers quote the name of the tool in a sentence.
  const calls = steps.filter({ has: window.getByText('add_task', { exact: true }) });
  await expect(calls).toHaveCount(2);
  await expect(calls.first().getByText('repeated')).toHaveCount(0);
  await expect(calls.last().getByText('repeated')).toBeVisible();
  const repeats = window.getByRole('row', { name: 'Repeated calls' });
  await expect(repeats.getByRole('cell')).toHaveText('1');
  await expectAccessible(window);
});

const worked = {
  version: 1,
  name: 'work-tasks',
  servers: ['todo'],
  cases: [
    {
      id: 'milk',
      name: 'Add, then complete',
      turns: ['Add a task "Buy milk" for user u-1.', 'Mark the task as completed.'],
      checks: [
        {
          state: {
            server: 'todo',
            tool: 'list_tasks',
            arguments: { user_id: 'u-1' },
            at: '/tasks',
            contains: { title: 'Buy milk', completed: true },
          },
        },
      ],
    },
    { id: 'picks', name: 'Pick', query: 'List my tasks', expected_calls: [] },
  ],
};

test('runs tasks from the window only after the person agrees to what is executed', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const file = join(folder, 'work.json');
  await writeFile(file, JSON.stringify(worked));
  await commandJson(host, 'suite', 'import', file);
  await rm(folder, { recursive: true });

  // The suite lists its tasks after its cases.
  await visit(window, 'suites');
  await window.getByRole('grid', { name: 'Suites' }).getByText('work-tasks').click();
  await window
    .getByRole('grid', { name: 'Cases and tasks' })
    .getByText('Add, then complete')
    .click();
  await expect(window.getByText('Execution mode needed to score it: read-only.')).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window).toHaveURL(/run=tasks$/u);
  await expect(window.getByRole('combobox', { name: 'Suite' })).toHaveValue(
    'work-tasks (1 case and 1 task)',
  );
  await expect(window.getByRole('radio', { name: '1 task' })).toBeChecked();
  const run = window.getByRole('button', { name: 'Run evaluation' });
  // Without execution, this task can't be judged.
  await expect(window.getByRole('radio', { name: 'Full', exact: true })).toBeChecked();
  await expect(window.getByText(/^1 of 1 task needs execution/u)).toBeVisible();
  await window.getByRole('radio', { name: 'Stub', exact: true }).check();
  await expect(window.getByText('No data changes: no tool is executed.')).toBeVisible();
  await expect(window.getByText(/^No task can be scored in execution mode stub/u)).toBeVisible();
  await expect(run).toBeDisabled();
  await window.getByRole('radio', { name: 'Full', exact: true }).focus();
  await window.keyboard.press('Space');
  await expect(
    window.getByText('No real data changes: each run works on a throwaway copy of todo.'),
  ).toBeVisible();
  await expect(
    window.getByRole('list', { name: 'Tools that may be executed' }).getByText(/Destructive: /u),
  ).toBeVisible();
  await expect(run).toBeDisabled();
  await expectAccessible(window);
  const consent = window.getByRole('checkbox', {
    name: /^I agree that every tool of the copies of todo may be executed, including \d+ destructive tools?\.$/u,
  });
  await consent.check();
  await expect(run).toBeEnabled();
  // An agreement holds for the mode that it was given for.
  await window.getByRole('radio', { name: 'Read-only', exact: true }).check();
  await window.getByRole('radio', { name: 'Full', exact: true }).check();
  await expect(consent).not.toBeChecked();
  await consent.check();
  await run.click();

  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '1 of 1 task succeeded' })).toBeVisible();
  await expect(verdict.getByText(/2 calls of 2 tools were executed/u)).toBeVisible();
  await window.getByRole('tab', { name: 'All runs' }).click();
  await window.getByRole('grid', { name: 'Runs' }).getByText('Add, then complete').click();
  await expect(window.getByRole('heading', { level: 1, name: 'The task was done' })).toBeVisible();
  await expect(
    window.getByRole('region', { name: 'Checks' }).getByText('All checks passed'),
  ).toBeVisible();

  // A step becomes a test case of the suite.
  const trajectory = window.getByRole('region', { name: 'Trajectory' });
  await trajectory.locator('summary[data-step]').first().click();
  await trajectory.getByRole('button', { name: 'Save as new case' }).click();
  await expect(window).toHaveURL(/suites\/.*\?case=/u);
  await expect(window.getByText('Add, then complete (step 1)').first()).toBeVisible();
});

test('says what a task evaluation would send and cost before it starts', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const named = { ...suite, name: 'estimated-tasks' };
  const { taskSuite } = await storeTasks(host, join(folder, 'tasks.json'), named);
  await rm(folder, { recursive: true });
  await visit(window, `results/new?suite=${taskSuite}&run=tasks`);
  const first = window.getByRole('group', { name: 'Model 1' });
  await first.getByRole('combobox', { name: 'Provider' }).click();
  await window.getByRole('option', { name: 'OpenAI', exact: true }).click();
  await first.getByLabel('Model', { exact: true }).fill('gpt-4.1-mini');
  await window.keyboard.press('Escape');
  const estimate = window.getByRole('group', { name: 'Estimate' });
  await expect(estimate.getByText(/about [\d,]+ tokens in \(estimated\)/u)).toBeVisible();
  await expect(estimate.getByText(/about \$0\.\d+/u)).toBeVisible();
  await expect(window.getByRole('heading', { name: 'Judge' })).toBeHidden();
  await expectAccessible(window);
});

test('names a task evaluation on the overview and in the palette', async ({ window, host }) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const named = { ...suite, name: 'newest-tasks' };
  const { taskEvaluation } = await evaluateTasks(host, join(folder, 'tasks.json'), named);
  await rm(folder, { recursive: true });
  // Away from the overview, which asks for news of commands only every few seconds.
  await visit(window, 'results');
  await visit(window, '');
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '1 of 2 tasks succeeded' })).toBeVisible();
  await expect(verdict.getByRole('link', { name: /^#\d+ newest-tasks$/u })).toBeVisible();
  await expectAccessible(window);
  await window.keyboard.press('ControlOrMeta+k');
  const palette = window.getByRole('dialog');
  await palette.getByRole('textbox').fill('newest-tasks');
  await expect(palette.getByText(/^#\d+ newest-tasks$/u)).toBeVisible();
  await expect(palette.getByText('tasks, completed')).toBeVisible();
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(new RegExp(`results/${taskEvaluation}$`, 'u'));
});

test('compares two runs of a task step by step and names the first difference', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const [task] = suite.cases;
  const saying = (turn: string) => ({
    ...suite,
    name: 'compared-tasks',
    cases: [{ ...task, turns: [turn] }],
  });
  await evaluateTasks(host, join(folder, 'one.json'), saying('Delete the task 7 of user u-1.'));
  const { taskEvaluation, taskRun } = await evaluateTasks(
    host,
    join(folder, 'other.json'),
    saying('Add a task "Buy milk" for user u-1.'),
  );
  await rm(folder, { recursive: true });

  await visit(window, `results/${taskEvaluation}/runs/${taskRun}`);
  await window.getByRole('combobox', { name: 'Compare with' }).click();
  await window.getByRole('option', { name: /^#\d+ · Built-in selector/u }).click();
  const trajectory = window.getByRole('region', { name: 'Trajectory' });
  await expect(trajectory.getByRole('status')).toHaveText(
    'Step 1 calls add_task; the other run calls delete_task.',
  );
  await expect(trajectory.getByRole('img', { name: 'Other tools' })).toBeVisible();
  await expect(trajectory.getByRole('img', { name: 'Same step in both runs' })).toBeVisible();
  await expect(window).toHaveURL(/\?with=/u);
  await expectAccessible(window);
  await window.setViewportSize({ width: 1024, height: 768 });
  expect(await horizontalOverflow(window)).toBe(0);
  await window.emulateMedia({ colorScheme: 'dark' });
  await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(window);
  await window.getByRole('tab', { name: 'Requests and replies' }).click();
  await expect(window.getByRole('region', { name: 'Requests and replies' })).toBeVisible();
  await expectAccessible(window);
});

test('compares two evaluations of tasks, from the result to the steps of a broken task', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const names = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];
  const compared = {
    version: 1,
    name: 'office-tasks',
    servers: ['desk'],
    cases: names.map((name, at) => ({
      id: `find-${name}`,
      name: `Find a ${name}`,
      turns: [`Find the ${name} of last week`],
      checks: [{ calls: { must: [`t${at}`] } }],
      stub_results: [{ server: 'desk', tool: `t${at}`, result: { found: name } }],
    })),
  };
  const tools = (description: (name: string) => string) => ({
    tools: names.map((name, at) => ({
      server: 'desk',
      name: `t${at}`,
      description: description(name),
      input_schema: { type: 'object' },
    })),
  });
  const good = (name: string) => `Finds a ${name} by its words.`;
  const bad = (name: string) => (name === 'song' ? good(name) : 'Does what is needed.');
  await writeFile(join(folder, 'suite.json'), JSON.stringify(compared));
  await writeFile(join(folder, 'good.json'), JSON.stringify(tools(good)));
  await writeFile(join(folder, 'bad.json'), JSON.stringify(tools(bad)));
  await host.command(['suite', 'import', join(folder, 'suite.json')]);
  const evaluateWith = (file: string) =>
    commandJson<{ evaluation_id: string }>(
      host,
      ...['eval', '--suite', 'office-tasks', '--provider', 'builtin', '--quiet'],
      ...['--tools', join(folder, file)],
    );
  await evaluateWith('good.json');
  const { evaluation_id: worse } = await evaluateWith('bad.json');
  await rm(folder, { recursive: true });

  await visit(window, `results/${worse}`);
  await window.getByRole('button', { name: 'More actions' }).click();
  await window.getByRole('menuitem', { name: 'Trend of the suite' }).click();
  const change = /^−7 tasks vs\. previous \(#\d+\) over 8 shared tasks/u;
  await expect(window.getByText(change)).toBeVisible();
  await expect(window.getByText('7 tools changed').first()).toBeVisible();
  await expectAccessible(window);
  await visit(window, '');
  await expect(
    window.getByRole('region', { name: 'Verdict' }).getByText(/^−7 tasks vs\. previous \(#\d+\)/u),
  ).toBeVisible();

  await visit(window, `results/${worse}`);
  await window.getByRole('button', { name: /^vs\. #\d+: −7 of 8 shared tasks$/u }).click();
  await expect(window.getByText(/^Worse: −87\.5 points .* over 8 tasks\.$/u)).toBeVisible();
  await expect(window.getByText('Success rate now')).toBeVisible();
  await expect(window.getByRole('tab', { name: 'Broken 7' })).toBeVisible();
  await expect(window.getByText('Tools only')).toHaveCount(0);
  await expectAccessible(window);
  await window.getByRole('grid', { name: 'Tasks: Broken' }).getByText('find-photo').click();
  await expect(window.getByRole('region', { name: /^Before: #/u })).toContainText('succeeded');
  await expect(window.getByRole('region', { name: /^Now: #/u })).toContainText('failed: calls');
  await expectAccessible(window);
  await window.setViewportSize({ width: 1024, height: 768 });
  // The chart takes its new width from an observer, after the page.
  await expect.poll(() => horizontalOverflow(window)).toBe(0);
  await window.emulateMedia({ colorScheme: 'dark' });
  await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(window);
  await window.getByRole('link', { name: 'Compare step by step' }).click();
  await expect(window.getByRole('region', { name: 'Trajectory' }).getByRole('status')).toHaveText(
    'The other run calls t2 in step 1; this run has no such step.',
  );
});

/** A compatible endpoint that answers every request once it is released. */
async function startSlowModel(): Promise<{ url: string; release: () => void; stop: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      void released.then(() => {
        response.setHeader('content-type', 'application/json');
        const message = { role: 'assistant', content: 'Buy milk' };
        const choices = [{ index: 0, finish_reason: 'stop', message }];
        response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices }));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/v1`, release, stop };
}

test('follows a task evaluation that runs, cancels it, and resumes it', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
  const file = join(folder, 'slow.json');
  await writeFile(file, JSON.stringify({ ...suite, name: 'slow-tasks' }));
  const model = await startSlowModel();
  const ended = host.command([
    ...['eval', '--suite', file, '--only', 'tasks', '--execute', 'stub', '--quiet'],
    ...['--provider', 'openai-compatible', '--model', 'slow', '--base-url', model.url],
  ]);
  await visit(window, 'results');
  await expect(async () => {
    await visit(window, 'suites');
    await visit(window, 'results');
    await expect(window.getByText('Running: 0 of 2')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await window.getByText('slow-tasks').first().click();
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: 'No task is scored yet' })).toBeVisible();
  await expect(window.getByText('0 of 2 runs · 0%')).toBeVisible();
  await expectAccessible(window);
  await window.setViewportSize({ width: 1024, height: 768 });
  await expect.poll(() => horizontalOverflow(window)).toBe(0);
  await window.emulateMedia({ colorScheme: 'dark' });
  await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(window);
  await window.emulateMedia({ colorScheme: 'light' });
  await window.locator('main').getByRole('button', { name: 'Cancel' }).click();
  await expect(verdict.getByText('Not finished.')).toBeVisible();
  await ended;
  model.release();
  await verdict.getByRole('button', { name: /^Resume/u }).click();
  await expect(verdict.getByRole('heading', { name: '0 of 2 tasks succeeded' })).toBeVisible();
  await expect(
    verdict.getByText('Called nothing where add_task is needed in 2 tasks.'),
  ).toBeVisible();
  model.stop();
  await rm(folder, { recursive: true });
});
