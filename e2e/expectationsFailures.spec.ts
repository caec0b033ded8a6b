import { expectAccessible } from './accessibility.ts';
import { evaluate, fakeServerCommand, suiteIdOf } from './commands.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import type { Reaction, SeenRequest } from '../src-main/testing/fakeModelServer/react.ts';
import { expect, openServer, serverLine, test, visit } from './fixtures.ts';
import { launchLoopback, type LaunchedHost } from './launchLoopback.ts';
import { copySample } from './sampleWorkspace.ts';

/** The expectations 5 to 10: what people expect where something fails or is interrupted. */
const cases = 24;
let folder = '';
let suiteFile = '';
let model: FakeModelServer;
/** The queries that were answered, in this order. */
const answered: string[] = [];
/** After this many answers the model stalls. */
let maxAnswers = Infinity;

function rule(request: SeenRequest): Reaction {
  if (answered.length >= maxAnswers) return { does: 'stall before headers' };
  answered.push(request.query);
  return callWhatIsNamed(request);
}

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-trouble-'));
  suiteFile = join(folder, 'asked.suite.json');
  const asked = Array.from({ length: cases }, (_, at) => ({
    id: `c${at}`,
    name: `Case ${at}`,
    query: `Use list_tasks, number ${at}`,
    expected_calls: [{ server: 'todo', tool: 'list_tasks' }],
  }));
  await writeFile(
    suiteFile,
    JSON.stringify({ version: 1, name: 'asked', servers: ['todo'], cases: asked }),
  );
  model = await startFakeModelServer({ rule });
});
test.beforeEach(async ({ host }) => {
  answered.splice(0);
  maxAnswers = Infinity;
  // Before the window opens, so that its lists hold the suite from the start.
  await importSuiteOnce(host);
});
test.afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function importSuiteOnce(host: LaunchedHost): Promise<void> {
  const { stdout } = await host.command(['suite', 'list', '--json']);
  if (!stdout.includes('"asked"')) await host.command(['suite', 'import', suiteFile]);
}

/** Starts an evaluation of the suite with the model, and waits for its page. */
async function startEvaluation(page: Page, host: LaunchedHost): Promise<void> {
  await visit(page, `results/new?suite=${await suiteIdOf(host, 'asked')}`);
  // Not with the settings of the last evaluation of the suite, such as its spend limit.
  await page.getByRole('combobox', { name: 'Suite' }).waitFor();
  const defaults = page.getByRole('button', { name: 'Start from defaults' });
  if (await defaults.isVisible()) await defaults.click();
  await chooseModel(page);
  await page.getByRole('textbox', { name: 'Concurrency' }).fill('2');
  await page.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(page).toHaveURL(/#\/results\/[0-9a-f-]{36}/);
}

async function chooseModel(page: Page): Promise<void> {
  const first = page.getByRole('group', { name: 'Model 1' });
  await first.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option', { name: 'Compatible endpoint' }).click();
  await first.getByRole('textbox', { name: 'Base URL' }).fill(`${model.origin}/v1`);
  await first.getByLabel('Model', { exact: true }).fill('fake-model');
  await page.keyboard.press('Escape');
}

test('expectation 5: asks for a variable without a value before a server starts', async ({
  window,
  host,
}) => {
  await host.command([
    'servers',
    'add',
    'needy',
    '--stdio',
    fakeServerCommand('normal'),
    '--env',
    'REGION=${input:region}',
  ]);
  await visit(window, 'tools');
  await expect(serverLine(window, 'needy')).toContainText('set 1 value: ${input:region}');
  await openServer(window, 'needy');
  await expect(window.getByText('1 without a value')).toBeVisible();
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  const status = window.getByRole('region', { name: 'Status' });
  await expect(status).toContainText('check failed');
  await expect(status).toContainText('Set 1 value before it can start.');
  await window.getByRole('button', { name: 'Set ${input:region}' }).click();
  await window.getByRole('textbox', { name: 'Value of ${input:region}' }).fill('north');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('1 without a value')).toHaveCount(0);
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(window.getByText('2 tools', { exact: true }).first()).toBeVisible();
  await host.command(['servers', 'remove', 'needy']);
});

test('expectation 6: shows why a server failed, its last output, and a way to try again', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'add', 'dead', '--stdio', fakeServerCommand('exit-at-start')]);
  await visit(window, 'tools');
  await window.getByRole('button', { name: 'Connect all' }).click();
  await expect(serverLine(window, 'dead').getByText('Unreachable', { exact: true })).toBeVisible();
  await openServer(window, 'dead');
  const why = window.getByRole('region', { name: 'Status' });
  await expect(why).toContainText('exit code 3');
  await expect(why).toContainText(/check failed (?:just now|\d)/);
  await expect(why).toContainText('The connection was lost');
  // The log of messages below has it once for each attempt.
  await expect(why.getByText('config.json: no such file')).toHaveCount(1);
  await why.getByRole('button', { name: 'Edit' }).click();
  await expect(window.getByRole('textbox', { name: 'Command' })).toBeVisible();
  await expect(window.getByRole('link', { name: '1 of 1 server unreachable' })).toBeVisible();
  await window.getByRole('button', { name: /^Connect( again)?$/ }).click();
  await expect(window.getByText('Unreachable', { exact: true }).first()).toBeVisible();
  await host.command(['servers', 'remove', 'dead']);
});

test('expectation 7: a server that exits during an evaluation leaves its cases not scored', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'add', 'dying', '--stdio', fakeServerCommand('exit-at-list')]);
  const file = join(folder, 'dying.suite.json');
  const asked = ['dying', 'todo'].map((server) => ({
    id: server,
    name: server,
    query: 'Show me all my tasks',
    servers: [server],
    expected_calls: [{ server, tool: server === 'todo' ? 'list_tasks' : 'echo' }],
  }));
  await writeFile(
    file,
    JSON.stringify({
      version: 1,
      name: 'dying',
      servers: ['todo', 'dying'],
      cases: asked.map(({ servers: _servers, ...one }) => one),
    }),
  );
  await host.command(['suite', 'import', file]);
  const { evaluation_id: id } = await evaluate(host, 'dying');
  await visit(window, `results/${id}`);
  await expect(window.getByText('Incomplete').first()).toBeVisible();
  await expect(window.getByText(/out of luck/).first()).toBeVisible();
  await expect(window.getByText('2 of the runs could not be scored.')).toBeVisible();
  await expect(window.getByRole('heading', { name: 'No case was scored' })).toBeVisible();
  await expect(window.getByRole('button', { name: 'Resume' })).toBeVisible();
  await host.command(['servers', 'remove', 'dying']);
});

test('expectation 8: estimates tokens and cost before the start, and stops at the spend limit', async ({
  window,
  host,
}) => {
  await host.command(['models', 'prices', '--set', 'openai-compatible:fake-model=1000,1000']);
  await openServer(window, 'todo');
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(window.getByText('add_task').first()).toBeVisible();
  await visit(window, `results/new?suite=${await suiteIdOf(host, 'asked')}`);
  await chooseModel(window);
  const estimate = window.getByRole('group', { name: 'Estimate' });
  await expect(estimate.getByText(/about [\d,]+ tokens in/)).toBeVisible();
  await expect(estimate.getByText(/about \$[\d,.]+/)).toBeVisible();
  await expect(window.getByText(`${cases} runs`)).toBeVisible();
  await window
    .locator('summary')
    .filter({ hasText: /Prompt|More/ })
    .first()
    .click();
  await window.getByRole('textbox', { name: 'Spend limit' }).fill('0.9');
  await window.getByRole('textbox', { name: 'Concurrency' }).fill('1');
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window).toHaveURL(/#\/results\/[0-9a-f-]{36}/);
  await expect(window.getByText(/spend limit|limit of \$0\.9/i).first()).toBeVisible();
  await expect(window.getByText(/[1-9]\d* not run/).first()).toBeVisible();
  expect(answered.length).toBeLessThan(cases);
});

test('expectation 9: Cancel keeps finished runs, and Resume asks for none of them again', async ({
  window,
  host,
}) => {
  maxAnswers = 5;
  await startEvaluation(window, host);
  await expect(window.getByText(`5 of ${cases} runs`)).toBeVisible();
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: / passed so far$/ })).toBeVisible();
  await expect(verdict.getByText(`${cases - 5} to go`)).toBeVisible();
  await window.getByRole('button', { name: 'Cancel' }).first().click();
  await expect(window.getByText('Canceled').first()).toBeVisible();
  await expect(verdict.getByText(`${cases - 5} not run`)).toBeVisible();
  await expect(verdict.getByRole('button', { name: 'Resume' })).toBeVisible();
  await window.getByRole('tab', { name: 'Numbers' }).click();
  await expect(window.getByText(/\d not scored/)).toHaveCount(0);
  // A case that did not run leads with Resume too.
  await window.getByRole('tab', { name: /^All runs/ }).click();
  await window.getByRole('button', { name: `Not run ${cases - 5}` }).click();
  await expect(window.getByText(`${cases - 5} runs`, { exact: true })).toBeVisible();
  await window.getByRole('grid', { name: 'Cases' }).focus();
  await window.keyboard.press('Enter');
  await expect(window.getByRole('heading', { level: 1, name: /^Not run/ })).toBeVisible();
  await expectAccessible(window);
  maxAnswers = Infinity;
  await window.getByRole('button', { name: /^Resume/ }).click();
  await expect(window.getByText('Completed', { exact: true })).toBeVisible();
  expect(answered).toHaveLength(cases);
  expect(new Set(answered).size, 'no query was answered twice').toBe(cases);
});

test('expectation 10: ending the program asks during an evaluation, which resumes after a restart', async ({
  chromium,
}) => {
  const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-closing-'));
  // Its evaluation is done already; that of a new workspace could still be running.
  await copySample(workspace);
  let written = '';
  const asked = Promise.withResolvers<void>();
  const first = await launchLoopback({
    workspace,
    onStderr: (text) => {
      written += text;
      if (written.includes('Ctrl-C again')) asked.resolve();
    },
  });
  await importSuiteOnce(first);
  const page = await chromium.newPage();
  await page.goto(first.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  maxAnswers = 4;
  await startEvaluation(page, first);
  await expect(page.getByText(`4 of ${cases} runs`)).toBeVisible();
  const address = page.url();
  first.signal('SIGINT');
  await asked.promise;
  expect(written).toContain('An evaluation is running.');
  // The program goes on after asking: the page is still connected.
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' }).first()).toBeVisible();
  first.signal('SIGTERM');
  await first.exited;
  await page.close();

  maxAnswers = Infinity;
  const second = await launchLoopback({ workspace });
  const again = await chromium.newPage();
  await again.goto(second.url);
  await again.getByRole('heading', { level: 1 }).waitFor();
  await visit(again, address.split('#/')[1] ?? '');
  await expect(again.getByText('Interrupted').first()).toBeVisible();
  await expect(again.getByText(`${cases - 4} not run`)).toBeVisible();
  await again.getByRole('button', { name: 'Resume' }).click();
  await expect(again.getByText('Completed', { exact: true })).toBeVisible();
  expect(new Set(answered).size, 'no query was answered twice').toBe(answered.length);
  await again.close();
  await second.close();
  await rm(workspace, { recursive: true, force: true });
});
