import { expectAccessibleInBothThemes } from './accessibility.ts';
import { commandJson, evaluate } from './commands.ts';
import { expect, expectLoaded, openServer, test, visit } from './fixtures.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';

test('a window loads the code of a page once somebody points at its link, and of no other page', async ({
  window,
}) => {
  const pages: string[] = [];
  window.on('request', (request) => {
    const [, name] = /\/assets\/(\w+Page)-[^/]+\.js$/u.exec(request.url()) ?? [];
    if (name !== undefined) pages.push(name);
  });
  await window.reload();
  await expectLoaded(window);
  const before = [...pages];
  expect(before).not.toContain('SettingsPage');
  const loaded = window.waitForRequest(/\/assets\/SettingsPage-/u);
  await window.getByRole('link', { name: 'Settings' }).hover();
  await loaded;
  expect(pages).toEqual([...before, 'SettingsPage']);
  expect(new URL(window.url()).hash).not.toContain('settings');
});

test('the result page shows the numbers of the command line', async ({ window, host }) => {
  const { id, number } = sampleEvaluation();
  const { metrics } = await commandJson<{
    metrics: { selection_precision: { value: number; n: number } };
  }>(host, 'rescore', String(number));
  await visit(window, `results/${id}?tab=matrix`);
  await expect(
    window.getByText(metrics.selection_precision.value.toFixed(2)).first(),
  ).toBeVisible();
  await expect(window.getByText(`${metrics.selection_precision.n} calls made`)).toBeVisible();
});

test('splits a command line typed as the command, keeps arguments that are there, and Undo restores it', async ({
  window,
}) => {
  await visit(window, 'tools?add');
  const line = 'npx -y @modelcontextprotocol/server-everything stdio';
  const command = window.getByRole('textbox', { name: 'Command' });
  await command.fill(line);
  await command.press('Enter');
  await expect(command).toHaveValue('npx');
  await expect(window.getByRole('textbox', { name: 'Arguments', exact: true })).toHaveValue(
    '-y\n@modelcontextprotocol/server-everything\nstdio',
  );
  await window
    .getByRole('status')
    .filter({ hasText: '3 arguments' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(command).toHaveValue(line);
  const args = window.getByRole('textbox', { name: 'Arguments', exact: true });
  await expect(args).toHaveValue('');
  await args.fill('--stdio');
  await command.fill('node /tools/server.js');
  await args.focus();
  await expect(command).toHaveValue('node');
  await expect(args).toHaveValue('/tools/server.js\n--stdio');
  await expect(
    window.getByRole('status').filter({ hasText: 'The arguments from before follow.' }),
  ).toBeVisible();
});

test('T09: shows invisible characters of a name by their codes', async ({ window }) => {
  const suite = {
    version: 1,
    name: 'safe\u202Etxt\u200B',
    servers: ['todo'],
    cases: [{ id: 'a', name: 'a', query: 'q', expected_calls: [] }],
  };
  await visit(window, 'suites/import');
  await window.locator('input[type=file]').setInputFiles({
    name: 'suite.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(suite)),
  });
  await window
    .getByRole('button', { name: /^Import/ })
    .last()
    .click();
  const title = window.getByRole('heading', { level: 1 }).filter({ hasText: 'safe' });
  await expect(title.getByText('U+202E')).toBeVisible();
  await expect(title.getByText('U+200B')).toBeVisible();
});

test('a reload during an evaluation continues from the stored events', async ({ window }) => {
  await visit(window, 'suites');
  await window.getByText('todo-sample').first().click();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByRole('heading', { name: 'New evaluation' })).toBeVisible();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window).toHaveURL(/#\/results\/[0-9a-f-]{36}/);
  await window.reload();
  await expect(window.getByRole('heading', { name: '46 of 61 cases passed' })).toBeVisible();
});

test('the result page names a server that could not start', async ({ window, host }) => {
  await host.command(['servers', 'add', 'broken', '--stdio', '/nonexistent/program']);
  const { evaluation_id: id } = await evaluate(host, 'todo-sample', '--server', 'todo', 'broken');
  await visit(window, `results/${id}`);
  await expect(window.getByText(/broken/).first()).toBeVisible();
  await expect(window.getByText('Incomplete').first()).toBeVisible();
  await host.command(['servers', 'remove', 'broken']);
});

test('the main screens are accessible', { tag: '@picture' }, async ({ window }) => {
  await visit(window, `results/${sampleEvaluation().id}`);
  await expectAccessibleInBothThemes(window, 'result');
  await window.getByText('Uncheck 31 please, I celebrated too early').click();
  await expect(window).toHaveURL(/\/runs\//);
  await expectLoaded(window);
  await expectAccessibleInBothThemes(window, 'case');
  for (const [name, path] of [
    ['overview', ''],
    ['tools', 'tools'],
    ['suites', 'suites'],
    ['results', 'results'],
    ['new-evaluation', 'results/new'],
    ['settings', 'settings'],
  ] as const) {
    await visit(window, path);
    await expect(window.getByText(/^Comparing and checking/)).toHaveCount(0);
    await expectAccessibleInBothThemes(window, name);
  }
  await openServer(window, 'todo');
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(window.getByText('add_task').first()).toBeVisible();
  await expect(window.getByText('Reachable', { exact: true }).first()).toBeVisible();
  await expectAccessibleInBothThemes(window, 'server');
  await visit(window, 'suites');
  await window.getByText('todo-sample').first().click();
  await expect(window.getByRole('button', { name: 'New case' })).toBeVisible();
  await expectAccessibleInBothThemes(window, 'suite');
});

test('the navigation has seven places, and the palette finds the view of a place', async ({
  window,
}) => {
  const navigation = window.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link')).toHaveText([
    'Overview',
    'Tools',
    'Suites',
    'Results',
    'Workshop',
    'Labs',
    'Settings',
  ]);
  await navigation.getByRole('link', { name: 'Tools' }).click();
  const views = window.getByRole('navigation', { name: 'Views of the tools' });
  await expect(views.getByRole('link')).toHaveText([
    'Table',
    'Similar',
    'Tokens',
    'Signals',
    'Clients',
  ]);
  for (const name of ['Similar', 'Tokens', 'Signals', 'Clients', 'Table']) {
    await views.getByRole('link', { name }).click();
    await expect(window.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
  }
  await window.keyboard.press('ControlOrMeta+k');
  await window.getByLabel('Search the command palette').fill('candidate');
  await window.keyboard.press('Enter');
  await expect(window.locator('main[data-screen="/tools"]')).toBeVisible();
  await visit(window, 'labs');
  await expect(window.locator('main[data-screen="/labs/retrieval"]')).toBeVisible();
});
