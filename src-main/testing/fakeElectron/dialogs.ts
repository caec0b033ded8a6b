import { type Question, recorded, type SuggestedFile } from './recorded.ts';
import type { BrowserWindow } from './windows.ts';

export const dialog = {
  showSaveDialog: async (
    ...all: [SuggestedFile] | [BrowserWindow, SuggestedFile]
  ): Promise<{ canceled: boolean; filePath: string }> => {
    const suggested = all[1] ?? (all[0] as SuggestedFile);
    recorded.suggested.push(suggested);
    return { canceled: recorded.chosen === null, filePath: recorded.chosen ?? '' };
  },
  showOpenDialog: async (
    ...all: [{ defaultPath?: string }] | [BrowserWindow, { defaultPath?: string }]
  ): Promise<{ canceled: boolean; filePaths: string[] }> => {
    recorded.openedAt.push((all.length === 1 ? all[0] : all[1]).defaultPath);
    return {
      canceled: recorded.chosen === null,
      filePaths: recorded.chosen === null ? [] : [recorded.chosen],
    };
  },
  showMessageBox: async (
    ...all: [Question] | [BrowserWindow, Question]
  ): Promise<{ response: number }> => {
    recorded.questions.push(all.length === 1 ? all[0] : all[1]);
    return { response: recorded.pressed };
  },
  showMessageBoxSync: (question: Question): number => {
    recorded.questions.push(question);
    return recorded.pressed;
  },
  showErrorBox: (title: string, content: string): void =>
    void recorded.errorBoxes.push({ title, content }),
};

export const shell = {
  openExternal: async (url: string): Promise<void> => void recorded.opened.push(url),
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
