import { expect, expectAccessible, runSample, takePicture, test, visit } from './fixtures.ts';

test.use({ file: import.meta.filename });

const themes = ['light', 'dark'] as const;

test('the numbers on the screen are the numbers of the core', async ({ window, host }) => {
  await runSample(window);
  const { stdout } = await host.command(['rescore', '1', '--json']);
  const { metrics } = JSON.parse(stdout) as {
    metrics: { selection_precision: { value: number; n: number } };
  };
  await window.reload();
  await expect(
    window.getByText(metrics.selection_precision.value.toFixed(2)).first(),
  ).toBeVisible();
  await expect(window.getByText(`n ${metrics.selection_precision.n} calls made`)).toBeVisible();
});

test('a whole command line in the field of the command is parted, says so, and can be put back', async ({
  window,
}) => {
  await visit(window, 'servers?add');
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
  await expect(window.getByRole('textbox', { name: 'Arguments', exact: true })).toHaveValue('');
});

test('T09: a name that turns itself round stands with the codes of what would not be seen', async ({
  window,
}) => {
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

test('a running evaluation survives a reload: the page goes on from the stored events', async ({
  window,
}) => {
  await visit(window, 'suites');
  await window.getByText('todo-sample').first().click();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByRole('heading', { name: 'New evaluation' })).toBeVisible();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window).toHaveURL(/#\/evaluations\/[0-9a-f-]{36}/);
  await window.reload();
  await expect(window.getByText('61 of 61 runs scored')).toBeVisible();
});

test('a server that can not start is named on the result page, and its cases are not scored', async ({
  window,
  host,
}) => {
  await host.command(['servers', 'add', 'broken', '--stdio', '/nonexistent/program']);
  const evaluated = await host.command([
    'eval',
    '--suite',
    'todo-sample',
    '--server',
    'todo',
    'broken',
    '--provider',
    'builtin',
    '--json',
    '--quiet',
  ]);
  const { evaluation_id: id } = JSON.parse(evaluated.stdout) as { evaluation_id: string };
  await visit(window, `evaluations/${id}`);
  await expect(window.getByText(/broken/).first()).toBeVisible();
  await expect(window.getByText('Incomplete').first()).toBeVisible();
  await host.command(['servers', 'remove', 'broken']);
});

test('a suite file is dropped, its problems are shown by line, and nothing is written before it is confirmed', async ({
  window,
}) => {
  await visit(window, 'suites');
  await window
    .getByRole('button', { name: 'Import suite' })
    .or(window.getByRole('link', { name: 'Import suite' }))
    .first()
    .click();
  const bad =
    'version: 1\nname: dropped\nservers: [todo]\ncases:\n  - id: a\n    name: a\n    query: ""\n    expected_calls: []\n';
  await window
    .locator('input[type=file]')
    .setInputFiles({ name: 'bad.yaml', mimeType: 'text/yaml', buffer: Buffer.from(bad) });
  await expect(window.getByText(/7:\d+|line 7/i).first()).toBeVisible();
  await window.locator('input[type=file]').setInputFiles({
    name: 'good.yaml',
    mimeType: 'text/yaml',
    buffer: Buffer.from(bad.replace('""', 'hello')),
  });
  await window
    .getByRole('button', { name: /^Import/ })
    .last()
    .click();
  await visit(window, 'suites');
  await expect(window.getByText('dropped').first()).toBeVisible();
});

for (const colorScheme of themes) {
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('every screen is without accessibility violations, and is photographed for the guide', async ({
      window,
    }) => {
      const suffix = colorScheme === 'light' ? '' : '-dark';
      const result = await runSample(window);
      await expectAccessible(window);
      await takePicture(window, `result${suffix}`);
      await window.getByText('Add a task: buy milk').click();
      await expect(window).toHaveURL(/\/runs\//);
      await window.waitForLoadState('networkidle');
      await expectAccessible(window);
      await takePicture(window, `case${suffix}`);
      for (const [name, path] of [
        ['overview', ''],
        ['servers', 'servers'],
        ['suites', 'suites'],
        ['evaluations', 'evaluations'],
        ['new-evaluation', 'evaluations/new'],
        ['settings', 'settings'],
      ] as const) {
        await visit(window, path);
        await expectAccessible(window);
        await takePicture(window, `${name}${suffix}`);
      }
      await visit(window, 'servers');
      await window.getByRole('link', { name: 'todo' }).first().click();
      await window
        .getByRole('button', { name: /List tools/ })
        .first()
        .click();
      await expect(window.getByText('add_task').first()).toBeVisible();
      await expectAccessible(window);
      await takePicture(window, `server${suffix}`);
      await visit(window, 'suites');
      await window.getByText('todo-sample').first().click();
      await expect(window.getByRole('button', { name: 'New case' })).toBeVisible();
      await expectAccessible(window);
      await takePicture(window, `suite${suffix}`);
      expect(result).toContain('evaluations/');
    });
  });
}
