import { app, dialog, type BrowserWindow } from 'electron';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import type { Log } from '../../runtime/log.ts';
import { ask } from './dialogs.ts';

/** A page that keeps crashing is not reloaded forever. */
const maxReloads = { count: 3, ms: 60_000 };

/** Reloads a page that crashed. The core and its evaluations are not affected. */
export function reloadAfterCrash(
  window: BrowserWindow,
  log: Log,
  now: () => number = () => performance.now(),
): void {
  let recentCrashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error(`The window's page crashed: ${reason}, exit code ${exitCode}.`);
    recentCrashes = [...recentCrashes.filter((time) => now() - time < maxReloads.ms), now()];
    if (recentCrashes.length < maxReloads.count) {
      reload(window);
      return;
    }
    recentCrashes = [];
    void askAbout(window, {
      message: 'The window keeps failing.',
      detail:
        `Its page crashed ${maxReloads.count} times within a minute (${reason}). Your data is ` +
        'not affected, and running evaluations continue.',
      buttons: ['Close', 'Reload'],
    }).then((answer) => {
      if (answer === 1) reload(window);
      else if (!window.isDestroyed()) window.close();
    });
  });
  let asking = false;
  window.on('unresponsive', () => {
    if (asking) return;
    asking = true;
    void askAbout(window, {
      message: "The window isn't responding.",
      detail: 'It may be busy. Reloading loses only unsaved input.',
      buttons: ['Wait', 'Reload'],
    }).then((answer) => {
      asking = false;
      if (answer === 1) reload(window);
    });
  });
}

/** The person may have closed the window meanwhile. */
function reload(window: BrowserWindow): void {
  if (!window.isDestroyed()) window.webContents.reload();
}

/** The second button reloads, and the first one is what happens if nobody can be asked. */
const askAbout = (
  window: BrowserWindow,
  texts: { message: string; detail: string; buttons: string[] },
): Promise<number> =>
  ask(window, { type: 'warning', ...texts, defaultId: 1, cancelId: 0, noLink: true });

/**
 * An uncaught error leaves the main process in an unknown state: it is logged and shown, and the
 * program exits or restarts. The next start finds the interrupted work and ends leftover servers.
 */
export function exitAfterUncaughtError(
  process_: Pick<NodeJS.Process, 'on'>,
  log: Log,
  startAgain: () => void,
): void {
  let exiting = false;
  const exit = (error: unknown): void => {
    const text = errorStack(error);
    log.error(`Touchstone failed: ${text}`);
    if (exiting) return;
    exiting = true;
    // Synchronous, because nothing else in this process can be relied on.
    const answer = app.isReady()
      ? dialog.showMessageBoxSync({
          type: 'error',
          message: 'Touchstone crashed and has to close.',
          detail:
            'All finished results are kept; a running evaluation can ' +
            'be resumed. See the log in the data folder for the cause.',
          buttons: ['Start again', 'Quit'],
          defaultId: 0,
          cancelId: 1,
          noLink: true,
        })
      : 1;
    if (answer === 0) startAgain();
    app.exit(1);
  };
  process_.on('uncaughtException', exit);
  process_.on('unhandledRejection', exit);
}
