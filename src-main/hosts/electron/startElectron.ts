import { app, BrowserWindow, dialog, session, shell } from 'electron';
import { join } from 'node:path';
import { errorStack, errorText } from '../../../src-shared/domain/errorText.ts';
import {
  isScreenPath,
  pageArgument,
  type HostCommand,
} from '../../../src-shared/domain/hostCommand.ts';
import { makeFolder } from '../../runtime/makeFolder.ts';
import { createRpcServer } from '../../rpc/peers.ts';
import type { Log } from '../../runtime/log.ts';
import type { Services } from '../../services/services.ts';
import { registerAppScheme, serveApp } from './appProtocol.ts';
import { CloseGuard } from './confirmClose.ts';
import { exitAfterUncaughtError, reloadAfterCrash } from './crash.ts';
import { createWindow } from './createWindow.ts';
import { createLinkFollower, findLink, listenForLinks } from './deepLinks.ts';
import { registerPorts } from './ipc.ts';
import { setMenu } from './menu.ts';
import { hardenContents, hardenSession } from './security.ts';
import { sendCommand } from './sendCommand.ts';

/** What the shell gets from `main.ts`, or from a test. */
export interface ElectronOptions {
  openServices: () => Promise<{ services: Services; log?: Log; close: () => Promise<void> }>;
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
  const links = linksUntilReady();
  // In parallel with Electron's own start, which takes as long.
  const opening = openServices();
  opening.catch(() => undefined);
  await app.whenReady();
  hardenSession(session.defaultSession);
  serveApp(rendererFolder);

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
  exitAfterUncaughtError(watched, kept);
  const guard = new CloseGuard(opened.services);
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
  setMenu({ send, showDataFolder: () => void shell.openPath(folder) });
  open();
  app.on('activate', () => void current());
  const follow = createLinkFollower((to) => send({ kind: 'go', to }));
  const show = (page: string | null): void => {
    if (page !== null) send({ kind: 'go', to: page });
  };
  app.on('second-instance', (_event, more: readonly string[]) => {
    const window = current();
    if (window.isMinimized()) window.restore();
    window.focus();
    show(pageOf(more));
    void follow(findLink(more));
  });
  show(pageOf(argv));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  links.handOver((link) => void follow(link), findLink(argv));
}

/** The page that `touchstone open` names. It asks nothing: no link of another program sets it. */
function pageOf(argv: readonly string[]): string | null {
  const given = argv.find((argument) => argument.startsWith(pageArgument));
  const page = given?.slice(pageArgument.length) ?? '';
  return isScreenPath(page) ? page : null;
}

/** On a Mac, the link that started the program arrives before the app is ready. */
function linksUntilReady(): {
  handOver: (follow: (link: string) => void, first: string | null) => void;
} {
  let take: ((link: string) => void) | null = null;
  let waiting: string | null = null;
  listenForLinks((link) => {
    if (take === null) waiting = link;
    else take(link);
  });
  return {
    handOver(follow, first) {
      take = follow;
      const link = waiting ?? first;
      if (link !== null) follow(link);
    },
  };
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
