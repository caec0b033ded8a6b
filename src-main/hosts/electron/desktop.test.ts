import { EventEmitter, once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readHostCommand } from '../../../src-shared/domain/hostCommand.ts';
import { recordServices } from '../../testing/contractSuiteServices.ts';
import {
  app,
  fakeElectron,
  resetFakeElectron,
  type BrowserWindow,
} from '../../testing/fakeElectron/electron.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { screenOfLink } from './deepLinks.ts';
import { menuTemplate } from './menu.ts';
import { startElectron } from './startElectron.ts';
import { fitToScreens, type WindowState } from './windowState.ts';

let workspace: TemporaryFolder;
let running: {
  number: number;
  suiteName: string;
  state: string;
  counts: { total: number; open: number };
}[];
const logged: string[] = [];
const faults = new EventEmitter();
const log = { info: () => undefined, error: (message: string) => void logged.push(message) };

async function start(argv: string[] = []): Promise<BrowserWindow> {
  await startElectron({
    openServices: async () => ({
      services: recordServices({ evaluations: { list: async () => running as never } }).services,
      close: async () => undefined,
    }),
    rendererFolder: '/nowhere',
    preloadFile: '/app/preload.cjs',
    folder: workspace.path,
    argv,
    process: faults as never,
    log,
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
  logged.splice(0);
  workspace = await temporaryFolder();
});
afterEach(() => workspace.remove());

describe('the window’s place', () => {
  it('expectation 19: would be forgotten, or kept as large as the screen that it was maximized on', async () => {
    const window = await start();
    expect(window.options).toMatchObject({ width: 1280, height: 860 });
    window.bounds = { x: 140, y: 60, width: 900, height: 700 };
    window.emit('moved');
    window.maximize();
    window.close();
    fakeElectron.windows.splice(0);
    const again = await start();
    expect(again.options).toMatchObject({ x: 140, y: 60, width: 900, height: 700 });
    expect(again.maximized).toBe(false);
    again.emit('ready-to-show');
    expect([again.maximized, again.shown]).toEqual([true, true]);
  });

  const at = (state: Partial<WindowState>): WindowState => ({
    x: 100,
    y: 100,
    width: 1000,
    height: 700,
    maximized: false,
    fullScreen: false,
    ...state,
  });
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1040 },
    { x: 1920, y: 0, width: 1280, height: 1000 },
  ];
  it.each([
    ['stands on the second screen', at({ x: 2000 }), { x: 2000, y: 100, width: 1000, height: 700 }],
    [
      'reaches over an edge but can be grasped',
      at({ x: -800 }),
      { x: -800, y: 100, width: 1000, height: 700 },
    ],
    ['stood on a screen that is gone', at({ x: 5000 }), { width: 1000, height: 700 }],
    ['has its title bar above the screen', at({ y: -200 }), { width: 1000, height: 700 }],
    [
      'was larger than its screen is now',
      at({ x: 2000, width: 3000, height: 2000 }),
      { x: 2000, y: 100, width: 1280, height: 1000 },
    ],
    ['was never opened', null, { width: 1280, height: 860 }],
  ])('a window that %s would be out of reach', (_what, state, expected) => {
    expect(fitToScreens(state, screens)).toEqual(expected);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"x":"0"}',
    '{"x":0,"y":0,"width":1e9,"height":5,"maximized":false,"fullScreen":false}',
  ])('a file of it that holds %j would keep the program from starting', async (text) => {
    await start();
    fakeElectron.windows.splice(0);
    await writeFile(join(workspace.path, 'window', 'window.json'), text);
    expect((await start()).options).toMatchObject({ width: 1280, height: 860 });
  });

  it('the window’s own files would lie outside of the workspace, shared by two workspaces', async () => {
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
const menuOf = (mac: boolean, packaged = true) =>
  flat(
    menuTemplate(
      { send: () => undefined, showDataFolder: () => undefined },
      { mac, packaged },
    ) as Item[],
  );

describe('the menu', () => {
  it.each([true, false])(
    'two items would answer to the same keys, or one to those of the system (Mac: %s)',
    (mac) => {
      const keys = menuOf(mac).flatMap(({ accelerator }) =>
        accelerator === undefined ? [] : [accelerator],
      );
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.every((key) => key.startsWith('CmdOrCtrl+'))).toBe(true);
    },
  );

  it('would lack what each platform puts there', () => {
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

  it('developer tools would be in the menu of an installed program', () => {
    expect(menuOf(false, true).map(({ role }) => role)).not.toContain('toggleDevTools');
    expect(menuOf(false, false).map(({ role }) => role)).toContain('toggleDevTools');
  });

  it('an item would lead nowhere', async () => {
    const window = await start();
    const items = flat(fakeElectron.menu as Item[]).filter(({ click }) => click !== undefined);
    for (const { click } of items) click?.();
    expect(fakeElectron.openedPaths).toEqual([workspace.path]);
    expect(commands(window)).toHaveLength(items.length - 1);
    expect(commands(window)).not.toContain(null);
    expect(commands(window)).toContainEqual({ kind: 'go', to: '/evaluations/new' });
  });

  it('a command would be lost on a page that is still loading, or sent to a page that is not the app', async () => {
    const window = await start();
    window.webContents.loading = true;
    const [item] = flat(fakeElectron.menu as Item[]).filter(({ click }) => click !== undefined);
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
    'touchstone-open://servers',
    'touchstone-open://evaluations/17/runs/3?filter=fn',
    'touchstone-open://suites/import',
  ])('%s would not be understood', (link) => {
    expect(screenOfLink(link)).toBe(`/${link.slice('touchstone-open://'.length)}`);
  });

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
  ])('%j would be followed', async (link) => {
    fakeElectron.pressed = 1;
    const window = await start([link]);
    app.emit('second-instance', {}, ['/usr/bin/touchstone', link]);
    app.emit('open-url', { preventDefault: () => undefined }, link);
    await settled();
    expect(fakeElectron.questions).toEqual([]);
    expect(window.webContents.sent).toEqual([]);
  });

  it('would be followed before anybody agreed', async () => {
    const window = await start();
    fakeElectron.pressed = 0;
    app.emit('second-instance', {}, ['/usr/bin/touchstone', 'touchstone-open://servers?add']);
    await settled();
    expect(fakeElectron.questions[0]).toMatchObject({ defaultId: 0, cancelId: 0 });
    expect(fakeElectron.questions[0]?.detail).toContain('/servers?add');
    expect(window.webContents.sent).toEqual([]);
    fakeElectron.pressed = 1;
    app.emit('second-instance', {}, ['/usr/bin/touchstone', 'touchstone-open://servers?add']);
    await settled();
    expect(commands(window)).toEqual([{ kind: 'go', to: '/servers?add' }]);
  });

  it('a page that opens links in a loop would pile up questions', async () => {
    await start();
    for (let link = 0; link < 5; link += 1)
      app.emit('open-url', { preventDefault: () => undefined }, `touchstone-open://suites/${link}`);
    await settled();
    expect(fakeElectron.questions).toHaveLength(1);
  });

  it('the one that the program was started by would be lost', async () => {
    fakeElectron.pressed = 1;
    const window = await start(['/usr/bin/touchstone', 'touchstone-open://suites']);
    await settled();
    expect(commands(window)).toEqual([{ kind: 'go', to: '/suites' }]);
  });
});

describe('closing', () => {
  const evaluation = {
    number: 7,
    suiteName: 'todo-sample',
    state: 'running',
    counts: { total: 61, open: 41 },
  };

  it('expectation 10: a window would close under a running evaluation without a word', async () => {
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

  it('quitting would go past the question, or ask twice', async () => {
    running = [evaluation];
    await start();
    let prevented = 0;
    const quit = () => app.emit('before-quit', { preventDefault: () => void (prevented += 1) });
    quit();
    quit();
    await settled();
    expect([fakeElectron.questions.length, prevented, app.quits]).toEqual([1, 2, 0]);
    fakeElectron.pressed = 1;
    quit();
    await settled();
    expect(app.quits).toBe(1);
    quit();
    expect(prevented).toBe(3);
  });

  it('nobody would be asked for nothing, nor be kept in by a core that fails', async () => {
    running = [{ ...evaluation, state: 'completed' }];
    const window = await start();
    window.close();
    await settled();
    expect(fakeElectron.questions).toEqual([]);
    expect(fakeElectron.windows).toEqual([]);
  });
});

describe('a crash', () => {
  it('of the page would leave an empty window, or load it for ever', async () => {
    const { webContents } = await start();
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    for (let crash = 0; crash < 2; crash += 1)
      webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    expect([webContents.reloads, fakeElectron.questions.length]).toEqual([2, 0]);
    fakeElectron.pressed = 1;
    webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });
    await settled();
    expect(fakeElectron.questions).toHaveLength(1);
    expect(webContents.reloads).toBe(2);
    expect(logged[0]).toContain('crashed');
    vi.restoreAllMocks();
  });

  it('a page that ended as it should would be loaded again', async () => {
    const { webContents } = await start();
    webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
    expect(webContents.reloads).toBe(0);
  });

  it('of the program would go on in an unknown state, or start anew unasked', async () => {
    await start();
    fakeElectron.pressed = 1;
    faults.emit('uncaughtException', new Error('nobody caught this'));
    expect([app.exits, app.relaunches]).toEqual([[1], 0]);
    expect(logged[0]).toContain('nobody caught this');
    expect(fakeElectron.questions[0]?.detail).not.toContain('nobody caught this');
  });

  it('that is followed by another would ask again; a wished restart would not come', async () => {
    await start();
    fakeElectron.pressed = 0;
    faults.emit('unhandledRejection', new Error('first'));
    faults.emit('uncaughtException', new Error('second'));
    expect([fakeElectron.questions.length, app.relaunches, app.exits]).toEqual([1, 1, [1]]);
  });
});
