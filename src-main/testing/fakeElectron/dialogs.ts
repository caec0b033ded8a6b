import { app } from './app.ts';
import { type Question, recorded, type SuggestedFile } from './recorded.ts';
import type { BrowserWindow } from './windows.ts';

/**
 * “dialog module can only be used after app is ready”, and a window that is gone is no argument.
 * https://www.electronjs.org/docs/latest/api/dialog
 */
function check(all: readonly unknown[]): void {
  app.onlyAfterReady('dialog module');
  const [window] = all as [Partial<BrowserWindow>];
  if (window.destroyed === true) throw new TypeError('Object has been destroyed');
}

export const dialog = {
  showSaveDialog: async (
    ...all: [SuggestedFile] | [BrowserWindow, SuggestedFile]
  ): Promise<{ canceled: boolean; filePath: string }> => {
    check(all);
    const suggested = all[1] ?? (all[0] as SuggestedFile);
    recorded.suggested.push(suggested);
    return { canceled: recorded.chosen === null, filePath: recorded.chosen ?? '' };
  },
  showOpenDialog: async (
    ...all: [{ defaultPath?: string }] | [BrowserWindow, { defaultPath?: string }]
  ): Promise<{ canceled: boolean; filePaths: string[] }> => {
    check(all);
    recorded.openedAt.push((all.length === 1 ? all[0] : all[1]).defaultPath);
    return {
      canceled: recorded.chosen === null,
      filePaths: recorded.chosen === null ? [] : [recorded.chosen],
    };
  },
  showMessageBox: async (
    ...all: [Question] | [BrowserWindow, Question]
  ): Promise<{ response: number }> => {
    check(all);
    recorded.questions.push(all.length === 1 ? all[0] : all[1]);
    return { response: recorded.pressed };
  },
  showMessageBoxSync: (question: Question): number => {
    app.onlyAfterReady('dialog module');
    recorded.questions.push(question);
    return recorded.pressed;
  },
  showErrorBox: (title: string, content: string): void =>
    void recorded.errorBoxes.push({ title, content }),
};

export const shell = {
  /** Rejects where the system has no program for the address. */
  openExternal: async (url: string): Promise<void> => {
    if (recorded.noBrowser) throw new Error(`Failed to open: ${url}`);
    recorded.opened.push(url);
  },
  showItemInFolder: (path: string): void => void recorded.shownInFolder.push(path),
  openPath: async (path: string): Promise<string> => {
    recorded.openedPaths.push(path);
    return '';
  },
};

export const Menu = {
  buildFromTemplate: (template: unknown): unknown => template,
  setApplicationMenu: (menu: unknown): void => void (recorded.menu = menu),
};
