import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { app, fakeElectron, resetFakeElectron } from '../../testing/fakeElectron/electron.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  resetFakeElectron();
  folder = await temporaryFolder();
  vi.stubEnv('TOUCHSTONE_HOME', join(folder.path, 'workspace'));
  // Only a packed Electron has it; here nothing is there that was packed.
  Object.defineProperty(process, 'resourcesPath', { value: folder.path, configurable: true });
});
afterEach(async () => {
  Reflect.deleteProperty(process, 'resourcesPath');
  vi.unstubAllEnvs();
  await folder.remove();
});

it('T08: a packed window whose files are not as packed opens no workspace and says why', async () => {
  app.isPackaged = true;
  const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exited = once(app, 'fake-exit');
  await import('./main.ts');
  expect(await exited).toEqual([1]);
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('Reinstall Touchstone'));
  logged.mockRestore();
  expect(fakeElectron.errorBoxes).toEqual([
    {
      title: 'Touchstone could not start',
      content: expect.stringContaining('Reinstall Touchstone') as string,
    },
  ]);
  expect(fakeElectron.windows).toEqual([]);
  expect(existsSync(join(folder.path, 'workspace', 'touchstone.sqlite'))).toBe(false);
});
