import { EventEmitter } from 'node:events';
import { app, openWindows } from './app.ts';
import { FakeWebContents } from './contents.ts';
import { preventable } from './preventable.ts';
import { type FakeBounds, recorded } from './recorded.ts';

/** The open windows. */
export const windows = openWindows as BrowserWindow[];

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return windows;
  }

  readonly webContents = new FakeWebContents();
  readonly options: { webPreferences?: Record<string, unknown> } & Record<string, unknown>;
  readonly loaded: string[] = [];
  shown = false;
  focused = 0;
  /** What the user did to the window. */
  bounds: FakeBounds = { x: 10, y: 20, width: 1280, height: 860 };
  maximized = false;
  fullScreen = false;
  minimized = false;
  destroyed = false;

  constructor(options: { webPreferences?: Record<string, unknown> }) {
    super();
    this.options = options;
    windows.push(this);
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

  /**
   * A listener of `close` may keep the window open. The end of the last window while the program quits
   * is no `window-all-closed`; without a listener of that, the program quits.
   */
  close(): void {
    if (preventable(this, 'close')) return;
    this.destroy();
    if (windows.length > 0 || app.quitting) return;
    if (!app.emit('window-all-closed')) app.quit();
  }

  /** “Force closing the window, the close event will also not be emitted.” */
  destroy(): void {
    this.destroyed = true;
    this.webContents.destroyed = true;
    windows.splice(windows.indexOf(this), 1);
    this.emit('closed');
  }
}

export const screen = { getAllDisplays: (): { workArea: FakeBounds }[] => recorded.displays };

export const nativeTheme = { shouldUseDarkColors: false };
