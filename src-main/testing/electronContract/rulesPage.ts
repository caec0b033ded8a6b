import type { MessagePortMain } from 'electron';
import { errorOf, openPage, openWindow, page, type Rule } from './rule.ts';

const sandboxPage = (quote: string) => ({ page: 'tutorial/sandbox', quote });
const ofProtocol = (quote: string) => ({ page: 'api/protocol', quote });
const ofSession = (quote: string) => ({ page: 'api/session', quote });

/** A preload that hands a port over when it starts, and answers on it. */
const portPreload = `
const { ipcRenderer } = require('electron');
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => port1.postMessage('answer to ' + data);
ipcRenderer.postMessage('port', null, [port2]);
port1.postMessage('first');
port1.postMessage('second');
`;

/** What a script of the page ends with, as a text. */
const tried = (code: string) =>
  `(async () => { try { return String(await (${code})) } catch (error) { return error.name } })()`;

export const pageRules: readonly Rule[] = [
  {
    id: 'sandboxed-preload',
    api: ['WebPreferences.preload', 'WebPreferences.sandbox'],
    says: 'A sandboxed preload may require electron, events, timers and url, and nothing else.',
    source: sandboxPage(
      "a require function similar to Node's require module, but can only import a subset of Electron and Node's built-in modules",
    ),
    async run(world) {
      const failed: string[] = [];
      await openPage(world, {
        preload: `
          const { contextBridge } = require('electron');
          require('events'); require('timers'); require('url'); require('node:url');
          require('fs');`,
        beforeLoad: ({ webContents }) =>
          webContents.on(
            'preload-error',
            (_event, _path, { message }) => void failed.push(message),
          ),
      });
      world.log(`${failed.length} ${/fs/.test(failed[0] ?? '')}`);
    },
    leaves: ['1 true'],
  },
  {
    id: 'isolated-preload',
    api: ['WebPreferences.contextIsolation', 'WebPreferences.nodeIntegration'],
    says: 'What a preload defines is invisible to the page, and the page has no Node.',
    source: {
      page: 'api/structures/web-preferences',
      quote:
        'The Electron API will only be available in the preload script and not the loaded page.',
    },
    async run(world) {
      const { webContents } = await openPage(world, { preload: 'globalThis.secret = 1;' });
      world.log(
        String(
          await webContents.executeJavaScript(
            '[typeof secret, typeof require, typeof process].join()',
          ),
        ),
      );
    },
    leaves: ['undefined,undefined,undefined'],
  },
  {
    id: 'preload-of-the-page-alone',
    api: ['WebPreferences.nodeIntegrationInSubFrames', 'WebPreferences.nodeIntegrationInWorker'],
    says: 'A preload runs for the page and not for frames in it; workers have no Node.',
    source: {
      page: 'api/structures/web-preferences',
      quote:
        'All your preloads will load for every iframe, you can use `process.isMainFrame` to determine if you are in the main frame or not.',
    },
    async run(world) {
      let runs = 0;
      world.electron.ipcMain.on('ran', () => void (runs += 1));
      const { webContents } = await openPage(world, {
        preload: "require('electron').ipcRenderer.postMessage('ran', null);",
        files: { '/': '<!doctype html><iframe src="frame"></iframe>' },
        options: {
          webPreferences: { nodeIntegrationInSubFrames: false, nodeIntegrationInWorker: false },
        },
      });
      const inWorker = `new Promise((resolve) => {
        const code = new Blob(['postMessage([typeof require, typeof process].join())']);
        new Worker(URL.createObjectURL(code)).onmessage = ({ data }) => resolve(data);
      })`;
      world.log(String(await webContents.executeJavaScript(inWorker)));
      world.log(String(runs));
    },
    leaves: ['undefined,undefined', '1'],
  },
  {
    id: 'exposed-value',
    api: ['ContextBridge.exposeInMainWorld'],
    says: 'An exposed value is there before the page’s first script, as a frozen copy.',
    source: {
      page: 'api/context-bridge',
      quote: 'Refer to the table on how values are copied between worlds.',
    },
    async run(world) {
      const { webContents } = await openPage(world, {
        preload: `const api = { host: 'electron' };
          require('electron').contextBridge.exposeInMainWorld('contract', api);
          api.host = 'changed';`,
        files: {
          '/': '<!doctype html><script src="first.js"></script>',
          '/first.js': "window.seen = contract.host; try { contract.host = 'x' } catch {}",
        },
      });
      world.log(String(await webContents.executeJavaScript('seen + " " + contract.host')));
    },
    leaves: ['electron electron'],
  },
  {
    id: 'port-from-a-preload',
    api: [
      'IpcRenderer.postMessage',
      'IpcMain.on',
      ...['ports', 'senderFrame', 'sender'].map((name) => `IpcMainEvent.${name}`),
      ...['detached', 'parent', 'url'].map((name) => `WebFrameMain.${name}`),
      'WebContents.mainFrame',
      'WebContents.id',
    ],
    says: 'A transferred port arrives with its message, from the top frame of its window.',
    source: {
      page: 'api/ipc-renderer',
      quote:
        'The transferred MessagePort objects will be available in the main process as MessagePortMain objects by accessing the ports property of the emitted event.',
    },
    async run(world) {
      const { BrowserWindow, ipcMain } = world.electron;
      const ids: number[] = [];
      ipcMain.on('port', ({ ports, sender, senderFrame }) => {
        ids.push(sender.id);
        world.log(
          [
            ports.length,
            senderFrame === sender.mainFrame,
            senderFrame?.parent === null,
            senderFrame?.detached === false,
            senderFrame?.url,
          ].join(),
        );
      });
      await openPage(world, { preload: portPreload });
      await openWindow(BrowserWindow, world.folder, portPreload);
      world.log(`${new Set(ids).size}`);
    },
    leaves: [`1,true,true,true,${page}`, `1,true,true,true,${page}`, '2'],
  },
  {
    id: 'port-queues',
    api: ['MessagePortMain.start', 'MessagePortMain:message', 'MessagePortMain.postMessage'],
    says: 'A port keeps messages until it is started, in their order, and takes answers.',
    source: {
      page: 'api/message-port-main',
      quote: 'Messages will be queued until this method is called.',
    },
    async run(world) {
      const ports: MessagePortMain[] = [];
      world.electron.ipcMain.on('port', (event) => void ports.push(...event.ports));
      await openPage(world, { preload: portPreload });
      const [port] = ports;
      if (port === undefined) return;
      const answered = Promise.withResolvers<undefined>();
      port.on('message', ({ data }) => {
        world.log(String(data));
        if (data === 'second') port.postMessage('question');
        if (data === 'answer to question') answered.resolve(undefined);
      });
      world.log('listening');
      port.start();
      await answered.promise;
    },
    leaves: ['listening', 'first', 'second', 'answer to question'],
  },
  {
    id: 'port-closes',
    api: ['MessagePortMain:close', 'MessagePortMain.close', 'WebContents.reload'],
    says: 'The port of a page that is loaded again closes, and its preload runs again.',
    source: {
      page: 'api/message-port-main',
      quote: 'Emitted when the remote end of a MessagePortMain object becomes disconnected.',
    },
    async run(world) {
      const { ipcMain } = world.electron;
      let count = 0;
      const again = Promise.withResolvers<undefined>();
      const closed = Promise.withResolvers<undefined>();
      ipcMain.on('port', ({ ports: [port] }) => {
        count += 1;
        if (count === 1) port?.on('close', () => closed.resolve(undefined));
        else again.resolve(undefined);
        port?.start();
      });
      const { webContents } = await openPage(world, { preload: portPreload });
      webContents.reload();
      await Promise.all([closed.promise, again.promise]);
      world.log(`${count}`);
    },
    leaves: ['2'],
  },
  {
    id: 'port-closed-by-the-program',
    api: ['MessagePortMain.close'],
    says: 'Posting on a port that was closed throws nothing and reaches nobody.',
    source: {
      page: 'api/message-port-main',
      quote: 'Disconnects the port, so it is no longer active.',
    },
    async run(world) {
      const ports: MessagePortMain[] = [];
      world.electron.ipcMain.on('port', (event) => void ports.push(...event.ports));
      await openPage(world, { preload: portPreload });
      const [port] = ports;
      port?.on('message', () => world.log('message'));
      port?.close();
      port?.start();
      world.log(await errorOf(() => port?.postMessage('late')));
      await new Promise((resolve) => setTimeout(resolve, 300));
    },
    leaves: ['none'],
  },
  {
    id: 'messages-to-a-preload',
    api: ['WebContents.send', 'IpcRenderer.on'],
    says: 'What the main process sends reaches the preload, behind an event, and not the page.',
    source: {
      page: 'api/ipc-renderer',
      quote: 'Do not expose the event argument to the renderer for security reasons!',
    },
    async run(world) {
      const { ipcMain } = world.electron;
      const { webContents } = await openPage(world, {
        preload: `const { ipcRenderer } = require('electron');
          ipcRenderer.on('command', (event, text) => ipcRenderer.send('got', typeof event + ' ' + text));`,
      });
      const got = new Promise((resolve) => {
        ipcMain.on('got', (_event, text) => resolve(text));
      });
      webContents.send('command', 'go /tools');
      world.log(String(await got));
    },
    leaves: ['object go /tools'],
  },
  {
    id: 'schemes-before-ready',
    api: ['Protocol.registerSchemesAsPrivileged'],
    says: 'Schemes get their privileges before the program is ready, or not at all.',
    source: ofProtocol(
      'This method can only be used before the ready event of the app module gets emitted and can be called only once.',
    ),
    async run({ electron: { app, protocol }, log }) {
      await app.whenReady();
      log(await errorOf(() => protocol.registerSchemesAsPrivileged([{ scheme: 'late' }])));
    },
    leaves: ['Error'],
  },
  {
    id: 'privileged-scheme',
    api: ['Protocol.handle', 'Privileges.standard', 'Privileges.secure'],
    says: 'A standard and secure scheme has an origin, a secure context and storage.',
    source: ofProtocol(
      'Registers the scheme as standard, secure, bypasses content security policy for resources',
    ),
    async run(world) {
      const { webContents } = await openPage(world);
      world.log(
        String(
          await webContents.executeJavaScript(
            tried(
              "localStorage.setItem('a', '1') ?? [location.origin, isSecureContext, localStorage.a].join()",
            ),
          ),
        ),
      );
    },
    leaves: ['contract://app,true,1'],
  },
  {
    id: 'plain-scheme',
    api: ['Privileges.standard', 'Privileges.secure'],
    says: 'A scheme without privileges has no storage and no secure context.',
    source: ofProtocol(
      'By default web storage apis (localStorage, sessionStorage, webSQL, indexedDB, cookies) are disabled for non standard schemes.',
    ),
    async run(world) {
      const window = await openPage(world);
      await window.loadURL('plain://app/');
      world.log(String(await window.webContents.executeJavaScript(tried('localStorage.length'))));
      world.log(String(await window.webContents.executeJavaScript('isSecureContext')));
    },
    leaves: ['SecurityError', 'false'],
  },
  {
    id: 'fetch-of-the-scheme',
    api: ['Privileges.supportFetchAPI'],
    says: 'fetch reaches a scheme that supports it, and no other.',
    source: ofProtocol('supports fetch API, streaming video/audio, and V8 code cache.'),
    async run(world) {
      const { webContents } = await openPage(world, { files: { '/data.js': '42' } });
      for (const url of [`${page}data.js`, 'plain://app/data.js'])
        world.log(
          String(
            await webContents.executeJavaScript(
              tried(`fetch('${url}').then((answer) => answer.text())`),
            ),
          ),
        );
    },
    leaves: ['42', 'TypeError'],
  },
  {
    id: 'content-policy',
    api: ['Protocol.handle'],
    says: 'The content policy of an answer applies: no inline script runs.',
    source: ofProtocol('Either a Response or a Promise<Response> can be returned.'),
    async run(world) {
      const { webContents } = await openPage(world, {
        headers: { 'content-security-policy': "default-src 'none'; script-src 'self'" },
        files: {
          '/': '<!doctype html><script>window.inline = 1</script><script src="own.js"></script>',
          '/own.js': 'window.own = 1',
        },
      });
      world.log(String(await webContents.executeJavaScript('[typeof inline, typeof own].join()')));
    },
    leaves: ['undefined,number'],
  },
  {
    id: 'requests-cancelled',
    api: ['Session.webRequest', 'WebRequest.onBeforeRequest', 'Session.defaultSession'],
    says: 'Every request, that of the page too, is seen with its whole address and can be cancelled.',
    source: {
      page: 'api/web-request',
      quote:
        'The listener will be called with listener(details, callback) when a request is about to occur.',
    },
    async run(world) {
      const { app, session } = world.electron;
      void app.whenReady().then(() =>
        session.defaultSession.webRequest.onBeforeRequest(({ url }, answer) => {
          if (!url.startsWith('devtools:')) world.log(url);
          answer({ cancel: url.includes('cancelled') });
        }),
      );
      const { webContents } = await openPage(world);
      for (const name of ['cancelled', 'kept'])
        world.log(
          String(
            await webContents.executeJavaScript(tried(`fetch('/${name}').then(() => 'answered')`)),
          ),
        );
    },
    leaves: [page, `${page}cancelled`, 'TypeError', `${page}kept`, 'answered'],
  },
  {
    id: 'session-after-ready',
    api: ['Session.defaultSession'],
    says: 'There is no session before the program is ready.',
    source: ofSession(
      'A Session object, the default session object of the app, available after app.whenReady is called.',
    ),
    async run({ electron: { app, session }, log }) {
      log((await errorOf(() => session.defaultSession.webRequest)) !== 'none');
      await app.whenReady();
      log(await errorOf(() => session.defaultSession.webRequest));
    },
    leaves: ['true', 'none'],
  },
  {
    id: 'copying',
    api: ['Session.setPermissionRequestHandler', 'Session.setPermissionCheckHandler'],
    says: 'Copying text requests clipboard-sanitized-write, for the address of the page.',
    source: ofSession(
      'Sets the handler which can be used to respond to permission requests for the session. Calling callback(true) will allow the permission and callback(false) will reject it.',
    ),
    async run(world) {
      let allowed = true;
      const window = await openPage(world, { options: { show: true } });
      const { webContents } = window;
      webContents.session.setPermissionCheckHandler(() => true);
      webContents.session.setPermissionRequestHandler((_contents, permission, answer, details) => {
        world.log(`${permission} ${details.isMainFrame} ${details.requestingUrl}`);
        answer(allowed);
      });
      webContents.focus();
      for (allowed of [true, false])
        world.log(
          String(
            await webContents.executeJavaScript(tried("navigator.clipboard.writeText('x')"), true),
          ),
        );
    },
    leaves: [
      `clipboard-sanitized-write true ${page}`,
      'undefined',
      `clipboard-sanitized-write true ${page}`,
      'NotAllowedError',
    ],
  },
  {
    id: 'permission-names',
    api: ['Session.setPermissionRequestHandler'],
    says: 'Places and notices are requested by their names; a frame is not the main frame.',
    source: ofSession('setPermissionRequestHandler(handler'),
    async run(world) {
      const window = await openPage(world, {
        options: { show: true },
        files: { '/': '<!doctype html><iframe src="frame"></iframe>' },
      });
      const { webContents } = window;
      webContents.session.setPermissionRequestHandler((_contents, permission, answer, details) => {
        world.log(`${permission} ${details.isMainFrame}`);
        answer(false);
      });
      const place = (from: string) =>
        `new Promise((resolve) => ${from}navigator.geolocation.getCurrentPosition(resolve, ({ code }) => resolve(code)))`;
      for (const code of ['Notification.requestPermission()', place(''), place('frames[0].')])
        world.log(String(await webContents.executeJavaScript(tried(code), true)));
    },
    leaves: ['notifications true', 'denied', 'geolocation true', '1', 'geolocation false', '1'],
  },
  {
    id: 'permission-checks',
    api: ['Session.setPermissionCheckHandler'],
    says: 'What a page asks about a permission is answered by the check handler alone.',
    source: ofSession('setPermissionCheckHandler(handler'),
    async run(world) {
      const { webContents } = await openPage(world);
      webContents.session.setPermissionCheckHandler((_contents, permission) => {
        world.log(permission);
        return false;
      });
      world.log(
        String(
          await webContents.executeJavaScript(
            tried(
              "navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)",
            ),
          ),
        ),
      );
    },
    leaves: ['geolocation', 'denied'],
  },
  {
    id: 'devices',
    api: ['Session.setDevicePermissionHandler'],
    says: 'A page sees no device where the handler denies each.',
    source: ofSession('setDevicePermissionHandler(handler'),
    async run(world) {
      const { webContents } = await openPage(world);
      webContents.session.setDevicePermissionHandler(() => false);
      world.log(
        String(
          await webContents.executeJavaScript(
            tried('navigator.usb ? navigator.usb.getDevices().then(({ length }) => length) : 0'),
          ),
        ),
      );
    },
    leaves: ['0'],
  },
  {
    id: 'downloads',
    api: ['Session:will-download', 'DownloadItem.getURL'],
    says: 'A download that the page makes itself is announced with its blob: address.',
    source: ofSession(
      'Calling event.preventDefault() will cancel the download and item will not be available from next tick of the process.',
    ),
    async run(world) {
      const { webContents } = await openPage(world);
      const announced = new Promise<string>((resolve) => {
        webContents.session.on('will-download', (event, item) => {
          event.preventDefault();
          resolve(item.getURL());
        });
      });
      await webContents.executeJavaScript(
        "const link = document.createElement('a'); link.download = 'a.txt'; link.href = URL.createObjectURL(new Blob(['x'])); document.body.append(link); link.click(); 0",
        true,
      );
      world.log((await announced).startsWith(`blob:${page}`));
    },
    leaves: ['true'],
  },
];
