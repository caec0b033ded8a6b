import { commandJson } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { createTool } from './workshopHelpers.ts';

test('makes a suite of proposed cases of a tool, and opens its evaluation', async ({
  window,
  host,
}) => {
  await createTool(window, 'capitalize_text');
  await expect(window.getByRole('link', { name: 'Evaluate', exact: true })).toHaveCount(0);
  await window.getByRole('button', { name: 'Activate' }).click();
  await host.command([
    'workshop',
    'run',
    'capitalize_text',
    '--arguments',
    '{"text":"a red kite"}',
  ]);
  await host.command([
    'workshop',
    'run',
    'capitalize_text',
    '--arguments',
    '{"text":"a red kite"}',
  ]);
  await window.getByRole('link', { name: 'Evaluate', exact: true }).click();
  await window.getByRole('button', { name: 'Propose cases' }).click();
  await expect(window.getByText('Uses the arguments of 1 execution.')).toBeVisible();
  await expect(window.getByText(/Rows\s+without a request are not added/u)).toBeVisible();
  const grid = window.getByRole('table', { name: 'Proposals' });
  const ofExecution = grid.getByRole('row', { name: 'Proposal 1' });
  await expect(ofExecution).toContainText('{"text":"a red kite"}');
  const suites = () => commandJson<{ suites: { name: string }[] }>(host, 'suite', 'list');
  expect((await suites()).suites.map(({ name }) => name)).not.toContain('capitalize_text');

  await ofExecution
    .getByRole('textbox', { name: 'Query of proposal 1' })
    .fill('Write “a red kite” all in capitals, please.');
  await window.getByRole('button', { name: 'Create suite with 1 case' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'New evaluation' })).toBeVisible();
  await expect(window.getByRole('combobox', { name: 'Suite' })).toHaveValue(
    'capitalize_text (1 case)',
  );
  const made = (await suites()).suites.find(({ name }) => name === 'capitalize_text');
  expect(made).toBeDefined();
  const shown = await commandJson<object>(host, 'suite', 'show', 'capitalize_text');
  expect(JSON.stringify(shown)).toContain('all in capitals, please.');
  await visit(window, 'tools');
  await expect(window.getByText('workshop', { exact: true }).first()).toBeVisible();
});
