import { EventEmitter } from 'node:events';
import { app, openWindows } from './app.ts';
import { FakeWebContents } from './contents.ts';
import { preventable } from './preventable.ts';
import { type FakeBounds, recorded } from './recorded.ts';

/** The open windows. */
export const windows = openWindows as BrowserWindow[];

interface Options {
  webPreferences?: Record<string, unknown>;
  show?: boolean;
  width?: number;
  height?: number;
  minWidth?: number;
  minHeight?: number;
  [name: string]: unknown;
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return windows;
  }

  readonly webContents: FakeWebContents;
  readonly options: Options;
  readonly loaded: string[] = [];
  shown = false;
  focused = 0;
  /** What the user did to the window. */
  bounds: FakeBounds;
  maximized = false;
  fullScreen = false;
  minimized = false;
  destroyed = false;

  constructor(options: Options) {
    super();
    app.onlyAfterReady('BrowserWindow');
    this.options = options;
    this.shown = options.show === true;
    const { width = 1280, height = 860 } = options;
    this.bounds = { x: 10, y: 20, width, height };
    this.webContents = new FakeWebContents(options.webPreferences);
    this.webContents.once('ready-to-show', () => this.emit('ready-to-show'));
    windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  /** “A noop rejection handler is already attached.” */
  loadURL(url: string): Promise<void> {
    this.#living();
    this.loaded.push(url);
    const { page } = this.webContents;
    if (page !== null) this.webContents.loading = true;
    const loading = page?.load(url) ?? Promise.resolve();
    loading.catch(() => undefined);
    return loading;
  }

  show(): void {
    this.#living();
    this.shown = true;
  }

  isVisible(): boolean {
    this.#living();
    return this.shown;
  }

  focus(): void {
    this.#living();
    this.focused += 1;
  }

  isMinimized(): boolean {
    this.#living();
    return this.minimized;
  }

  restore(): void {
    this.#living();
    this.minimized = false;
  }

  isMaximized(): boolean {
    this.#living();
    return this.maximized;
  }

  maximize(): void {
    this.#living();
    this.maximized = true;
    this.emit('maximize');
  }

  isFullScreenable(): boolean {
    this.#living();
    return process.platform !== 'darwin' || this.options['fullscreen'] !== false;
  }

  getTitle(): string {
    this.#living();
    return String(this.options['title']);
  }

  getMinimumSize(): number[] {
    this.#living();
    const { minWidth = 0, minHeight = 0 } = this.options;
    return [minWidth, minHeight];
  }

  getBackgroundColor(): string {
    this.#living();
    return String(this.options['backgroundColor']);
  }

  isMenuBarAutoHide(): boolean {
    this.#living();
    return this.options['autoHideMenuBar'] === true;
  }

  isFullScreen(): boolean {
    this.#living();
    return this.fullScreen;
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  getNormalBounds(): FakeBounds {
    this.#living();
    return this.bounds;
  }

  /**
   * A listener of `close` may keep the window open, and so may the page: “returning a non-void value
   * silently cancels the close”. The end of the last window while the program quits is no
   * `window-all-closed`; without a listener of that, the program quits.
   */
  close(): void {
    this.#living();
    if (preventable(this, 'close')) {
      app.giveUpQuitting();
      return;
    }
    if (this.webContents.page === null) {
      this.#end();
      return;
    }
    this.webContents
      .executeJavaScript("window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")
      .then(
        (mayClose) => (mayClose === false ? app.giveUpQuitting() : this.#end()),
        () => this.#end(),
      );
  }

  /** Of a window that is gone, only `isDestroyed` and what `EventEmitter` gives can be called. */
  #living(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }

  #end(): void {
    if (this.destroyed) return;
    this.destroy();
    app.windowEnded();
  }

  /** “Force closing the window, the close event will also not be emitted.” */
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.webContents.destroyed = true;
    windows.splice(windows.indexOf(this), 1);
    void this.webContents.page?.close().catch(() => undefined);
    this.emit('closed');
  }
}

export const screen = {
  getAllDisplays: (): { workArea: FakeBounds }[] => {
    app.onlyAfterReady("The 'screen' module");
    return recorded.displays;
  },
};

export const nativeTheme = { shouldUseDarkColors: false };
