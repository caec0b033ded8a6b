import {
  app,
  BrowserWindow,
  dialog,
  shell,
  type MessageBoxOptions,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron';
import { extname, join } from 'node:path';
import type { SaveDialog } from '../../services/saving/saveDialog.ts';

const maxNamed = 10;

/** The system's save dialog, in front of the window. It asks before it replaces a file. */
export const systemSaveDialog: SaveDialog = {
  async choose({ folder, fileName }) {
    const ending = extname(fileName).slice(1);
    const options: SaveDialogOptions = {
      defaultPath: join(folder ?? app.getPath('downloads'), fileName),
      filters: [
        ...(ending === '' ? [] : [{ name: ending.toUpperCase(), extensions: [ending] }]),
        { name: 'All files', extensions: ['*'] },
      ],
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    };
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePath } = await (window === undefined
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(window, options));
    return canceled || filePath === '' ? null : filePath;
  },
  async chooseFolder({ folder }) {
    const options: OpenDialogOptions = {
      defaultPath: folder ?? app.getPath('documents'),
      buttonLabel: 'Save here',
      properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
    };
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    return canceled ? null : (filePaths[0] ?? null);
  },
  async confirmReplace({ folder, names }) {
    const shown = names.slice(0, maxNamed);
    const more = names.length - shown.length;
    const question: MessageBoxOptions = {
      type: 'question',
      message:
        names.length === 1
          ? 'A different file with this name exists. Replace it?'
          : `${names.length} different files with these names exist. Replace them?`,
      detail: `${folder}\n\n${shown.join('\n')}${more > 0 ? `\n… and ${more} more` : ''}`,
      buttons: ['Replace', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    };
    const [window] = BrowserWindow.getAllWindows();
    const { response } = await (window === undefined
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(window, question));
    return response === 0;
  },
  showInFolder: (path) => {
    shell.showItemInFolder(path);
  },
};
