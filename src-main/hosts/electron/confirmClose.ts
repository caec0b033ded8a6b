import { app, dialog, type BrowserWindow } from 'electron';
import {
  describeRunning,
  type RunningParts,
} from '../../services/evaluations/run/describeRunning.ts';

/**
 * Asks before a window closes, or the program quits, during an evaluation. Closing interrupts it:
 * its results are kept, and it can be resumed.
 */
export class CloseGuard {
  readonly #services: RunningParts;
  #agreed = false;
  #asking = false;

  constructor(services: RunningParts) {
    this.#services = services;
  }

  watch(window: BrowserWindow): void {
    window.on('close', (event) => {
      // On a Mac, the program and its evaluation go on without a window.
      if (this.#agreed || process.platform === 'darwin') return;
      event.preventDefault();
      void this.#ask(window, () => window.close());
    });
  }

  /** `before-quit` precedes the closing of the windows. */
  watchQuit(): void {
    app.on('before-quit', (event) => {
      if (this.#agreed) return;
      event.preventDefault();
      void this.#ask(null, () => app.quit());
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
      this.#agreed = running.length === 0 || (await confirm(window, running));
    } finally {
      this.#asking = false;
    }
    if (this.#agreed) goOn();
  }
}

async function confirm(window: BrowserWindow | null, running: readonly string[]): Promise<boolean> {
  const question = {
    type: 'warning' as const,
    message:
      running.length === 1
        ? 'An evaluation is running.'
        : `${running.length} evaluations are running.`,
    detail:
      `${running.join('\n')}\n\nIf you close Touchstone now, it is interrupted. Finished runs ` +
      'is kept, and it can be resumed.',
    buttons: ['Keep running', 'Close'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } = await (window === null || window.isDestroyed()
    ? dialog.showMessageBox(question)
    : dialog.showMessageBox(window, question));
  return response === 1;
}
