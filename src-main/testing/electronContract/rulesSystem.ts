import type { MessageBoxOptions, MessageBoxSyncOptions } from 'electron';
import { join } from 'node:path';
import { errorOf, openPage, type Rule } from './rule.ts';

const ofDialog = (quote: string) => ({ page: 'api/dialog', quote });
const optionsOf = (type: string, options: object): string[] =>
  Object.keys(options).map((name) => `${type}.${name}`);

/** With every option that the shell gives. */
const question: MessageBoxOptions & MessageBoxSyncOptions = {
  type: 'question',
  message: 'Contract',
  detail: 'A detail',
  buttons: ['Go on', 'Cancel', 'Other'],
  defaultId: 0,
  cancelId: 1,
  noLink: true,
};

export const systemRules: readonly Rule[] = [
  {
    id: 'dialogs-after-ready',
    api: [
      'Dialog.showMessageBox',
      'Dialog.showMessageBoxSync',
      ...optionsOf('MessageBoxSyncOptions', question),
    ],
    says: 'Message boxes fail before the program is ready.',
    source: ofDialog(
      'This API can be called safely before the ready event the app module emits, it is usually used to report errors in early stage of startup.',
    ),
    async run({ electron: { dialog }, log }) {
      log(await errorOf(() => dialog.showMessageBox(question)));
      log(await errorOf(() => dialog.showMessageBoxSync(question)));
    },
    leaves: ['Error', 'Error'],
  },
  {
    id: 'error-box-before-ready',
    api: ['Dialog.showErrorBox'],
    says: 'On Linux, an error box before the program is ready is text on stderr.',
    source: ofDialog(
      'If called before the app ready event on Linux, the message will be emitted to stderr, and no GUI dialog will appear.',
    ),
    systems: ['linux'],
    run({ electron: { dialog }, log }) {
      dialog.showErrorBox('Contract', 'early');
      log('went on');
    },
    leaves: ['went on'],
  },
  {
    id: 'dialog-of-a-closed-window',
    api: ['Dialog.showMessageBox', 'Dialog.showSaveDialog', 'Dialog.showOpenDialog'],
    says: 'A dialog in front of a window that is gone fails.',
    source: {
      page: 'api/browser-window',
      quote:
        'After you have received this event you should remove the reference to the window and avoid using it any more.',
    },
    async run(world) {
      const { dialog } = world.electron;
      const window = await openPage(world);
      window.destroy();
      for (const show of [
        () => dialog.showMessageBox(window, { message: 'late' }),
        () => dialog.showSaveDialog(window, {}),
        () => dialog.showOpenDialog(window, {}),
      ])
        world.log(await errorOf(show));
    },
    leaves: ['TypeError', 'TypeError', 'TypeError'],
  },
  {
    id: 'dialog-closed-by-the-program',
    api: [
      'Dialog.showMessageBox',
      'MessageBoxReturnValue.response',
      ...optionsOf('MessageBoxOptions', question),
    ],
    says: 'A message box resolves with the number of its button; closed by its signal, with cancelId.',
    source: ofDialog(
      'Pass an instance of AbortSignal to optionally close the message box, the message box will behave as if it was cancelled by the user.',
    ),
    async run(world) {
      const window = await openPage(world, { options: { show: true } });
      const abort = new AbortController();
      const answer = world.electron.dialog.showMessageBox(window, {
        ...question,
        signal: abort.signal,
      });
      setTimeout(() => abort.abort(), 300);
      world.log(`${(await answer).response}`);
    },
    leaves: ['1'],
  },
  {
    id: 'file-dialogs',
    api: [
      'Dialog.showSaveDialog',
      'Dialog.showOpenDialog',
      'Shell.showItemInFolder',
      ...['canceled', 'filePath'].map((name) => `SaveDialogReturnValue.${name}`),
      ...['canceled', 'filePaths'].map((name) => `OpenDialogReturnValue.${name}`),
      ...['defaultPath', 'filters', 'properties'].map((name) => `SaveDialogOptions.${name}`),
      ...['defaultPath', 'buttonLabel', 'properties'].map((name) => `OpenDialogOptions.${name}`),
    ],
    says: 'A save dialog resolves with the path, or with an empty one and `canceled`.',
    source: ofDialog('If the dialog is canceled, this will be an empty string.'),
    person: {
      does: 'On a result, choose **Export**, HTML: cancel once, then save over a file that exists, then choose **Show in folder**.',
      sees: 'Cancel changes nothing. Saving asks before it replaces. The folder opens with the file selected.',
    },
  },
  {
    id: 'missing-path',
    api: ['Shell.openPath'],
    says: 'openPath resolves with a text where it fails; it does not reject.',
    source: {
      page: 'api/shell',
      quote:
        'Resolves with a string containing the error message corresponding to the failure if a failure occurred',
    },
    async run({ electron: { app, shell }, folder, log }) {
      await app.whenReady();
      log((await shell.openPath(join(folder, 'missing'))).length > 0);
    },
    leaves: ['true'],
  },
  {
    id: 'external-address',
    api: ['Shell.openExternal'],
    says: 'openExternal fails for a text without a scheme.',
    source: {
      page: 'api/shell',
      quote: "Open the given external protocol URL in the desktop's default manner.",
    },
    async run({ electron: { app, shell }, log }) {
      await app.whenReady();
      log((await errorOf(() => shell.openExternal('no address'))) !== 'none');
    },
    leaves: ['true'],
  },
  {
    id: 'browser-opens',
    api: ['Shell.openExternal'],
    says: 'openExternal opens the browser of the system.',
    source: {
      page: 'api/shell',
      quote: "Open the given external protocol URL in the desktop's default manner.",
    },
    person: {
      needs: 'a server that asks for a sign-in',
      does: 'On the page of such a server, choose **Sign in**, then **open the sign-in page**: the one link that leads to the web.',
      sees: 'One question that names its host. **Open** shows the page in your browser, **Cancel** nothing.',
    },
  },
  {
    id: 'menu-items',
    api: [
      'Menu.buildFromTemplate',
      'Menu.setApplicationMenu',
      ...['type', 'role', 'label', 'submenu', 'click', 'accelerator', 'registerAccelerator'].map(
        (name) => `MenuItemConstructorOptions.${name}`,
      ),
    ],
    says: 'A menu is built from its template, in its order, with what a click does.',
    source: {
      page: 'api/menu',
      quote: 'Generally, the template is an array of options for constructing a MenuItem.',
    },
    async run({ electron: { app, Menu }, log }) {
      await app.whenReady();
      const item = {
        ...{ label: 'Inner', click: () => log('clicked') },
        ...{ accelerator: 'CmdOrCtrl+K', registerAccelerator: false },
      };
      Menu.setApplicationMenu(
        Menu.buildFromTemplate([
          { label: '&Outer', submenu: [item, { type: 'separator' }, { role: 'quit' }] },
        ]),
      );
      const [outer] = Menu.getApplicationMenu()?.items ?? [];
      log(`${outer?.label} ${outer?.submenu?.items.map(({ type }) => type).join()}`);
      const [inner] = outer?.submenu?.items ?? [];
      (inner?.click as () => void)();
      log(`${inner?.accelerator} ${inner?.registerAccelerator}`);
      log(await errorOf(() => Menu.buildFromTemplate([{}])));
    },
    leaves: ['&Outer normal,separator,normal', 'clicked', 'CmdOrCtrl+K false', 'TypeError'],
  },
  {
    id: 'displays-after-ready',
    api: ['Screen.getAllDisplays', 'Display.workArea', 'NativeTheme.shouldUseDarkColors'],
    says: 'Displays have a work area, and the theme is a boolean.',
    source: { page: 'api/screen', quote: 'An array of displays that are currently available.' },
    async run({ electron: { app, nativeTheme, screen }, log }) {
      await app.whenReady();
      log(screen.getAllDisplays().every(({ workArea }) => workArea.width > 0));
      log(typeof nativeTheme.shouldUseDarkColors);
    },
    leaves: ['true', 'boolean'],
  },
  {
    id: 'shutdown',
    api: ['PowerMonitor:shutdown'],
    says: 'Linux and Mac announce the end of the session; a prevented event delays it.',
    source: {
      page: 'api/power-monitor',
      quote:
        'If the event handler invokes e.preventDefault(), Electron will attempt to delay system shutdown in order for the app to exit cleanly.',
    },
    systems: ['linux', 'darwin'],
    person: {
      needs: 'a slow model, a log-out',
      does: 'Start an evaluation, then log out with the window open. Log in, and start Touchstone again.',
      sees: 'The log-out is not held up and asks nothing. The evaluation is listed as interrupted and can be resumed.',
    },
  },
  {
    id: 'session-end',
    api: ['BrowserWindow:session-end'],
    says: 'Windows announces the end of the session to each window and waits for nobody.',
    source: {
      page: 'api/browser-window',
      quote: 'Once this event fires, there is no way to prevent the session from ending.',
    },
    systems: ['win32'],
    person: {
      needs: 'a slow model, a log-out',
      does: 'Start an evaluation, then sign out with the window open. Sign in, and start Touchstone again.',
      sees: 'The evaluation is listed as interrupted and can be resumed.',
    },
  },
];
