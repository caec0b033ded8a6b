import { expectAccessibleInBothThemes } from './accessibility.ts';
import type { WebSocketRoute } from '@playwright/test';
import { expect, test, visit } from './fixtures.ts';

const line = (content: string, name: string, args: object): string =>
  JSON.stringify({
    request: { model: 'm', messages: [{ role: 'user', content }] },
    response: {
      choices: [
        { message: { tool_calls: [{ function: { name, arguments: JSON.stringify(args) } }] } },
      ],
    },
  });

test('reviews a log: accepts, corrects, says that no tool is right, and makes a suite', async ({
  window,
}) => {
  await visit(window, 'suites/import');
  await window.locator('input[type=file]').setInputFiles({
    name: 'agent.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(
      [
        line('Remind mia@shop.test of the milk', 'add_task', { title: 'mia@shop.test: milk' }),
        line('What is left to do for today?', 'add_task', { title: 'left' }),
        line('Do you like tasks?', 'list_tasks', {}),
      ].join('\n'),
    ),
  });
  await expect(window.getByText('A log says what models did, not what is right')).toBeVisible();
  // The sample's server has these tools once it has listed them.
  const server = window.getByRole('combobox', { name: 'Server of the tools' });
  if (await server.isVisible()) {
    await server.fill('todo');
    await server.press('Enter');
  }
  await expect(window.getByRole('row', { name: 'Proposal 3' })).toBeVisible();
  await expect(window.getByLabel('Query of proposal 1')).toHaveValue(
    'Remind person1@example.com of the milk',
  );
  await expect(window.getByText('mail address 2 times')).toBeVisible();
  await expectAccessibleInBothThemes(window);
  await window.getByRole('button', { name: 'No tool for proposal 3' }).click();
  await expect(window.getByRole('row', { name: 'Proposal 3' })).toContainText('no tool');
  const change = window.getByRole('button', { name: 'Change call of proposal 2' });
  await change.click();
  await window.getByRole('button', { name: 'Cancel' }).click();
  await change.click();
  const tool = window.getByRole('combobox', { name: 'Right tool' });
  await tool.fill('todo:list_tasks');
  await tool.press('Enter');
  await window.getByLabel('Expected arguments').fill('{}');
  await window.getByRole('button', { name: 'Use this call' }).click();
  await expect(window.getByRole('row', { name: 'Proposal 2' })).toContainText('list_tasks');
  await window.getByLabel('Select all matching proposals').check();
  await window.getByRole('button', { name: 'Accept 3 cases' }).click();
  await expect(window.getByText('Added 3 cases to the suite.')).toBeVisible();
  await visit(window, 'suites');
  await expect(window.getByText('agent').first()).toBeVisible();
});

test('Cancel stops the reading of a log, whose late answer changes nothing', async ({ window }) => {
  const late: Parameters<WebSocketRoute['send']>[0][] = [];
  let page: WebSocketRoute | undefined;
  await window.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    page = socket;
    socket.onMessage((message) => server.send(message));
    // The answer arrives after Cancel, however fast the log is read.
    server.onMessage((message) => {
      if (message.toString().includes('of the slow log')) late.push(message);
      else socket.send(message);
    });
  });
  await window.reload();
  await visit(window, 'suites/import');
  const choose = (name: string, text: string): Promise<void> =>
    window
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/jsonl', buffer: Buffer.from(text) });
  await choose(
    'slow.jsonl',
    `${line('Add the milk of the slow log', 'add_task', { title: 'x'.repeat(1_000) })}\n`.repeat(
      6_000,
    ),
  );
  await expect(window.getByText('Reading the log')).toBeVisible();
  await window.getByRole('button', { name: 'Cancel' }).click();
  await expect(window.getByText('Reading the log')).toBeHidden();
  await expect(window.getByRole('row', { name: /^Proposal/ })).toHaveCount(0);
  await expect(window.getByRole('alert')).toHaveCount(0);
  await choose('next.jsonl', line('What is left to do for today?', 'list_tasks', {}));
  const server = window.getByRole('combobox', { name: 'Server of the tools' });
  await expect(window.getByRole('row', { name: 'Proposal 1' }).or(server).first()).toBeVisible();
  for (const message of late) page?.send(message);
  await expect(window.getByLabel('Name of the new suite')).toHaveValue('next');
  await expect(window.getByText('of the slow log')).toHaveCount(0);
  await visit(window, 'suites');
  await expect(window.getByRole('link', { name: 'slow', exact: true })).toHaveCount(0);
});
