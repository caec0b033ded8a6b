import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import { defaultWorkspace, programFiles } from '../../runtime/programFiles.ts';
import type { Log } from '../../runtime/log.ts';
import { systemSaveDialog } from './saveDialog.ts';
import { startElectron } from './startElectron.ts';

const log: Log = {
  info: () => undefined,
  error: (message) => void process.stderr.write(`${message}\n`),
};

/**
 * Electron's own binary runs no scripts here: the servers that the program ships start under the
 * Node that it depends on. That Node can't look into an archive, so a packed program carries its
 * files beside it once more.
 */
function findPrograms(): { node: string; commandLine: string } {
  const root = app.isPackaged ? join(process.resourcesPath, 'program') : programFiles.root;
  const node = join(
    root,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  return {
    node: existsSync(node) ? node : 'node',
    commandLine: app.isPackaged ? join(root, 'out', 'main', 'cli.js') : programFiles.commandLine,
  };
}

const folder = defaultWorkspace();

/** A command that writes finds the window by the lock's entry, and hands its work over. */
async function openBesideCommands() {
  // Read when the lock is held: a second start leaves without it.
  const [{ createServices }, { openEndpoint }] = await Promise.all([
    import('../../createServices.ts'),
    import('../../endpoint/openEndpoint.ts'),
  ]);
  const opened = await createServices({
    host: 'electron',
    folder,
    sample: true,
    ...findPrograms(),
    saveDialog: systemSaveDialog,
    log,
  });
  const endpoint = await openEndpoint(opened.services, opened.log).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  opened.lock?.setEndpoint({ port: endpoint.port, token: endpoint.token });
  return {
    services: opened.services,
    log: opened.log,
    async close() {
      opened.lock?.setEndpoint(null);
      await endpoint.close();
      await opened.close();
    },
  };
}

// Not awaited here: Electron is ready only after this module has run to its end.
startElectron({
  openServices: openBesideCommands,
  rendererFolder: programFiles.renderer,
  preloadFile: join(programFiles.root, 'out', 'preload', 'preload.cjs'),
  folder,
  log,
}).catch((error: unknown) => {
  log.error(`Touchstone could not start: ${errorStack(error)}`);
  app.exit(1);
});
