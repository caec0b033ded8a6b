import { app, powerMonitor, type BrowserWindow } from 'electron';
import {
  describeRunning,
  type RunningParts,
} from '../../services/evaluations/run/describeRunning.ts';
import { ask } from './dialogs.ts';

/**
 * Asks before a window closes, or the program quits, during an evaluation. Closing interrupts it:
 * its results are kept, and it can be resumed.
 */
export class CloseGuard {
  readonly #services: RunningParts;
  readonly #isRunning: () => boolean;
  #agreed = false;
  #asking = false;

  /**
   * @param isRunning True while anything runs that would be interrupted. Known at once: a Mac takes
   * a program that prevents its end, if only to find out, for one that refuses to log out.
   */
  constructor(services: RunningParts, isRunning: () => boolean) {
    this.#services = services;
    this.#isRunning = isRunning;
  }

  watch(window: BrowserWindow): void {
    window.on('close', (event) => {
      // On a Mac, the program and its evaluation go on without a window.
      if (this.#agreed || process.platform === 'darwin' || !this.#isRunning()) return;
      event.preventDefault();
      void this.#ask(window, () => {
        if (!window.isDestroyed()) window.close();
      });
    });
    // Windows ends the session without asking the program.
    window.on('session-end', () => this.quit());
  }

  /** `before-quit` precedes the closing of the windows. */
  watchQuit(): void {
    app.on('before-quit', (event) => {
      if (this.#agreed || !this.#isRunning()) return;
      event.preventDefault();
      void this.#ask(null, () => app.quit());
    });
    // Linux and Mac. Prevented, it delays the shutdown until the program has ended.
    powerMonitor.on('shutdown', (event?: { preventDefault: () => void }) => {
      event?.preventDefault();
      this.quit();
    });
  }

  /** Quits without a question, because nobody waits for an answer. */
  quit(): void {
    this.#agreed = true;
    app.quit();
  }

  async #ask(window: BrowserWindow | null, goOn: () => void): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const running = await describeRunning(this.#services);
      this.#agreed = running.length === 0 || (await isToClose(window, running));
    } finally {
      this.#asking = false;
    }
    if (this.#agreed) goOn();
  }
}

async function isToClose(
  window: BrowserWindow | null,
  running: readonly string[],
): Promise<boolean> {
  const answer = await ask(window, {
    type: 'warning',
    message:
      running.length === 1
        ? 'An evaluation is running.'
        : `${running.length} evaluations are running.`,
    detail:
      `${running.join('\n')}\n\nIf you close Touchstone now, what runs is interrupted. ` +
      'Finished runs are kept, and it can be resumed.',
    buttons: ['Keep running', 'Close'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return answer === 1;
}
