import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { commandJson } from './commands.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';
import { createTool, saveAs, saveElsewhere } from './workshopHelpers.ts';

test('keeps changes when the page is left at once, and saves them on top of another version', async ({
  window,
  host,
}) => {
  await createTool(window, 'two_writers');
  const description = window.getByRole('textbox', { name: 'Description', exact: true });
  await description.fill('Mine.');
  await window.getByRole('link', { name: 'Suites', exact: true }).click();
  await expect(
    window.getByRole('heading', { level: 1, name: /^\d+ suites? with /u }),
  ).toBeVisible();
  await saveElsewhere(host, {
    name: 'two_writers',
    description: 'Theirs.',
    executor_config: { command: 'true' },
  });

  await visit(window, 'workshop');
  await window.getByText('two_writers').first().click();
  await expect(description).toHaveValue('Mine.');
  await expect(
    window.getByText('Version 2 was saved elsewhere; your changes are based on version 1.'),
  ).toBeVisible();
  await expect(window.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await window.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(window.getByRole('textbox', { name: 'Details, version 2' })).toContainText(
    'Theirs.',
  );
  await expect(window.getByRole('textbox', { name: 'Details, unsaved changes' })).toContainText(
    'Mine.',
  );
  await window.getByRole('button', { name: 'Keep mine as a version after 2' }).click();
  await expect(window.getByText('Version 2 was saved elsewhere', { exact: false })).toHaveCount(0);
  await saveAs(window, 'Save', 'Mine after all.');
  await expect(window.getByText('version 3', { exact: true })).toBeVisible();
  await window.getByRole('tab', { name: 'Details' }).click();
  await expect(description).toHaveValue('Mine.');
});

test('imports tools from files and an archive, but nothing while a file is missing', async ({
  window,
  host,
}) => {
  await visit(window, 'workshop');
  const tool = {
    touchstone_tool: 1,
    name: 'from_a_file',
    description: 'Came in from a file.',
    executor_type: 'shell',
    script: 'from_a_file.sh',
    executor_config: { output: 'text', args: ['{{text}}'] },
    input_schema: { type: 'object', properties: { text: { type: 'string' } } },
  };
  const json = {
    name: 'from_a_file.tool.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(tool)),
  };
  const script = {
    name: 'from_a_file.sh',
    mimeType: 'text/x-sh',
    buffer: Buffer.from('printf "got %s" "$1"\n'),
  };
  const choose = async (
    files: { name: string; mimeType: string; buffer: Buffer }[],
  ): Promise<void> => {
    const chooser = window.waitForEvent('filechooser');
    await window.getByRole('button', { name: 'Import', exact: true }).click();
    await (await chooser).setFiles(files);
  };
  const dialog = window.getByRole('dialog', { name: 'Import tools' });
  await choose([json]);
  await expect(dialog.getByText(/from_a_file\.tool\.json.*is missing/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Import / })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await choose([json, script]);
  await expect(dialog.getByText('from_a_file', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 1 tool' }).click();
  await expect(dialog).toHaveCount(0);
  await window.getByRole('searchbox', { name: 'Search tools' }).fill('from');
  await expect(window.getByRole('grid', { name: 'Tools' }).getByText('from_a_file')).toBeVisible();
  expect(
    (await host.command(['workshop', 'run', 'from_a_file', '--arguments', '{"text":"it"}'])).stdout,
  ).toContain('got it');
  await window.getByRole('button', { name: 'More actions' }).click();
  const [archive] = await Promise.all([
    window.waitForEvent('download'),
    window.getByRole('menuitem', { name: 'Export all as files' }).click(),
  ]);
  expect(archive.suggestedFilename()).toBe('tools.zip');
  await choose([
    {
      name: 'tools.zip',
      mimeType: 'application/zip',
      buffer: await readFile(await archive.path()),
    },
  ]);
  await expect(dialog.getByText('from_a_file', { exact: true })).toBeVisible();
  await expect(dialog.getByText('unchanged').first()).toBeVisible();
  await expect(dialog.getByText(/^(new|a new version)$/)).toHaveCount(0);
});

test('finds an execution by its trace, and asks before it repeats a destructive one', async ({
  window,
  host,
}) => {
  await saveElsewhere(host, {
    name: 'wipe_all',
    description: 'Wipes everything.',
    executor_config: {
      command: 'echo',
      args: ['wiped'],
      output: 'text',
      annotations: { destructiveHint: true },
    },
  });
  await host.command([
    'workshop',
    'run',
    'wipe_all',
    '--arguments',
    '{"text":"disk 7"}',
    '--trace',
    'trace-of-the-first',
    '--yes',
  ]);
  await visit(window, 'workshop/executions');
  await window.getByRole('textbox', { name: 'Trace ID' }).fill('trace-of-the-first');
  await expect(window.getByText('1 execution', { exact: true })).toBeVisible();
  await window.getByRole('grid', { name: 'Executions' }).getByText('wipe_all').click();
  const ask = window.getByRole('dialog', { name: 'Run “wipe_all”?' });
  await window.getByRole('button', { name: 'Run again' }).click();
  await expect(ask.getByRole('region', { name: 'Arguments' })).toContainText('disk 7');
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await expect(ask).toHaveCount(0);
  await expect(window.getByText('1 execution', { exact: true })).toBeVisible();
  await window.getByRole('button', { name: 'Run again' }).click();
  await ask.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByText('2 executions', { exact: true })).toBeVisible();
  await expect(window.getByRole('grid', { name: 'Executions' }).getByText('Success')).toHaveCount(
    2,
  );
});

test('shows the provider formats of an active tool', async ({ window }) => {
  await createTool(window, 'for_models');
  await window.getByRole('tab', { name: 'For models' }).click();
  await expect(window.getByText('Models see active tools only.')).toBeVisible();
  await window.getByRole('button', { name: 'Activate' }).click();
  await expect(window.getByRole('region', { name: 'for_models for OpenAI' })).toContainText(
    '"parameters"',
  );
  await window.getByText('Anthropic', { exact: true }).click();
  await expect(window.getByRole('region', { name: 'for_models for Anthropic' })).toContainText(
    '"input_schema"',
  );
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Disable' }).click();
  await expect(window.getByText('Models see active tools only.')).toBeVisible();
});

test('restores a deleted tool from the list of deleted ones, and removes it for good', async ({
  window,
  host,
}) => {
  await saveElsewhere(host, {
    name: 'thrown_away',
    description: 'Is not needed any more.',
    executor_config: { command: 'true' },
  });
  await host.command(['workshop', 'remove', 'thrown_away']);
  const tools = window.getByRole('grid', { name: 'Tools' });
  await visit(window, 'workshop?state=deleted');
  await tools.getByText('thrown_away').click();
  await expect(window.getByRole('heading', { name: 'thrown_away' })).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Restore' }).click();
  await expect(window.getByText('The tool “thrown_away” was restored.')).toBeVisible();
  await host.command(['workshop', 'remove', 'thrown_away']);
  await window.reload();
  await tools.getByText('thrown_away').click();
  await window.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(window.getByText('Tool thrown_away was permanently deleted.')).toBeVisible();
  expect((await host.command(['workshop', 'list', '--deleted'])).stdout).not.toContain(
    'thrown_away',
  );
});

test('says what a new tool is missing, and creates it without a changelog', async ({ window }) => {
  await visit(window, 'workshop/new');
  await window.getByRole('button', { name: /^Shell/ }).click();
  const missing = window.getByRole('list', { name: 'Before you create the tool' });
  await expect(missing.getByRole('listitem')).toHaveText([
    /^Name: A tool needs a name/,
    /^Display name: /,
    /^Description: /,
  ]);
  await window.getByRole('textbox', { name: 'Name', exact: true }).fill('2_cases');
  await window.getByRole('textbox', { name: 'Display name' }).fill('Two cases');
  await expect(missing.getByRole('listitem')).toHaveText([/^Description: /]);
  await window.getByRole('textbox', { name: 'Description', exact: true }).fill('Changes case.');
  await expect(missing).toHaveCount(0);
  await window.getByRole('button', { name: 'Create tool' }).click();
  await window.getByRole('button', { name: 'Create version 1' }).click();
  await expect(window.getByRole('heading', { level: 1, name: '2_cases' })).toBeVisible();
});

test('runs a draft before the tool exists, and saves nothing', async ({ window, host }) => {
  await visit(window, 'workshop/new');
  await window.getByRole('button', { name: /^Shell/ }).click();
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('quiet');
  await window.getByRole('button', { name: 'Run draft' }).click();
  const output = window.getByRole('region', { name: 'Output' });
  await expect(output).toHaveText('QUIET');
  expect(await commandJson(host, 'workshop', 'list', '--search', 'new_tool')).toEqual({
    tools: [],
  });
  await window.getByRole('button', { name: 'Discard' }).click();
});

test(
  'runs the unsaved changes of a saved tool, and keeps its version',
  { tag: '@picture' },
  async ({ window, host }) => {
    await saveElsewhere(host, {
      name: 'title_line',
      display_name: 'Title line',
      description: 'Writes a title line.',
      executor_config: { command: 'echo', args: ['Title: {{text}}'] },
      input_schema: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'What the document is called.' },
          subtitle: { type: ['string', 'null'] },
        },
        required: ['text'],
        additionalProperties: false,
      },
    });
    await visit(window, 'workshop');
    await window.getByText('title_line').first().click();
    await window.getByRole('tab', { name: 'Schema' }).click();
    await expect(window.getByRole('combobox', { name: 'Type of parameter 2' })).toHaveValue(
      'string or null',
    );
    await expect(window.getByText('Not shown in this form: additionalProperties.')).toBeVisible();
    await window.getByRole('tab', { name: 'Test run' }).click();
    const run = window.getByRole('button', { name: 'Run tool' });
    await expect(run).toHaveAttribute('data-variant', 'filled');
    await window.getByRole('tab', { name: 'Details' }).click();
    await window
      .getByRole('textbox', { name: 'Description', exact: true })
      .fill('Writes the title line of a document, such as “Title: Minutes”.');
    await window.getByRole('tab', { name: 'Test run' }).click();
    await window.getByRole('textbox', { name: /^text/ }).fill('Minutes of May 4');
    const runDraft = window.getByRole('button', { name: 'Run draft' });
    await expect(runDraft).toHaveAttribute('data-variant', 'default');
    await runDraft.click();
    await expect(window.getByRole('region', { name: 'Output' })).toContainText(
      'Title: Minutes of May 4',
    );
    await expectAccessible(window);
    await takePicture(window, 'workshop-draft');
    expect(await commandJson(host, 'workshop', 'show', 'title_line')).toMatchObject({
      version: 1,
      description: 'Writes a title line.',
    });
    await window.getByRole('button', { name: 'Discard changes' }).click();
  },
);

test('describes a category, also later', async ({ window, host }) => {
  await visit(window, 'workshop?panel=categories');
  await window.getByRole('textbox', { name: 'New category' }).fill('described');
  await window.getByRole('textbox', { name: 'Description', exact: true }).fill('Changes text.');
  await window.getByRole('button', { name: 'Add category' }).click();
  const description = window.getByRole('textbox', { name: 'Description of described' });
  await expect(description).toHaveValue('Changes text.');
  await description.fill('Reads text.');
  await description.press('Enter');
  await expect
    .poll(async () => commandJson<{ categories: object[] }>(host, 'workshop', 'category', 'list'))
    .toMatchObject({ categories: [{ name: 'described', description: 'Reads text.' }] });
});

test('runs a tool with nested arguments from a form, with limits and a trace ID', async ({
  window,
  host,
}) => {
  await saveElsewhere(host, {
    name: 'nested_form',
    description: 'Repeats its arguments.',
    executor_config: { command: 'cat', output: 'json' },
    input_schema: {
      type: 'object',
      properties: {
        place: {
          type: 'object',
          properties: { city: { type: 'string', minLength: 2 } },
          required: ['city'],
        },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        level: { type: 'string', enum: ['low', 'high'] },
      },
      required: ['place'],
    },
  });
  await visit(window, 'workshop');
  await window.getByText('nested_form').first().click();
  await window.getByRole('tab', { name: 'Test run' }).click();
  await expect(window.getByText('Default: 10. 1–100.')).toBeVisible();
  const city = window.getByRole('textbox', { name: 'city' });
  await city.fill('x');
  await window.getByRole('textbox', { name: 'Trace ID' }).fill('trip-7');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(city).toHaveAttribute('aria-invalid', 'true');
  await city.fill('Bern');
  await window.getByRole('combobox', { name: 'level' }).click();
  await window.getByRole('option', { name: 'high' }).click();
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(window.getByText('trace trip-7')).toBeVisible();
  await expect
    .poll(async () => commandJson(host, 'workshop', 'log', 'nested_form', '--trace', 'trip-7'))
    .toMatchObject({
      executions: [{ status: 'SUCCESS', output_data: { place: { city: 'Bern' }, level: 'high' } }],
    });
});
