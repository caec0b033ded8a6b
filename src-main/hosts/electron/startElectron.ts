import { app, BrowserWindow, dialog, session } from 'electron';
import { createRpcServer } from '../../rpc/peers.ts';
import type { Log } from '../../services/log.ts';
import type { Services } from '../../services/services.ts';
import { registerAppScheme, serveApp } from './appProtocol.ts';
import { createWindow } from './createWindow.ts';
import { registerPorts } from './ipc.ts';
import { hardenContents, hardenSession } from './security.ts';

export interface ElectronOptions {
  openServices: () => Promise<{ services: Services; close: () => Promise<void> }>;
  rendererFolder: string;
  preloadFile: string;
  log: Log;
}

/** Opens the services and one window on them. A second start of the program shows the first one's window. */
export async function startElectron({ openServices, rendererFolder, preloadFile, log }: ElectronOptions): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.enableSandbox();
  registerAppScheme();
  app.on('web-contents-created', (_event, contents) => hardenContents(contents));
  await app.whenReady();
  hardenSession(session.defaultSession);
  serveApp(rendererFolder);

  let opened: Awaited<ReturnType<ElectronOptions['openServices']>>;
  try {
    opened = await openServices();
  } catch (error) {
    log.error(`The workspace could not be opened: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    dialog.showErrorBox('Touchstone could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
    return;
  }
  closeBeforeQuit(opened.close, log);
  registerPorts(createRpcServer(opened.services, log), log);

  createWindow(preloadFile);
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) createWindow(preloadFile);
  });
  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) {
      createWindow(preloadFile);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** The program ends when its services have: child processes are down and the database is closed. */
function closeBeforeQuit(close: () => Promise<void>, log: Log): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    close().then(
      () => app.exit(0),
      (error: unknown) => {
        log.error(`The services did not close: ${error instanceof Error ? error.message : String(error)}`);
        app.exit(1);
      },
    );
  });
}
