import { EventEmitter, once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readHostCommand } from '../../../src-shared/domain/hostCommand.ts';
import { recordServices } from '../../testing/contractSuiteServices.ts';
import {
  app,
  fakeElectron,
  powerMonitor,
  resetFakeElectron,
  type BrowserWindow,
} from '../../testing/fakeElectron/electron.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { menuTemplate } from './menu.ts';
import { startElectron } from './startElectron.ts';

let workspace: TemporaryFolder;
let running: {
  number: number;
  suiteName: string;
  state: string;
  counts: { total: number; open: number };
}[];
const logged: string[] = [];
let opening: Promise<unknown> = Promise.resolve();
const faults = new EventEmitter();
const log = { info: () => undefined, error: (message: string) => void logged.push(message) };

async function start(
  argv: string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<BrowserWindow> {
  await startElectron({
    openServices: async () => {
      await opening;
      return {
        isRunning: () => running.length > 0,
        services: recordServices({
          evaluations: {
            list: async (input: object) => ('unit' in input ? [] : running) as never,
          },
          settings: {
            sample: async () => ({
              servers: [],
              suites: [],
              evaluation: null,
              evaluating: false,
              addable: true,
            }),
          },
        }).services,
        close: async () => undefined,
      };
    },
    environment,
    rendererFolder: '/nowhere',
    preloadFile: '/app/preload.cjs',
    folder: workspace.path,
    argv,
    process: faults as never,
    log,
    onLauncherEnd: (end) => void faults.on('launcher ended', end),
  });
  return onlyWindow();
}

function onlyWindow(): BrowserWindow {
  const [window, ...more] = fakeElectron.windows;
  if (window === undefined || more.length > 0)
    throw new Error(`${fakeElectron.windows.length} windows`);
  return window;
}

/** Lets what waits for an answer of the core or of a dialog go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const commands = (window: BrowserWindow) =>
  window.webContents.sent.map(({ message }) => readHostCommand(message));

beforeEach(async () => {
  resetFakeElectron();
  faults.removeAllListeners();
  running = [];
  opening = Promise.resolve();
  logged.splice(0);
  workspace = await temporaryFolder();
});
afterEach(() => workspace.remove());

describe('window position', () => {
  it('expectation 19: restores the bounds and the maximized state', async () => {
    const window = await start();
    expect(window.options).toMatchObject({ width: 1280, height: 860 });
    window.bounds = { x: 140, y: 60, width: 900, height: 700 };
    window.emit('moved');
    window.maximize();
    window.close();
    resetFakeElectron();
    const again = await start();
    expect(again.options).toMatchObject({ x: 140, y: 60, width: 900, height: 700 });
    expect(again.maximized).toBe(false);
    again.emit('ready-to-show');
    expect([again.maximized, again.shown]).toEqual([true, true]);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"x":"0"}',
    '{"x":0,"y":0,"width":1e9,"height":5,"maximized":false,"fullScreen":false}',
  ])('starts with the default size when the file holds %j', async (text) => {
    await start();
    resetFakeElectron();
    await writeFile(join(workspace.path, 'window', 'window.json'), text);
    expect((await start()).options).toMatchObject({ width: 1280, height: 860 });
  });

  it('keeps the files of the window inside the workspace', async () => {
    const window = await start();
    window.emit('resized');
    expect(app.paths.get('userData')).toBe(join(workspace.path, 'window'));
    expect(
      JSON.parse(await readFile(join(workspace.path, 'window', 'window.json'), 'utf8')),
    ).toMatchObject({ width: 1280 });
  });
});

interface Item {
  label?: string;
  role?: string;
  accelerator?: string;
  submenu?: Item[];
  click?: () => void;
}
const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...flat(item.submenu ?? [])]);
/** The items of the menu that was built. */
const builtItems = (menu = fakeElectron.menu): Item[] =>
  (menu?.items ?? []).flatMap(({ submenu, ...item }) => [
    item,
    ...(submenu === undefined ? [] : builtItems(submenu)),
  ]);
const menuOf = (mac: boolean, packaged = true) =>
  flat(
    menuTemplate(
      { send: () => undefined, showDataFolder: () => undefined },
      { mac, packaged },
    ) as Item[],
  );

describe('the menu', () => {
  it.each([true, false])('gives every item its own shortcut (Mac: %s)', (mac) => {
    const keys = menuOf(mac).flatMap(({ accelerator }) =>
      accelerator === undefined ? [] : [accelerator],
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => key.startsWith('CmdOrCtrl+'))).toBe(true);
  });

  it('has the standard items of each platform', () => {
    const roles = (mac: boolean) =>
      menuOf(mac).flatMap(({ role }) => (role === undefined ? [] : [role]));
    for (const role of [
      'undo',
      'redo',
      'cut',
      'copy',
      'paste',
      'selectAll',
      'zoomIn',
      'zoomOut',
      'resetZoom',
      'togglefullscreen',
      'about',
      'quit',
    ]) {
      expect(roles(true), role).toContain(role);
      expect(roles(false), role).toContain(role);
    }
    for (const role of ['hide', 'hideOthers', 'unhide', 'services', 'windowMenu', 'close'])
      expect(roles(true)).toContain(role);
    expect(roles(false)).not.toContain('hide');
  });

  it('offers developer tools in a clone only', () => {
    expect(menuOf(false, true).map(({ role }) => role)).not.toContain('toggleDevTools');
    expect(menuOf(false, false).map(({ role }) => role)).toContain('toggleDevTools');
  });

  it('offers to open links in an AppImage only', async () => {
    const labels = () => builtItems().map(({ label }) => label);
    await start();
    expect(labels()).not.toContain('Open links from other programs here');
    resetFakeElectron();
    app.isPackaged = true;
    await start([], { APPIMAGE: '/home/somebody/Touchstone.AppImage' });
    expect(labels().includes('Open links from other programs here')).toBe(
      process.platform === 'linux',
    );
  });

  it('every item sends a command that the page understands or opens the data folder', async () => {
    const window = await start();
    const items = builtItems().filter(({ click }) => click !== undefined);
    for (const { click } of items) click?.();
    expect(fakeElectron.openedPaths).toEqual([workspace.path]);
    expect(commands(window)).toHaveLength(items.length - 1);
    expect(commands(window)).not.toContain(null);
    expect(commands(window)).toContainEqual({ kind: 'go', to: '/results/new' });
  });

  it('sends a command after the page has loaded, and to the app’s own page only', async () => {
    const window = await start();
    window.webContents.loading = true;
    const [item] = builtItems().filter(({ click }) => click !== undefined);
    item?.click?.();
    expect(window.webContents.sent).toEqual([]);
    window.webContents.emit('did-finish-load');
    expect(window.webContents.sent).toHaveLength(1);
    window.webContents.loading = false;
    window.webContents.mainFrame.url = 'https://app.evil/';
    item?.click?.();
    expect(window.webContents.sent).toHaveLength(1);
  });
});

describe('links from other programs', () => {
  it.each([
    'touchstone://app/servers',
    'touchstone-open:servers',
    'touchstone-open:///evil.test',
    'touchstone-open://servers/../../x',
    'touchstone-open://servers/%0a\n',
    'touchstone-open://javascript:alert(1)',
    'TOUCHSTONE-OPEN://servers',
    'https://evil.test/servers',
    '--flag',
    '',
    `touchstone-open://servers/${'a'.repeat(4000)}`,
  ])('ignores %j', async (link) => {
    fakeElectron.pressed = 1;
    const window = await start([link]);
    app.emit('second-instance', {}, ['/usr/bin/touchstone', link]);
    app.emit('open-url', { preventDefault: () => undefined }, link);
    await settled();
    expect(fakeElectron.questions).toEqual([]);
    expect(window.webContents.sent).toEqual([]);
  });

  it('follows a link only after the user agrees', async () => {
    const window = await start();
    fakeElectron.pressed = 0;
    app.emit('second-instance', {}, ['/usr/bin/touchstone', 'touchstone-open://tools?add']);
    await settled();
    expect(fakeElectron.questions[0]).toMatchObject({ defaultId: 0, cancelId: 0 });
    expect(fakeElectron.questions[0]?.detail).toContain('/tools?add');
    expect(window.webContents.sent).toEqual([]);
    fakeElectron.pressed = 1;
    app.emit('second-instance', {}, ['/usr/bin/touchstone', 'touchstone-open://tools/import']);
    await settled();
    expect(commands(window)).toEqual([{ kind: 'go', to: '/tools/import' }]);
  });

  it('asks one question for many links at once', async () => {
    await start();
    for (let link = 0; link < 5; link += 1)
      app.emit('open-url', { preventDefault: () => undefined }, `touchstone-open://suites/${link}`);
    await settled();
    expect(fakeElectron.questions).toHaveLength(1);
  });

  it('follows the link that the program was started with', async () => {
    fakeElectron.pressed = 1;
    const window = await start(['/usr/bin/touchstone', 'touchstone-open://suites']);
    await settled();
    expect(commands(window)).toEqual([{ kind: 'go', to: '/suites' }]);
  });
});

describe('the page that a start names', () => {
  const page = '--page=/servers/0b54';

  it('is shown by a new window, and by one that is open, without a question', async () => {
    const window = await start(['/usr/bin/electron', '/app', page]);
    await settled();
    app.emit('second-instance', {}, ['/usr/bin/electron', '/app', '--page=/tools/files/read%20it']);
    await settled();
    expect(fakeElectron.questions).toEqual([]);
    expect(commands(window)).toEqual([
      { kind: 'go', to: '/servers/0b54' },
      { kind: 'go', to: '/tools/files/read%20it' },
    ]);
  });

  it.each(['--page=', '--page=//evil.test', '--page=/servers/../x', '--page=javascript:alert(1)'])(
    'is ignored if it is %j',
    async (given) => {
      const window = await start(['/usr/bin/electron', given]);
      await settled();
      expect(commands(window)).toEqual([]);
    },
  );
});

describe('links that arrive while the workspace opens', () => {
  const other = (...more: string[]) => app.emit('second-instance', {}, ['/app', ...more]);
  const link = (n: number) => `touchstone-open://suites/${n}`;
  it.each([
    ['an event', () => app.emit('open-url', { preventDefault: () => undefined }, link(2))],
    ['a second start', () => other(link(2))],
    [
      'several starts, the last one without a link',
      () => [other(link(1)), other(link(2)), other()],
    ],
  ])('are followed: %s', async (_how, arrive) => {
    const opened = Promise.withResolvers<undefined>();
    opening = opened.promise;
    fakeElectron.pressed = 1;
    const started = start();
    arrive();
    opened.resolve(undefined);
    const window = await started;
    await settled();
    expect(commands(window)).toEqual([{ kind: 'go', to: '/suites/2' }]);
  });
});

describe('closing', () => {
  const evaluation = {
    number: 7,
    suiteName: 'todo-sample',
    state: 'running',
    counts: { total: 61, open: 41 },
  };

  it('expectation 10: asks before it closes during a running evaluation', async () => {
    running = [evaluation];
    const window = await start();
    fakeElectron.pressed = 0;
    window.close();
    await settled();
    expect(fakeElectron.questions).toHaveLength(1);
    expect(fakeElectron.questions[0]?.detail).toContain('#7 todo-sample: 20 of 61 runs done.');
    expect(fakeElectron.windows).toHaveLength(1);
    fakeElectron.pressed = 1;
    const closed = once(window, 'closed');
    window.close();
    await closed;
    expect(fakeElectron.windows).toEqual([]);
    expect(app.quits).toBe(1);
  });

  it('asks once when quitting, and quits after the user agrees', async () => {
    running = [evaluation];
    await start();
    app.quit();
    app.quit();
    await settled();
    expect([fakeElectron.questions.length, app.exits]).toEqual([1, []]);
    fakeElectron.pressed = 1;
    const exited = once(app, 'fake-exit');
    app.quit();
    await exited;
    expect(app.exits).toEqual([0]);
  });

  it('does not hold up a log-out: with nothing running, the first attempt to quit succeeds', async () => {
    await start();
    const exited = once(app, 'fake-exit');
    app.quit();
    // A Mac asks once, and takes a prevented event for a refusal.
    expect([app.quits, fakeElectron.windows.length]).toEqual([1, 0]);
    await exited;
    expect([app.exits, fakeElectron.questions]).toEqual([[0], []]);
  });

  it('asks about an evaluation that began after an attempt to quit was given up', async () => {
    const window = await start();
    // Something else keeps the window open.
    window.once('close', (event: { preventDefault: () => void }) => event.preventDefault());
    app.quit();
    expect(app.exits).toEqual([]);
    running = [evaluation];
    fakeElectron.pressed = 0;
    app.quit();
    await settled();
    expect([fakeElectron.questions.length, app.exits]).toEqual([1, []]);
  });

  it('quits without a question when the system shuts down, and delays that until it has', async () => {
    running = [evaluation];
    await start();
    let delayed = false;
    const exited = once(app, 'fake-exit');
    powerMonitor.emit('shutdown', { preventDefault: () => void (delayed = true) });
    await exited;
    expect([delayed, app.exits, fakeElectron.questions]).toEqual([true, [0], []]);
  });

  it('quits without a question when Windows ends the session', async () => {
    running = [evaluation];
    const window = await start();
    const exited = once(app, 'fake-exit');
    window.emit('session-end', { reasons: ['shutdown'] });
    await exited;
    expect([app.exits, fakeElectron.questions]).toEqual([[0], []]);
  });

  it('T18: quits without a question when its launcher was killed', async () => {
    running = [evaluation];
    await start();
    faults.emit('launcher ended');
    await settled();
    expect([fakeElectron.questions, app.quits]).toEqual([[], 1]);
  });

  it('closes no window that is gone when its question is answered', async () => {
    running = [evaluation];
    const window = await start();
    fakeElectron.pressed = 1;
    window.close();
    const close = vi.spyOn(window, 'close');
    window.destroy();
    await settled();
    expect([fakeElectron.questions.length, close.mock.calls.length]).toEqual([1, 0]);
  });

  it('closes without a question when nothing is running', async () => {
    running = [{ ...evaluation, state: 'completed' }];
    const window = await start();
    window.close();
    await settled();
    expect(fakeElectron.questions).toEqual([]);
    expect(fakeElectron.windows).toEqual([]);
  });
});

describe('a crash', () => {
  it('reloads the page twice, then asks', async () => {
    const { webContents } = await start();
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    for (let crash = 0; crash < 2; crash += 1)
      webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    expect([webContents.reloads, fakeElectron.questions.length]).toEqual([2, 0]);
    fakeElectron.pressed = 1;
    webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });
    await settled();
    expect(fakeElectron.questions).toHaveLength(1);
    expect(webContents.reloads).toBe(3);
    expect(logged[0]).toContain('crashed');
    vi.restoreAllMocks();
  });

  it.each([
    ['Close', 0],
    ['Reload', 1],
  ])('leaves a window alone that is closed while %s is chosen', async (_button, pressed) => {
    const window = await start();
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    const acts = [vi.spyOn(window, 'close'), vi.spyOn(window.webContents, 'reload')];
    const crash = () =>
      window.webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });
    crash();
    crash();
    for (const act of acts) act.mockClear();
    fakeElectron.pressed = pressed;
    crash();
    window.emit('unresponsive');
    window.destroy();
    await settled();
    expect(fakeElectron.questions).toHaveLength(2);
    for (const act of acts) expect(act).not.toHaveBeenCalled();
    expect([faults.listenerCount('uncaughtException'), app.exits]).toEqual([1, []]);
    vi.restoreAllMocks();
  });

  it('does not reload a page that exited cleanly', async () => {
    const { webContents } = await start();
    webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
    expect(webContents.reloads).toBe(0);
  });

  it('exits after an uncaught error, logs it and does not restart unasked', async () => {
    await start();
    fakeElectron.pressed = 1;
    faults.emit('uncaughtException', new Error('nobody caught this'));
    expect([app.exits, app.relaunches]).toEqual([[1], 0]);
    expect(logged[0]).toContain('nobody caught this');
    expect(fakeElectron.questions[0]?.detail).not.toContain('nobody caught this');
  });

  it('asks once for two errors and restarts when the user agrees', async () => {
    await start();
    fakeElectron.pressed = 0;
    faults.emit('unhandledRejection', new Error('first'));
    faults.emit('uncaughtException', new Error('second'));
    expect([fakeElectron.questions.length, app.relaunches, app.exits]).toEqual([1, 1, [1]]);
  });
});
