import { next, errorOf, logEvents, openPage, openWindow, type Rule, type World } from './rule.ts';

const quitEvents = ['before-quit', 'will-quit', 'window-all-closed'];
const from = (quote: string) => ({ page: 'api/app', quote });

/** A program with one window, whose events of the end are logged. */
async function openAndWatch(world: World) {
  const window = await openPage(world);
  logEvents(world, world.electron.app, ...quitEvents);
  logEvents(world, window, 'close', 'closed');
  return { window, app: world.electron.app };
}

export const appRules: readonly Rule[] = [
  {
    id: 'ready-later',
    api: ['app.isReady', 'app.whenReady'],
    says: 'The program is ready only after its main module has run.',
    source: from(
      'The ready event is only fired after the main process has finished running the first tick of the event loop.',
    ),
    async run({ electron: { app }, log }) {
      log(app.isReady());
      await app.whenReady();
      log(app.isReady());
    },
    leaves: ['false', 'true'],
  },
  {
    id: 'sandbox-before-ready',
    api: ['app.enableSandbox'],
    says: 'enableSandbox throws once the program is ready.',
    source: from('This method can only be called before app is ready.'),
    async run({ electron: { app }, log }) {
      log(await errorOf(() => app.enableSandbox()));
      await app.whenReady();
      log(await errorOf(() => app.enableSandbox()));
    },
    leaves: ['none', 'Error'],
  },
  {
    id: 'quit-order',
    api: ['app.quit', 'app:before-quit', 'app:will-quit', 'BrowserWindow:close'],
    says: 'quit emits before-quit, closes the windows, then emits will-quit; window-all-closed is not emitted.',
    source: from(
      'The before-quit event will be emitted first. If all windows are successfully closed, the will-quit event will be emitted and by default the application will terminate.',
    ),
    async run(world) {
      const { app } = await openAndWatch(world);
      app.quit();
    },
    leaves: ['before-quit', 'close', 'closed', 'will-quit', 'exit 0'],
  },
  {
    id: 'quit-without-windows',
    api: ['app.quit'],
    says: 'Without windows, quit goes on to will-quit at once.',
    source: from(
      'Emitted when all windows have been closed and the application will quit. Calling event.preventDefault() will prevent the default behavior, which is terminating the application.',
    ),
    async run(world) {
      const { app } = world.electron;
      logEvents(world, app, ...quitEvents);
      await app.whenReady();
      app.quit();
    },
    leaves: ['before-quit', 'will-quit', 'exit 0'],
  },
  {
    id: 'before-quit-prevented',
    api: ['app:before-quit'],
    says: 'A prevented before-quit leaves the windows open; the next quit emits it again.',
    source: from(
      'Emitted before the application starts closing its windows. Calling event.preventDefault() will prevent the default behavior, which is terminating the application.',
    ),
    async run(world) {
      const { app, window } = await openAndWatch(world);
      app.once('before-quit', (event) => event.preventDefault());
      app.quit();
      world.log(window.isDestroyed());
      app.quit();
    },
    leaves: ['before-quit', 'false', 'before-quit', 'close', 'closed', 'will-quit', 'exit 0'],
  },
  {
    id: 'will-quit-prevented',
    api: ['app:will-quit', 'app.exit'],
    says: 'A prevented will-quit keeps the program running without windows, until exit ends it.',
    source: from(
      'All windows will be closed immediately without asking the user, and the before-quit and will-quit events will not be emitted.',
    ),
    async run(world) {
      const { app } = await openAndWatch(world);
      app.on('will-quit', (event) => {
        event.preventDefault();
        setImmediate(() => app.exit(3));
      });
      app.quit();
    },
    leaves: ['before-quit', 'close', 'closed', 'will-quit', 'exit 3'],
  },
  {
    id: 'exit-asks-nobody',
    api: ['app.exit'],
    says: 'exit ends the program with its code, without close, before-quit or will-quit.',
    source: from('Exits immediately with exitCode.'),
    async run(world) {
      const { app, window } = await openAndWatch(world);
      window.removeAllListeners('closed');
      window.on('close', (event) => event.preventDefault());
      app.exit(7);
    },
    leaves: ['exit 7'],
  },
  {
    id: 'close-prevented-ends-quit',
    api: ['app.quit', 'BrowserWindow:close'],
    says: 'A window that prevents its close ends the attempt to quit; a later one starts from the beginning.',
    source: {
      page: 'api/browser-window',
      quote: 'Calling event.preventDefault() will cancel the close.',
    },
    async run(world) {
      const { app, window } = await openAndWatch(world);
      window.once('close', (event) => event.preventDefault());
      app.quit();
      await new Promise((resolve) => setImmediate(resolve));
      world.log(window.isDestroyed());
      app.quit();
    },
    leaves: [
      ...['before-quit', 'close', 'false'],
      ...['before-quit', 'close', 'closed', 'will-quit', 'exit 0'],
    ],
  },
  {
    id: 'page-cancels-close',
    api: ['app.quit', 'BrowserWindow.close', 'BrowserWindow:close'],
    says: 'close comes before the page is asked (beforeunload), which may keep the window open.',
    source: {
      page: 'api/browser-window',
      quote: "It's emitted before the beforeunload and unload event of the DOM.",
    },
    async run(world) {
      const { window } = await openAndWatch(world);
      await window.webContents.executeJavaScript(
        "window.asked = 0; window.addEventListener('beforeunload', (event) => { window.asked += 1; event.preventDefault(); event.returnValue = false; })",
        true,
      );
      window.close();
      const asked: unknown = await window.webContents.executeJavaScript(
        'new Promise((resolve) => setTimeout(() => resolve(window.asked), 300))',
      );
      world.log(`asked ${String(asked)}, destroyed ${window.isDestroyed()}`);
    },
    leaves: ['close', 'asked 1, destroyed false'],
  },
  {
    id: 'last-window',
    api: ['app:window-all-closed', 'BrowserWindow.close'],
    says: 'With a listener of window-all-closed, the program goes on without windows.',
    source: from('if you subscribe, you control whether the app quits or not.'),
    async run(world) {
      const { app, window } = await openAndWatch(world);
      window.close();
      await next(app, 'window-all-closed');
      await new Promise((resolve) => setTimeout(resolve, 100));
      app.exit(4);
    },
    leaves: ['close', 'closed', 'window-all-closed', 'exit 4'],
  },
  {
    id: 'last-window-quits',
    api: ['app:window-all-closed'],
    says: 'Without such a listener, the program quits with its last window.',
    source: from(
      'If you do not subscribe to this event and all windows are closed, the default behavior is to quit the app',
    ),
    async run(world) {
      const window = await openPage(world);
      logEvents(world, world.electron.app, 'before-quit', 'will-quit');
      window.close();
    },
    leaves: ['before-quit', 'will-quit', 'exit 0'],
  },
  {
    id: 'relaunch',
    api: ['app.relaunch'],
    says: 'relaunch starts the program again once this process has ended, and does not end it.',
    source: from('Note that this method does not quit the app when executed.'),
    async run({ electron: { app }, log, start }) {
      await app.whenReady();
      log(`start ${start}`);
      if (start > 1) return;
      app.relaunch();
      log('still here');
      app.exit(0);
    },
    leaves: ['start 1', 'still here', 'start 2'],
  },
  {
    id: 'second-start',
    api: ['app.requestSingleInstanceLock', 'app:second-instance'],
    says: 'A second start of the same data folder gets no lock, and its arguments reach the first.',
    source: from("argv is an Array of the second instance's command line arguments"),
    async run(world) {
      const { electron, log, start } = world;
      const { app } = electron;
      app.setPath('userData', world.folder);
      const isFirst = app.requestSingleInstanceLock();
      log(`start ${start}: ${isFirst}`);
      if (!isFirst) {
        app.quit();
        return;
      }
      const arrived = new Promise<readonly string[]>((resolve) => {
        app.on('second-instance', (_event, argv) => {
          resolve(argv);
        });
      });
      await app.whenReady();
      // Which of the two writes first is left open, so this one waits for the end of the other.
      await world.startAnother('touchstone-open://suites');
      log((await arrived).includes('touchstone-open://suites'));
    },
    leaves: ['start 1: true', 'start 2: false', 'true'],
  },
  {
    id: 'second-start-before-ready',
    api: ['app:second-instance'],
    says: 'second-instance comes after ready, however early the second start was.',
    source: from(
      'This event is guaranteed to be emitted after the ready event of app gets emitted.',
    ),
    async run(world) {
      const { app } = world.electron;
      app.setPath('userData', world.folder);
      if (!app.requestSingleInstanceLock()) {
        app.quit();
        return;
      }
      logEvents(world, app, 'ready');
      const arrived = next(app, 'second-instance').then(() => world.log('second-instance'));
      await world.startAnother();
      await arrived;
    },
    leaves: ['ready', 'second-instance'],
  },
  {
    id: 'lock-by-folder',
    api: ['app.requestSingleInstanceLock', 'app.setPath'],
    says: 'The lock is of the data folder: a start with another one is a program of its own.',
    source: from("The single instance lock is scoped to the application's user data directory"),
    async run({ electron: { app }, folder, log, start, startAnother }) {
      app.setPath('userData', `${folder}/${start}`);
      log(app.requestSingleInstanceLock());
      await app.whenReady();
      if (start === 1) await startAnother();
    },
    leaves: ['true', 'true'],
  },
  {
    id: 'paths',
    api: ['app.getPath', 'app.setPath'],
    says: 'setPath replaces what getPath returns; an unknown name throws.',
    source: from('On failure, an Error is thrown.'),
    async run({ electron: { app }, folder, log }) {
      app.setPath('userData', folder);
      await app.whenReady();
      log(app.getPath('userData') === folder);
      for (const name of ['home', 'downloads', 'documents'] as const)
        log(app.getPath(name).length > 1);
      log(await errorOf(() => app.getPath('nowhere' as never)));
    },
    leaves: ['true', 'true', 'true', 'true', 'Error'],
  },
  {
    id: 'switches',
    api: ['app.commandLine', 'CommandLine.hasSwitch'],
    says: 'hasSwitch knows the switches of this start.',
    source: { page: 'api/command-line', quote: 'Whether the command-line switch is present.' },
    run({ electron: { app }, log }) {
      log(app.commandLine.hasSwitch('contract-rule'));
      log(app.commandLine.hasSwitch('contract-nothing'));
    },
    leaves: ['true', 'false'],
  },
  {
    id: 'not-packaged',
    api: ['app.isPackaged', 'app.name'],
    says: 'A program that starts from a folder is not packaged, and is named as its package.json says.',
    source: from('A boolean property that returns true if the app is packaged, false otherwise.'),
    run({ electron: { app }, log }) {
      log(`${app.isPackaged} ${app.name}`);
    },
    leaves: ['false Contract'],
  },
  {
    id: 'contents-created',
    api: ['app:web-contents-created'],
    says: 'The contents of a window are announced while the window is made, before anything loads.',
    source: from('Emitted when a new webContents is created.'),
    async run(world) {
      logEvents(world, world.electron.app, 'web-contents-created');
      await openPage(world, { beforeLoad: () => world.log('made') });
    },
    leaves: ['web-contents-created', 'made'],
  },
  {
    id: 'open-windows',
    api: ['BrowserWindow.getAllWindows', 'BrowserWindow.isDestroyed'],
    says: 'getAllWindows lists open windows only.',
    source: { page: 'api/browser-window', quote: 'An array of all opened browser windows.' },
    async run(world) {
      const { BrowserWindow } = world.electron;
      const first = await openPage(world);
      const second = await openWindow(BrowserWindow, world.folder);
      world.log(`${BrowserWindow.getAllWindows().length}`);
      second.destroy();
      world.log(`${BrowserWindow.getAllWindows().length} ${second.isDestroyed()}`);
      world.log(BrowserWindow.getAllWindows()[0] === first);
    },
    leaves: ['2', '1 true', 'true'],
  },
  {
    id: 'link-on-a-mac',
    api: ['app:open-url', 'app.setAsDefaultProtocolClient'],
    says: 'A Mac tells of links by an event, even before the program is ready; elsewhere a link is an argument of a start. setAsDefaultProtocolClient registers the scheme on Windows.',
    source: from(
      "If you register the listener in response to a ready event, you'll miss URLs that trigger the launch of your application.",
    ),
    person: {
      does: 'With Touchstone closed, open `touchstone-open://suites` (Mac: `open touchstone-open://suites`; Windows: `start touchstone-open://suites`; Linux, after the .deb: `xdg-open touchstone-open://suites`). Do it again while the window is open.',
      sees: 'Both times one question, “Another app wants to open a page in Touchstone.” **Show** leads to Suites.',
    },
  },
  {
    id: 'activate-on-a-mac',
    api: ['app:activate'],
    says: 'A click on the icon in the Dock activates a program without windows.',
    source: from(
      "attempting to re-launch the application when it's already running, or clicking on the application's dock or taskbar icon.",
    ),
    systems: ['darwin'],
    person: {
      does: 'Close the window with the red button, then click the icon in the Dock.',
      sees: 'The window opens again.',
    },
  },
];
