import { EventEmitter } from 'node:events';
import { appUrl } from '../../hosts/electron/origin.ts';
import { theBrowser } from './chromium.ts';
import { preventable } from './preventable.ts';
import { StandInPage } from './page.ts';
import { type Asked, session } from './session.ts';

export class FakeFrame {
  url: string;
  parent: FakeFrame | null = null;
  detached = false;
  constructor(url: string) {
    this.url = url;
  }
}

/** `webContents`, and what a page in it does. */
export class FakeWebContents extends EventEmitter {
  static #count = 0;
  readonly id = (FakeWebContents.#count += 1);
  readonly page: StandInPage | null;
  /** Until a test says otherwise, a page without a browser is the app's. */
  mainFrame: FakeFrame;
  loading = false;
  reloads = 0;
  destroyed = false;
  readonly sent: { channel: string; message: unknown }[] = [];
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;

  constructor(preferences?: Record<string, unknown>) {
    super();
    this.page = theBrowser() === null ? null : new StandInPage(this, preferences);
    this.mainFrame = new FakeFrame(this.page === null ? appUrl : '');
  }

  get session(): typeof session.defaultSession {
    return session.defaultSession;
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }

  getURL(): string {
    this.#living();
    return this.mainFrame.url;
  }

  isLoading(): boolean {
    this.#living();
    return this.loading;
  }

  /** The stand-in has no developer tools. */
  openDevTools(): void {
    this.#living();
  }

  isDevToolsOpened(): boolean {
    this.#living();
    return false;
  }

  /** Called by the main process, which nobody can prevent. */
  reload(): void {
    this.#living();
    this.reloads += 1;
    void this.page?.reload().catch(() => undefined);
  }

  send(channel: string, message: unknown): void {
    this.#living();
    this.sent.push({ channel, message });
    this.page?.tell({ kind: 'send', channel, data: message });
  }

  focus(): void {
    this.#living();
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    this.#living();
    if (this.page === null) throw new Error('This window has no page.');
    return this.page.run(code, userGesture);
  }

  forcefullyCrashRenderer(): void {
    this.#living();
    void this.page?.crash();
  }

  /**
   * Whether the page, or a frame in it, may go to an address or load itself again
   * (`location.reload()`). “will-navigate: Emitted when a user or the page wants to start navigation
   * on the main frame.” It “will not emit when the navigation is started programmatically with APIs
   * like webContents.loadURL”. `will-frame-navigate` comes first, and where it is prevented,
   * `will-navigate` does not come.
   * https://www.electronjs.org/docs/latest/api/web-contents, shell/browser/electron_navigation_throttle.cc
   */
  mayNavigate(url: string, isMainFrame = true): boolean {
    const details = { url, isMainFrame, isSameDocument: false };
    if (preventable(this, 'will-frame-navigate', details)) return false;
    return !isMainFrame || !preventable(this, 'will-navigate', details);
  }

  /** What a page without a browser does when it goes to an address. */
  navigate(url: string, isMainFrame = true): boolean {
    if (!this.mayNavigate(url, isMainFrame)) return false;
    this.mainFrame.url = url;
    this.reloads += 1;
    return true;
  }

  /**
   * What the handlers of the session say to a permission: `navigator.permissions.query` checks, and
   * what acts, such as `navigator.clipboard.writeText`, requests. Without a handler, it is granted.
   * https://www.electronjs.org/docs/latest/api/session#sessetpermissionrequesthandlerhandler
   */
  isPermitted(permission: string, kind: 'check' | 'request', details: Asked): boolean {
    const { permissionRequestHandler, permissionCheckHandler } = session.defaultSession;
    const { origin } = new URL(details.requestingUrl);
    if (permissionCheckHandler?.(this, permission, `${origin}/`, details) === false) return false;
    if (kind === 'check') return true;
    let granted = permissionRequestHandler === null;
    permissionRequestHandler?.(this, permission, (answer) => void (granted = answer), details);
    return granted;
  }

  /** The page copies text. */
  copies(details = { isMainFrame: true, requestingUrl: this.mainFrame.url }): boolean {
    return this.isPermitted('clipboard-sanitized-write', 'request', details);
  }

  #living(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }
}
