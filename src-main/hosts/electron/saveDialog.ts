import { app, BrowserWindow, dialog, shell } from 'electron';
import { extname, join } from 'node:path';
import type { SaveDialog } from '../../services/saving/savingService.ts';

/** The system's own dialog, in front of the window, which asks before a file is replaced. */
export const systemSaveDialog: SaveDialog = {
  async choose({ folder, fileName }) {
    const ending = extname(fileName).slice(1);
    const options = {
      defaultPath: join(folder ?? app.getPath('downloads'), fileName),
      filters: [...(ending === '' ? [] : [{ name: ending.toUpperCase(), extensions: [ending] }]), { name: 'All files', extensions: ['*'] }],
      properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
    };
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePath } = await (window === undefined ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options));
    return canceled || filePath === '' ? null : filePath;
  },
  showInFolder: (path) => {
    shell.showItemInFolder(path);
  },
};
