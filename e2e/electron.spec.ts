import { expect, test } from '@playwright/test';
import { findElectron } from '../src-main/hosts/cli/openWindow.ts';
import { launchElectron } from './launchElectron.ts';

const installed = findElectron() !== null;
if (!installed) process.stderr.write('SKIPPED: the Electron window, because Electron’s binary is not installed (npm run electron:install fetches it).\n');

test('the Electron window opens on the sample workspace and runs it', async () => {
  test.skip(!installed, 'Electron’s binary is not installed.');
  const { page, close } = await launchElectron();
  await page.getByRole('button', { name: 'Run evaluation' }).first().click();
  await expect(page.getByText('61 of 61 runs scored')).toBeVisible();
  await close();
});

test('the menu of the Electron window leads to its screens', async () => {
  test.skip(!installed, 'Electron’s binary is not installed.');
  const { app, page, close } = await launchElectron();
  await page.getByRole('button', { name: 'Run evaluation' }).first().waitFor();
  await app.evaluate(({ Menu }) => {
    const go = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Go');
    go?.submenu?.items.find(({ label }) => label === 'Suites')?.click();
  });
  await expect(page.getByRole('heading', { level: 1, name: 'Suites' })).toBeVisible();
  await close();
});
