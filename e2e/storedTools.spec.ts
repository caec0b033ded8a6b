import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { fakeServerCommand } from './commands.ts';
import { expect, openServer, test, visit } from './fixtures.ts';
import { openSimilarTools, pairList } from './similarTools.ts';

const folder = join(import.meta.dirname, '..', 'test-results', 'stored');
const toolsFile = join(folder, 'tools.json');

test.beforeAll(() => mkdir(folder, { recursive: true }));
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('every analysis shows the stored tools of a dead server and one line about it', async ({
  window,
  host,
}) => {
  const tool = (name: string, description: string) => ({
    name,
    description,
    inputSchema: { type: 'object', properties: {} },
  });
  await writeFile(
    toolsFile,
    JSON.stringify({
      tools: [tool('send_letter', 'Sends a letter.'), tool('send_note', 'Sends a note.')],
    }),
  );
  await host.command([
    'servers',
    'add',
    '--list-tools',
    'post',
    '--stdio',
    fakeServerCommand('normal', '--tools', toolsFile),
  ]);
  // Without the file, the server ends at its start.
  await rm(toolsFile);
  await visit(window, 'tools');
  await window.reload();
  await window.getByRole('button', { name: 'Connect all' }).click();
  await expect(window.getByText(/^Checked 2 servers\. 1 server unreachable\.$/)).toBeVisible();

  const line = window.getByText(/^post can’t be reached; showing its tools from \w+ \d+\.$/);
  await visit(window, 'tools/tokens');
  await expect(line).toHaveCount(1);
  await expect(window.getByText('post:send_letter').first()).toBeVisible();
  await visit(window, 'tools/signals');
  await expect(line).toHaveCount(1);
  await openSimilarTools(window);
  await expect(line).toHaveCount(1);
  await window.getByRole('searchbox', { name: 'Search tools' }).fill('send_letter');
  await expect(pairList(window).getByText('send_letter').first()).toBeVisible();

  await openServer(window, 'post');
  await expect(window.getByText('send_letter', { exact: true }).first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme });
    await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await expectAccessible(window);
  }
  await window.emulateMedia({ colorScheme: 'light' });
  await host.command(['servers', 'remove', 'post']);
});
