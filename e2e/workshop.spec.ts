import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, takePicture, test, visit } from './fixtures.ts';

/** Replaces what an editor holds, as a person would. */
async function writeCode(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label, exact: true });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

async function saveAs(page: Page, button: string, changelog: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('textbox', { name: 'Changelog' }).fill(changelog);
  await page.getByRole('button', { name: /^(Save version|Create version 1)$/ }).click();
}

async function createTool(page: Page, name: string): Promise<void> {
  await visit(page, 'workshop/new');
  await page.getByRole('button', { name: /^Shell/ }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Display name' }).fill('Upper case');
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Writes a text in capital letters.');
  await expect(page.getByRole('button', { name: 'Create tool' })).toBeEnabled();
  await saveAs(page, 'Create tool', 'The first one.');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a tool is created, run, edited, compared and restored', async ({ window }) => {
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
  await expect(window.getByRole('textbox', { name: 'Script, version 1' })).toContainText('printf %s');
  await expect(window.getByRole('textbox', { name: 'Script, version 2' })).toContainText('printf "%s!"');
  await window.getByRole('button', { name: 'Restore' }).click();
  await expect(window.getByText('version 3', { exact: true })).toBeVisible();
  await window.getByRole('tab', { name: 'Executions' }).click();
  await expect(window.getByRole('grid', { name: 'Executions' }).getByText('Success')).toHaveCount(2);
});

test('what is written and not saved survives a reload, with its faults beside their fields', async ({ window }) => {
  await createTool(window, 'kept_draft');
  await window.getByRole('tab', { name: /^Schema/ }).click();
  await window.getByText('JSON', { exact: true }).click();
  await writeCode(window, 'Input schema', '{"type": "object", "properties": {"text": {"type": "strin"}}}');
  await expect(window.getByText(/\/properties\/text\/type must be/).first()).toBeVisible();
  await expect(window.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await window.reload();
  await window.getByRole('tab', { name: /^Schema \(/ }).click();
  await expect(window.getByRole('textbox', { name: 'Input schema' })).toContainText('"strin"');
  await window.getByRole('button', { name: 'Discard changes' }).click();
  await expect(window.getByRole('img', { name: 'Not saved' })).toHaveCount(0);
});

/** A tool as a file, saved by somebody else: the command line. */
async function saveElsewhere(host: { workspace: string; command: (args: readonly string[]) => Promise<unknown> }, tool: Record<string, unknown>): Promise<void> {
  const file = join(host.workspace, `${String(tool['name'])}.tool.json`);
  await writeFile(file, JSON.stringify({ touchstone_tool: 1, executor_type: 'shell', input_schema: { type: 'object', properties: { text: { type: 'string' } } }, ...tool }));
  await host.command(['workshop', 'save', file]);
}

test('what is written is still there after one leaves at once, and can be saved on top of what somebody else saved', async ({ window, host }) => {
  await createTool(window, 'two_writers');
  const description = window.getByRole('textbox', { name: 'Description', exact: true });
  await description.fill('Mine.');
  await window.getByRole('link', { name: 'Servers', exact: true }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
  await saveElsewhere(host, { name: 'two_writers', description: 'Theirs.', executor_config: { command: 'true' } });

  await visit(window, 'workshop');
  await window.getByText('two_writers').first().click();
  await expect(description).toHaveValue('Mine.');
  await expect(window.getByText('Version 2 was saved elsewhere; what is written here began with version 1.')).toBeVisible();
  await expect(window.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await window.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(window.getByRole('textbox', { name: 'Details, version 2' })).toContainText('Theirs.');
  await expect(window.getByRole('textbox', { name: 'Details, what is not saved' })).toContainText('Mine.');
  await window.getByRole('button', { name: 'Keep mine, on top of version 2' }).click();
  await expect(window.getByText('Version 2 was saved elsewhere', { exact: false })).toHaveCount(0);
  await saveAs(window, 'Save', 'Mine after all.');
  await expect(window.getByText('version 3', { exact: true })).toBeVisible();
  await window.getByRole('tab', { name: 'Details' }).click();
  await expect(description).toHaveValue('Mine.');
});

test('tools come in from files: faults are shown, and keep everything out', async ({ window, host }) => {
  await visit(window, 'workshop');
  const tool = { touchstone_tool: 1, name: 'from_a_file', description: 'Came in from a file.', executor_type: 'shell', script: 'from_a_file.sh', executor_config: { output: 'text', args: ['{{text}}'] }, input_schema: { type: 'object', properties: { text: { type: 'string' } } } };
  const json = { name: 'from_a_file.tool.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(tool)) };
  const script = { name: 'from_a_file.sh', mimeType: 'text/x-sh', buffer: Buffer.from('printf "got %s" "$1"\n') };
  const choose = async (files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> => {
    const chooser = window.waitForEvent('filechooser');
    await window.getByRole('button', { name: 'Import', exact: true }).click();
    await (await chooser).setFiles(files);
  };
  const dialog = window.getByRole('dialog', { name: 'Import tools' });
  await choose([json]);
  await expect(dialog.getByText(/from_a_file\.tool\.json.*missing beside it/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Import / })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await choose([json, script]);
  await expect(dialog.getByText('from_a_file', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 1 tool' }).click();
  await expect(dialog).toHaveCount(0);
  await window.getByRole('searchbox', { name: 'Search tools' }).fill('from');
  await expect(window.getByRole('grid', { name: 'Tools' }).getByText('from_a_file')).toBeVisible();
  expect((await host.command(['workshop', 'run', 'from_a_file', '--arguments', '{"text":"it"}'])).stdout).toContain('got it');
  await choose([json, script]);
  await expect(dialog.getByText('unchanged')).toBeVisible();
});

test('a run is found by its trace and repeated; one that destroys things asks again, with its arguments', async ({ window, host }) => {
  await saveElsewhere(host, { name: 'wipe_all', description: 'Wipes everything.', executor_config: { command: 'echo', args: ['wiped'], output: 'text', annotations: { destructiveHint: true } } });
  await host.command(['workshop', 'run', 'wipe_all', '--arguments', '{"text":"disk 7"}', '--trace', 'trace-of-the-first', '--yes']);
  await visit(window, 'workshop/executions');
  await window.getByRole('textbox', { name: 'Trace id' }).fill('trace-of-the-first');
  await expect(window.getByText('1 execution', { exact: true })).toBeVisible();
  await window.getByRole('grid', { name: 'Executions' }).getByText('wipe_all').click();
  const ask = window.getByRole('dialog', { name: 'Run “wipe_all”?' });
  await window.getByRole('button', { name: 'Run again' }).click();
  await expect(ask.getByRole('region', { name: 'Arguments' })).toContainText('disk 7');
  await ask.getByRole('button', { name: 'Do not run' }).click();
  await expect(ask).toHaveCount(0);
  await expect(window.getByText('1 execution', { exact: true })).toBeVisible();
  await window.getByRole('button', { name: 'Run again' }).click();
  await ask.getByRole('button', { name: 'Run it' }).click();
  await expect(window.getByText('2 executions', { exact: true })).toBeVisible();
  await expect(window.getByRole('grid', { name: 'Executions' }).getByText('Success')).toHaveCount(2);
});

test('a tool is shown as models get it once it is active', async ({ window }) => {
  await createTool(window, 'for_models');
  await window.getByRole('tab', { name: 'For models' }).click();
  await expect(window.getByText('Models are given active tools only.')).toBeVisible();
  await window.getByRole('button', { name: 'Activate' }).click();
  await expect(window.getByRole('region', { name: 'for_models for OpenAI' })).toContainText('"parameters"');
  await window.getByText('Anthropic', { exact: true }).click();
  await expect(window.getByRole('region', { name: 'for_models for Anthropic' })).toContainText('"input_schema"');
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Disable' }).click();
  await expect(window.getByText('Models are given active tools only.')).toBeVisible();
});

test('a deleted tool comes back with Undo', async ({ window }) => {
  await createTool(window, 'short_lived');
  await window.getByRole('button', { name: 'More actions' }).click();
  await window.getByRole('menuitem', { name: 'Delete tool' }).click();
  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(window.getByText('Undone.')).toBeVisible();
  await visit(window, 'workshop');
  await window.getByRole('searchbox', { name: 'Search tools' }).fill('short');
  await expect(window.getByText('short_lived').first()).toBeVisible();
});

test('a deleted tool is found among the deleted ones, brought back, and removed for good', async ({ window, host }) => {
  await saveElsewhere(host, { name: 'thrown_away', description: 'Is not needed any more.', executor_config: { command: 'true' } });
  await host.command(['workshop', 'remove', 'thrown_away']);
  const tools = window.getByRole('grid', { name: 'Tools' });
  await visit(window, 'workshop?state=deleted');
  await tools.getByText('thrown_away').click();
  await expect(window.getByRole('heading', { name: 'thrown_away' })).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Bring it back' }).click();
  await expect(window.getByText('The tool “thrown_away” is back.')).toBeVisible();
  await host.command(['workshop', 'remove', 'thrown_away']);
  await window.reload();
  await tools.getByText('thrown_away').click();
  await window.getByRole('button', { name: 'Remove for good' }).click();
  await expect(window.getByText('Tool thrown_away was removed for good.')).toBeVisible();
  expect((await host.command(['workshop', 'list', '--deleted'])).stdout).not.toContain('thrown_away');
});

test('active tools are served, registered with one click, evaluated, and evaluated again after an edit', async ({ window, host }) => {
  await createTool(window, 'shout_text');
  await window.getByRole('button', { name: 'Activate' }).click();
  await expect(window.getByText('Active', { exact: true })).toBeVisible();
  await visit(window, 'workshop');
  await window.getByRole('button', { name: 'Serve', exact: true }).click();
  await window.getByRole('button', { name: 'Start serving' }).click();
  const address = await window.getByRole('region', { name: 'Address' }).textContent();
  const header = await window.getByRole('region', { name: 'Header' }).textContent();
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } } };
  const ask = (authorization: string) =>
    fetch(address ?? '', { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization }, body: JSON.stringify(initialize) });
  expect((await ask('Bearer wrong')).status).toBe(401);
  expect(await (await ask(header?.replace('Authorization: ', '') ?? '')).text()).toContain('touchstone-workshop');
  await window.getByRole('button', { name: 'Stop serving' }).click();
  await expect(window.getByText('Not served')).toBeVisible();

  await window.getByRole('button', { name: 'Register as a server' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'workshop' })).toBeVisible();
  await window.getByRole('button', { name: /List tools/ }).first().click();
  await expect(window.getByText('shout_text').first()).toBeVisible();

  const suite = { version: 1, name: 'workshop-suite', servers: ['workshop'], cases: [{ id: 'a', name: 'Capitals', query: 'Write this text in capital letters: hello', expected_calls: [{ server: 'workshop', tool: 'shout_text' }] }] };
  const file = join(host.workspace, 'workshop-suite.json');
  await writeFile(file, JSON.stringify(suite));
  await host.command(['suite', 'import', file]);
  const evaluate = async () => JSON.parse((await host.command(['eval', '--suite', 'workshop-suite', '--provider', 'builtin', '--json', '--quiet'])).stdout) as { evaluation_id: string; counts: Record<string, number> };
  const before = await evaluate();
  expect(before.counts).toMatchObject({ tp: 1, total: 1, failed: 0 });

  await visit(window, 'workshop');
  await window.getByText('shout_text').first().click();
  await window.getByRole('textbox', { name: 'Description', exact: true }).fill('Measures the tide of a harbour.');
  await saveAs(window, 'Save', 'Says something else.');
  await expect(window.getByText('version 2', { exact: true })).toBeVisible();
  const { tools } = JSON.parse((await host.command(['tools', '--server', 'workshop', '--json'])).stdout) as { tools: { description: string }[] };
  expect(tools.map(({ description }) => description)).toEqual(['Measures the tide of a harbour.']);
  const after = await evaluate();
  expect(after.counts).toMatchObject({ fn: 1, total: 1, failed: 0 });
  await visit(window, `evaluations/compare?base=${before.evaluation_id}&with=${after.evaluation_id}`);
  await expect(window.getByRole('tab', { name: /Regressed 1/ })).toBeVisible();
  await expect(window.getByRole('grid', { name: 'Cases: Regressed' }).getByText('shout_text').first()).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('every screen of the workshop is without accessibility violations, and is photographed for the guide', async ({ window }) => {
      const suffix = colorScheme === 'light' ? '' : '-dark';
      await visit(window, 'workshop/new');
      await expectAccessible(window);
      await createTool(window, `pictured_${colorScheme}`);
      await window.getByRole('tab', { name: /^Script/ }).click();
      await expectAccessible(window);
      await takePicture(window, `workshop-script${suffix}`);
      await writeCode(window, 'Shell script', 'printf %s "$1" | tr "[:lower:]" "[:upper:]" | rev\n');
      await saveAs(window, 'Save', 'Backwards.');
      await window.getByRole('tab', { name: /^Schema/ }).click();
      await expectAccessible(window);
      await takePicture(window, `workshop-schema${suffix}`);
      await window.getByRole('tab', { name: 'Test run' }).click();
      await window.getByRole('textbox', { name: /^text/ }).fill('to be or not to be');
      await window.getByRole('button', { name: 'Run tool' }).click();
      await expect(window.getByRole('region', { name: 'Output' })).toBeVisible();
      await expectAccessible(window);
      await takePicture(window, `workshop-run${suffix}`);
      await window.getByRole('tab', { name: /^Versions/ }).click();
      await expect(window.getByRole('textbox', { name: 'Script, version 1' })).toBeVisible();
      await expectAccessible(window);
      await takePicture(window, `workshop-versions${suffix}`);
      await visit(window, 'workshop');
      await window.getByRole('button', { name: 'Serve', exact: true }).click();
      await expectAccessible(window);
      await takePicture(window, `workshop${suffix}`);
      await visit(window, 'workshop/executions');
      await window.getByRole('grid', { name: 'Executions' }).getByText('Success').first().click();
      await expectAccessible(window);
      await takePicture(window, `workshop-executions${suffix}`);
    });
  });
}
