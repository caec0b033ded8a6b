import { app, dialog, type BrowserWindow } from 'electron';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import type { Log } from '../../runtime/log.ts';

/** A page that falls over again and again is not loaded for ever. */
const reloadsWithin = { count: 3, ms: 60_000 };

/** A page that crashed is loaded anew: the core, and what runs in it, was never gone. */
export function reloadAfterCrash(
  window: BrowserWindow,
  log: Log,
  now: () => number = () => performance.now(),
): void {
  let times: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error(`The window's page ended: ${reason}, exit code ${exitCode}.`);
    times = [...times.filter((time) => now() - time < reloadsWithin.ms), now()];
    if (times.length < reloadsWithin.count) {
      window.webContents.reload();
      return;
    }
    times = [];
    void ask(window, {
      message: 'The window keeps failing.',
      detail: `Its page ended ${reloadsWithin.count} times within a minute (${reason}). Your data is not touched: evaluations under way go on.`,
      buttons: ['Load again', 'Close'],
    }).then((answer) => (answer === 0 ? window.webContents.reload() : window.close()));
  });
  let asking = false;
  window.on('unresponsive', () => {
    if (asking) return;
    asking = true;
    void ask(window, {
      message: 'The window does not respond.',
      detail: 'It may only be busy. Loading it again costs nothing but what was being typed.',
      buttons: ['Wait', 'Load again'],
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
 * An error that nobody caught leaves the main process in an unknown state: it is logged, said, and
 * the program ends, or starts anew if that is wished. The next start finds what was under way
 * interrupted and ends what servers were left.
 */
export function endAfterFault(process_: Pick<NodeJS.Process, 'on'>, log: Log): void {
  let ended = false;
  const end = (fault: unknown): void => {
    const text = errorStack(fault);
    log.error(`Touchstone failed: ${text}`);
    if (ended) return;
    ended = true;
    // Synchronous: nothing else of this process is to be relied on.
    const answer = app.isReady()
      ? dialog.showMessageBoxSync({
          type: 'error',
          message: 'Touchstone failed and has to end.',
          detail:
            'Every result that was shown as done is kept; an evaluation that was running can be resumed. The log in the data folder says what happened.',
          buttons: ['Start again', 'Quit'],
          defaultId: 0,
          cancelId: 1,
          noLink: true,
        })
      : 1;
    if (answer === 0) app.relaunch();
    app.exit(1);
  };
  process_.on('uncaughtException', end);
  process_.on('unhandledRejection', end);
}
