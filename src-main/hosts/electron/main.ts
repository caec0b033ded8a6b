import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createServices } from '../../createServices.ts';
import { defaultWorkspace, programFiles } from '../../programFiles.ts';
import type { Log } from '../../services/log.ts';
import { systemSaveDialog } from './saveDialog.ts';
import { startElectron } from './startElectron.ts';

const log: Log = {
  info: () => undefined,
  error: (message) => void process.stderr.write(`${message}\n`),
};

/** Electron's own binary runs no scripts here: the servers that the program ships start under the Node that it depends on. */
function findNode(): string {
  const shipped = join(programFiles.root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(shipped) ? shipped : 'node';
}

// Not awaited here: Electron is ready only after this module has run to its end.
startElectron({
  openServices: () => createServices({ host: 'electron', folder: defaultWorkspace(), sample: true, node: findNode(), saveDialog: systemSaveDialog, log }),
  rendererFolder: programFiles.renderer,
  preloadFile: join(programFiles.root, 'out', 'preload', 'preload.cjs'),
  log,
}).catch((error: unknown) => {
  log.error(`Touchstone could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  app.exit(1);
});
