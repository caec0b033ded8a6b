import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { fakeServerCommand } from './commands.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';

const parcel = { type: 'string', description: 'The number of the parcel.' };
const tools = [
  {
    name: 'track_parcel',
    description: `Says where a parcel is. ${'More of it. '.repeat(300)}`,
    inputSchema: { type: 'object', properties: { parcel } },
  },
  {
    name: 'send_parcel',
    description: 'Sends a parcel.',
    inputSchema: { type: 'object', properties: { parcel, anything: true } },
  },
];

let folder = '';
// Before the first window opens, because an open one reads the servers of others every 15 seconds.
test.beforeAll(async ({ host }) => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-clients-'));
  const file = join(folder, 'tools.json');
  await writeFile(file, JSON.stringify({ tools }));
  await host.command([
    ...['servers', 'add', '--list-tools', 'parcels', '--stdio'],
    fakeServerCommand('normal', '--tools', file),
  ]);
  await host.command(['tools', '--server', 'parcels']);
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const fromOverview = 'shows what clients make of a server, from the Overview to one tool';
test(fromOverview, { tag: '@picture' }, async ({ window }) => {
  await visit(window, '');
  const lost =
    'Claude Code, Gemini CLI, opencode, and Continue show none of the 2 tools of parcels because of send_parcel.';
  await expect(window.getByText(lost)).toBeVisible();
  await window.getByRole('link', { name: 'Clients', exact: true }).click();

  await expect(window.getByRole('heading', { level: 1 })).toContainText(
    "2 of 2 tools don't reach the model in",
  );
  await expect(window.getByRole('note')).toContainText(lost);
  const grid = window.getByRole('grid', { name: 'Tools by client' });
  const row = grid.getByRole('row').filter({ hasText: 'track_parcel' });
  await expect(row).toContainText('server hidden');
  // The row says what a client changes of a tool, without the legend.
  await expect(row).toContainText(/changed\s*description/u);
  await takePicture(window, 'clients');
  await window.setViewportSize({ width: 1024, height: 768 });
  for (const heading of await grid.getByRole('columnheader').all()) {
    const isWhole = await heading.evaluate((cell) =>
      [...cell.querySelectorAll('span')].every((text) => text.scrollHeight <= text.clientHeight),
    );
    expect(isWhole, await heading.innerText()).toBe(true);
  }
  await window.setViewportSize({ width: 1440, height: 900 });
  await row.click();
  const panel = window.getByRole('complementary', { name: 'track_parcel' });
  await expect(panel).toContainText('because of "send_parcel"');
  await panel.getByText('Cline', { exact: true }).click();
  await expect(panel).toContainText('parcels__track_parcel');
  await expect(panel).toContainText('measured with 3.0.65');
  await expect(panel).toContainText('Results: up to 8,000 characters whole');
  await panel.getByText('Windsurf', { exact: true }).click();
  await expect(panel).toContainText('It takes 100 tools at most');
  await expectAccessible(window);

  await visit(window, 'tools/parcels/send_parcel');
  const findings = window.getByRole('region', { name: 'Findings' });
  await expect(findings.getByRole('listitem').first()).toContainText(
    'Tool for which a client hides its server',
  );
  await expect(window.getByText('What the model sees in each client')).toBeVisible();
});

test('runs a suite as two clients and compares them: rates, hidden tools, cut descriptions', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'check', 'todo']);
  await visit(window, 'results/new');
  await window.getByText('Prompt, arguments, order, and limits').click();
  await window.getByRole('combobox', { name: 'Present tools as' }).click();
  for (const name of ['No client: as providers take them', 'Claude Code'])
    await window.getByRole('option', { name, exact: true }).click();
  await window.keyboard.press('Escape');
  const plan = window.getByRole('region', { name: 'Plan' });
  await expect(plan).toContainText('61 cases');
  await expect(plan).toContainText('122 runs');
  await plan.getByRole('button', { name: 'Run evaluation' }).click();
  const grid = window.getByRole('grid', { name: 'By client' });
  const row = grid.getByRole('row').filter({ hasText: 'Claude Code' });
  await expect(row).toContainText(/\d+%.*n 61/);
  await expect(grid.getByRole('row').filter({ hasText: 'as providers take them' })).toBeVisible();
  await expect(grid.getByRole('columnheader', { name: 'Tools hidden' })).toBeVisible();
  await expectAccessible(window);
});
