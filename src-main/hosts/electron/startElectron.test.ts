import { EventEmitter, once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { recordServices } from '../../testing/contractSuiteServices.ts';
import {
  app,
  fakeElectron,
  resetFakeElectron,
  session,
} from '../../testing/fakeElectron/electron.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { answerPage } from './appProtocol.ts';
import { offerExternal, parseWebUrl } from './security.ts';
import { startElectron, type ElectronOptions } from './startElectron.ts';

let workspace: TemporaryFolder;
const log = { info: () => undefined, error: () => undefined };
let closes = 0;

async function start(more: Partial<ElectronOptions> = {}): Promise<void> {
  await startElectron({
    openServices: async () => ({
      services: recordServices().services,
      isRunning: () => false,
      close: async () => void (closes += 1),
    }),
    rendererFolder: '/nowhere',
    preloadFile: '/app/preload.cjs',
    folder: workspace.path,
    argv: [],
    process: new EventEmitter() as never,
    log,
    ...more,
  });
}

function onlyWindow() {
  const [window, ...more] = fakeElectron.windows;
  if (window === undefined || more.length > 0)
    throw new Error(`${fakeElectron.windows.length} windows`);
  return window;
}

beforeEach(async () => {
  resetFakeElectron();
  closes = 0;
  workspace = await temporaryFolder();
});
afterEach(() => workspace.remove());

describe('the window', () => {
  it('T01: is sandboxed and isolated, without Node, webview or, in production, developer tools', async () => {
    app.isPackaged = true;
    await start();
    expect(onlyWindow().options.webPreferences).toEqual({
      preload: '/app/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
    expect(app.sandboxed).toBe(true);
    expect(onlyWindow().loaded).toEqual(['touchstone://app/']);
  });

  it('T01: has developer tools in a clone', async () => {
    await start();
    expect(onlyWindow().options.webPreferences).toMatchObject({ devTools: true });
  });

  it('opens in full screen where it was closed so, and otherwise leaves its button on a Mac', async () => {
    await start();
    // An explicit false takes the button away there.
    expect(Object.hasOwn(onlyWindow().options, 'fullscreen')).toBe(false);
    onlyWindow().fullScreen = true;
    onlyWindow().close();
    resetFakeElectron();
    await start();
    expect(onlyWindow().options).toMatchObject({ fullscreen: true });
  });

  const urls = [
    'https://app.evil/',
    'http://app/',
    '//evil.test/',
    'data:text/html,<script>1</script>',
    'blob:touchstone://app/1',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'about:blank',
    'touchstone://evil/',
    'touchstone://app/other.html',
    'touchstone://app/?x',
    'touchstone://app//',
    'touchstone://app',
    'touchstone://user@app/',
    'ftp://evil.test/',
    'vbscript:x',
  ];
  it.each(urls)('T03: refuses to navigate, redirect to, open or embed %s', async (url) => {
    await start();
    const { webContents } = onlyWindow();
    for (const name of [
      'will-navigate',
      'will-frame-navigate',
      'will-redirect',
      'will-attach-webview',
    ]) {
      let prevented = false;
      const event = { url, isMainFrame: true, preventDefault: () => void (prevented = true) };
      webContents.emit(name, event, url);
      expect(prevented, name).toBe(true);
    }
    expect(webContents.windowOpenHandler?.({ url })).toEqual({ action: 'deny' });
    expect(fakeElectron.opened).toEqual([]);
  });

  it('lets the page load itself again, at any of its screens, in its top frame only', async () => {
    await start();
    const { webContents } = onlyWindow();
    expect(webContents.navigate('touchstone://app/#/results/17')).toBe(true);
    expect(webContents.navigate('touchstone://app/')).toBe(true);
    expect(webContents.navigate('touchstone://app/', false)).toBe(false);
    expect(webContents.reloads).toBe(2);
  });

  it('copies text for the page, but not for a frame in it, and never reads the clipboard', async () => {
    await start();
    const { webContents } = onlyWindow();
    const requestingUrl = 'touchstone://app/#/tools';
    expect(webContents.copies({ isMainFrame: true, requestingUrl })).toBe(true);
    expect(webContents.copies({ isMainFrame: false, requestingUrl })).toBe(false);
    expect(webContents.copies({ isMainFrame: true, requestingUrl: 'https://evil.test/' })).toBe(
      false,
    );
  });

  const permissions = [
    'media',
    'geolocation',
    'notifications',
    'midi',
    'midiSysex',
    'pointerLock',
    'fullscreen',
    'openExternal',
    'clipboard-read',
    'display-capture',
    'mediaKeySystem',
    'window-management',
    'idle-detection',
    'speaker-selection',
    'storage-access',
    'top-level-storage-access',
    'keyboardLock',
    'fileSystem',
    'hid',
    'serial',
    'usb',
    'unknown',
    'not-invented-yet',
  ];
  it.each(permissions)('T05: denies the permission %s', async (permission) => {
    await start();
    const { permissionRequestHandler, permissionCheckHandler, devicePermissionHandler } =
      session.defaultSession;
    const answers: boolean[] = [];
    const asked = { isMainFrame: true, requestingUrl: 'touchstone://app/' };
    permissionRequestHandler?.(
      onlyWindow().webContents,
      permission,
      (granted) => void answers.push(granted),
      asked,
    );
    expect(answers).toEqual([false]);
    expect(
      permissionCheckHandler?.(onlyWindow().webContents, permission, 'touchstone://app', asked),
    ).toBe(false);
    expect(devicePermissionHandler?.({ deviceType: permission })).toBe(false);
  });

  it.each([
    ['touchstone://app/assets/index.js', false],
    ['https://evil.test/pixel.png', true],
    ['http://127.0.0.1:9/', true],
    ['ws://evil.test/', true],
    ['file:///etc/passwd', true],
    ['touchstone://evil/', true],
    ['data:image/png;base64,AA==', false],
  ])('cancels the request for %s: %s', async (url, cancelled) => {
    await start();
    const verdicts: { cancel?: boolean }[] = [];
    session.defaultSession.beforeRequest?.({ url }, (verdict) => void verdicts.push(verdict));
    expect(verdicts).toEqual([{ cancel: cancelled }]);
  });
});

describe('web links', () => {
  beforeEach(() => app.whenReady());

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'smb://host/share',
    'mailto:a@b',
    'https://ok@evil.test/',
    'https://ok:pw@evil.test/',
    'https://@evil.test/',
    'https://evil.test/\0',
    'https://evil.test/\nx',
    'https://evil.test\\@ok.test/',
    ' https://evil.test/',
    'https:evil.test',
    'HTTPS://',
    '',
    `https://evil.test/${'a'.repeat(3000)}`,
  ])('T04: never passes %j to the system', async (text) => {
    fakeElectron.pressed = 1;
    expect(parseWebUrl(text)).toBeNull();
    await offerExternal(text);
    expect(fakeElectron.questions).toEqual([]);
    expect(fakeElectron.opened).toEqual([]);
  });

  it('T04: opens a web address only after the user agrees to its host', async () => {
    fakeElectron.pressed = 0;
    await offerExternal('https://docs.example.test/page');
    expect(fakeElectron.questions[0]).toMatchObject({
      message: 'Open docs.example.test in your browser?',
    });
    expect(fakeElectron.opened).toEqual([]);
    fakeElectron.pressed = 1;
    await offerExternal('http://docs.example.test/page');
    expect(fakeElectron.opened).toEqual(['http://docs.example.test/page']);
  });

  it('says so when the system can’t open an address', async () => {
    fakeElectron.pressed = 1;
    fakeElectron.noBrowser = true;
    await offerExternal('https://docs.example.test/page');
    expect(fakeElectron.questions[1]).toMatchObject({
      message: 'docs.example.test could not be opened.',
      detail: expect.stringContaining('https://docs.example.test/page') as string,
    });
    fakeElectron.noBrowser = false;
    await offerExternal('https://docs.example.test/page');
    expect(fakeElectron.opened).toHaveLength(1);
  });

  it('asks one question for many links at once', async () => {
    await Promise.all([
      offerExternal('https://a.test/'),
      offerExternal('https://b.test/'),
      offerExternal('https://c.test/'),
    ]);
    expect(fakeElectron.questions).toHaveLength(1);
  });
});

describe('the app’s scheme', () => {
  let outer: TemporaryFolder;
  let folder: string;
  const secret = 'bytes of the secret file';
  beforeEach(async () => {
    outer = await temporaryFolder();
    folder = join(outer.path, 'renderer');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>app</title>');
    await writeFile(join(folder, 'assets', 'index-1.js'), 'export {};');
    await writeFile(join(outer.path, 'secret.js'), secret);
    await writeFile(join(outer.path, 'renderer-secret.js'), secret);
    await symlink(join(outer.path, 'secret.js'), join(folder, 'link.js'));
    await symlink(outer.path, join(folder, 'up'));
  });
  afterEach(() => outer.remove());

  it.each([
    ['touchstone://app/', 'text/html; charset=utf-8'],
    ['touchstone://app/index.html?x=1#y', 'text/html; charset=utf-8'],
    ['touchstone://app/assets/index-1.js', 'text/javascript; charset=utf-8'],
    ['touchstone://app/assets/%69ndex-1.js', 'text/javascript; charset=utf-8'],
  ])('T06: serves %s with its type and the content policy', async (url, type) => {
    const response = await answerPage({ method: 'GET', url }, folder);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    expect((await response.text()).length).toBeGreaterThan(0);
  });

  it.each([
    '../secret.js',
    '%2e%2e/secret.js',
    '..%2fsecret.js',
    '%2e%2e%2fsecret.js',
    '%252e%252e%252fsecret.js',
    'assets/../../secret.js',
    'assets/..%2f..%2fsecret.js',
    '..\\secret.js',
    '..%5csecret.js',
    './index.html',
    '/secret.js',
    '//etc/passwd',
    '%2fetc/passwd',
    '/etc/passwd',
    'index.html%00.js',
    '\0',
    '%',
    '%ff',
    'link.js',
    'up/secret.js',
    'up/renderer/index.html/../../secret.js',
    'assets',
    'assets/',
    '../renderer-secret.js',
    'missing.js',
    'assets/index-1.js/',
    'etc/passwd',
  ])('T06: answers %j with 400 or 404 and no content from outside the folder', async (path) => {
    const response = await answerPage({ method: 'GET', url: `touchstone://app/${path}` }, folder);
    expect([400, 404]).toContain(response.status);
    expect(await response.text()).not.toContain(secret);
  });

  it.each([
    'touchstone://evil/index.html',
    'touchstone://app.evil/index.html',
    'touchstone://app',
    'https://app/index.html',
  ])('T06: answers 400 to the foreign address %s', async (url) => {
    expect((await answerPage({ method: 'GET', url }, folder)).status).toBe(400);
  });

  it.each(['POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS'])(
    'T06: answers 405 to %s',
    async (method) => {
      expect((await answerPage({ method, url: 'touchstone://app/' }, folder)).status).toBe(405);
    },
  );

  it('T06: registers the scheme as standard and secure, without bypassing the content policy', async () => {
    await start();
    expect(fakeElectron.schemes).toEqual([
      { scheme: 'touchstone', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    expect([...fakeElectron.protocols.keys()]).toEqual(['touchstone']);
  });
});

describe('program lifecycle', () => {
  it('quits at once when the program is already running', async () => {
    app.isFirst = false;
    let opens = 0;
    await start({ openServices: async () => Promise.reject(new Error(`opened ${(opens += 1)}`)) });
    expect(opens).toBe(0);
    expect(app.quits).toBe(1);
    expect(fakeElectron.windows).toEqual([]);
  });

  it('brings the window to the front on a second start', async () => {
    await start();
    app.emit('second-instance', {}, []);
    expect(onlyWindow().focused).toBe(1);
  });

  it('explains a workspace that cannot be opened and exits without a window', async () => {
    const data = {
      thing: 'The workspace',
      cause: 'is open in another window.',
      nextStep: 'Close that one first.',
    };
    await start({ openServices: async () => Promise.reject(new ServiceError('CONFLICT', data)) });
    expect(fakeElectron.errorBoxes).toEqual([
      {
        title: 'Touchstone could not start',
        content: 'The workspace: is open in another window. Close that one first.',
      },
    ]);
    expect(app.exits).toEqual([1]);
    expect(fakeElectron.windows).toEqual([]);
  });

  it('exits once, after the services have closed, however often it is asked to quit', async () => {
    await start();
    const exited = once(app, 'fake-exit');
    let prevented = 0;
    app.on('will-quit', (event) => void (prevented += event.defaultPrevented ? 1 : 0));
    for (let quit = 0; quit < 3; quit += 1) app.quit();
    expect(app.exits).toEqual([]);
    await exited;
    expect({ prevented, closes, exits: app.exits }).toEqual({
      prevented: 3,
      closes: 1,
      exits: [0],
    });
  });

  it('asks before it starts without its sandbox, and starts where the person agrees', async () => {
    app.isPackaged = true;
    app.switches.add('no-sandbox');
    fakeElectron.pressed = 0;
    await start();
    expect([fakeElectron.windows.length, closes, app.exits]).toEqual([0, 1, [0]]);
    expect(fakeElectron.questions[0]?.message).toBe('Touchstone was started without its sandbox.');
    resetFakeElectron();
    app.isPackaged = true;
    app.switches.add('no-sandbox');
    fakeElectron.pressed = 1;
    await start();
    expect(fakeElectron.windows).toHaveLength(1);
  });
});
