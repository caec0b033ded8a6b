import { existsSync } from 'node:fs';
import { app } from './app.ts';
import {
  type BuiltMenu,
  type Question,
  recorded,
  type SuggestedFile,
  type Template,
} from './recorded.ts';
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
    const question = all.length === 1 ? all[0] : all[1];
    recorded.questions.push(question);
    app.emit('fake-question', question.message);
    const { signal } = question;
    if (signal === undefined) return { response: recorded.pressed };
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return { response: question.cancelId ?? 0 };
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
    if (!URL.canParse(url)) throw new TypeError('Invalid URL');
    if (recorded.noBrowser) throw new Error(`Failed to open: ${url}`);
    recorded.opened.push(url);
  },
  showItemInFolder: (path: string): void => void recorded.shownInFolder.push(path),
  /** “Resolves with a string containing the error message”. */
  openPath: async (path: string): Promise<string> => {
    recorded.openedPaths.push(path);
    return existsSync(path) ? '' : 'Failed to open path';
  },
};

export const Menu = {
  /** An item without a label, a role or a type is none. */
  buildFromTemplate: (template: Template[]): BuiltMenu => ({
    items: template.map(({ submenu, ...item }) => {
      if ((item.label ?? item.type ?? item.role) === undefined)
        throw new TypeError('Invalid template for MenuItem');
      return {
        ...item,
        type: item.type ?? (submenu === undefined ? 'normal' : 'submenu'),
        ...(submenu === undefined ? {} : { submenu: Menu.buildFromTemplate(submenu) }),
      };
    }),
  }),
  setApplicationMenu: (menu: BuiltMenu): void => void (recorded.menu = menu),
  getApplicationMenu: (): BuiltMenu | null => recorded.menu,
};
