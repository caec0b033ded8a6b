import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createServices } from '../../createServices.ts';
import { defaultWorkspace, programFiles } from '../../programFiles.ts';
import { openEndpoint } from '../../endpoint/openEndpoint.ts';
import type { Log } from '../../services/log.ts';
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

/** A command that writes finds the window by the lock's entry, and hands its work over. */
async function openBesideCommands(options: Parameters<typeof createServices>[0]) {
  const opened = await createServices(options);
  const endpoint = await openEndpoint(opened.services, log).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  opened.lock?.setEndpoint({ port: endpoint.port, token: endpoint.token });
  return {
    services: opened.services,
    async close() {
      opened.lock?.setEndpoint(null);
      await endpoint.close();
      await opened.close();
    },
  };
}

// Not awaited here: Electron is ready only after this module has run to its end.
startElectron({
  openServices: () => openBesideCommands({ host: 'electron', folder: defaultWorkspace(), sample: true, node: findNode(), log }),
  rendererFolder: programFiles.renderer,
  preloadFile: join(programFiles.root, 'out', 'preload', 'preload.cjs'),
  log,
}).catch((error: unknown) => {
  log.error(`Touchstone could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  app.exit(1);
});
