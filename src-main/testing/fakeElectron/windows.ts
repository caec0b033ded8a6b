import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { FakeWebContents } from './contents.ts';
import { type FakeBounds, recorded } from './recorded.ts';

/** The open windows. */
export const windows: BrowserWindow[] = [];

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

  /** As with the real one, a listener of `close` may keep the window open. */
  close(): void {
    const event = { prevented: false, preventDefault: () => void (event.prevented = true) };
    this.emit('close', event);
    if (event.prevented) return;
    this.destroyed = true;
    windows.splice(windows.indexOf(this), 1);
    this.emit('closed');
    if (windows.length === 0) app.emit('window-all-closed');
  }
}

export const screen = { getAllDisplays: (): { workArea: FakeBounds }[] => recorded.displays };

export const nativeTheme = { shouldUseDarkColors: false };
