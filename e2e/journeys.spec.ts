import { writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { fakeMcpServer } from './commands.ts';
import { expect, serverLine, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';

/** What a person comes for, from the first screen to the answer, by what the screens offer. */
test.use(startedBefore);

/**
 * Counts what a person does. An action beyond the bound fails the test, so a journey that gets
 * longer is noticed.
 */
function actionsOf(maxActions: number) {
  let done = 0;
  const act = async (what: string, action: () => Promise<void>): Promise<void> => {
    done += 1;
    expect(done, `action ${done} (${what}) of at most ${maxActions}`).toBeLessThanOrEqual(
      maxActions,
    );
    await action();
  };
  return {
    click: (target: Locator) => act(`click ${target.toString()}`, () => target.click()),
  };
}

const place = (page: Page, name: string): Locator =>
  page.getByRole('navigation').first().getByRole('link', { name, exact: true });
const verdictOf = (page: Page): Locator => page.getByRole('region', { name: 'Verdict' });

/** The sample evaluates itself after the first start. */
async function openOverview(page: Page): Promise<void> {
  await visit(page, '');
  await expect(
    verdictOf(page).getByRole('heading', { name: /^\d+ of 180 cases passed$/ }),
  ).toBeVisible({ timeout: 60_000 });
}

test('first five minutes: a new workspace leads to a verdict, the tool that fails most, a failing case and its advice', async ({
  window,
}) => {
  await openOverview(window);
  const { click } = actionsOf(2);
  const fix = verdictOf(window).getByRole('link', { name: /^Fix / });
  const tool = ((await fix.textContent()) ?? '').replace(/^Fix\s+/, '').trim();
  expect(tool).toMatch(/^[a-z_]+$/);
  await click(verdictOf(window).getByRole('link', { name: 'Open result' }));
  const failures = window.getByRole('region', { name: 'Failures by tool' });
  const first = failures.getByRole('button', { expanded: true }).first();
  await expect(first).toContainText(tool);
  await click(failures.getByRole('listitem').getByRole('link').first());
  await expect(window).toHaveURL(/\/runs\//);
  await expect(
    window.getByRole('heading', { level: 1, name: / was (called|expected)/ }),
  ).toContainText(tool);
  const advice = window.getByRole('region', { name: 'Advice' });
  await expect(advice.getByRole('link', { name: /^Fix\s/ })).toBeVisible();
});

test('finds the most expensive tool', async ({ window }) => {
  await openOverview(window);
  const { click } = actionsOf(3);
  await click(place(window, 'Tools'));
  await click(window.getByRole('link', { name: 'Tokens', exact: true }));
  const map = window.getByRole('figure', { name: / the most$/ });
  await expect(map).toBeVisible();
  const title = (await map.getByRole('heading').textContent()) ?? '';
  const tool = /, (\S+) the most$/.exec(title)?.[1] ?? '';
  await click(map.getByRole('button', { name: new RegExp(`^${tool} of `) }));
  await expect(window.getByText('Most expensive tool.')).toBeVisible();
});

test('counts a choice of servers, and tries all cuts on their last evaluation', async ({
  window,
}) => {
  await openOverview(window);
  await visit(window, 'tools/tokens');
  for (const name of ['calendar', 'todo']) {
    const box = window
      .getByRole('region', { name: 'Servers' })
      .getByRole('checkbox', { name, exact: true });
    await box.click();
    await expect(box).not.toBeChecked();
  }
  await expect(window.getByRole('heading', { name: /^19 tools cost / })).toBeVisible();
  await expect(window).toHaveURL(/server=files&server=mail|server=mail&server=files/);
  await window.getByRole('button', { name: 'Try all cuts' }).click();
  const trial = window.getByRole('region', { name: 'What to cut first' });
  await expect(trial.getByText(/^[\d,]+ → [\d,]+ tokens$/)).toBeVisible();
  await expect(
    trial.getByText(/Pass rate of #\d+ office-sample with the cuts: \d+%, before 49%\./),
  ).toBeVisible({ timeout: 30_000 });
  await trial.getByRole('link', { name: 'Compare cases' }).click();
  await expect(window.getByText(/^(Better|Worse|Cannot tell|Within noise): /)).toBeVisible();
});

test('finds the evidence of a security signal', async ({ window }) => {
  await openOverview(window);
  const { click } = actionsOf(3);
  await click(place(window, 'Tools'));
  await click(window.getByRole('link', { name: 'Signals', exact: true }));
  await expect(
    window.getByRole('heading', { name: /^Review files: 1 low signal in 1 tool/ }),
  ).toBeVisible();
  const signals = window.getByRole('grid', { name: 'Signals' });
  await click(signals.getByRole('row').filter({ hasText: 'files:write_file' }));
  const panel = window.getByRole('complementary', { name: 'Interferes with other tools' });
  await expect(panel.locator('mark').first()).not.toBeEmpty();
  await expect(panel.getByText(/^First seen/)).toBeVisible();
});

test('own servers: from the configuration of a client to a verdict on proposed cases', async ({
  window,
}, info) => {
  test.slow();
  const tools = info.outputPath('tools.json');
  const tool = (name: string, description: string) => ({
    name,
    description,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  });
  await writeFile(
    tools,
    JSON.stringify({
      tools: [
        tool('get_forecast', 'Returns the weather forecast of a city for the next five days.'),
        tool('list_alerts', 'Lists the storm and flood warnings that are active for a city.'),
      ],
    }),
  );
  await openOverview(window);
  await place(window, 'Tools').click();
  await window.getByRole('link', { name: 'Import', exact: true }).click();
  await window.getByRole('textbox', { name: 'Or paste it' }).fill(
    JSON.stringify({
      mcpServers: {
        own: { command: process.execPath, args: [fakeMcpServer, 'normal', '--tools', tools] },
      },
    }),
  );
  await window.getByRole('button', { name: 'Preview the pasted text' }).click();
  await window.getByRole('button', { name: 'Import 1 server' }).click();
  const line = serverLine(window, 'own');
  await expect(line.getByText('Not checked yet').first()).toBeVisible();
  await window.getByRole('button', { name: 'Connect all' }).click();
  await expect(line.getByText('Reachable', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(
    window.getByRole('grid', { name: 'Tools' }).getByText('get_forecast', { exact: true }).first(),
  ).toBeVisible();

  await place(window, 'Suites').click();
  await window.getByRole('button', { name: 'New suite' }).click();
  const form = window.getByRole('complementary', { name: 'New suite' });
  await form.getByLabel('Name').fill('own-cases');
  await form.getByRole('combobox', { name: 'Servers' }).fill('own');
  await window.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Create suite' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'own-cases' })).toBeVisible();
  // An empty suite shows every way to its first cases.
  await window.getByRole('button', { name: 'Propose cases' }).click();
  const requests = window.getByRole('textbox', { name: /^Query of proposal/u });
  await requests.nth(0).fill('Will it rain in Porto this week?');
  await requests.nth(3).fill('Is there a storm warning for Oslo right now?');
  await window.getByRole('button', { name: 'Accept 2 cases' }).click();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window).toHaveURL(/results\/new/u);
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(
    verdictOf(window).getByRole('heading', { name: /^\d of 2 cases passed$/ }),
  ).toBeVisible({ timeout: 30_000 });
});
