import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { commandJson, evaluate } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { createTool, saveAs, writeCode } from './workshopHelpers.ts';

test('creates, runs, edits, compares, restores and deletes a tool, and Undo brings it back', async ({
  window,
}) => {
  await createTool(window, 'upper_case');
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('to be');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByRole('region', { name: 'Output' })).toHaveText('TO BE');

  await window.getByRole('tab', { name: /^Script/ }).click();
  await writeCode(window, 'Shell script', 'printf "%s!" "$1" | tr "[:lower:]" "[:upper:]"\n');
  await expect(window.getByRole('img', { name: 'Not saved' })).toBeVisible();
  await saveAs(window, 'Save', 'Louder.');
  await expect(window.getByText('version 2', { exact: true })).toBeVisible();
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('to be');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByRole('region', { name: 'Output' })).toHaveText('TO BE!');

  await window.getByRole('tab', { name: /^Versions/ }).click();
  await expect(window.getByRole('textbox', { name: 'Script, version 1' })).toContainText(
    'printf %s',
  );
  await expect(window.getByRole('textbox', { name: 'Script, version 2' })).toContainText(
    'printf "%s!"',
  );
  await window.getByRole('button', { name: 'Restore' }).click();
  await expect(window.getByText('version 3', { exact: true })).toBeVisible();
  await window.getByRole('tab', { name: 'Executions' }).click();
  await expect(window.getByRole('grid', { name: 'Executions' }).getByText('Success')).toHaveCount(
    2,
  );

  await window.getByRole('button', { name: 'More actions' }).click();
  await window.getByRole('menuitem', { name: 'Delete tool' }).click();
  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(window.getByText('Undone.')).toBeVisible();
  await visit(window, 'workshop');
  await window.getByRole('searchbox', { name: 'Search tools' }).fill('upper');
  await expect(window.getByText('upper_case').first()).toBeVisible();
});

test('a reload keeps unsaved changes and shows their errors at the fields', async ({ window }) => {
  await createTool(window, 'kept_draft');
  await window.getByRole('tab', { name: /^Schema/ }).click();
  const view = window.getByRole('radiogroup', { name: 'View of the input schema' });
  await view.getByText('JSON', { exact: true }).click();
  await writeCode(
    window,
    'Input schema',
    '{"type": "object", "properties": {"text": {"type": "strin"}}}',
  );
  await expect(window.getByText(/\/properties\/text\/type must be/).first()).toBeVisible();
  await expect(window.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await window.reload();
  await window.getByRole('tab', { name: /^Schema \(/ }).click();
  await expect(window.getByText(/\/properties\/text\/type must be/).first()).toBeVisible();
  await view.getByText('JSON', { exact: true }).click();
  await expect(window.getByRole('textbox', { name: 'Input schema' })).toContainText('"strin"');
  await window.getByRole('button', { name: 'Discard changes' }).click();
  await expect(window.getByRole('img', { name: 'Not saved' })).toHaveCount(0);
});

test('serves active tools, registers them as a server, and evaluates them before and after an edit', async ({
  window,
  host,
}) => {
  await createTool(window, 'shout_text');
  await window.getByRole('button', { name: 'Activate' }).click();
  await expect(window.getByText('Active', { exact: true })).toBeVisible();
  await visit(window, 'workshop');
  await window.getByRole('button', { name: 'Serve', exact: true }).click();
  await window.getByRole('button', { name: 'Start serving' }).click();
  const address = await window.getByRole('region', { name: 'Address' }).textContent();
  const header = await window.getByRole('region', { name: 'Header' }).textContent();
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'e2e', version: '1' },
    },
  };
  const ask = (authorization: string) =>
    fetch(address ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization,
      },
      body: JSON.stringify(initialize),
    });
  expect((await ask('Bearer wrong')).status).toBe(401);
  expect(await (await ask(header?.replace('Authorization: ', '') ?? '')).text()).toContain(
    'touchstone-workshop',
  );
  await window.getByRole('button', { name: 'Stop serving' }).click();
  await expect(window.getByText('Not served')).toBeVisible();

  await window.getByRole('button', { name: 'Register as a server' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'workshop' })).toBeVisible();
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(window.getByText('shout_text').first()).toBeVisible();

  const suite = {
    version: 1,
    name: 'workshop-suite',
    servers: ['workshop'],
    cases: [
      {
        id: 'a',
        name: 'Capitals',
        query: 'Put hello into capital letters',
        expected_calls: [{ server: 'workshop', tool: 'shout_text' }],
      },
    ],
  };
  const file = join(host.workspace, 'workshop-suite.json');
  await writeFile(file, JSON.stringify(suite));
  await host.command(['suite', 'import', file]);
  const before = await evaluate(host, 'workshop-suite');
  expect(before.counts).toMatchObject({ tp: 1, total: 1, failed: 0 });

  await visit(window, 'workshop');
  await window.getByText('shout_text').first().click();
  await window
    .getByRole('textbox', { name: 'Description', exact: true })
    .fill('Measures the tide of a harbour.');
  await saveAs(window, 'Save', 'Says something else.');
  await expect(window.getByText('version 2', { exact: true })).toBeVisible();
  const { tools } = await commandJson<{ tools: { description: string }[] }>(
    host,
    'tools',
    '--server',
    'workshop',
  );
  expect(tools.map(({ description }) => description)).toEqual(['Measures the tide of a harbour.']);
  const after = await evaluate(host, 'workshop-suite');
  expect(after.counts).toMatchObject({ fn: 1, total: 1, failed: 0 });
  await visit(window, `results/${after.evaluation_id}?compare=${before.evaluation_id}`);
  await expect(window.getByRole('tab', { name: 'Broken 1', exact: true })).toBeVisible();
  const regressed = window.getByRole('grid', { name: 'Cases: Broken' });
  await expect(regressed.getByText('Capitals')).toBeVisible();
  await expect(regressed.getByText('workshop:shout_text').first()).toBeVisible();
});

test('the workshop screens are accessible', { tag: '@picture' }, async ({ window }) => {
  await visit(window, 'workshop/new');
  await expectAccessibleInBothThemes(window);
  await createTool(window, 'pictured');
  await window.getByRole('tab', { name: /^Script/ }).click();
  await expectAccessibleInBothThemes(window, 'workshop-script');
  await writeCode(window, 'Shell script', 'printf %s "$1" | tr "[:lower:]" "[:upper:]" | rev\n');
  await saveAs(window, 'Save', 'Backwards.');
  await window.getByRole('tab', { name: /^Schema/ }).click();
  await expectAccessibleInBothThemes(window, 'workshop-schema');
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('to be or not to be');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByRole('region', { name: 'Output' })).toBeVisible();
  await expectAccessibleInBothThemes(window, 'workshop-run');
  await window.getByRole('tab', { name: /^Versions/ }).click();
  await expect(window.getByRole('textbox', { name: 'Script, version 1' })).toBeVisible();
  await expectAccessibleInBothThemes(window, 'workshop-versions');
  await visit(window, 'workshop');
  // Without the panel: its configuration names the folders of this computer.
  await expectAccessibleInBothThemes(window, 'workshop');
  await window.getByRole('button', { name: 'Serve', exact: true }).click();
  await expectAccessibleInBothThemes(window);
  await visit(window, 'workshop/executions');
  await window.getByRole('grid', { name: 'Executions' }).getByText('Success').first().click();
  await expectAccessibleInBothThemes(window, 'workshop-executions');
});
