import { expect, test } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright';
import { findElectron } from '../src-main/hosts/cli/openWindow.ts';

const binary = findElectron();
if (binary === null) process.stderr.write('SKIPPED: the Electron window, because Electron’s binary is not installed (npm run electron:install fetches it).\n');

test('the Electron window opens on the sample workspace and runs it', async () => {
  test.skip(binary === null, 'Electron’s binary is not installed.');
  const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
  const app = await _electron.launch({ executablePath: binary ?? '', args: [join(import.meta.dirname, '..')], env: { ...process.env, TOUCHSTONE_HOME: workspace } });
  const page = await app.firstWindow();
  await page.getByRole('button', { name: 'Run evaluation' }).first().click();
  await expect(page.getByText('61 of 61 runs scored')).toBeVisible();
  await app.close();
  await rm(workspace, { recursive: true, force: true });
});
