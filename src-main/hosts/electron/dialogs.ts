import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

/**
 * Asks a question in front of a window, or alone if there is none or it is gone, and returns the
 * number of the button. A question that can't be shown is answered with its cancel button: an
 * error of a dialog must not end the program.
 */
export async function ask(
  window: BrowserWindow | null,
  question: MessageBoxOptions & { cancelId: number },
): Promise<number> {
  try {
    const { response } = await (window === null || window.isDestroyed()
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(window, question));
    return response;
  } catch {
    // The window is gone, and with it the question: nothing was agreed to.
    return question.cancelId;
  }
}
