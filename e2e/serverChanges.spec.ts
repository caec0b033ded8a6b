import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeHttpServer,
  type FakeHttpServer,
} from '../src-main/testing/fakeMcpServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, openServer, takePicture, test, visit } from './fixtures.ts';

/** Relative, so that pictures show no folder of this machine. */
const from = (...steps: string[]): string =>
  relative(process.cwd(), join(import.meta.dirname, '..', ...steps));
const fakeServer = from('src-main', 'testing', 'fakeMcpServer', 'main.ts');
const folder = from('test-results', 'changes');
const toolsFile = join(folder, 'tools.json');
const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };

let oauth: FakeHttpServer;
test.beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  oauth = await startFakeHttpServer('oauth');
});
test.afterAll(async () => {
  await oauth.close();
  await rm(folder, { recursive: true, force: true });
});

const serve = (description: string, more: string[] = []) =>
  writeFile(
    toolsFile,
    JSON.stringify({
      tools: ['note_add', ...more].map((name) => ({ name, description, inputSchema: schema })),
    }),
  );

/** Checks the accessibility of the screen and takes a picture of it for the guide. */
async function checkAndPicture(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await takePicture(page, name);
}

test(
  'T34: shows changed tools word by word, and marks an evaluation that used unseen tools',
  { tag: '@picture' },
  async ({ window, host }) => {
    test.slow();
    await serve('Adds a note to the list.');
    await host.command([
      'servers',
      'add',
      '--list-tools',
      'notes',
      '--stdio',
      `node ${fakeServer} normal --tools ${toolsFile}`,
    ]);
    await openServer(window, 'notes');
    await window
      .getByRole('button', { name: /^Connect( again)?$/ })
      .first()
      .click();
    await window.getByRole('tab', { name: 'Changes' }).click();
    await expect(window.getByText('first listing')).toBeVisible();
    await serve('Adds a note to the shared list and tells everybody.', ['note_delete']);
    await window
      .getByRole('button', { name: /^Connect( again)?$/ })
      .first()
      .click();
    await expect(window.getByText('1 added, 1 changed')).toBeVisible();
    await expect(window.getByText('Changed', { exact: true })).toBeVisible();
    await window.getByRole('button', { name: 'Mark as reviewed' }).click();
    await expect(window.getByText('Reachable', { exact: true })).toBeVisible();
    await window.getByRole('button', { name: 'Show changes' }).click();
    const dialog = window.getByRole('dialog', { name: 'What changed' });
    await expect(dialog.getByText('note_delete').first()).toBeVisible();
    await expect(dialog.getByText('shared').first()).toBeVisible();
    await checkAndPicture(window, 'server-changes');
    await window.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    await serve('Adds a note and sends it away.', ['note_delete']);
    const suite = join(folder, 'notes.json');
    await writeFile(
      suite,
      JSON.stringify({
        version: 1,
        name: 'notes',
        servers: ['notes'],
        cases: [
          {
            id: 'a',
            name: 'Add',
            query: 'Add a note called milk',
            expected_calls: [{ server: 'notes', tool: 'note_add' }],
          },
        ],
      }),
    );
    await host.command(['suite', 'import', suite]);
    const { stdout, stderr } = await host.command([
      'eval',
      '--suite',
      'notes',
      '--provider',
      'builtin',
      '--json',
    ]);
    expect(stderr).toMatch(
      /Server notes: its tools differ from those listed on .*: 2 changed\. This evaluation used the new tools\./,
    );
    const { evaluation_id: id } = JSON.parse(stdout) as { evaluation_id: string };
    await visit(window, `results/${id}`);
    const mark = window.getByRole('note').filter({ hasText: 'differ from those listed' });
    await expect(mark).toBeVisible();
    await checkAndPicture(window, 'evaluation-tools-changed');
    await mark.getByRole('button', { name: 'Show changes' }).click();
    await expect(
      window.getByRole('dialog', { name: 'What changed in notes' }).getByText('note_delete'),
    ).toBeVisible();
  },
);

test(
  'T27: shows one banner for 10,000 list changes, until the tools are listed again',
  { tag: '@picture' },
  async ({ window, host }) => {
    await host.command([
      'servers',
      'add',
      '--list-tools',
      'stormy',
      '--stdio',
      `node ${fakeServer} changing-list`,
    ]);
    await openServer(window, 'stormy');
    await window
      .getByRole('button', { name: /^Connect( again)?$/ })
      .first()
      .click();
    await window.getByRole('tab', { name: 'Changes' }).click();
    await expect(window.getByText('first listing')).toBeVisible();
    await window.getByRole('tab', { name: 'Tools', exact: true }).click();
    await window.getByText('echo', { exact: true }).first().click();
    await window.getByRole('button', { name: 'Try it' }).click();
    await window.getByRole('button', { name: 'Call tool' }).click();
    await expect(window.getByText(/^The tool answered/)).toBeVisible();
    await openServer(window, 'stormy');
    await window.getByRole('tab', { name: 'Changes' }).click();
    const banner = window
      .getByRole('note')
      .filter({ hasText: 'its tools have changed (10,000 times)' });
    await expect(banner).toHaveCount(1);
    await checkAndPicture(window, 'server-list-changed');
    await banner.getByRole('button', { name: 'Connect again' }).click();
    await expect(banner).toHaveCount(0);
  },
);

test(
  'signs in to a remote server by the address shown, and signs out',
  { tag: '@picture' },
  async ({ window, host }) => {
    await host.command(['servers', 'add', 'remote', '--url', oauth.url]);
    await openServer(window, 'remote');
    await expect(window.getByText('Not signed in')).toBeVisible();
    await window.getByRole('button', { name: 'Sign in', exact: true }).click();
    const link = window.getByRole('link', { name: 'open the sign-in page' });
    await expect(link).toBeVisible();
    await window.emulateMedia({ colorScheme: 'dark' });
    await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await expectAccessible(window);
    await window.emulateMedia({ colorScheme: 'light' });
    await expect(window.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
    await checkAndPicture(window, 'server-sign-in');
    // As a browser would: along the redirects, back to this machine.
    expect((await fetch((await link.getAttribute('href')) ?? '')).status).toBe(200);
    await expect(window.getByText('Signed in', { exact: true })).toBeVisible();
    await window.getByRole('button', { name: 'Sign out' }).click();
    await expect(window.getByText('Signed in', { exact: true })).toHaveCount(0);
  },
);

test(
  'shows problems with their cases, and edits several cases at once with Undo',
  { tag: '@picture' },
  async ({ window, host }) => {
    const suite = join(folder, 'odd.json');
    const cases = [
      {
        id: 'a',
        name: 'Fine',
        query: 'Add milk to my list',
        expected_calls: [{ server: 'todo', tool: 'add_task' }],
      },
      {
        id: 'b',
        name: 'Nearly the same',
        query: 'Add milk to my list!',
        expected_calls: [{ server: 'todo', tool: 'add_task' }],
      },
      {
        id: 'c',
        name: 'Unknown server',
        query: 'What is the weather like?',
        expected_calls: [{ server: 'nowhere', tool: 'weather' }],
      },
    ];
    await writeFile(suite, JSON.stringify({ version: 1, name: 'odd', servers: ['todo'], cases }));
    await host.command(['suite', 'import', suite]);
    await visit(window, 'suites');
    await window.getByText('odd', { exact: true }).first().click();
    await expect(window.getByRole('heading', { level: 1, name: 'odd' })).toBeVisible();
    await expect(window.getByText('2 cases with a problem')).toBeVisible();
    await window.getByText('What is the weather like?').first().click();
    await expect(
      window
        .getByRole('list', { name: 'Problems' })
        .getByText('No server is named nowhere.')
        .first(),
    ).toBeVisible();
    await checkAndPicture(window, 'case-problems');
    await window.getByRole('button', { name: 'Close' }).first().click();
    await expect(window.getByRole('list', { name: 'Problems' })).toHaveCount(0);

    const marks = window.getByRole('grid', { name: 'Cases and tasks' }).getByRole('checkbox');
    await marks.nth(1).check();
    await marks.nth(2).check();
    await window.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = window.getByRole('dialog', { name: 'Edit 2 cases' });
    await dialog.getByLabel('Add tags').first().fill('groceries');
    await dialog.getByLabel('Add tags').first().press('Enter');
    await expect(dialog.getByText('groceries')).toBeVisible();
    await checkAndPicture(window, 'edit-cases');
    await dialog.getByRole('button', { name: 'Change 2 cases' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(window.getByRole('gridcell').filter({ hasText: 'groceries' })).toHaveCount(2);
    await window.getByRole('button', { name: 'Undo' }).first().click();
    await expect(window.getByRole('gridcell').filter({ hasText: 'groceries' })).toHaveCount(0);
  },
);

test('accepts a rejected file again after it is fixed', async ({ window }) => {
  await visit(window, 'tools/signals');
  const field = window.locator('input[type=file]');
  await field.setInputFiles({
    name: 'tools.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{'),
  });
  await expect(window.getByRole('alert').first()).toBeVisible();
  // The field must be empty again: choosing the same file twice causes no event.
  await expect(field).toHaveValue('');
  await field.setInputFiles({
    name: 'tools.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({
        tools: [
          {
            server: 'elsewhere',
            name: 'moon_phase',
            description: 'Tells the phase of the moon.',
            inputSchema: schema,
          },
        ],
      }),
    ),
  });
  await expect(window.getByText(/Signals in the file tools\.json/)).toBeVisible();
  await expect(field).toHaveValue('');
});
