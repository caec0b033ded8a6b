import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import { takeEnvironment } from '../../runtime/ownEnvironment.ts';
import { onLauncherEnd } from '../../runtime/onLauncherEnd.ts';
import { defaultWorkspace, programFiles } from '../../runtime/programFiles.ts';
import { keepMisreadingCompilerOff } from '../../runtime/v8Flags.ts';
import type { Log } from '../../runtime/log.ts';
import { checkProgram, manifestPath } from './programIntegrity.ts';
import { systemSaveDialog } from './saveDialog.ts';
import { startElectron } from './startElectron.ts';

keepMisreadingCompilerOff();
const log: Log = {
  info: () => undefined,
  error: (message) => void process.stderr.write(`${message}\n`),
};

/**
 * Electron's binary must not run scripts, so the bundled servers run on the Node that the program
 * depends on. That Node can't read an archive: a packaged program has its files next to the archive
 * too.
 */
function findBundledPrograms(): { node: string; commandLine: string } {
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

const { variables: environment, launcherPipe } = takeEnvironment();
const folder = defaultWorkspace(environment);

/** Commands that write find the window by the entry in its lock, and let it do the work. */
async function openWithEndpoint() {
  // Before anything of it is loaded or started: Electron checks its archive only.
  if (app.isPackaged)
    await checkProgram(process.resourcesPath, join(programFiles.root, manifestPath));
  // Loaded once the lock is held: a second start quits without it.
  const [{ createServices }, { openEndpoint }] = await Promise.all([
    import('../../app/createServices.ts'),
    import('../../endpoint/openEndpoint.ts'),
  ]);
  const opened = await createServices({
    host: 'electron',
    folder,
    access: 'write-if-possible',
    sample: true,
    environment,
    ...findBundledPrograms(),
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
    isRunning: () => opened.isRunning(),
    async close() {
      opened.lock?.setEndpoint(null);
      await endpoint.close();
      await opened.close();
    },
  };
}

// Not awaited: Electron becomes ready only after this module has finished.
startElectron({
  openServices: openWithEndpoint,
  rendererFolder: programFiles.renderer,
  preloadFile: join(programFiles.root, 'out', 'preload', 'preload.cjs'),
  folder,
  environment,
  onLauncherEnd: (end) => onLauncherEnd(launcherPipe, end),
  log,
}).catch((error: unknown) => {
  log.error(`Touchstone could not start: ${errorStack(error)}`);
  app.exit(1);
});
