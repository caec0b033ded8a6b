import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';
import { builtProgram } from './launchLoopback.ts';
import { saveAs, writeCode } from './workshopHelpers.ts';

test.use({ startFrom: 'empty' });

test('writes, tries, creates, tests, activates and serves a tool, which an MCP client calls', async ({
  window,
  host,
}) => {
  test.slow();
  await visit(window, 'workshop');
  await window
    .getByRole('link', { name: 'New tool' })
    .or(window.getByRole('button', { name: 'New tool' }))
    .first()
    .click();
  await window.getByRole('button', { name: /^Shell/ }).click();
  await window.getByRole('textbox', { name: 'Name', exact: true }).fill('repeat_text');
  await window.getByRole('textbox', { name: 'Display name' }).fill('Repeat text');
  await window
    .getByRole('textbox', { name: 'Description', exact: true })
    .fill('Repeats a text, once per line.');

  // The arguments: one more parameter with limits, without a line of JSON.
  await window.getByRole('tab', { name: /^Schema/ }).click();
  await window.getByRole('button', { name: 'Add parameter', exact: true }).click();
  await window.getByRole('textbox', { name: 'Name of parameter 2', exact: true }).fill('times');
  await window.getByRole('combobox', { name: 'Type of parameter 2' }).click();
  await window.getByRole('option', { name: 'integer' }).click();
  await window
    .getByRole('textbox', { name: 'Description of parameter 2', exact: true })
    .fill('How often.');
  await window.getByText('Default and limits of times').click();
  const limits = window.getByRole('group', { name: 'Default and limits of times' });
  await limits.getByRole('textbox', { name: /^default/ }).fill('2');
  await limits.getByRole('textbox', { name: /^minimum/ }).fill('1');
  await limits.getByRole('textbox', { name: /^maximum/ }).fill('5');
  await expect(window.getByText('Default: 2. 1–5.')).toBeVisible();
  await expectAccessible(window);

  // The executor: a second argument of the script.
  await window.getByRole('tab', { name: /^Details/ }).click();
  await window.getByRole('button', { name: 'Add to args' }).click();
  await window.getByRole('textbox', { name: 'args 2' }).fill('{{times}}');
  await expectAccessible(window);
  await window.getByRole('tab', { name: /^Script/ }).click();
  await writeCode(window, 'Shell script', 'for n in $(seq 1 "$2"); do printf "%s\\n" "$1"; done\n');

  // A draft, first with an argument that breaks a limit.
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^text/ }).fill('ho');
  const times = window.getByRole('textbox', { name: /^times/ });
  await times.fill('9');
  await window.getByRole('button', { name: 'Run draft' }).click();
  await expect(times).toHaveAttribute('aria-invalid', 'true');
  await times.fill('3');
  await window.getByRole('button', { name: 'Run draft' }).click();
  const output = window.getByRole('region', { name: 'Output' });
  await expect(output).toContainText('ho');
  await expectAccessible(window);

  await saveAs(window, 'Create tool', 'The first one.');
  await expect(window.getByRole('heading', { level: 1, name: 'repeat_text' })).toBeVisible();
  await window.getByRole('tab', { name: 'Test run' }).click();
  await window.getByRole('textbox', { name: /^times/ }).fill('2');
  await window.getByRole('button', { name: 'Run tool' }).click();
  await expect(output).toContainText('to be or not to be');
  await window.getByRole('button', { name: 'Activate' }).click();
  await expect(window.getByText('Active', { exact: true })).toBeVisible();

  // Any MCP client starts this command, while the window stays open.
  const client = new Client({ name: 'guide', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [builtProgram, '--workspace', host.workspace, 'workshop', 'serve', '--stdio'],
      env: { TOUCHSTONE_KEYCHAIN: 'off' },
    }),
  );
  try {
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      {
        name: 'repeat_text',
        inputSchema: {
          properties: { times: { type: 'integer', default: 2, minimum: 1, maximum: 5 } },
        },
      },
    ]);
    expect(
      await client.callTool({ name: 'repeat_text', arguments: { text: 'hey', times: 2 } }),
    ).toMatchObject({ content: [{ type: 'text', text: 'hey\nhey\n' }] });
    expect(
      await client.callTool({ name: 'repeat_text', arguments: { text: 7, times: 6 } }),
    ).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/\/text must be string.*\n.*\/times must be <= 5/) }],
    });
  } finally {
    await client.close();
  }
  await window.getByRole('tab', { name: 'Executions' }).click();
  const log = window.getByRole('grid', { name: 'Executions' });
  await expect(log.getByText('mcp: guide')).toBeVisible();
  await expect(log.getByText('Draft', { exact: true })).toHaveCount(0);
});
