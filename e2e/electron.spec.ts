import { expect, test } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findElectron } from '../src-main/hosts/cli/openWindow.ts';
import { launchElectron } from './launchElectron.ts';

const installed = findElectron() !== null;
if (!installed)
  process.stderr.write(
    'SKIPPED: the Electron window, because Electron’s binary is not installed (npm run electron:install fetches it).\n',
  );

test.beforeEach(() => {
  test.skip(!installed, 'Electron’s binary is not installed.');
});

test('Electron: opens the sample workspace and evaluates it', async () => {
  const { page, close } = await launchElectron();
  await expect(page.getByText('cases passed').first()).toBeVisible();
  await close();
});

test('Electron: the menu opens screens', async () => {
  const { app, page, close } = await launchElectron();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await app.evaluate(({ Menu }) => {
    const go = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Go');
    go?.submenu?.items.find(({ label }) => label === 'Suites')?.click();
  });
  await expect(page.getByRole('heading', { level: 1, name: /^\d+ suites? with /u })).toBeVisible();
  await close();
});

test('expectation 19: Electron restores the position and size of the window', async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
  const first = await launchElectron(workspace);
  await first.page.getByRole('heading', { level: 1 }).waitFor();
  const placed = await first.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setBounds({ x: 60, y: 50, width: 930, height: 640 });
    return window?.getNormalBounds();
  });
  await first.close();
  const second = await launchElectron(workspace);
  await second.page.getByRole('heading', { level: 1 }).waitFor();
  expect(
    await second.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
    ),
  ).toEqual(placed);
  await second.close();
  await rm(workspace, { recursive: true, force: true });
});
