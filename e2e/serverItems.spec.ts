import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, openServer, test } from './fixtures.ts';

const schema = { type: 'object', properties: { title: { type: 'string' } } };
const offer = {
  tools: [{ name: 'note_add', description: 'Adds a note.', inputSchema: schema }],
  prompts: [
    {
      name: 'summary',
      title: 'Summary',
      description: 'Summarizes the notes of a day. <b>Short</b>.',
      arguments: [{ name: 'day', description: 'The day.', required: true }],
    },
  ],
  resources: [{ uri: 'note://today', name: 'Today', mimeType: 'text/markdown' }],
  resourceTemplates: [{ uriTemplate: 'note://{day}', name: 'Notes of a day' }],
};

const commandOf = (mode: string, ...more: string[]): string => {
  const { command, args } = fakeStdioServer(mode);
  return [command, ...args, ...more].join(' ');
};

test('lists prompts and resources apart from the tools, and marks changes of them', async ({
  window,
  host,
}) => {
  test.slow();
  const folder = await mkdtemp(join(tmpdir(), 'items-'));
  const file = join(folder, 'offer.json');
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, JSON.stringify(offer));
    await host.command([
      ...['servers', 'add', 'notes', '--stdio'],
      commandOf('normal', '--tools', file),
    ]);
    await host.command(['servers', 'check', 'notes']);
    await openServer(window, 'notes');
    await expect(window.getByText('1 prompt, 1 resource, 1 resource template')).toBeVisible();
    await window.getByRole('tab', { name: 'Connection' }).click();
    await expect(window.getByText(/Their lists have \d+ tokens/)).toBeVisible();
    await window.getByText('summary', { exact: true }).click();
    await expect(window.getByText('day (required)')).toBeVisible();
    await expect(window.getByText('<b>Short</b>')).not.toHaveCount(0);
    await expectAccessible(window);

    const [prompt] = offer.prompts;
    await writeFile(
      file,
      JSON.stringify({ ...offer, prompts: [{ ...prompt, description: 'Sends the notes away.' }] }),
    );
    await host.command(['servers', 'check', 'notes']);
    await openServer(window, 'notes');
    await window.getByRole('tab', { name: 'Changes' }).click();
    await expect(
      window.getByText('1 prompt or resource changed since you last reviewed them.').first(),
    ).toBeVisible();
    await window.getByRole('button', { name: 'Show changes' }).click();
    await expect(window.getByText('prompt summary')).toBeVisible();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('says why prompts could not be listed and shows the tools all the same', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'add', 'broken', '--stdio', commandOf('prompts-error')]);
  await host.command(['servers', 'check', 'broken']);
  await openServer(window, 'broken');
  await expect(window.getByText('2 tools', { exact: true }).first()).toBeVisible();
  await window.getByRole('tab', { name: 'Connection' }).click();
  await expect(window.getByText('The prompts could not be listed.')).toBeVisible();
  await expect(window.getByText(/^prompts\/list: .*The prompts are locked/)).toBeVisible();
  await expect(window.getByText('file:///0.md', { exact: true })).toBeVisible();
  await expectAccessible(window);
});
