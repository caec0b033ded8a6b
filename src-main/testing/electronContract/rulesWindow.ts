import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorOf, logEvents, next, openPage, page, type Rule, type World } from './rule.ts';

const ofWindow = (quote: string) => ({ page: 'api/browser-window', quote });
const ofContents = (quote: string) => ({ page: 'api/web-contents', quote });

const navigation = ['will-frame-navigate', 'will-navigate'];
const wantsToStart = 'Emitted when a user or the page wants to start navigation on the main frame.';
const notProgrammatic =
  'This event will not emit when the navigation is started programmatically with APIs like webContents.loadURL and webContents.back.';
const settle = (ms = 300) => new Promise((resolve) => setTimeout(resolve, ms));

/** A page whose navigations are logged; `prevents` names the event that is prevented. */
async function navigate(world: World, script: string, prevents = ''): Promise<void> {
  const { webContents } = await openPage(world);
  logEvents(world, webContents, ...navigation);
  for (const name of navigation)
    webContents.on(name as 'will-navigate', (event) => {
      if (name === prevents) event.preventDefault();
    });
  await webContents.executeJavaScript(`setTimeout(() => { ${script} }, 0); 0`);
  await settle();
  world.log(webContents.getURL());
}

export const windowRules: readonly Rule[] = [
  {
    id: 'destroyed-objects',
    api: ['BrowserWindow.webContents', 'BrowserWindow.isDestroyed', 'WebContents.reload'],
    says: 'A destroyed window emits closed but not close; it and its contents can’t be used.',
    source: ofWindow(
      'close event will also not be emitted for this window, but it guarantees the closed event will be emitted.',
    ),
    async run(world) {
      const window = await openPage(world);
      const { webContents } = window;
      logEvents(world, window, 'close', 'closed');
      window.destroy();
      world.log(window.isDestroyed());
      world.log(await errorOf(() => webContents.reload()));
      world.log(await errorOf(() => window.webContents.send('x')));
      world.log(await errorOf(() => window.close()));
    },
    leaves: ['closed', 'true', 'TypeError', 'TypeError', 'TypeError'],
  },
  {
    id: 'ready-to-show',
    api: [
      'BrowserWindow:ready-to-show',
      'BrowserWindow.show',
      'BrowserWindow.focus',
      'BaseWindowConstructorOptions.show',
    ],
    says: 'A hidden window announces its first paint; show makes it visible.',
    source: ofWindow(
      'Emitted when the web page has been rendered (while not being shown) and window can be displayed without a visual flash.',
    ),
    async run(world) {
      let painted = Promise.resolve();
      const window = await openPage(world, {
        beforeLoad: (made) => void (painted = next(made, 'ready-to-show')),
      });
      await painted;
      world.log(window.isVisible());
      window.show();
      window.focus();
      world.log(window.isVisible());
    },
    leaves: ['false', 'true'],
  },
  {
    id: 'new-window-state',
    api: [
      'BrowserWindow.getNormalBounds',
      ...['isMaximized', 'isMinimized', 'isFullScreen'].map((name) => `BrowserWindow.${name}`),
    ],
    says: 'A new window has the size that it was made with, and no other state.',
    source: ofWindow('In normal state, getBounds and getNormalBounds return the same Rectangle.'),
    async run(world) {
      const window = await openPage(world, { options: { width: 900, height: 700 } });
      const { width, height } = window.getNormalBounds();
      world.log(`${width} × ${height}`);
      world.log(window.isMaximized() || window.isMinimized() || window.isFullScreen());
    },
    leaves: ['900 × 700', 'false'],
  },
  {
    id: 'window-options',
    api: [
      ...['minWidth', 'minHeight', 'title', 'backgroundColor', 'autoHideMenuBar'].map(
        (name) => `BaseWindowConstructorOptions.${name}`,
      ),
      'BrowserWindowConstructorOptions.webPreferences',
    ],
    says: 'A window has the least size, the color and, until its page has one, the title that it was made with.',
    source: ofWindow("Window's minimum width. Default is `0`."),
    async run(world) {
      const titles: string[] = [];
      const window = await openPage(world, {
        options: {
          ...{ minWidth: 720, minHeight: 480, title: 'Made', backgroundColor: '#0f1522' },
          autoHideMenuBar: true,
        },
        beforeLoad: (made) => void titles.push(made.getTitle()),
      });
      world.log(`${titles.join()} ${window.getMinimumSize().join(' × ')}`);
      world.log(window.getBackgroundColor().toLowerCase());
      // A Mac has its menu at the top of the screen.
      world.log(process.platform === 'darwin' || window.isMenuBarAutoHide());
    },
    leaves: ['Made 720 × 480', '#0f1522', 'true'],
  },
  {
    id: 'full-screen-button',
    api: ['BaseWindowConstructorOptions.fullscreen'],
    says: 'On a Mac, a window that is made with fullscreen: false can’t get full screen; without the option, it can.',
    source: ofWindow(
      'When explicitly set to `false` the fullscreen button will be hidden or disabled on macOS.',
    ),
    systems: ['darwin'],
    async run(world) {
      const window = await openPage(world);
      world.log(window.isFullScreenable());
      const other = new world.electron.BrowserWindow({ show: false, fullscreen: false });
      world.log(other.isFullScreenable());
    },
    leaves: ['true', 'false'],
  },
  {
    id: 'no-developer-tools',
    api: ['WebPreferences.devTools'],
    says: 'Where devTools is false, nothing opens the developer tools.',
    source: {
      page: 'api/structures/web-preferences',
      quote:
        'If it is set to `false`, can not use `BrowserWindow.webContents.openDevTools()` to open DevTools.',
    },
    async run(world) {
      const { webContents } = await openPage(world, {
        options: { webPreferences: { devTools: false } },
      });
      webContents.openDevTools({ mode: 'detach' });
      await settle();
      world.log(webContents.isDevToolsOpened());
    },
    leaves: ['false'],
  },
  {
    id: 'drops-and-spelling',
    api: ['WebPreferences.navigateOnDragDrop', 'WebPreferences.spellcheck'],
    says: 'A file that is dropped on a page isn’t a navigation, and no spelling is checked.',
    source: {
      page: 'api/structures/web-preferences',
      quote: 'Whether dragging and dropping a file or link onto the page causes a navigation.',
    },
    person: {
      does: 'Drop a picture from the file manager on the overview, then type “helo wrld” into the field of **Ctrl+K** (Mac: **Cmd+K**).',
      sees: 'The window never shows the picture, and no word is underlined.',
    },
  },
  {
    id: 'other-origins',
    api: ['WebPreferences.webSecurity', 'WebPreferences.allowRunningInsecureContent'],
    says: 'A page can’t read the answer of another origin that doesn’t allow it.',
    source: {
      page: 'api/structures/web-preferences',
      quote:
        'When `false`, it will disable the same-origin policy (usually using testing websites by people), and set `allowRunningInsecureContent` to `true` if this option has not been set by user.',
    },
    async run(world) {
      const { webContents } = await openPage(world);
      const server = createServer((_request, response) => response.end('secret')).listen(
        0,
        '127.0.0.1',
      );
      await next(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const read = `fetch('http://127.0.0.1:${port}/').then((a) => a.text(), ({ name }) => name)`;
      world.log(String(await webContents.executeJavaScript(read)));
      server.close();
    },
    leaves: ['TypeError'],
  },
  {
    id: 'window-state-events',
    api: [
      ...['resized', 'moved', 'maximize', 'unmaximize'].map((name) => `BrowserWindow:${name}`),
      'BrowserWindow:enter-full-screen',
      'BrowserWindow:leave-full-screen',
      'BrowserWindow.maximize',
      'BrowserWindow.restore',
    ],
    says: 'Moves and sizes are announced when they are done, on Mac and Windows; on Linux they are read when the window closes.',
    source: ofWindow('Emitted once when the window has finished being resized.'),
    person: {
      does: 'Move and resize the window, quit, and start again. Then maximize it, quit, and start again.',
      sees: 'It opens where it was, then maximized; restored, it has its earlier size. No white flash before the first paint, in either theme.',
    },
  },
  {
    id: 'failed-load',
    api: ['BrowserWindow.loadURL'],
    says: 'loadURL rejects where the page fails to load, which never counts as an unhandled rejection.',
    source: ofWindow(
      'A noop rejection handler is already attached, which avoids unhandled rejection errors.',
    ),
    async run(world) {
      const window = await openPage(world);
      process.once('unhandledRejection', () => world.log('unhandled'));
      void window.loadURL(`${page}fails`);
      await next(window.webContents, 'did-fail-load');
      await settle();
      world.log(await errorOf(() => window.loadURL(`${page}fails`)));
    },
    leaves: ['Error'],
  },
  {
    id: 'loading',
    api: ['WebContents:did-finish-load', 'WebContents.isLoading', 'WebContents.getURL'],
    says: 'A page is loading until did-finish-load, after which loadURL resolves.',
    source: ofContents(
      'Emitted when the navigation is done, i.e. the spinner of the tab has stopped spinning, and the onload event was dispatched.',
    ),
    async run(world) {
      const window = await openPage(world);
      const { webContents } = window;
      logEvents(world, webContents, 'did-finish-load');
      const loading = window.loadURL(`${page}other`);
      world.log(webContents.isLoading());
      await loading;
      world.log(`${webContents.isLoading()} ${webContents.getURL()}`);
    },
    leaves: ['true', 'did-finish-load', `false ${page}other`],
  },
  {
    id: 'page-navigates',
    api: ['WebContents:will-navigate', 'WebContents:will-frame-navigate'],
    says: 'Of the top frame, will-frame-navigate comes first, then will-navigate.',
    source: ofContents(
      'Unlike will-navigate, will-frame-navigate is fired when the main frame or any of its subframes attempts to navigate.',
    ),
    run: (world) => navigate(world, `location.href = '${page}other'`),
    leaves: [...navigation, `${page}other`],
  },
  {
    id: 'page-reloads-itself',
    api: ['WebContents:will-navigate'],
    says: 'location.reload() is a navigation that the page wants.',
    source: ofContents(wantsToStart),
    run: (world) => navigate(world, 'location.reload()'),
    leaves: [...navigation, page],
  },
  {
    id: 'navigation-prevented',
    api: ['WebContents:will-navigate'],
    says: 'A prevented will-navigate leaves the page where it is.',
    source: ofContents('Calling event.preventDefault() will prevent the navigation.'),
    run: (world) => navigate(world, `location.href = '${page}other'`, 'will-navigate'),
    leaves: [...navigation, page],
  },
  {
    id: 'frame-navigation-prevented',
    api: ['WebContents:will-frame-navigate'],
    says: 'After a prevented will-frame-navigate, will-navigate does not come.',
    source: ofContents('Calling event.preventDefault() will prevent the navigation.'),
    run: (world) => navigate(world, `location.href = '${page}other'`, 'will-frame-navigate'),
    leaves: ['will-frame-navigate', page],
  },
  {
    id: 'hash-changes',
    api: ['WebContents:will-navigate', 'WebContents:will-frame-navigate'],
    says: 'A change of the hash asks nobody, and getURL follows it.',
    source: ofContents(
      'It is also not emitted for in-page navigations, such as clicking anchor links or updating the window.location.hash.',
    ),
    run: (world) => navigate(world, "location.hash = '/tools'"),
    leaves: [`${page}#/tools`],
  },
  {
    id: 'program-navigates',
    api: ['WebContents.reload', 'BrowserWindow.loadURL'],
    says: 'Nobody is asked about what the main process loads.',
    source: ofContents(notProgrammatic),
    async run(world) {
      const window = await openPage(world);
      logEvents(world, window.webContents, ...navigation);
      await window.loadURL(`${page}other`);
      window.webContents.reload();
      await next(window.webContents, 'did-finish-load');
      world.log(window.webContents.getURL());
    },
    leaves: [`${page}other`],
  },
  {
    id: 'redirects',
    api: ['WebContents:will-redirect'],
    says: 'A redirect is announced, and prevented with its navigation.',
    source: ofContents(
      'Calling event.preventDefault() will prevent the navigation (not just the redirect).',
    ),
    async run(world) {
      const window = await openPage(world);
      const server = createServer((request, response) => {
        if (request.url === '/from') response.writeHead(302, { location: '/to' });
        else world.log('reached');
        response.end();
      }).listen(0, '127.0.0.1');
      await next(server, 'listening');
      window.webContents.on('will-redirect', (event) => {
        world.log('will-redirect');
        event.preventDefault();
      });
      const { port } = server.address() as AddressInfo;
      await window.loadURL(`http://127.0.0.1:${port}/from`).catch(() => undefined);
      server.close();
    },
    leaves: ['will-redirect'],
  },
  {
    id: 'new-windows',
    api: ['WebContents.setWindowOpenHandler', 'HandlerDetails.url'],
    says: 'window.open and links to a new window ask the handler; denied, window.open returns null.',
    source: ofContents(
      'Called before creating a window when a new window is requested by the renderer, e.g. by window.open(), a link with target="_blank"',
    ),
    async run(world) {
      const { BrowserWindow } = world.electron;
      const { webContents } = await openPage(world);
      webContents.setWindowOpenHandler(({ url }) => {
        world.log(url);
        return { action: 'deny' };
      });
      const opened: unknown = await webContents.executeJavaScript(
        "String(window.open('https://contract.invalid/a'))",
        true,
      );
      world.log(String(opened));
      await webContents.executeJavaScript(
        "const link = document.createElement('a'); link.href = 'https://contract.invalid/b'; link.target = '_blank'; document.body.append(link); link.click(); 0",
        true,
      );
      await settle();
      world.log(`${BrowserWindow.getAllWindows().length}`);
    },
    leaves: ['https://contract.invalid/a', 'null', 'https://contract.invalid/b', '1'],
  },
  {
    id: 'no-webview',
    api: ['WebContents:will-attach-webview', 'WebPreferences.webviewTag'],
    says: 'Without webviewTag, a webview is an element without meaning.',
    source: ofContents(
      "Emitted when a <webview>'s web contents is being attached to this web contents.",
    ),
    async run(world) {
      const { webContents } = await openPage(world, {
        options: { webPreferences: { webviewTag: false } },
      });
      logEvents(world, webContents, 'will-attach-webview');
      const known: unknown = await webContents.executeJavaScript(
        "const view = document.createElement('webview'); view.src = 'about:blank'; document.body.append(view); typeof view.loadURL",
      );
      await settle();
      world.log(String(known));
    },
    leaves: ['undefined'],
  },
  {
    id: 'page-crashes',
    api: [
      'WebContents:render-process-gone',
      'RenderProcessGoneDetails.reason',
      'RenderProcessGoneDetails.exitCode',
      'WebContents.reload',
    ],
    says: 'A page that crashed leaves its window open, and reload brings it back in a new process.',
    source: ofContents(
      'Calling reload() immediately after calling this method will force the reload to occur in a new process.',
    ),
    async run(world) {
      const window = await openPage(world);
      const { webContents } = window;
      const gone = new Promise<string>((resolve) => {
        webContents.once('render-process-gone', (_event, { reason, exitCode }) =>
          resolve(`${reason} ${typeof exitCode}`),
        );
      });
      webContents.forcefullyCrashRenderer();
      world.log(/^(killed|crashed) number$/.test(await gone));
      world.log(window.isDestroyed());
      webContents.reload();
      await next(webContents, 'did-finish-load');
      world.log(String(await webContents.executeJavaScript('document.title')));
    },
    leaves: ['true', 'false', 'contract'],
  },
  {
    id: 'page-hangs',
    api: ['BrowserWindow:unresponsive'],
    says: 'A page that does not answer is announced.',
    source: ofWindow('Emitted when the web page becomes unresponsive.'),
    person: {
      needs: 'a clone',
      does: 'Run `npm start` in a clone, open the developer tools, run `while (true);` in the console, and click into the window.',
      sees: 'Within a minute, the question “The window isn’t responding.” **Reload** brings the page back.',
    },
  },
];
