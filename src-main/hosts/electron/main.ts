import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultWorkspace, programFiles } from '../../programFiles.ts';
import type { Log } from '../../services/log.ts';
import { startElectron } from './startElectron.ts';

const log: Log = {
  info: () => undefined,
  error: (message) => void process.stderr.write(`${message}\n`),
};

/**
 * Electron's own binary runs no scripts here: the servers that the program ships start under the Node that it depends on. That Node can't look into an
 * archive, so a packed program carries its files beside it once more.
 */
function findPrograms(): { node: string; commandLine: string } {
  const root = app.isPackaged ? join(process.resourcesPath, 'program') : programFiles.root;
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return {
    node: existsSync(node) ? node : 'node',
    commandLine: app.isPackaged ? join(root, 'out', 'main', 'cli.js') : programFiles.commandLine,
  };
}

const folder = defaultWorkspace();
// Not awaited here: Electron is ready only after this module has run to its end.
startElectron({
  // Read when the lock is held: a second start leaves without it.
  openServices: async () => (await import('../../createServices.ts')).createServices({ host: 'electron', folder, sample: true, ...findPrograms(), log }),
  rendererFolder: programFiles.renderer,
  preloadFile: join(programFiles.root, 'out', 'preload', 'preload.cjs'),
  folder,
  log,
}).catch((error: unknown) => {
  log.error(`Touchstone could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  app.exit(1);
});
