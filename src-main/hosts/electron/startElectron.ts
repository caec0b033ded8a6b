import { app, BrowserWindow, dialog, session, shell } from 'electron';
import { join } from 'node:path';
import { errorStack, errorText } from '../../../src-shared/domain/errorText.ts';
import { type HostCommand, writeHostCommand } from '../../../src-shared/domain/hostCommand.ts';
import { makeFolder } from '../../runtime/makeFolder.ts';
import { createRpcServer } from '../../rpc/peers.ts';
import type { Log } from '../../runtime/log.ts';
import type { Services } from '../../services/services.ts';
import { registerAppScheme, serveApp } from './appProtocol.ts';
import { CloseGuard } from './confirmClose.ts';
import { exitAfterUncaughtError, reloadAfterCrash } from './crash.ts';
import { createWindow } from './createWindow.ts';
import {
  type Arrival,
  createLinkFollower,
  findLink,
  findPage,
  listenForArrivals,
  openLinksWith,
  registerLinks,
} from './deepLinks.ts';
import { ask } from './dialogs.ts';
import { registerPorts } from './ipc.ts';
import { setMenu } from './menu.ts';
import { hardenContents, hardenSession } from './security.ts';
import { startAgain } from './startAgain.ts';
import { commandChannel } from './channels.ts';
import { isOwnUrl } from './origin.ts';

/** What the shell gets from `main.ts`, or from a test. */
export interface ElectronOptions {
  openServices: () => Promise<{
    services: Services;
    log?: Log;
    /** True while anything runs that the end of the program would interrupt. */
    isRunning: () => boolean;
    close: () => Promise<void>;
  }>;
  rendererFolder: string;
  preloadFile: string;
  /**
   * The workspace. The files of the window itself are in a folder of it, so two workspaces are two
   * programs.
   */
  folder: string;
  log: Log;
  /** Arguments of this start; by default those of the process. */
  argv?: readonly string[];
  /** The variables of this start, those with keys too; by default those of the process. */
  environment?: NodeJS.ProcessEnv;
  process?: Pick<NodeJS.Process, 'on'>;
  /** Calls back when the process that started this one has ended. */
  onLauncherEnd?: (end: () => void) => void;
}

/**
 * Opens the services and one window on them. A second start of the program focuses the first one's
 * window.
 */
export async function startElectron({
  openServices,
  rendererFolder,
  preloadFile,
  folder,
  log,
  argv = process.argv,
  environment = process.env,
  process: watched = process,
  onLauncherEnd = () => undefined,
}: ElectronOptions): Promise<void> {
  const windowFolder = join(folder, 'window');
  makeFolder(windowFolder);
  // The single-instance lock is in that folder too.
  app.setPath('userData', windowFolder);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.enableSandbox();
  registerAppScheme();
  app.on('web-contents-created', (_event, contents) => hardenContents(contents));
  registerLinks();
  const arrivals = listenForArrivals();
  // In parallel with Electron's own start, which takes as long.
  const opening = openServices();
  opening.catch(() => undefined);
  await app.whenReady();
  hardenSession(session.defaultSession);
  serveApp(rendererFolder);

  if (!(await isSandboxed())) {
    await opening.then(({ close }) => close()).catch(() => undefined);
    app.exit(0);
    return;
  }

  let opened: Awaited<ReturnType<ElectronOptions['openServices']>>;
  try {
    opened = await opening;
  } catch (error) {
    log.error(`The workspace could not be opened: ${errorStack(error)}`);
    dialog.showErrorBox('Touchstone could not start', errorText(error));
    app.exit(1);
    return;
  }
  const kept = opened.log ?? log;
  exitAfterUncaughtError(watched, kept, () => startAgain(environment));
  const guard = new CloseGuard(opened.services, opened.isRunning);
  guard.watchQuit();
  onLauncherEnd(() => guard.quit());
  closeBeforeQuit(opened.close, kept);
  registerPorts(createRpcServer(opened.services, kept), kept);

  const open = () => {
    const window = createWindow(preloadFile, join(windowFolder, 'window.json'));
    guard.watch(window);
    reloadAfterCrash(window, kept);
    return window;
  };
  const current = () => BrowserWindow.getAllWindows()[0] ?? open();
  const send = (command: HostCommand): void => {
    const window = current();
    // A page that is still loading does not receive commands.
    if (window.webContents.isLoading())
      window.webContents.once('did-finish-load', () => sendCommand(window, command));
    else sendCommand(window, command);
  };
  const image =
    app.isPackaged && process.platform === 'linux' ? environment['APPIMAGE'] : undefined;
  setMenu({
    send,
    showDataFolder: () => void shell.openPath(folder),
    openLinks: image === undefined ? undefined : () => void offerLinks(image, environment),
  });
  open();
  app.on('activate', () => void current());
  const follow = createLinkFollower((to) => send({ kind: 'go', to }));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  const receive = ({ link, page }: Pick<Arrival, 'link' | 'page'>): void => {
    // What `touchstone open` names needs no question: no link of another program sets it.
    if (page !== null) send({ kind: 'go', to: page });
    void follow(link);
  };
  receive({ link: findLink(argv), page: findPage(argv) });
  arrivals.take((arrival) => {
    if (arrival.isStart) {
      const window = current();
      if (window.isMinimized()) window.restore();
      window.focus();
    }
    receive(arrival);
  });
}

/**
 * True if the page runs in its sandbox, or the person agrees to go on without. The start script of
 * an AppImage turns it off where the system forbids user namespaces, as Ubuntu 24.04 does.
 */
async function isSandboxed(): Promise<boolean> {
  if (!app.isPackaged || !app.commandLine.hasSwitch('no-sandbox')) return true;
  const answer = await ask(null, {
    type: 'warning',
    message: 'Touchstone was started without its sandbox.',
    detail:
      'The sandbox limits what a fault of the window can do. This system does not let an AppImage ' +
      'make one. The .deb package brings what it needs, and the guide names a profile for the ' +
      'AppImage.',
    buttons: ['Quit', 'Start without it'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return answer === 1;
}

/** Makes this AppImage open the links of other programs, and says how that went. */
async function offerLinks(image: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const dataFolder = environment['XDG_DATA_HOME'] ?? join(app.getPath('home'), '.local', 'share');
  const fault = await openLinksWith(image, dataFolder).then(() => null, errorText);
  await ask(null, {
    type: fault === null ? 'info' : 'error',
    message:
      fault === null
        ? 'Links that begin with touchstone-open: open here.'
        : 'Links could not be registered.',
    detail:
      fault ?? `${image} opens them. Choose this again after you have moved or replaced the file.`,
    buttons: ['OK'],
    cancelId: 0,
  });
}

/** Exits after the services have closed: child processes have ended and the database is closed. */
function closeBeforeQuit(close: () => Promise<void>, log: Log): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    close().then(
      () => app.exit(0),
      (error: unknown) => {
        log.error(`The services did not close: ${errorText(error)}`);
        app.exit(1);
      },
    );
  });
}

/** Sends a command to the app's own page, and to no other page that a window might show. */
function sendCommand(
  window: Pick<
    BrowserWindow,
    'isDestroyed' | 'isMinimized' | 'restore' | 'show' | 'focus' | 'webContents'
  >,
  command: HostCommand,
): void {
  if (window.isDestroyed() || !isOwnUrl(window.webContents.getURL())) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  window.webContents.send(commandChannel, writeHostCommand(command));
}
