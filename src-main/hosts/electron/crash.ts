import { app, dialog, type BrowserWindow } from 'electron';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import type { Log } from '../../runtime/log.ts';

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
      window.webContents.reload();
      return;
    }
    recentCrashes = [];
    void ask(window, {
      message: 'The window keeps failing.',
      detail:
        `Its page crashed ${maxReloads.count} times within a minute (${reason}). Your data is ` +
        'not affected, and running evaluations continue.',
      buttons: ['Reload', 'Close'],
    }).then((answer) => (answer === 0 ? window.webContents.reload() : window.close()));
  });
  let asking = false;
  window.on('unresponsive', () => {
    if (asking) return;
    asking = true;
    void ask(window, {
      message: "The window isn't responding.",
      detail: 'It may be busy. Reloading loses only unsaved input.',
      buttons: ['Wait', 'Reload'],
    }).then((answer) => {
      asking = false;
      if (answer === 1 && !window.isDestroyed()) window.webContents.reload();
    });
  });
}

async function ask(
  window: BrowserWindow,
  { message, detail, buttons }: { message: string; detail: string; buttons: string[] },
): Promise<number> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message,
    detail,
    buttons,
    defaultId: 0,
    noLink: true,
  });
  return response;
}

/**
 * An uncaught error leaves the main process in an unknown state: it is logged and shown, and the
 * program exits or restarts. The next start finds the interrupted work and ends leftover servers.
 */
export function exitAfterUncaughtError(process_: Pick<NodeJS.Process, 'on'>, log: Log): void {
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
    if (answer === 0) app.relaunch();
    app.exit(1);
  };
  process_.on('uncaughtException', exit);
  process_.on('unhandledRejection', exit);
}
