import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { findElectron } from '../src-main/hosts/cli/openWindow.ts';

export interface LaunchedElectron {
  app: ElectronApplication;
  page: Page;
  workspace: string;
  close: () => Promise<void>;
}

/**
 * Starts the built window of Electron, in a workspace of its own if none is given. Throws where
 * Electron's binary is not installed.
 */
export async function launchElectron(givenWorkspace?: string): Promise<LaunchedElectron> {
  const binary = findElectron();
  if (binary === null)
    throw new Error('Electron’s binary is not installed: npm run electron:install fetches it.');
  const workspace = givenWorkspace ?? (await mkdtemp(join(tmpdir(), 'touchstone-e2e-')));
  const app = await _electron.launch({
    executablePath: binary,
    args: [join(import.meta.dirname, '..')],
    env: { ...process.env, TOUCHSTONE_HOME: workspace, TOUCHSTONE_KEYCHAIN: 'off' },
  });
  return {
    app,
    page: await app.firstWindow(),
    workspace,
    async close() {
      await app.close();
      if (givenWorkspace === undefined) await rm(workspace, { recursive: true, force: true });
    },
  };
}
