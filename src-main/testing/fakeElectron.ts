import { EventEmitter } from 'node:events';
import type { MessagePort as NodePort } from 'node:worker_threads';

/**
 * Stands in for the `electron` package where there is no binary. It does nothing but note what it is asked to do, in `fakeElectron`,
 * so that a test can look at it and can call every handler with what an attacker would send.
 */

type Handler = (...all: never[]) => unknown;

/** A port of the main process, over a real one of Node: linked, asynchronous, closed on both sides at once. */
export class FakeMessagePortMain extends EventEmitter {
  readonly #port: NodePort;
  #closed = false;

  constructor(port: NodePort) {
    super();
    this.#port = port;
    port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
    port.on('close', () => {
      this.#closed = true;
      this.emit('close');
    });
    // Like the real one, nothing is delivered before start().
    port.unref();
  }

  get closed(): boolean {
    return this.#closed;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  start(): void {
    this.#port.start();
  }

  close(): void {
    this.#port.close();
  }
}

export class FakeFrame {
  url: string;
  parent: FakeFrame | null = null;
  detached = false;
  constructor(url: string) {
    this.url = url;
  }
}

export class FakeWebContents extends EventEmitter {
  static #count = 0;
  readonly id = (FakeWebContents.#count += 1);
  mainFrame = new FakeFrame('touchstone://app/');
  loading = false;
  reloads = 0;
  readonly sent: { channel: string; message: unknown }[] = [];
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  isLoading(): boolean {
    return this.loading;
  }

  reload(): void {
    this.reloads += 1;
  }

  send(channel: string, message: unknown): void {
    this.sent.push({ channel, message });
  }
}

interface FakeBounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return fakeElectron.windows;
  }

  readonly webContents = new FakeWebContents();
  readonly options: { webPreferences?: Record<string, unknown> } & Record<string, unknown>;
  readonly loaded: string[] = [];
  shown = false;
  focused = 0;
  /** What the user did to it. */
  bounds: FakeBounds = { x: 10, y: 20, width: 1280, height: 860 };
  maximized = false;
  fullScreen = false;
  minimized = false;
  destroyed = false;

  constructor(options: { webPreferences?: Record<string, unknown> }) {
    super();
    this.options = options;
    fakeElectron.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }

  show(): void {
    this.shown = true;
  }

  focus(): void {
    this.focused += 1;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  restore(): void {
    this.minimized = false;
  }

  isMaximized(): boolean {
    return this.maximized;
  }

  maximize(): void {
    this.maximized = true;
    this.emit('maximize');
  }

  isFullScreen(): boolean {
    return this.fullScreen;
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  getNormalBounds(): FakeBounds {
    return this.bounds;
  }

  /** As the real one: a listener of `close` may keep it open. */
  close(): void {
    const event = { prevented: false, preventDefault: () => void (event.prevented = true) };
    this.emit('close', event);
    if (event.prevented) return;
    this.destroyed = true;
    fakeElectron.windows.splice(fakeElectron.windows.indexOf(this), 1);
    this.emit('closed');
    if (fakeElectron.windows.length === 0) app.emit('window-all-closed');
  }
}

class FakeSession extends EventEmitter {
  permissionRequestHandler: ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void) | null = null;
  permissionCheckHandler: ((...all: unknown[]) => boolean) | null = null;
  devicePermissionHandler: ((...all: unknown[]) => boolean) | null = null;
  beforeRequest: ((details: { url: string }, answer: (verdict: { cancel?: boolean }) => void) => void) | null = null;

  setPermissionRequestHandler(handler: NonNullable<FakeSession['permissionRequestHandler']>): void {
    this.permissionRequestHandler = handler;
  }

  setPermissionCheckHandler(handler: () => boolean): void {
    this.permissionCheckHandler = handler;
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.devicePermissionHandler = handler;
  }

  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<FakeSession['beforeRequest']>): void => {
      this.beforeRequest = handler;
    },
  };
}

class FakeApp extends EventEmitter {
  isPackaged = false;
  /** What the next request for the lock gets. */
  isFirst = true;
  sandboxed = false;
  quits = 0;
  exits: number[] = [];
  relaunches = 0;
  readonly name = 'Touchstone';
  readonly paths = new Map<string, string>();
  readonly protocols: string[] = [];

  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }

  setAsDefaultProtocolClient(scheme: string): void {
    this.protocols.push(scheme);
  }

  isReady(): boolean {
    return true;
  }

  relaunch(): void {
    this.relaunches += 1;
  }

  requestSingleInstanceLock(): boolean {
    return this.isFirst;
  }

  getPath(name: string): string {
    return `/home/somebody/${name}`;
  }

  enableSandbox(): void {
    this.sandboxed = true;
  }

  async whenReady(): Promise<void> {
    return Promise.resolve();
  }

  quit(): void {
    this.quits += 1;
  }

  exit(code: number): void {
    this.exits.push(code);
    this.emit('fake-exit', code);
  }
}

interface SuggestedFile {
  defaultPath: string;
  filters: { name: string; extensions: string[] }[];
  properties: string[];
}

interface Recorded {
  windows: BrowserWindow[];
  /** Channel → listener, of `ipcMain.on`. */
  listeners: Map<string, Handler>;
  /** Channels registered by any other way than `on`: there should be none. */
  otherChannels: string[];
  schemes: unknown[];
  protocols: Map<string, (request: { method: string; url: string }) => Promise<Response>>;
  opened: string[];
  questions: { message: string; detail?: string; buttons?: string[]; defaultId?: number; cancelId?: number }[];
  /** The button that the user presses on the next question. */
  pressed: number;
  errorBoxes: { title: string; content: string }[];
  /** What save dialogs suggested, and the path that the user chooses next; null closes the dialog. */
  suggested: SuggestedFile[];
  chosen: string | null;
  /** Where dialogs for a folder opened; `chosen` is what the user answers. */
  openedAt: (string | undefined)[];
  shownInFolder: string[];
  exposed: Map<string, unknown>;
  posted: { channel: string; message: unknown; ports: unknown[] }[];
  /** Folders and files shown in the system's own window. */
  openedPaths: string[];
  menu: unknown;
  displays: { workArea: FakeBounds }[];
  /** Channel → listener, of the preload's `ipcRenderer.on`. */
  received: Map<string, Handler>;
}

const empty = (): Recorded => ({
  windows: [],
  listeners: new Map(),
  otherChannels: [],
  schemes: [],
  protocols: new Map(),
  opened: [],
  questions: [],
  pressed: 0,
  errorBoxes: [],
  suggested: [],
  chosen: null,
  openedAt: [],
  shownInFolder: [],
  exposed: new Map(),
  posted: [],
  openedPaths: [],
  menu: null,
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
  received: new Map(),
});

export const fakeElectron: Recorded = empty();
export const app = new FakeApp();
export const session = { defaultSession: new FakeSession() };

/** Back to a program that was never started. */
export function resetFakeElectron(): void {
  Object.assign(fakeElectron, empty());
  app.removeAllListeners();
  Object.assign(app, { isPackaged: false, isFirst: true, sandboxed: false, quits: 0, exits: [], relaunches: 0 });
  app.paths.clear();
  app.protocols.splice(0);
  session.defaultSession = new FakeSession();
}

export const ipcMain = {
  on: (channel: string, handler: Handler): void => void fakeElectron.listeners.set(channel, handler),
  once: (channel: string): void => void fakeElectron.otherChannels.push(channel),
  handle: (channel: string): void => void fakeElectron.otherChannels.push(channel),
  handleOnce: (channel: string): void => void fakeElectron.otherChannels.push(channel),
};

export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown[]): void => void fakeElectron.schemes.push(...schemes),
  handle: (scheme: string, handler: (request: { method: string; url: string }) => Promise<Response>): void =>
    void fakeElectron.protocols.set(scheme, handler),
};

export const shell = {
  openExternal: async (url: string): Promise<void> => void fakeElectron.opened.push(url),
  showItemInFolder: (path: string): void => void fakeElectron.shownInFolder.push(path),
  openPath: async (path: string): Promise<string> => {
    fakeElectron.openedPaths.push(path);
    return '';
  },
};

export const screen = { getAllDisplays: (): { workArea: FakeBounds }[] => fakeElectron.displays };

export const nativeTheme = { shouldUseDarkColors: false };

export const Menu = {
  buildFromTemplate: (template: unknown): unknown => template,
  setApplicationMenu: (menu: unknown): void => void (fakeElectron.menu = menu),
};

type Question = Recorded['questions'][number];

export const dialog = {
  showSaveDialog: async (...all: [SuggestedFile] | [BrowserWindow, SuggestedFile]): Promise<{ canceled: boolean; filePath: string }> => {
    const suggested = all[1] ?? (all[0] as SuggestedFile);
    fakeElectron.suggested.push(suggested);
    return { canceled: fakeElectron.chosen === null, filePath: fakeElectron.chosen ?? '' };
  },
  showOpenDialog: async (...all: [{ defaultPath?: string }] | [BrowserWindow, { defaultPath?: string }]): Promise<{ canceled: boolean; filePaths: string[] }> => {
    fakeElectron.openedAt.push((all.length === 1 ? all[0] : all[1]).defaultPath);
    return { canceled: fakeElectron.chosen === null, filePaths: fakeElectron.chosen === null ? [] : [fakeElectron.chosen] };
  },
  showMessageBox: async (...all: [Question] | [BrowserWindow, Question]): Promise<{ response: number }> => {
    fakeElectron.questions.push(all.length === 1 ? all[0] : all[1]);
    return { response: fakeElectron.pressed };
  },
  showMessageBoxSync: (question: Question): number => {
    fakeElectron.questions.push(question);
    return fakeElectron.pressed;
  },
  showErrorBox: (title: string, content: string): void => void fakeElectron.errorBoxes.push({ title, content }),
};

export const contextBridge = {
  exposeInMainWorld: (name: string, api: unknown): void => void fakeElectron.exposed.set(name, api),
};

export const ipcRenderer = {
  on: (channel: string, handler: Handler): void => void fakeElectron.received.set(channel, handler),
  postMessage: (channel: string, message: unknown, ports: unknown[]): void => void fakeElectron.posted.push({ channel, message, ports }),
};
