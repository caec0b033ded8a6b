import { expect, expectLoaded, test } from './fixtures.ts';
import { launchLoopback } from './launchLoopback.ts';
import { copySample } from './sampleWorkspace.ts';

test('T67: a Ctrl-clicked link opens a tab, whose address works when it is typed into another one', async ({
  window,
  host,
}) => {
  test.skip(host.page !== undefined, 'Electron has one window without tabs.');
  const link = window.getByRole('navigation').first().getByRole('link', { name: 'Suites' });
  const opening = window.context().waitForEvent('page');
  await link.click({ modifiers: ['ControlOrMeta'] });
  const opened = await opening;
  await expect.poll(() => opened.url()).toMatch(/#\/suites$/);
  const address = opened.url();
  // The driver attaches to a tab that a click opened while that tab loads, and then may never see
  // the end of its navigation. What such a tab does is read from one that it follows from the start.
  await opened.close();
  const second = await window.context().newPage();
  await second.goto(address);
  await expect(second.locator('main[data-screen="/suites"]')).toBeVisible();
  await expectLoaded(second);
  await expect(second.getByText('This tab is signed out')).toHaveCount(0);
  for (const page of [second, window]) {
    await page.reload();
    await expectLoaded(page);
    await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  }
  await second.close();
});

test('T67: a signed-out tab offers a new link, and continues when another tab signs in', async ({
  window,
  host,
}) => {
  test.skip(host.page !== undefined, 'Electron has one window without tabs.');
  const origin = new URL(window.url()).origin;
  const context = window.context();
  const stale = await context.newPage();
  await stale.goto(`${origin}/#/suites`);
  await expectLoaded(stale);
  // From now on no tab can invite: the only other one has left the program.
  await window.goto('about:blank');
  await stale.evaluate(() => sessionStorage.clear());
  await stale.reload();
  await expect(stale.getByText('This tab is signed out')).toBeVisible();
  const button = stale.getByRole('button', { name: 'Get a new link' });
  await button.click();
  // It asks again, and still nobody answers.
  await expect(stale.getByText('Signed out', { exact: true })).toBeVisible();
  await expect(button).toBeVisible();

  await window.goto(await host.newUrl());
  await expect(stale.getByText('Ready', { exact: true })).toBeVisible();
  await expect(stale.getByText('This tab is signed out')).toHaveCount(0);
  await expect(stale.locator('main[data-screen="/suites"]')).toBeVisible();
  await expectLoaded(stale);
  await stale.close();
});

test('T67: a tab of an earlier run continues when the next run is opened in its browser', async ({
  chromium,
}, info) => {
  const workspace = info.outputPath('workspace');
  await copySample(workspace);
  const context = await chromium.newContext();
  const stale = await context.newPage();
  const first = await launchLoopback({ workspace });
  await stale.goto(first.url);
  await expect(stale.getByText('Ready', { exact: true })).toBeVisible();
  await first.close();
  const { port } = new URL(first.url);
  const next = await launchLoopback({ workspace, port: Number(port) });
  await expect(stale.getByRole('button', { name: 'Get a new link' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(next.url);
  await expect(stale.getByText('Ready', { exact: true })).toBeVisible();
  await context.close();
  await next.close();
});
