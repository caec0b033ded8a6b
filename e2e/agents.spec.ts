import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../src-main/testing/temporaryFolder.ts';
import { officialSdks } from '../src-main/testing/testPrograms.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { commandJson } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';

/** An agent that asks for the list of tasks, whatever it is told. */
const program = `
import { Client, StdioClientTransport } from '${officialSdks()}';
import { readFileSync } from 'node:fs';
const { todo } = JSON.parse(readFileSync(process.argv[2], 'utf8')).mcpServers;
const client = new Client({ name: 'stand-in', version: '1.0.0' });
await client.connect(new StdioClientTransport(todo));
await client.callTool({ name: 'list_tasks', arguments: { user_id: 'u-1' } });
`;

/** Of two cases, because each starts the agent and its server. */
const suite = {
  version: 1,
  name: 'lists',
  servers: ['todo'],
  cases: ['Show me my tasks.', 'What is left to do for u-1?'].map((query, at) => ({
    id: `case-${at}`,
    name: query,
    query,
    expected_calls: [{ server: 'todo', tool: 'list_tasks' }],
  })),
};

let folder: TemporaryFolder;
let suiteId = '';
test.beforeAll(async ({ host }) => {
  folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'agent.mjs'), program);
  const file = join(folder.path, 'lists.suite.json');
  writeFileSync(file, JSON.stringify(suite));
  ({ id: suiteId } = await commandJson<{ id: string }>(host, 'suite', 'import', file));
});
test.afterAll(() => folder.remove());

test('an agent is chosen like a model, plays the cases of a suite, and has a result', async ({
  window,
}) => {
  await visit(window, `results/new?suite=${suiteId}`);
  const model = window.getByRole('group', { name: 'Model 1' });
  await model.getByRole('combobox', { name: 'Provider' }).click();
  await window.getByRole('option', { name: 'Agent' }).click();
  const name = model.getByRole('combobox', { name: 'Agent', exact: true });
  await name.fill('nobody');
  const run = window.getByRole('button', { name: 'Run evaluation' });
  await expect(window.getByText('No agent is named "nobody".').first()).toBeVisible();
  await expect(run).toBeDisabled();
  await expectAccessibleInBothThemes(window);

  await name.fill('sample');
  const estimate = window.getByRole('group', { name: 'Estimate' });
  await expect(estimate.getByText('sample: version 1.0.0')).toBeVisible();

  await name.fill('my-agent');
  await model
    .getByRole('textbox', { name: 'Command of your own agent' })
    .fill(`"${process.execPath}" "${join(folder.path, 'agent.mjs')}" {{mcp_config}} {{prompt}}`);
  await run.click();
  await expect(window.getByRole('heading', { name: 'All 2 cases passed' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(window.getByText('Completed', { exact: true })).toBeVisible();
  await expect(window.getByText('my-agent').first()).toBeVisible();
  await expectAccessibleInBothThemes(window);

  // No client can be tried for it: the form says so at the field, and the rest can be tried.
  await window.getByRole('link', { name: 'Estimate a change' }).click();
  await expect(window.getByRole('combobox', { name: 'Present tools as' })).toBeDisabled();
  await expect(window.getByText('An agent presents tools to its model itself.')).toBeVisible();
  const again = window.getByRole('button', { name: /^Run \d+ cases/ });
  await expect(again).toBeDisabled();
  await window.getByRole('checkbox', { name: 'Offer todo:list_tasks' }).uncheck();
  await expect(again).toBeEnabled();
});

test('an agent is chosen after an evaluation as a client, which is no choice for agents', async ({
  window,
  host,
}) => {
  await host.command([
    'eval',
    '--suite',
    'todo-sample',
    '--provider',
    'builtin',
    '--client',
    'codex',
  ]);
  await visit(window, 'results/new');
  await expect(window.getByText('Settings of')).toBeVisible();
  await window.getByText('Prompt, arguments, order, and limits').click();
  const clients = window.getByRole('combobox', { name: 'Present tools as' });
  const chosen = window.locator('#main').getByText('Codex', { exact: true });
  await expect(chosen).toBeVisible();
  const run = window.getByRole('button', { name: 'Run evaluation' });
  const model = window.getByRole('group', { name: 'Model 1' });
  const provider = model.getByRole('combobox', { name: 'Provider' });
  await provider.click();
  await window.getByRole('option', { name: 'Agent' }).click();
  await model.getByRole('combobox', { name: 'Agent', exact: true }).fill('sample');
  await expect(window.getByText('sample: version 1.0.0')).toBeVisible();
  await expect(run).toBeEnabled();
  await expect(clients).toBeDisabled();
  await expect(chosen).toBeHidden();

  // Back at a model, what was chosen is there again.
  await provider.click();
  await window.getByRole('option', { name: 'Built-in selector (no model)' }).click();
  await expect(clients).toBeEnabled();
  await expect(chosen).toBeVisible();
});
